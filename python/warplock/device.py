"""Devices: one GPU each, simulated or a board."""

from __future__ import annotations

import ctypes
import os
import weakref
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any, Callable, Iterator, Optional, Union

from . import _abi
from ._handle import Handle
from ._library import library, name, text
from .buffer import Buffer, bytes_of
from .errors import InputError, error_for
from .module import Module


@dataclass(frozen=True)
class DeviceInfo:
    """What a device has.

    warps, ctas: slots of the SM. max_threads: of a CTA. max_regs: of a thread. reg_pages: of 8 registers
    by 32 lanes. smem_bytes: shared memory of a CTA. mem_base, mem_bytes, mem_used: device memory, bytes.
    sub_cores: warp slots and register pages are an equal part in each.
    """

    backend: str
    config: str
    warps: int
    ctas: int
    max_threads: int
    max_regs: int
    reg_pages: int
    smem_bytes: int
    mem_base: int
    mem_bytes: int
    mem_used: int
    sub_cores: int


def backends() -> dict[str, bool]:
    """Backends by name, and whether this library has them."""
    c, found, i = library().c, {}, 0
    while (known := c.wl_backend_name(i)) is not None:
        found[text(known)] = c.wl_backend_available(known)
        i += 1
    return found


def configs() -> list[str]:
    """Names of the configurations, smallest first."""
    c, found, i = library().c, [], 0
    while (known := c.wl_config_name(i)) is not None:
        found.append(text(known))
        i += 1
    return found


class Device:
    """A GPU: memory, modules and launches. A context manager; closing it frees all that is in it.

    backend: "func" (values only, fastest), "model", "rtl", "lockstep" (model and RTL, compared in every
    clock) or "fpga" (a board). config: "tiny", "base" (default), "full"; a board has its own.
    mem_bytes: device memory, 1 MiB to 4 GiB, 0: 64 MiB. seed: of memory and registers without
    initialiser, and of the disturbance. disturb: "none", "light", "heavy". compare: "journal", "full",
    "inside" (docs/replay.md). threads: lockstep, 2: the model runs beside the RTL. inside: internal state
    is compared too. max_cycles: limit of a launch, 0: none.
    log(line): called with a line for each issued instruction or event. stop(): asked now and then during
    a launch; a true value stops it (HangError). pipeview(piece): pieces of the pipeline view of the first
    launch (docs/views.md), of the format pipeview_format. What these functions raise stops the launch
    and is raised by it; Ctrl-C does the same. trace: file for waves, .vcd or .fst, of the cycles trace_from
    to trace_to (0: to the end). replay: a divergence carries its replay file. port: serial port of a
    board; board_lockstep: it runs beside the model. checked: backend "func"; the results of launches have
    findings (docs/checked.md).

    Raises InputError, UnsupportedError (this build has no such backend), InternalError, LibraryError.
    A device is used by one thread at a time: a second one waits. Several devices run side by side.
    """

    def __init__(self, backend: str = "func", *, config: Optional[str] = None, mem_bytes: int = 0,
                 seed: int = 0, disturb: Optional[str] = None, compare: Optional[str] = None,
                 threads: int = 0, inside: bool = False, max_cycles: int = 0,
                 log: Optional[Callable[[str], Any]] = None,
                 stop: Optional[Callable[[], Any]] = None,
                 pipeview: Optional[Callable[[str], Any]] = None,
                 pipeview_format: Optional[str] = None,
                 trace: Union[str, os.PathLike, None] = None, trace_from: int = 0, trace_to: int = 0,
                 replay: bool = False, port: Optional[str] = None, board_lockstep: bool = False,
                 checked: bool = False):
        numbers = {"mem_bytes": (mem_bytes, 64), "seed": (seed, 64), "threads": (threads, 32),
                   "max_cycles": (max_cycles, 64), "trace_from": (trace_from, 64),
                   "trace_to": (trace_to, 64)}
        for what, (value, bits) in numbers.items():
            if not 0 <= value < 1 << bits:
                raise InputError(f"{what}: {value} is not in 0 to 2^{bits} - 1")
        handle = Handle(0)
        options = _abi.DeviceOptions(
            backend=name(backend, "backend"), config=name(config, "config"), mem_bytes=mem_bytes,
            seed=seed, disturb=name(disturb, "disturb"), compare=name(compare, "compare"),
            threads=threads, inside=inside, max_cycles=max_cycles,
            pipeview_format=name(pipeview_format, "pipeview_format"),
            trace=None if trace is None else os.fsencode(trace), trace_from=trace_from,
            trace_to=trace_to, port=name(port, "port"), lockstep=board_lockstep,
            checked=checked)
        self._set_functions(handle, options, log, stop, pipeview, replay)
        pointer = ctypes.c_void_p()
        c = library().c
        status = c.wl_device_open(ctypes.byref(options), ctypes.byref(pointer))
        if status != 0:
            message = text(c.wl_error(pointer)) if pointer.value else "out of memory"
            c.wl_device_close(pointer)
            raise error_for(status, message)
        handle.pointer = pointer.value
        handle.keep = (options, *handle.keep)
        self._handle = handle
        self._finalizer = weakref.finalize(self, handle.close_quietly)

    @staticmethod
    def _set_functions(handle: Handle, options: _abi.DeviceOptions, log, stop, pipeview, replay) -> None:
        def asked(_context) -> bool:
            return handle.raised is not None or (stop is not None and bool(stop()))

        def kept(_context, _cycle, data, size) -> None:
            handle.replay = ctypes.string_at(data, size)

        options.stop = _abi.STOP(handle.guarded(asked))
        if log is not None:
            options.log = _abi.LINE(handle.guarded(lambda _context, line: log(text(line))))
        if pipeview is not None:
            options.pipeview = _abi.PIECE(handle.guarded(
                lambda _context, data, size: pipeview(text(ctypes.string_at(data, size)))))
        if replay:
            options.replay = _abi.REPLAY(handle.guarded(kept))
        handle.keep = (options.stop, options.log, options.pipeview, options.replay)

    def __enter__(self) -> "Device":
        return self

    def __exit__(self, *_exception) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.closed:
            return "<warplock.Device closed>"
        info = self.info
        return f"<warplock.Device {info.backend} {info.config}>"

    def close(self) -> None:
        """Closes the device; its buffers and modules are gone. A second call does nothing."""
        self._handle.close()

    @property
    def closed(self) -> bool:
        """Whether close() has been called."""
        return self._handle.pointer is None

    @property
    def info(self) -> DeviceInfo:
        """What the device has, and what is used of it now."""
        raw = _abi.DeviceInfo()
        with self._handle.use() as device:
            self._handle.check(library().c.wl_device_query(device, ctypes.byref(raw)))
            values: dict[str, Any] = {}
            for f in fields(DeviceInfo):
                value = getattr(raw, f.name)
                values[f.name] = text(value) if isinstance(value, bytes) else value
        return DeviceInfo(**values)

    # ---- memory

    def alloc(self, nbytes: int) -> Buffer:
        """A buffer of nbytes (at least 1), 256-byte aligned, filled with a pattern of seed and address.
        Raises UnsupportedError where the device's memory is full."""
        if not 0 <= nbytes < 1 << 64:
            raise InputError(f"allocation of {nbytes} bytes")
        address = _abi.ADDRESS()
        with self._handle.use() as device:
            self._handle.check(library().c.wl_alloc(device, nbytes, ctypes.byref(address)))
        return Buffer(self, address.value, nbytes, owned=True)

    def buffer(self, data: Any) -> Buffer:
        """A buffer with a copy of data: bytes, or what has the buffer protocol (array.array, memoryview,
        a ctypes structure, a numpy array). Of a numpy array the buffer keeps dtype and shape."""
        raw = bytes_of(data)
        found = self.alloc(len(raw))
        found.write(raw)
        found._take_form(data)
        return found

    # ---- logs

    @contextmanager
    def effects(self) -> Iterator[list[bytes]]:
        """Within it the launches of this device, backend "func", write themselves as a log of the form
        that compare() reads; the list has its pieces. docs/compare.md"""
        pieces: list[bytes] = []
        piece = _abi.PIECE(lambda _context, at, size: pieces.append(ctypes.string_at(at, size)))
        with self._handle.use() as device:
            self._handle.check(library().c.wl_effects(device, piece, None))
        try:
            yield pieces
        finally:
            if not self.closed:
                with self._handle.use() as device:
                    library().c.wl_effects(device, _abi.PIECE(), None)

    # ---- modules

    def load(self, path: Union[str, os.PathLike], *, max_regs: int = 0,
             target: Optional[str] = None) -> Module:
        """The module in a file: PTX text or an object of `warplock as`. See module()."""
        with open(path, "rb") as f:
            return self.module(f.read(), os.fsdecode(path), max_regs=max_regs, target=target)

    def module(self, source: Union[str, bytes], name: str = "text.ptx", *, max_regs: int = 0,
               target: Optional[str] = None) -> Module:
        """A module made of PTX text, or of the bytes of an object. `name` stands in messages. max_regs:
        limit of register allocation, 24 to 255, 0: the configuration's. target: PTX above it is refused,
        "sm_90". Raises InputError (its diagnostics have line and clause) and UnsupportedError."""
        return Module(self, source, name, max_regs, target)
