"""A foreign core against the reference, by the log that it wrote of a launch. docs/compare.md"""

from __future__ import annotations

import ctypes
import json
import os
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, Union

from . import _abi
from ._library import library, name as c_name, text
from .errors import DivergenceError, error_for
from .module import Function, Shape


@dataclass(frozen=True)
class Comparison:
    """What came of a comparison. equal: no difference. text: the report, which says what was compared
    and what could not be. data: the same as the JSON object of docs/compare.md."""

    equal: bool
    text: str
    data: dict[str, Any]

    def __str__(self) -> str:
        return self.text


class LogDivergenceError(DivergenceError):
    """The log differs from the reference; `comparison` has the report."""

    def __init__(self, comparison: Comparison):
        super().__init__(comparison.text)
        self.comparison = comparison


Log = Union[str, os.PathLike, Iterable[Union[str, bytes]]]


def _lines(log: Log) -> Iterator[bytes]:
    if isinstance(log, (str, os.PathLike)):
        with open(log, "rb") as f:
            yield from f
        return
    for line in log:
        yield line.encode("utf-8") if isinstance(line, str) else line


def _feed(handle: ctypes.c_void_p, log: Log) -> int:
    for line in _lines(log):
        line = line[:-1] if line.endswith(b"\n") else line
        status = library().c.wl_compare_line(handle, line, len(line))
        if status != 0:
            return status
    return library().c.wl_compare_end(handle)


def compare(function: Function, log: Log, grid: Shape, block: Shape, *args: Any, shared: int = 0,
            local_bytes: int = 0, follow_loads: bool = False, check: bool = True) -> Comparison:
    """Compares a log with the reference, which runs the launch on the function's device; that must be of
    the backend "func". log: a file's path, or its lines. Launch arguments are those of Function.launch.
    follow_loads: loaded values, and results of atomics and exchanges, are the log's; needed by programs
    with races. check: False returns the report also of a difference.

    Raises LogDivergenceError at the first difference, InputError with the line of a log that is not of
    the schema, and what Function.launch raises.
    """
    c = library().c
    log_name = os.fsdecode(log) if isinstance(log, (str, os.PathLike)) else "log"
    options = _abi.CompareOptions(follow_loads, c_name(log_name, "log"))
    shape, raw_args, data = function._prepare(grid, block, args, shared, local_bytes)
    pointer = ctypes.c_void_p()
    handle = function.module.device._handle
    with handle.use():
        function.module._use()
        try:
            handle.raised = None
            with handle.interruptible():
                status = c.wl_compare_open(function._pointer, ctypes.byref(shape), raw_args, len(data),
                                           ctypes.byref(options), ctypes.byref(pointer))
            handle.raise_caught()
            if status == 0:
                status = _feed(pointer, log)
                if status in (0, 3):
                    found = Comparison(status == 0, text(c.wl_compare_text(pointer)),
                                       json.loads(text(c.wl_compare_json(pointer))))
                    if status == 3 and check:
                        raise LogDivergenceError(found)
                    return found
            raise error_for(status, text(c.wl_compare_text(pointer)))
        finally:
            c.wl_compare_close(pointer)


def start(function: Function, grid: Shape, block: Shape, *args: Any, shared: int = 0,
          local_bytes: int = 0) -> dict[str, Any]:
    """What a foreign core needs to run a launch: code, constants, memory and parameters, as the JSON
    object of docs/compare.md. Arguments are those of Function.launch."""
    pieces: list[bytes] = []
    shape, raw_args, data = function._prepare(grid, block, args, shared, local_bytes)
    handle = function.module.device._handle
    piece = _abi.PIECE(lambda _context, at, size: pieces.append(ctypes.string_at(at, size)))
    with handle.use():
        function.module._use()
        handle.check(library().c.wl_compare_start(function._pointer, ctypes.byref(shape), raw_args,
                                                  len(data), piece, None))
    return json.loads(b"".join(pieces))
