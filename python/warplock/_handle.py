"""One device of the library: its pointer, and the order of calls on it.

A device may be used by one thread at a time, so every call goes through Handle.use(). What the garbage
collector finds (buffers, modules) is not freed at once, since that may be in the middle of a launch or
in another thread: it is put down, and freed before the next call.
"""

from __future__ import annotations

import signal
import threading
from collections import deque
from contextlib import contextmanager
from typing import Callable, Iterator, Optional

from ._library import library, text
from .errors import InputError, error_for


class Handle:
    """pointer: wl_device_t, None when closed."""

    def __init__(self, pointer: int):
        self.pointer: Optional[int] = pointer
        self.released: deque = deque()
        self.raised: Optional[BaseException] = None
        self.keep: tuple = ()
        self.replay: Optional[bytes] = None
        self._lock = threading.RLock()
        self._busy = False

    @contextmanager
    def use(self) -> Iterator[int]:
        """The pointer, for calls of one thread. Raises InputError on a closed device."""
        with self._lock:
            if self._busy:
                raise InputError("a function that the device calls must not call the device")
            if self.pointer is None:
                raise InputError("the device is closed")
            self._busy = True
            try:
                self._free_released()
                yield self.pointer
            finally:
                self._busy = False

    def check(self, status: int) -> None:
        """Raises the error of a failed call; inside use()."""
        if status != 0:
            raise error_for(status, self.message())

    def message(self) -> str:
        """The library's text of the last failure; inside use()."""
        return text(library().c.wl_error(self.pointer))

    def release(self, kind: str, value: int) -> None:
        """Puts down an allocation ("wl_free") or a module ("wl_module_unload")."""
        self.released.append((kind, value))

    def _free_released(self) -> None:
        c = library().c
        while self.released:
            kind, value = self.released.popleft()
            if kind == "wl_free":
                c.wl_free(self.pointer, value)
            else:
                c.wl_module_unload(value)

    def close(self) -> None:
        """Closes the device with all that is in it; a second call does nothing. Refused (InputError)
        while a launch runs."""
        if not self._lock.acquire(blocking=False):
            raise InputError("the device is in use by another thread")
        try:
            if self._busy:
                raise InputError("a function that the device calls must not call the device")
            pointer, self.pointer = self.pointer, None
            if pointer is not None:
                self.released.clear()
                library().c.wl_device_close(pointer)
                self.keep = ()
        finally:
            self._lock.release()

    def close_quietly(self) -> None:
        """close() for the garbage collector and the end of the program."""
        try:
            self.close()
        except InputError:
            pass

    def guarded(self, function: Callable) -> Callable:
        """The function for C: what it raises stops the launch and is raised again behind it."""
        def call(*arguments):
            try:
                return function(*arguments)
            except BaseException as e:  # also KeyboardInterrupt
                if self.raised is None:
                    self.raised = e
                return True
        return call

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Around a launch: what a signal's handler raises (Ctrl-C) stops the launch too. Python runs the
        handler at the first line of a function that C calls, where guarded() cannot catch it."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        handlers: dict[int, Callable] = {}
        for known in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
            handler = signal.getsignal(known)
            if callable(handler):
                handlers[known] = handler
        try:
            for number, handler in handlers.items():
                signal.signal(number, self.guarded(handler))
            yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)

    def raise_caught(self) -> None:
        """Raises what a called function or a signal's handler raised."""
        raised, self.raised = self.raised, None
        if raised is not None:
            raise raised
