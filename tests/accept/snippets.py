"""Snippets of PTX with their names, and the whole file made of each.

A snippet file holds blocks. A block begins with a line
  == NAME [target=T] [ptx=V] [as=KIND] [expect=accept|reject]
The lines below it are the text. Options of a line `== defaults ...` hold for the blocks below it.
  as=body    (default) the text stands in a kernel with the registers and variables of PROLOGUE
  as=module  the text stands at module scope behind the head
  as=file    the text is the whole file
expect says what the PTX ISA says of a version that the recorded ptxas does not know.
A line `== again name=N [target=T] [ptx=V]` repeats the blocks of kind body above it as N:NAME.
A block `== name@` is one snippet per line of its text: name/1, name/2 ...
"""
import re

HEAD = ".version {ptx}\n.target {target}\n.address_size 64\n"
PROLOGUE = """.global .align 16 .b8 gbuf[64];
.const .align 16 .b8 cbuf[64];
.shared .align 16 .b8 sbuf[64];
.visible .entry k(.param .u64 kp, .param .u32 kq)
{
  .reg .pred %p<8>;
  .reg .b8 %b<8>;
  .reg .b16 %h<8>;
  .reg .u16 %uh<4>;
  .reg .s16 %sh<4>;
  .reg .f16 %fh<4>;
  .reg .f16x2 %hh<4>;
  .reg .b32 %r<40>;
  .reg .u32 %u<8>;
  .reg .s32 %s<8>;
  .reg .b64 %rd<40>;
  .reg .u64 %ud<4>;
  .reg .s64 %sd<4>;
  .reg .f32 %f<40>;
  .reg .f64 %d<8>;
  .reg .v2 .b32 %v2_<2>;
  .reg .v4 .f32 %v4_<2>;
  .local .align 16 .b8 lbuf[64];
"""
WIDE = "  .reg .b128 %q<4>;\n"


class Snippet:
    def __init__(self, name, options, text):
        self.name, self.text = name, text
        self.target = options.get("target", "sm_80")
        self.ptx = options.get("ptx", "8.0")
        self.kind = options.get("as", "body")
        self.expect = options.get("expect")

    def source(self):
        if self.kind == "file":
            return self.text
        head = HEAD.format(ptx=self.ptx, target=self.target)
        if self.kind == "module":
            return head + self.text
        major, minor = self.ptx.split(".")
        wide = WIDE if (int(major), int(minor)) >= (8, 3) else ""
        return head + PROLOGUE + wide + self.text + "  ret;\n}\n"

    def first_line(self):
        """The line of the source at which the text begins."""
        return self.source()[: self.source().index(self.text)].count("\n") + 1


def read(path):
    defaults, out, first = {}, [], None
    block = None
    with open(path, encoding="ascii") as file:
        for line in file:
            if line.startswith("#") and block is None:
                continue
            if not line.startswith("== "):
                if line.strip() and block is not None:
                    block[2].append(line)
                continue
            name, *words = line[3:].split()
            options = dict(w.split("=", 1) for w in words)
            if name == "again":
                first = first or list(out)
                out += [("%s:%s" % (options["name"], n), {**o, **options}, lines)
                        for n, o, lines in first if o.get("as", "body") == "body"]
                block = None
                continue
            if name == "defaults":
                defaults, block = options, None
                continue
            block = (name, {**defaults, **options}, [])
            out.append(block)
    return [s for b in out for s in expand(*b)]


def expand(name, options, lines):
    if not name.endswith("@"):
        return [Snippet(name, options, "".join(lines))]
    names = ("%s/%d" % (name[:-1], i + 1) for i in range(len(lines)))
    return [Snippet(n, options, line) for n, line in zip(names, lines)]


def architecture(snippet):
    """The sm of the snippet's .target, for ptxas's -arch."""
    found = re.search(r"\.target\s+(sm_\d+[af]?)", snippet.source())
    return found.group(1) if found else snippet.target
