"""Launch arguments: Python values as the bytes of a kernel parameter."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .buffer import Buffer, bytes_of
from .errors import ArgumentError, InputError

if TYPE_CHECKING:
    from .module import Function


@dataclass(frozen=True)
class Param:
    """A parameter of a kernel: type is "u32", "f32", "b64" ..., or "bytes" for a structure by value;
    bytes, align and offset are in bytes."""

    name: str
    type: str
    bytes: int
    align: int
    offset: int


_FLOAT = {2: "<e", 4: "<f", 8: "<d"}


def _integer(param: Param, value: int) -> bytes:
    """u: 0 to 2^n - 1, s: signed, b: either."""
    bits = 8 * param.bytes
    low = 0 if param.type[0] == "u" else -(1 << bits - 1)
    high = (1 << bits - 1) - 1 if param.type[0] == "s" else (1 << bits) - 1
    if not low <= value <= high:
        raise ArgumentError(f"{value} is not in {low} to {high}")
    return (value & (1 << bits) - 1).to_bytes(param.bytes, "little")


def _floating(param: Param, value: Any) -> bytes:
    try:
        return struct.pack(_FLOAT[param.bytes], float(value))
    except TypeError:  # complex
        raise ArgumentError(f"{type(value).__name__} does not fit the type") from None
    except OverflowError:
        raise ArgumentError(f"{value} is too large") from None


def _structure(param: Param, value: Any) -> bytes:
    try:
        raw = bytes_of(value)
    except (TypeError, InputError) as e:
        raise ArgumentError(str(e)) from None
    if len(raw) != param.bytes:
        raise ArgumentError(f"{len(raw)} bytes, the parameter has {param.bytes}")
    return raw


def _convert(param: Param, value: Any) -> bytes:
    if isinstance(value, Buffer):
        if param.bytes != 8 or param.type[0] not in "ubs" or param.type == "bytes":
            raise ArgumentError("a buffer is an address of 64 bits")
        if value._freed:
            raise ArgumentError("the buffer has been freed")
        return value.address.to_bytes(8, "little")
    if param.type == "bytes" or isinstance(value, (bytes, bytearray, memoryview)):
        return _structure(param, value)
    if getattr(value, "shape", ()) != ():
        raise ArgumentError("an array is not in device memory: give device.buffer(array)")
    if param.type[0] != "f" and hasattr(value, "__index__"):
        return _integer(param, value.__index__())
    if param.type[0] in "fb" and param.bytes in _FLOAT and hasattr(value, "__float__"):
        return _floating(param, value)
    raise ArgumentError(f"{type(value).__name__} does not fit the type")


def argument_bytes(function: "Function", index: int, value: Any) -> bytes:
    """The bytes of an argument. Raises ArgumentError that names the parameter; the buffer must be of
    the function's device."""
    param = function.params[index]
    try:
        if isinstance(value, Buffer) and value.device is not function.module.device:
            raise ArgumentError("the buffer is of another device")
        return _convert(param, value)
    except ArgumentError as e:
        raise ArgumentError(f"argument {index} of {function.prototype}: {param.type} {param.name}: "
                            f"{e}") from None
