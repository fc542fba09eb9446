"""What goes wrong, one class for each exit code of the program `warplock` (docs/architecture.md 6).

    WarplockError
      InputError         2   malformed input, or a wrong use
        ArgumentError        an argument does not fit its kernel parameter; also a ValueError
      DivergenceError    3   the two sides of lockstep differ; `divergence` says where
      TrapError          4   the program trapped; `trap` says where
      HangError          5   no progress, or a limit was reached
      UnsupportedError   6   valid, but not for this build or configuration
      InternalError     70   out of memory, or a bug
    LibraryError             libwarplock was not found, or is of another version; also an ImportError
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Diagnostic:
    """One message of the assembler about PTX text.

    severity: "error", "warning" or "note". line and column count from 1, column in bytes or None. clause: the
    clause of the PTX ISA that the text breaks or that is not built, "5.1.6", or None.
    """

    file: str
    line: int
    column: Optional[int]
    severity: str
    message: str
    clause: Optional[str]


_DIAGNOSTIC = re.compile(r"^(.+?):(\d+):(?:(\d+):)? (error|warning|note): (.*?)(?: \[PTX ([\w.]+)\])?$",
                         re.MULTILINE)


def diagnostics_of(text: str) -> list[Diagnostic]:
    """The diagnostics in a text of the assembler, in its order."""
    return [Diagnostic(m[1], int(m[2]), int(m[3]) if m[3] else None, m[4], m[5], m[6])
            for m in _DIAGNOSTIC.finditer(text)]


class WarplockError(Exception):
    """A failed call.

    exit_code: the value of wl_status_t, which is the exit code of the program `warplock` for the same
    failure. message: the library's own text. result: the launch that failed (launch.Result), or None.
    """

    exit_code: int = 70

    def __init__(self, message: str, exit_code: Optional[int] = None, result=None):
        super().__init__(message)
        self.message = message
        self.result = result
        if exit_code is not None:
            self.exit_code = exit_code

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The assembler's diagnostics in the message; empty where the error is not about PTX text."""
        return diagnostics_of(self.message)


class InputError(WarplockError):
    """Malformed input or a wrong use."""

    exit_code = 2


class ArgumentError(InputError, ValueError):
    """A launch argument does not fit its kernel parameter."""


class DivergenceError(WarplockError):
    """The two sides of lockstep differ."""

    exit_code = 3

    @property
    def divergence(self):
        """Where they differ (report.Divergence)."""
        return self.result.divergence if self.result is not None else None


class TrapError(WarplockError):
    """The program trapped."""

    exit_code = 4

    @property
    def trap(self):
        """Where it trapped (report.Trap)."""
        return self.result.trap if self.result is not None else None


class HangError(WarplockError):
    """No progress, the limit of cycles was reached, or `stop` said so."""

    exit_code = 5


class UnsupportedError(WarplockError):
    """Valid, but not for this build or configuration. `clause` is the clause of the PTX ISA, if known."""

    exit_code = 6

    @property
    def clause(self) -> Optional[str]:
        """The clause of the first diagnostic that has one, "9.7.3"."""
        return next((d.clause for d in self.diagnostics if d.clause), None)


class InternalError(WarplockError):
    """Out of memory, or a bug of Warplock."""

    exit_code = 70


class LibraryError(WarplockError, ImportError):
    """libwarplock was not found, cannot be loaded, or is of another version."""

    exit_code = 2


_CLASSES = {k.exit_code: k for k in (InputError, DivergenceError, TrapError, HangError,
                                     UnsupportedError, InternalError)}


def error_for(status: int, message: str, result=None) -> WarplockError:
    """The exception for a status other than 0."""
    return _CLASSES.get(status, InternalError)(message, status, result)
