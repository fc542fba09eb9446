"""What the programs of the farm write, added up over shards. A reader takes the result files one by
one (add) and gives counts, coverage (how much of what) and tables. Nothing in them depends on the
order of the shards or on time."""
import json


class Reader:
    def __init__(self, kind):
        self.kind, self.counts = kind, {}

    def count(self, name, number):
        self.counts[name] = self.counts.get(name, 0) + number

    @staticmethod
    def load(path):
        with open(path, encoding="utf-8") as f:
            return json.load(f)

    def coverage(self):
        return []

    def tables(self):
        return []



def cover(name, reached, total, unit=""):
    return {"name": name, "reached": reached, "total": total, "unit": unit}


def table(title, columns, rows):
    return {"title": title, "columns": columns, "rows": rows}


def add_to(into, more):
    for name, n in more.items():
        into[name] = into.get(name, 0) + n


class Words(Reader):
    """wl_fuzz_insn --json"""
    def __init__(self, kind):
        super().__init__(kind)
        self.sums = {"forms": {}, "legal_words": {}, "illegal_words": {}, "traps": {}}
        self.least = {}

    def add(self, path):
        d = self.load(path)
        for name in ("programs", "gentle", "compared_with_func", "hangs", "words", "illegal", "instructions",
                     "cycles", "failures"):
            self.count(name, d[name])
        for name, into in self.sums.items():
            add_to(into, d[name])
        self.least = {"forms": d["least_form"], "traps": d["least_trap"]}

    def coverage(self):
        return [cover(f"{name} {what} at least {self.least[name]} times",
                      sum(n >= self.least[name] for n in self.sums[name].values()), len(self.sums[name]), name)
                for name, what in (("forms", "executed"), ("traps", "raised")) if self.least]

    def tables(self):
        s = self.sums
        forms = sorted(s["forms"], key=lambda f: (s["forms"][f], f))
        return [table("Traps", ["trap", "raised"], [[t, n] for t, n in s["traps"].items()]),
                table("Forms, fewest first", ["form", "executed", "legal words", "illegal words"],
                      [[f, s["forms"][f], s["legal_words"][f], s["illegal_words"][f]] for f in forms])]


class Random(Reader):
    """wl_random_ptx --json: hits per form and memory space x operand class x path situation."""
    EMPTY = 200

    def __init__(self, kind):
        super().__init__(kind)
        self.bins, self.paths = {}, []

    def add(self, path):
        d = self.load(path)
        self.count("programs", d["programs"])
        self.count("hits", d["hits"])
        self.paths = d["paths"]
        for row in d["rows"]:
            for at, hits in enumerate(row["hits"]):
                if hits is not None:
                    key = (row["form"], row["space"], row["class"], at)
                    self.bins[key] = self.bins.get(key, 0) + hits

    def coverage(self):
        return [cover("bins hit", sum(n > 0 for n in self.bins.values()), len(self.bins), "bins")] \
            if self.bins else []

    def tables(self):
        if not self.bins:
            return []
        sums = {}
        for (_form, space, cls, at), hits in self.bins.items():
            for key in ((0, cls, at), (1, space, at)):
                bins, hit, total = sums.get(key, (0, 0, 0))
                sums[key] = (bins + 1, hit + (hits > 0), total + hits)

        def rows(which):
            names = dict.fromkeys(k[1] for k in sums if k[0] == which)
            return [[n] + ["{1}/{0}".format(*sums[which, n, at]) if (which, n, at) in sums else "-"
                           for at in range(len(self.paths))] for n in names]
        empty = [b for b, n in self.bins.items() if n == 0]
        return [table("Bins hit, by operand class", ["operands"] + self.paths, rows(0)),
                table("Bins hit, by memory space", ["space"] + self.paths, rows(1)),
                table(f"Empty bins: {len(empty)}" + (f", the first {self.EMPTY}" if len(empty) > self.EMPTY
                                                     else ""),
                      ["form", "space", "operands", "path"],
                      [[f, s, c, self.paths[at]] for f, s, c, at in empty[:self.EMPTY]])]


class Input(Reader):
    """wl_fuzz_input --json"""
    def __init__(self, kind):
        super().__init__(kind)
        self.kinds, self.outcomes = {}, {}

    def add(self, path):
        d = self.load(path)
        add_to(self.kinds, d["kinds"])
        add_to(self.outcomes, d["outcomes"])
        self.count("run", sum(d["outcomes"].values()))
        self.count("failed", d["failed"])

    def coverage(self):
        return [cover("kinds of damage made", sum(n > 0 for n in self.kinds.values()), len(self.kinds),
                      "kinds")] if self.kinds else []

    def tables(self):
        return [table("Damage", ["what", "candidates"], [list(x) for x in self.kinds.items()]),
                table("Outcomes", ["outcome", "times"], [list(x) for x in sorted(self.outcomes.items())])]


class Faults(Reader):
    """warplock faults --json"""
    COLUMNS = ["flips", "same_cycle", "end", "dead", "latent", "missed", "broken"]

    def __init__(self, kind):
        super().__init__(kind)
        self.rows, self.registers, self.population, self.lost = {}, {}, 0, []

    def add(self, path):
        d = self.load(path)
        self.count("flips", d["flips"])
        for row in d["rows"]:
            if row["row"] != "all":
                into = self.rows.setdefault((row["row"], row["how"]), {"max": 0})
                add_to(into, {c: row[c] for c in self.COLUMNS})
                add_to(into, row["later"])
                into["max"] = max(into["max"], row["max"])
        add_to(self.registers, d["registers"])
        self.population = d["population_registers"]
        self.lost += d["missed"]

    def coverage(self):
        return [cover("registers and memories hit", len(self.registers), self.population, "registers")] \
            if self.population else []

    def tables(self):
        later = [c for c in next(iter(self.rows.values()), {}) if c not in self.COLUMNS + ["max"]]
        columns = self.COLUMNS[:2] + later + ["end", "max"] + self.COLUMNS[3:]
        rows = [[*key, *(r[c] for c in columns)] for key, r in sorted(self.rows.items())]
        for name in self.COLUMNS[3:5]:
            self.counts[name] = sum(r[name] for r in self.rows.values())
        for name, those in (("missed", lambda how: how != "none"), ("not_compared", lambda how: how == "none")):
            self.counts[name] = sum(r["missed"] + r["broken"] for key, r in self.rows.items() if those(key[1]))
        self.counts["reported"] = self.counts.get("flips", 0) - sum(
            self.counts[n] for n in ("dead", "latent", "missed", "not_compared"))
        lost = [[x["number"], x["kernel"], f"{x['register']}:{x['bit']}@{x['cycle']}", x["outcome"], x["left"]]
                for x in sorted(self.lost, key=lambda x: x["number"])]
        return [table("Flips by row of state.def (columns with <=: reported within so many cycles)",
                      ["row", "how"] + [c.replace("_", " ") for c in columns], rows),
                table("Missed, also in what is not compared",
                      ["number", "kernel", "flip", "outcome", "left"], lost)]


def fields(path, least, what):
    """The lines of a results file, each split at |."""
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f.read().splitlines():
            field = line.split("|")
            if len(field) < least:
                raise ValueError(f"no result of a {what}: {line[:80]}")
            yield field


class Bugs(Reader):
    """Results of tests/bugs/run.sh: lines with | between name, side, kind, files, outcome, test, report,
    distance, named."""
    def __init__(self, kind):
        super().__init__(kind)
        self.lines = {}

    def add(self, path):
        for field in fields(path, 9, "patch"):
            self.lines[field[0]] = field
        self.counts = {"patches": len(self.lines), "caught": self.caught(),
                       "named": sum(f[8] == "yes" for f in self.lines.values())}

    def caught(self):
        return sum(f[4].startswith("caught") for f in self.lines.values())

    def coverage(self):
        return [cover("patches caught", self.caught(), self.kind.of, "patches")]

    def tables(self):
        return [table("Patches", ["patch", "side", "kind", "file", "outcome", "caught by", "report", "named"],
                      [f[:7] + [f[8]] for _, f in sorted(self.lines.items())])]


class Mutants(Reader):
    """Results of tests/mutants/run.sh: lines with | between number, outcome, test, report, cycle, first
    effect, distance, seconds, effect seen, tests; proofs of equivalence are lines of prove.txt."""
    def __init__(self, kind):
        super().__init__(kind)
        self.lines = {}

    def add(self, path):
        for field in fields(path, 10, "mutant"):
            if not field[0].isdigit():
                raise ValueError(f"no result of a mutant: {'|'.join(field)[:80]}")
            if field[0] != "0":
                self.lines[int(field[0])] = field
            elif field[1] != "not killed":
                raise ValueError("the netlist without a mutant fails")

    def sort_out(self):
        try:
            with open(f"{self.kind.places.build}/tests/mutants/prove.txt", encoding="utf-8") as f:
                proved = {int(w[0]) for w in map(str.split, f) if len(w) > 1 and w[1].startswith("equivalent")}
        except (OSError, ValueError):
            proved = set()
        for number, field in self.lines.items():
            if field[1] == "not killed":
                field[1] = "equivalent" if number in proved else "unresolved"
        outcomes = [f[1].split()[0] for f in self.lines.values()]
        self.counts = {"mutants": len(outcomes),
                       **{o: outcomes.count(o) for o in ("killed", "equivalent", "unresolved")}}

    def coverage(self):
        self.sort_out()
        return [cover("mutants killed or proved equivalent", self.counts["killed"] + self.counts["equivalent"],
                      self.kind.of * self.kind.work, "mutants")]

    def tables(self):
        self.sort_out()
        return [table("Mutants", ["number", "outcome", "killed by", "report", "distance", "effect seen"],
                      [[n, f[1], f[2], f[3], f[6], f[8]] for n, f in sorted(self.lines.items())])]


class Kernels(Reader):
    """wl_kernel_runner --json"""
    OUTCOMES = ("passed", "refused", "skipped", "failed")

    def __init__(self, kind):
        super().__init__(kind)
        self.kernels = {}

    def add(self, path):
        d = self.load(path)
        for name in self.OUTCOMES + ("cycles", "instructions"):
            self.count(name, d[name])
        for r in d["runs"]:
            into = self.kernels.setdefault(r["kernel"], {})
            add_to(into, {r["outcome"].lower(): 1, "cycles": r["cycles"], "instructions": r["instructions"]})

    def coverage(self):
        good = sum(k.get("passed", 0) > 0 and not k.get("failed", 0) for k in self.kernels.values())
        return [cover("kernels run without a failure", good, self.kind.of, "kernels")]

    def tables(self):
        columns = self.OUTCOMES + ("cycles", "instructions")
        return [table("Runs by kernel", ["kernel", *columns],
                      [[k, *(n.get(c, 0) for c in columns)] for k, n in sorted(self.kernels.items())])]


class Nothing(Reader):
    """A kind of which only the exit code counts."""
    def add(self, path):
        pass


READERS = {"words": Words, "random": Random, "input": Input, "faults": Faults, "bugs": Bugs,
           "mutants": Mutants, "kernels": Kernels, "": Nothing}
