"""Modules and kernels: PTX text or objects, placed in device memory, and their launches."""

from __future__ import annotations

import ctypes
import weakref
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any, Iterator, Optional, Sequence, Union

from . import _abi
from ._library import library, name as c_name, text
from .args import Param, argument_bytes
from .buffer import Buffer
from .errors import ArgumentError, Diagnostic, InputError, diagnostics_of, error_for
from .report import Refusal, Result, make_result, refusals

if TYPE_CHECKING:
    from .device import Device

Shape = Union[int, Sequence[int]]


@dataclass(frozen=True)
class FunctionInfo:
    """What a kernel needs and asks for.

    regs, preds: registers and predicates of a thread. barriers: of a CTA. shared_static: bytes of a CTA.
    local_bytes: of a thread. param_bytes: of all parameters. reqntid, maxntid, minctapersm, maxnreg: the
    directives of these names, 0 where they are not given (PTX 11.4).
    """

    regs: int
    preds: int
    barriers: int
    shared_static: int
    local_bytes: int
    param_bytes: int
    reqntid: tuple[int, int, int]
    maxntid: tuple[int, int, int]
    minctapersm: int
    maxnreg: int


class Module:
    """PTX or an object in device memory; made by Device.load and Device.module.

    module["saxpy"] is a kernel; iterating gives the names. name: as in messages. log: warnings of the
    assembler. A context manager: it is unloaded when it is left, by unload(), with its device, or by the
    garbage collector when no kernel or variable of it is held.
    """

    def __init__(self, device: "Device", source: Union[str, bytes], name: str, max_regs: int,
                 target: Optional[str]):
        raw = source.encode("utf-8") if isinstance(source, str) else bytes(source)
        options = _abi.ModuleOptions(max_regs, c_name(target, "target"))
        pointer = ctypes.c_void_p()
        self._pointer: Optional[int]
        with device._handle.use() as d:
            device._handle.check(library().c.wl_module_load(
                d, c_name(name, "name"), raw, len(raw), ctypes.byref(options), ctypes.byref(pointer)))
            self.log = text(library().c.wl_module_log(pointer))
        self.device = device
        self.name = name
        self._pointer = pointer.value
        self._finalizer = weakref.finalize(self, device._handle.release, "wl_module_unload",
                                           pointer.value or 0)
        self._finalizer.atexit = False
        self._functions: Optional[dict[str, "Function"]] = None

    def __enter__(self) -> "Module":
        return self

    def __exit__(self, *_exception) -> None:
        if not self.device.closed:
            self.unload()

    def __repr__(self) -> str:
        return f"<warplock.Module {self.name}>"

    @property
    def warnings(self) -> list[Diagnostic]:
        """The assembler's diagnostics of the successful load."""
        return diagnostics_of(self.log)

    @property
    def refused(self) -> dict[str, list[Refusal]]:
        """Kernels that cannot be launched, each with what it can reach that is not built."""
        c, at = library().c, 0
        found: dict[str, list[Refusal]] = {}
        with self.device._handle.use():
            while (function := c.wl_module_function_at(self._use(), at)) is not None:
                found.update(refusals(partial(c.wl_function_refusal, function)))
                at += 1
        return found

    def unload(self) -> None:
        """Frees the module; its kernels cannot be launched any more. A second call does nothing."""
        if self._finalizer.detach() is not None:
            pointer, self._pointer = self._pointer, None
            with self.device._handle.use():
                library().c.wl_module_unload(pointer)

    def _use(self) -> int:
        if self._pointer is None:
            raise InputError(f"module {self.name} has been unloaded")
        return self._pointer

    def function(self, name: str) -> "Function":
        """The kernel of this name (.entry). Raises InputError that lists the kernels there are, and
        UnsupportedError for one that can reach PTX that is not built (see refused)."""
        pointer = ctypes.c_void_p()
        with self.device._handle.use():
            self.device._handle.check(library().c.wl_module_function(
                self._use(), c_name(name, "name"), ctypes.byref(pointer)))
            return Function(self, pointer)

    __getitem__ = function

    def __iter__(self) -> Iterator[str]:
        names: list[str] = []
        c = library().c
        with self.device._handle.use():
            while (function := c.wl_module_function_at(self._use(), len(names))) is not None:
                names.append(text(c.wl_function_name(function)))
        return iter(names)

    def symbol(self, name: str) -> Buffer:
        """A .visible .global or .const variable as a buffer of its bytes."""
        address, size = _abi.ADDRESS(), ctypes.c_uint64()
        with self.device._handle.use():
            self.device._handle.check(library().c.wl_module_symbol(
                self._use(), c_name(name, "name"), ctypes.byref(address), ctypes.byref(size)))
        found = Buffer(self.device, address.value, size.value, owned=False)
        found._module = self
        return found


def _dims(shape: Shape, what: str) -> list[int]:
    dims = [shape] if isinstance(shape, int) else list(shape)
    if not 1 <= len(dims) <= 3:
        raise InputError(f"{what} {shape}: one to three numbers")
    if not all(isinstance(n, int) and 0 <= n < 1 << 32 for n in dims):
        raise InputError(f"{what} {shape}: numbers from 1")
    return dims + [1] * (3 - len(dims))


class Function:
    """A kernel (.entry) of a module. name; prototype: "saxpy(f32 a, u64 x, u64 y, u32 n)"; params: its
    parameters in order; info: what it needs."""

    def __init__(self, module: Module, pointer: ctypes.c_void_p):
        c = library().c
        self.module = module
        self._pointer = pointer
        self.name = text(c.wl_function_name(pointer))
        self.prototype = text(c.wl_function_prototype(pointer))
        self.params: tuple[Param, ...] = tuple(self._param(i)
                                               for i in range(c.wl_function_params(pointer)))
        raw = _abi.FunctionInfo()
        c.wl_function_query(pointer, ctypes.byref(raw))
        values: dict[str, Any] = {}
        for f in fields(FunctionInfo):
            value = getattr(raw, f.name)
            values[f.name] = value if isinstance(value, int) else tuple(value)
        self.info = FunctionInfo(**values)

    def _param(self, index: int) -> Param:
        raw = _abi.ParamInfo()
        library().c.wl_function_param(self._pointer, index, ctypes.byref(raw))
        return Param(text(raw.name), text(raw.type), raw.bytes, raw.align, raw.offset)

    def __repr__(self) -> str:
        return f"<warplock.Function {self.prototype}>"

    def launch(self, grid: Shape, block: Shape, *args: Any, shared: int = 0, local_bytes: int = 0,
               check: bool = True) -> Result:
        """Runs the kernel and returns when it has run.

        grid, block: CTAs, and threads of a CTA, in x or (x, y[, z]). args: one for each parameter
        (docs/python.md, "Arguments"). shared: dynamic shared memory, bytes. local_bytes: stack of a thread
        of a recursive kernel, 0: 4096. check: False returns the result also of a divergence, a trap and a
        hang.

        Raises ArgumentError, InputError, DivergenceError, TrapError, HangError, UnsupportedError (it does
        not fit the configuration), InternalError.
        """
        result = self._run(*self._prepare(grid, block, args, shared, local_bytes))
        if result.exit_code not in ((0,) if check else (0, 3, 4, 5)):
            raise error_for(result.exit_code, result.message, result)
        return result

    def _prepare(self, grid: Shape, block: Shape, args: Sequence[Any], shared: int, local_bytes: int
                 ) -> tuple[_abi.Launch, ctypes.Array, list[bytes]]:
        """The launch for C: its shape, the arguments, and their bytes, which must live as long."""
        if len(args) != len(self.params):
            raise ArgumentError(f"{self.prototype} takes {len(self.params)} arguments, "
                                f"{len(args)} given")
        for what, value in (("shared", shared), ("local_bytes", local_bytes)):
            if not 0 <= value < 1 << 32:
                raise InputError(f"{what}: {value} is not in 0 to 2^32 - 1")
        data = [argument_bytes(self, i, value) for i, value in enumerate(args)]
        raw_args = (_abi.Arg * max(1, len(data)))()
        for to, raw in zip(raw_args, data):
            to.data, to.bytes = ctypes.cast(ctypes.c_char_p(raw), ctypes.c_void_p), len(raw)
        shape = _abi.Launch((ctypes.c_uint32 * 3)(*_dims(grid, "grid")),
                            (ctypes.c_uint32 * 3)(*_dims(block, "block")), shared, local_bytes)
        return shape, raw_args, data

    def _run(self, shape: _abi.Launch, args: ctypes.Array, data: list[bytes]) -> Result:
        handle = self.module.device._handle
        raw = _abi.Result()
        with handle.use() as device, handle.interruptible():
            self.module._use()
            handle.replay = handle.raised = None
            status = library().c.wl_launch(self._pointer, ctypes.byref(shape), args, len(data),
                                           ctypes.byref(raw))
            message = handle.message() if status != 0 else ""
            result = make_result(device, self._pointer, status, message, raw, handle.replay)
        handle.raise_caught()
        return result
