"""Finds libwarplock.so and loads it, once for the process.

Order: the file that the environment variable WARPLOCK_LIBRARY names, and then nothing else; the
installed prefix (of this package, of the environment, of the program `warplock` on the path); what the
system's loader finds.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import shutil
import sys
import sysconfig
import threading
from pathlib import Path
from typing import Iterator, Optional

from . import _abi
from ._version import __version__
from .errors import LibraryError

# The name that the loader knows: each minor version may change the interface.
SONAME = "libwarplock.so." + ".".join(__version__.split(".")[:2])

_lock = threading.Lock()
_loaded: Optional["Library"] = None


class Library:
    """The loaded library: `c.wl_...` are its functions, `path` is where it came from."""

    def __init__(self, path: str):
        self.path = path
        try:
            self.c = ctypes.CDLL(path)
        except OSError as e:
            raise LibraryError(f"{path} cannot be loaded: {e}") from None
        self.version = self._version()
        if self.version != __version__:
            raise LibraryError(f"{path} is Warplock {self.version}, this package needs {__version__}: "
                               "install both of one version, or name the library in WARPLOCK_LIBRARY")
        for name, (result, arguments) in _abi.FUNCTIONS.items():
            function = self._function(name)
            function.restype, function.argtypes = result, arguments
        for name, structure in _abi.STRUCTURES.items():
            size = self.c.wl_sizeof(name.encode())
            if size != ctypes.sizeof(structure):
                raise LibraryError(f"{path} is another state of Warplock {__version__}: {name} has {size} "
                                   f"bytes there, {ctypes.sizeof(structure)} here: install both of one")

    def _function(self, name: str):
        try:
            return getattr(self.c, name)
        except AttributeError:
            raise LibraryError(f"{self.path} has no function {name}: it is no libwarplock "
                               f"{__version__}") from None

    def _version(self) -> str:
        function = self._function("wl_version")
        function.restype, function.argtypes = _abi.FUNCTIONS["wl_version"]
        # "0.2.0", which may be followed by a word about the build.
        return function().decode().split()[0]


def prefixes() -> Iterator[Path]:
    """Prefixes that may hold the library, nearest first, some of them twice."""
    here = Path(__file__).resolve()
    for parent in list(here.parents)[1:]:
        if parent.name in ("lib", "lib64", "share"):
            yield parent.parent
    yield Path(sys.prefix)
    program = shutil.which("warplock")
    if program:
        yield Path(program).resolve().parent.parent


def candidates() -> Iterator[str]:
    """Files that exist below the prefixes, best first."""
    multiarch = sysconfig.get_config_var("MULTIARCH")
    folders = ["lib", "lib64"] + ([f"lib/{multiarch}"] if multiarch else [])
    for prefix in dict.fromkeys(prefixes()):
        for folder in folders:
            for file in ("libwarplock.so", SONAME):
                if (prefix / folder / file).exists():
                    yield str(prefix / folder / file)
            # Of another version: to be refused by name.
            yield from (str(p) for p in sorted((prefix / folder).glob("libwarplock.so.*")))


def _find() -> Library:
    named = os.environ.get("WARPLOCK_LIBRARY")
    if named:
        if not os.path.isfile(named):
            raise LibraryError(f"WARPLOCK_LIBRARY: no file {named}")
        return Library(os.path.abspath(named))
    for path in candidates():
        return Library(path)
    known = ctypes.util.find_library("warplock")
    for name in filter(None, (SONAME, known, "libwarplock.so")):
        try:
            ctypes.CDLL(name)
        except OSError:
            continue
        return Library(name)
    raise LibraryError("libwarplock.so was not found: not below the prefixes "
                       + ", ".join(map(str, dict.fromkeys(prefixes())))
                       + ", not by the system's loader; name the file in WARPLOCK_LIBRARY")


def library() -> Library:
    """The library of this process; the first call loads it. Raises LibraryError."""
    global _loaded
    with _lock:
        if _loaded is None:
            _loaded = _find()
        return _loaded


def text(value: Optional[bytes]) -> str:
    """A C string of the library."""
    return "" if value is None else value.decode("utf-8", "replace")


def name(value: Optional[str], what: str) -> Optional[bytes]:
    """A string for the library. Raises ValueError where C would cut it."""
    if value is None:
        return None
    if "\0" in value:
        raise ValueError(f"{what} has a zero byte: {value!r}")
    return value.encode("utf-8", "surrogateescape")
