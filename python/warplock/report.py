"""What came of a launch, as objects: Result, and in it Trap, Divergence or Finding. docs/lockstep.md,
docs/checked.md."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Optional

from . import _abi
from ._library import library, text


@dataclass(frozen=True)
class Place:
    """Where an instruction stands: in the PTX, and in the file that the PTX names with .loc.

    Lines count from 1; None: not known. str() gives "saxpy.ptx:41, saxpy.cu:7".
    """

    ptx_file: Optional[str]
    ptx_line: Optional[int]
    file: Optional[str]
    line: Optional[int]

    def __str__(self) -> str:
        places = ((self.ptx_file, self.ptx_line), (self.file, self.line))
        return ", ".join(f"{f}:{n}" for f, n in places if f is not None) or "not known"


@dataclass(frozen=True)
class Refusal:
    """Legal PTX that a kernel can reach and that is not built. line: of the PTX text, or None. clause: of
    the PTX ISA, or None. text: what it is."""

    line: Optional[int]
    clause: Optional[str]
    text: str


def refusals(ask: Callable[[int, Any], bool]) -> dict[str, list[Refusal]]:
    """By kernel, what ask(index, info) says until it is false."""
    found: dict[str, list[Refusal]] = {}
    info, index = _abi.RefusalInfo(), 0
    while ask(index, ctypes.byref(info)):
        found.setdefault(text(info.kernel), []).append(
            Refusal(info.line or None, text(info.clause) or None, text(info.text)))
        index += 1
    return found


@dataclass(frozen=True)
class Trap:
    """Where a program trapped.

    cause: number in isa/def/trap.def. message: in words. pc: instruction index. warp: warp slot. lane:
    the lowest lane that trapped; lanes: mask of all that did. cta: (x, y, z). address: of the access, or
    None. instruction: machine instruction as text (docs/isa.md).
    """

    cause: int
    message: str
    pc: int
    warp: int
    lane: int
    lanes: int
    cta: tuple[int, int, int]
    address: Optional[int]
    instruction: str
    place: Place


@dataclass(frozen=True)
class Word:
    """A word of a record that differs: `values` by the name of the side, {"model": 255, "rtl": 15}."""

    name: str
    values: dict[str, int]


@dataclass(frozen=True)
class Divergence:
    """Where the two sides of lockstep differ first.

    cycle: of the device. record: kind of record that differs, "RF", "ISSUE" ..., or None. array: the
    array that differs, "rf" ..., or None. warp, register: that it is about, or None. pc: instruction
    index, or None. instruction: machine instruction at pc as text. place: where it stands. words: the
    words of the record that differ, where both sides have it. text: the whole report. replay: the replay
    file (docs/replay.md) where the device was opened with replay=True, else None.
    """

    cycle: int
    record: Optional[str]
    array: Optional[str]
    warp: Optional[int]
    register: Optional[int]
    pc: Optional[int]
    instruction: str
    place: Place
    words: tuple[Word, ...]
    text: str
    replay: Optional[bytes]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Finding:
    """One rule that a checked launch broke at one instruction (docs/checked.md).

    rule: its name, "proxy-fence" ... text: what it says. pc: instruction index; instruction: as text; place:
    where it stands. cta, thread: (x, y, z) of the first thread. count: times. address: of memory (of shared
    memory: from the CTA's first byte on), or None. origin: where the value was loaded that nothing
    wrote, or None.
    """

    rule: str
    text: str
    pc: int
    instruction: str
    place: Place
    cta: tuple[int, int, int]
    thread: tuple[int, int, int]
    count: int
    address: Optional[int]
    origin: Optional[Place]

    def __str__(self) -> str:
        cta, thread = (",".join(map(str, id)) for id in (self.cta, self.thread))
        return f"{self.place}: {self.rule}: {self.text}; CTA {cta} thread {thread}"


@dataclass(frozen=True)
class Result:
    """A launch that has run.

    exit_code: 0, or that of errors.WarplockError. message: the library's text of a failure, else "".
    cycles: 0 where the backend has no clock. instructions: of warps. thread_instructions: lanes that
    executed, summed. report: what the backend says; lockstep says what it compared. note: what is to be
    said of waves, or "". findings: of a device opened with checked=True, in the order of their first
    thread; they do not change exit_code.
    """

    exit_code: int
    message: str
    cycles: int
    instructions: int
    thread_instructions: int
    report: str
    note: str
    trap: Optional[Trap]
    divergence: Optional[Divergence]
    findings: tuple[Finding, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the launch ended well."""
        return self.exit_code == 0

    @property
    def compared(self) -> dict[str, int]:
        """Records that lockstep compared, by kind: {"ISSUE": 812, "RF": 1604, ...}; else empty."""
        if not self.report.startswith("equal"):
            return {}
        return {m[1]: int(m[2]) for m in re.finditer(r" ([A-Z]+) (\d+)", self.report)}


_WORD = re.compile(r"^word +(\S+): (\S+) ([0-9a-f]+)  (\S+) ([0-9a-f]+)  xor ", re.MULTILINE)


def _place(function: ctypes.c_void_p, pc: int) -> Place:
    place = _abi.Place()
    library().c.wl_function_place(function, pc, ctypes.byref(place))
    return Place(text(place.ptx_file) if place.ptx_file is not None else None, place.ptx_line or None,
                 text(place.file) if place.file is not None else None, place.line or None)


def _instruction(function: ctypes.c_void_p, pc: int) -> str:
    line = ctypes.create_string_buffer(256)
    library().c.wl_function_instruction(function, pc, line, len(line))
    return text(line.value)


def _trap(function: ctypes.c_void_p, t: _abi.TrapInfo) -> Trap:
    return Trap(t.cause, text(t.message), t.pc, t.warp, t.lane, t.lanes, tuple(t.cta),
                t.address if t.has_address else None, _instruction(function, t.pc),
                _place(function, t.pc))


def _divergence(device: int, function: ctypes.c_void_p, message: str,
                replay: Optional[bytes]) -> Optional[Divergence]:
    d = _abi.Divergence()
    if not library().c.wl_launch_divergence(device, ctypes.byref(d)):
        return None
    words = tuple(Word(m[1], {m[2]: int(m[3], 16), m[4]: int(m[5], 16)})
                  for m in _WORD.finditer(message))
    return Divergence(
        d.cycle, text(d.record) if d.record is not None else None,
        text(d.array) if d.array is not None else None, d.warp if d.warp >= 0 else None,
        d.reg if d.reg >= 0 else None, d.pc if d.has_pc else None,
        _instruction(function, d.pc) if d.has_pc else "",
        _place(function, d.pc) if d.has_pc else Place(None, None, None, None), words, message, replay)


def _findings(device: int, function: ctypes.c_void_p) -> Iterator[Finding]:
    f, index = _abi.Finding(), 0
    while library().c.wl_launch_finding(device, index, ctypes.byref(f)):
        yield Finding(text(f.rule), text(f.text), f.pc, _instruction(function, f.pc),
                      _place(function, f.pc), tuple(f.cta), tuple(f.thread), f.count,
                      f.address if f.has_address else None,
                      _place(function, f.origin) if f.has_origin else None)
        index += 1


def make_result(device: int, function: ctypes.c_void_p, status: int, message: str, raw: _abi.Result,
                replay: Optional[bytes]) -> Result:
    """The result of the launch that has just ended on this device."""
    c = library().c
    return Result(status, message, raw.cycles, raw.instructions, raw.thread_instructions,
                  text(c.wl_launch_report(device)), text(c.wl_launch_note(device)),
                  _trap(function, raw.trap) if raw.trapped else None,
                  _divergence(device, function, message, replay) if status == 3 else None,
                  tuple(_findings(device, function)) if status in (0, 4, 5) else ())
