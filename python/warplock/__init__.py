"""Warplock from Python: PTX kernels on a GPU core that exists twice, compared in every clock.

    import warplock

    with warplock.Device("lockstep", config="tiny") as device:
        saxpy = device.load("saxpy.ptx")["saxpy"]
        x, y = device.buffer(host_x), device.buffer(host_y)
        result = saxpy.launch(4, 32, 2.0, x, y, len(host_x))
        print(y.numpy(), result.report)

Guide: docs/python.md. The library is libwarplock.so (warplock.h); _library.py says where it is found.
"""

from ._library import library as _library
from ._version import __version__
from .args import Param
from .buffer import Buffer
from .compare import Comparison, LogDivergenceError, compare, start
from .device import Device, DeviceInfo, backends, configs
from .errors import (ArgumentError, Diagnostic, DivergenceError, HangError, InputError, InternalError,
                     LibraryError, TrapError, UnsupportedError, WarplockError)
from .module import Function, FunctionInfo, Module
from .report import Divergence, Finding, Place, Refusal, Result, Trap, Word
from .tools import Assembly, assemble, disassemble

__all__ = [
    "ArgumentError", "Assembly", "Buffer", "Comparison", "Device", "DeviceInfo", "Diagnostic",
    "Divergence", "DivergenceError", "Finding", "Function", "FunctionInfo", "HangError", "InputError",
    "InternalError", "LibraryError", "LogDivergenceError", "Module", "Param", "Place", "Refusal",
    "Result", "Trap", "TrapError", "UnsupportedError", "WarplockError", "Word", "__version__",
    "assemble", "backends", "compare", "configs", "disassemble", "library_path", "start",
]


def library_path() -> str:
    """The file that libwarplock was loaded from. Raises LibraryError."""
    return _library().path
