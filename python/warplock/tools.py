"""Tools that need no device: assemble and disassemble."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Optional, Union

from . import _abi
from ._library import library, name as c_name, text
from .errors import Diagnostic, diagnostics_of, error_for
from .report import Refusal, refusals


@dataclass(frozen=True)
class Assembly:
    """An object (its bytes, as `warplock as` writes them), the assembler's diagnostics as text, and by
    kernel what it can reach that is not built: such a kernel is in the object, but cannot be launched."""

    object: bytes
    log: str
    refused: dict[str, list[Refusal]]

    @property
    def warnings(self) -> list[Diagnostic]:
        """The diagnostics."""
        return diagnostics_of(self.log)


def assemble(source: Union[str, bytes], name: str = "text.ptx", *, max_regs: int = 0,
             target: Optional[str] = None, strict: bool = False, kernel: Optional[str] = None,
             strict_tmem: bool = False) -> Assembly:
    """Makes an object of PTX text. Arguments and errors are those of Device.module; max_regs 0: 255.
    UnsupportedError where no kernel can be launched, with strict where one cannot, with kernel where this
    one cannot. strict_tmem: InputError for what docs/checked.md forbids with addresses of tensor memory."""
    raw = source.encode("utf-8") if isinstance(source, str) else bytes(source)
    options = _abi.AssembleOptions(max_regs=max_regs, target=c_name(target, "target"), strict=strict,
                                   kernel=c_name(kernel, "kernel"), strict_tmem=strict_tmem)
    pointer, size = ctypes.c_void_p(), ctypes.c_size_t()
    c = library().c
    status = c.wl_assemble(c_name(name, "name"), raw, len(raw), ctypes.byref(options),
                           ctypes.byref(pointer))
    try:
        log = text(c.wl_assembly_log(pointer))
        if status != 0:
            raise error_for(status, log)
        data = c.wl_assembly_object(pointer, ctypes.byref(size))
        refused = refusals(lambda index, info: c.wl_assembly_refusal(pointer, index, info))
        return Assembly(ctypes.string_at(data, size.value), log, refused)
    finally:
        c.wl_assembly_free(pointer)


def disassemble(object: bytes, *, source: bool = False) -> list[str]:
    """The instructions of an object as lines of text (docs/isa.md), with functions and targets between
    them; source: also the PTX lines. Raises InputError for what is no object."""
    lines: list[str] = []
    why = ctypes.create_string_buffer(512)
    status = library().c.wl_disassemble(object, len(object), source,
                                        _abi.LINE(lambda _context, line: lines.append(text(line))), None,
                                        why, len(why))
    if status != 0:
        raise error_for(status, text(why.value))
    return lines
