"""The work of the farm: the table kinds.ini, its shards with their commands, and the keys by which a
finished shard is known. Runs nothing."""
import configparser
import hashlib
import os
import re
import shlex

KEYS = {"part", "about", "shards", "work", "limit", "read", "run", "built", "inputs", "sources",
        "alone", "codes", "prepare", "makes"}


class Wrong(Exception):
    """What the user or the table asks for cannot be done: one sentence."""


class Places:
    """Source tree, build folder, and the farm's own folder."""

    def __init__(self, root, build, farm):
        self.root, self.build, self.farm = root, build, farm
        self._sums = {}

    def path(self, name):
        if name.startswith("build:"):
            return os.path.join(self.build, name[6:])
        return os.path.join(self.root, name)

    def sum(self, path):
        """A sum of a file's bytes or of all files below a folder; None: there is none."""
        if path not in self._sums:
            self._sums[path] = self._sum(path)
        return self._sums[path]

    def forget(self):
        self._sums = {}

    @staticmethod
    def _sum(path):
        if not os.path.exists(path):
            return None
        total = hashlib.sha256()
        files = [path]
        if os.path.isdir(path):
            files = [os.path.join(at, f) for at, dirs, names in os.walk(path) for f in names
                     if "__pycache__" not in at]
        for f in sorted(files):
            total.update(os.path.relpath(f, path).encode() + b"\0")
            with open(f, "rb") as data:
                for block in iter(lambda: data.read(1 << 20), b""):
                    total.update(block)
            total.update(b"\0")
        return total.hexdigest()


class Section:
    """A row of the table: a kind of work, or something that is prepared once."""

    def __init__(self, name, row, places):
        self.name, self.places = name, places
        unknown = set(row) - KEYS
        if unknown:
            raise Wrong(f"table: [{name}] has unknown keys: {' '.join(sorted(unknown))}")
        for key in ("run", "limit"):
            if key not in row:
                raise Wrong(f"table: [{name}] has no '{key}'")
        self.run = shlex.split(row["run"])
        self.limit = number(row["limit"], f"table: [{name}] limit")
        self.about = row.get("about", "")
        self.part = row.get("part", name)
        self.built = row.get("built", "").split()
        self.inputs = row.get("inputs", "").split()
        self.sources = row.get("sources", "no") == "yes"
        self.prepare = row.get("prepare", "").split()
        self.makes = row.get("makes", "")
        self.read = row.get("read", "")
        self.alone = row.get("alone", "")
        self.codes = [number(c, f"table: [{name}] codes") for c in row.get("codes", "0").split()]
        self.work = number(row.get("work", "0"), f"table: [{name}] work")
        self.shards_text = row.get("shards", "1")
        self.scaled = any("{work}" in w or "{to}" in w for w in self.run)
        self.items, self.count = None, 1

    def missing(self):
        """The first file without which this build cannot run it, or None."""
        for name in self.built:
            if not os.path.exists(os.path.join(self.places.build, name)):
                return name
        return None

    def key(self):
        """Changes with everything that a result depends on but the shard's number."""
        total = hashlib.sha256()
        total.update("\0".join(self.run).encode())
        built = [] if self.sources else [os.path.join(self.places.build, b) for b in self.built]
        for path in built + [self.places.path(i) for i in self.inputs]:
            total.update(f"\0{self.places.sum(path)}".encode())
        return total.hexdigest()

    def fill(self, **values):
        p = self.places
        values.update(build=p.build, root=p.root, farm=p.farm)
        try:
            return [word.format(**values) for word in self.run]
        except (KeyError, IndexError, ValueError) as e:
            raise Wrong(f"table: [{self.name}] run: {e} is no placeholder") from None


def number(text, what):
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < 0:
        raise Wrong(f"{what}: '{text}' is not a number")
    return value


class Kind(Section):
    def choose(self, shards, work):
        """How many shards of which size: the table's, or what the caller wants."""
        words = self.shards_text.split(None, 1)
        if len(words) == 2:
            with open(self.places.path(words[0]), encoding="utf-8") as f:
                self.items = re.findall(words[1], f.read(), re.MULTILINE)
            self.count = len(self.items)
        else:
            self.count = number(self.shards_text, f"table: [{self.name}] shards")
        if self.count == 0:
            raise Wrong(f"table: [{self.name}] has no shards")
        self.of = self.count  # {shards}: what a shard does must not depend on how many are wanted
        if shards is not None:
            fixed = self.items is not None or any("{shards}" in w for w in self.run)
            self.count = min(shards, self.count) if fixed else shards
        if work is not None and self.scaled:
            self.work = work

    def shards(self):
        key = self.key()
        for k in range(self.count):
            yield Shard(self, k, key)


class Shard:
    def __init__(self, kind, k, key):
        self.kind, self.k, self.item = kind, k, kind.items[k] if kind.items else None
        label = self.item if self.item is not None else f"{k:04d}"
        self.name = f"{kind.name}/{label}"
        work = f"-{kind.work}" if kind.scaled else ""
        self.key = hashlib.sha256(f"{key} {k} {kind.of} {self.item} {kind.work}".encode()).hexdigest()[:12]
        self.stem = f"{kind.name}/{label}{work}-"
        self.folder = f"shards/{self.stem}{self.key}"  # below the farm's folder
        self.dir = os.path.join(kind.places.farm, self.folder)

    def command(self, out):
        kind = self.kind
        return kind.fill(out=out, json=os.path.join(out, "result"), shard=self.k, shards=kind.of,
                         work=kind.work, first=self.k * kind.work, item=self.item,
                         **{"from": self.k * kind.work + 1, "to": (self.k + 1) * kind.work})

    def repeat(self):
        """A line for a shell that does the same work alone, elsewhere."""
        out = os.path.join(self.kind.places.farm, "repeat", self.name.replace("/", "-"))
        q = shlex.quote
        return f"mkdir -p {q(out)} && cd {q(out)} && {shlex.join(self.command(out))}"


def read_table(path, places):
    """Kinds and prepared things by name, in the table's order."""
    table = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=(";", "#"),
                                      inline_comment_prefixes=None, default_section="-")
    try:
        with open(path, encoding="utf-8") as f:
            table.read_file(f)
    except OSError as e:
        raise Wrong(f"cannot read the table {path}: {e.strerror}") from None
    except (configparser.Error, UnicodeDecodeError) as e:
        raise Wrong("table: " + str(e).replace("\n", " ")) from None
    kinds, prepared = {}, {}
    for name in table.sections():
        words = name.split()
        if words[0] == "prepare" and len(words) == 2:
            prepared[words[1]] = Section(words[1], table[name], places)
        elif re.fullmatch(r"\w+", name):
            kinds[name] = Kind(name, table[name], places)
        else:
            raise Wrong(f"table: [{name}]: a kind's name, or 'prepare NAME'")
    for kind in kinds.values():
        for p in kind.prepare:
            if p not in prepared:
                raise Wrong(f"table: [{kind.name}] prepare: there is no [prepare {p}]")
    return kinds, prepared


def select(kinds, wanted):
    """The kinds with one of these names or parts."""
    if wanted is None:
        return list(kinds.values())
    names = [n for n in wanted.replace(",", " ").split()]
    known = set(kinds) | {k.part for k in kinds.values()}
    for n in names:
        if n not in known:
            parts = " ".join(dict.fromkeys(k.part for k in kinds.values()))
            raise Wrong(f"--kinds: no kind or part '{n}' (parts: {parts}; --list shows all)")
    if not names:
        raise Wrong("--kinds: none named")
    return [k for k in kinds.values() if k.name in names or k.part in names]
