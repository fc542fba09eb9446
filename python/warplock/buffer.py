"""Buffers: pieces of device memory."""

from __future__ import annotations

import ctypes
import weakref
from typing import TYPE_CHECKING, Any, Optional

from ._library import library
from .errors import InputError

if TYPE_CHECKING:
    from .device import Device


def bytes_of(data: Any) -> bytes:
    """The bytes of data in C order. Raises TypeError for what has no bytes, InputError for big-endian
    arrays: device memory is little-endian."""
    if isinstance(data, bytes):
        return data
    if getattr(getattr(data, "dtype", None), "byteorder", "=") == ">":
        raise InputError("the array is big-endian, device memory is little-endian: use "
                         "array.astype(array.dtype.newbyteorder('<'))")
    if isinstance(data, (str, int)):
        raise TypeError(f"{type(data).__name__} has no bytes: give bytes, an array or a numpy array")
    try:
        return memoryview(data).tobytes()
    except (TypeError, ValueError):
        # Arrays of types that the buffer protocol does not know.
        if hasattr(data, "dtype") and hasattr(data, "tobytes"):
            return data.tobytes()
    raise TypeError(f"{type(data).__name__} has no bytes: give bytes, an array or a numpy array")


class Buffer:
    """A piece of device memory: address and nbytes. A context manager; it is freed when it is left, by
    free(), with its device, or by the garbage collector. Offsets and lengths are in bytes.

    As a launch argument it stands for its address.
    """

    def __init__(self, device: "Device", address: int, nbytes: int, owned: bool):
        self.device = device
        self.address = address
        self.nbytes = nbytes
        self._freed = False
        self._form: Optional[tuple] = None
        self._module: Any = None  # that of a variable, which holds the memory
        self._finalizer = None
        if owned:
            self._finalizer = weakref.finalize(self, device._handle.release, "wl_free", address)
            self._finalizer.atexit = False

    def __enter__(self) -> "Buffer":
        return self

    def __exit__(self, *_exception) -> None:
        if not self.device.closed:
            self.free()

    def __len__(self) -> int:
        return self.nbytes

    def __repr__(self) -> str:
        return f"<warplock.Buffer {self.nbytes} bytes at {self.address:#x}>"

    def free(self) -> None:
        """Frees the memory; a second call does nothing. A variable of a module cannot be freed."""
        if self._finalizer is None:
            raise InputError("this buffer is a variable of a module: it lives as long as the module")
        if self._finalizer.detach() is not None:
            self._freed = True
            with self.device._handle.use() as device:
                self.device._handle.check(library().c.wl_free(device, self.address))

    def _range(self, nbytes: Optional[int], offset: int) -> int:
        if self._freed:
            raise InputError("the buffer has been freed")
        size = self.nbytes - offset if nbytes is None else nbytes
        if offset < 0 or size < 0 or offset + size > self.nbytes:
            raise InputError(f"{size} bytes at {offset}: the buffer has {self.nbytes} bytes")
        return size

    def _take_form(self, data: Any) -> None:
        if hasattr(data, "dtype") and hasattr(data, "shape"):
            self._form = (data.dtype, data.shape)

    def write(self, data: Any, offset: int = 0) -> None:
        """Copies data (see Device.buffer) to offset. Raises InputError where it does not fit."""
        raw = bytes_of(data)
        self._range(len(raw), offset)
        if raw:
            with self.device._handle.use() as device:
                self.device._handle.check(
                    library().c.wl_write(device, self.address + offset, raw, len(raw)))

    def read_into(self, target: Any, offset: int = 0) -> None:
        """Fills target, which has the buffer protocol, is writable and contiguous, from offset."""
        view = memoryview(target).cast("B")
        self._range(len(view), offset)
        if len(view):
            place = (ctypes.c_char * len(view)).from_buffer(view)
            with self.device._handle.use() as device:
                self.device._handle.check(
                    library().c.wl_read(device, place, self.address + offset, len(view)))

    def read(self, nbytes: Optional[int] = None, offset: int = 0) -> bytes:
        """nbytes (None: all to the end) from offset."""
        target = bytearray(self._range(nbytes, offset))
        self.read_into(target, offset)
        return bytes(target)

    def view(self, format: Any) -> memoryview:
        """A copy of the buffer as a memoryview of a struct format: view("f").tolist() are floats.
        Formats: "b B h H i I q Q f d". Raises InputError where the size is no multiple."""
        size = memoryview(b"").cast(format).itemsize
        if self.nbytes % size != 0:
            raise InputError(f"{self.nbytes} bytes are not a whole number of '{format}' ({size} bytes)")
        return memoryview(self.read()).cast(format)

    def numpy(self, dtype: Any = None, shape: Any = None):
        """A copy of the buffer as a numpy array. Default: dtype and shape of the array that the buffer
        was made from, else bytes. Raises ImportError without numpy, InputError where dtype or shape do
        not fit."""
        import numpy  # type: ignore[import-not-found, unused-ignore]

        if dtype is None and self._form is not None:
            dtype, shape = self._form[0], self._form[1] if shape is None else shape
        dtype = numpy.dtype(numpy.uint8 if dtype is None else dtype)
        if self.nbytes % dtype.itemsize != 0:
            raise InputError(f"{self.nbytes} bytes are not a whole number of {dtype} "
                             f"({dtype.itemsize} bytes)")
        array = numpy.frombuffer(bytearray(self.read()), dtype)
        try:
            return array if shape is None else array.reshape(shape)
        except ValueError as e:
            raise InputError(f"{array.size} elements of {dtype}: {e}") from None

    def fill(self, value: int, nbytes: Optional[int] = None, offset: int = 0) -> None:
        """Sets bytes (None: all to the end) to value, 0 to 255."""
        if not 0 <= value <= 255:
            raise InputError(f"fill with {value}: a byte is 0 to 255")
        size = self._range(nbytes, offset)
        if size:
            with self.device._handle.use() as device:
                self.device._handle.check(
                    library().c.wl_fill(device, self.address + offset, value, size))
