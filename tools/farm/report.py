"""The report of the farm: report.json and report.html, from what the shards left. What depends on
time, place or machine stands in objects named "ran" and "made" only, so that two reports of the same
shards can be compared."""
import html
import json
import os
import platform
import re
import subprocess
import time

from readers import READERS
from shard import write_json

FORMAT = 1


class Calls:
    """Which kinds, with how many shards of which size, the calls of this folder asked for: the report
    is of all of them."""

    def __init__(self, farm, kinds):
        self.path = os.path.join(farm.dir, "plan.json")
        try:
            with open(self.path, encoding="utf-8") as f:
                saved = json.load(f)
        except (OSError, ValueError):
            saved = {}
        self.sizes = {n: s for n, s in saved.items() if n in kinds}

    def add(self, ready, left_out, table):
        for kind in ready:
            self.sizes[kind.name] = {"shards": kind.count, "work": kind.work, "left_out": None}
        for name, why in left_out.items():
            self.sizes[name] = {"shards": None, "work": None, "left_out": why}
        write_json(self.path, self.sizes)


def output(*arguments):
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def made(places):
    """Where, when and of what."""
    cache = {}
    try:
        with open(os.path.join(places.build, "CMakeCache.txt"), encoding="utf-8") as f:
            for line in f:
                name, found, value = line.strip().partition("=")
                if found:
                    cache[name.split(":")[0]] = value
    except OSError:
        pass
    git = ["git", "-C", places.root]
    tools = {"compiler": output(cache["CMAKE_C_COMPILER"], "--version") if "CMAKE_C_COMPILER" in cache else "",
             "cmake": output("cmake", "--version"), "slurm": output("sbatch", "--version"),
             "python": platform.python_version(), "system": platform.platform()}
    try:
        with open(os.path.join(places.build, "tools", "verilator.cmake"), encoding="utf-8") as f:
            found = re.search(r"VERSION \D*([0-9.]+)", f.read())
            tools["verilator"] = found.group(1) if found else ""
    except OSError:
        pass
    return {"date": time.strftime("%Y-%m-%d %H:%M:%S %z"), "host": platform.node(),
            "processors": os.cpu_count(), "commit": output(*git, "rev-parse", "HEAD"),
            "changed": bool(output(*git, "status", "--porcelain", "--untracked-files=no")),
            "build_type": cache.get("CMAKE_BUILD_TYPE", ""), "sanitizers": cache.get("WL_SANITIZE", ""),
            "tools": {n: v.splitlines()[0] for n, v in tools.items() if v}}


def failure(shard, status, outcome):
    return {"shard": shard.name, "outcome": outcome, "code": status["code"], "why": status["error"],
            "ran": {"output": os.path.join(shard.dir, "output.txt"), "folder": shard.dir,
                    "again": shard.repeat(), **(status["ran"] or {})}}


def read_kind(farm, kind):
    reader = READERS[kind.read](kind)
    shards = {"total": kind.count, "passed": 0, "failed": 0, "timeout": 0, "lost": 0, "left": 0}
    failures, seconds, cpu, began, ended, peak, hosts = [], 0, 0, None, None, 0, set()
    for shard in kind.shards():
        status = farm.status(shard)
        if status is None:
            shards["left"] += 1
            continue
        outcome, result = status["outcome"], os.path.join(shard.dir, "result")
        if outcome in ("passed", "failed") and os.path.exists(result):
            try:
                reader.add(result)
            except (ValueError, KeyError, TypeError, OSError) as e:
                outcome, status = "failed", {**status, "error": f"its result cannot be read: {e!r}"}
        shards[outcome] += 1
        if outcome != "passed":
            failures.append(failure(shard, status, outcome))
        ran = status["ran"]
        if ran:
            seconds, cpu = seconds + ran["seconds"], cpu + ran["cpu_seconds"]
            began = min(began or ran["began"], ran["began"])
            ended = max(ended or 0, ran["began"] + ran["seconds"])
            peak = max(peak, ran["peak_mib"])
            hosts.add(ran["host"])
    stamp = "%Y-%m-%d %H:%M:%S"
    tables, coverage = reader.tables(), reader.coverage()  # the tables complete the counts
    return {"name": kind.name, "part": kind.part, "about": kind.about, "left_out": None,
            "command": " ".join(kind.run), "work": kind.work if kind.scaled else None, "shards": shards,
            "counts": reader.counts, "coverage": coverage, "tables": tables, "failures": failures,
            "ran": {"shard_seconds": round(seconds, 1), "cpu_seconds": round(cpu, 1), "peak_mib": peak,
                    "from": time.strftime(stamp, time.localtime(began)) if began else None,
                    "to": time.strftime(stamp, time.localtime(ended)) if ended else None,
                    "wall_seconds": round(ended - began, 1) if began else 0, "hosts": sorted(hosts)}}


def collect(farm, kinds, calls):
    rows = []
    for name, kind in kinds.items():
        if name not in calls.sizes:
            continue
        size = calls.sizes[name]
        missing = size["left_out"] or (kind.missing() and f"this build has no {kind.missing()}")
        if missing:
            rows.append({"name": name, "part": kind.part, "about": kind.about, "left_out": missing})
            continue
        kind.choose(size["shards"], size["work"])
        rows.append(read_kind(farm, kind))
    return {"format": FORMAT, "made": made(farm.places), "kinds": rows, "totals": sums(rows)}


def sums(rows):
    run = [r for r in rows if not r["left_out"]]
    shards = {s: sum(r["shards"][s] for r in run) for s in ("total", "passed", "left")}
    shards["bad"] = sum(len(r["failures"]) for r in run)
    return {"shards": shards, "left_out": sum(bool(r["left_out"]) for r in rows),
            "ran": {"cpu_seconds": round(sum(r["ran"]["cpu_seconds"] for r in run), 1),
                    "shard_seconds": round(sum(r["ran"]["shard_seconds"] for r in run), 1)}}


def line(total):
    """The last line of a call: of the kinds it asked for."""
    s = total["shards"]
    return (f"farm: {s['passed']} of {s['total']} shards passed, {s['bad']} failed, {s['left']} left; "
            f"{total['ran']['cpu_seconds']:.0f} s of processor time")


def write(farm, kinds, calls):
    result = collect(farm, kinds, calls)
    write_json(os.path.join(farm.dir, "report.json"), result)
    path = os.path.join(farm.dir, "report.html")
    with open(path + ".new", "w", encoding="utf-8") as f:
        f.write(page(result))
    os.replace(path + ".new", path)
    return result


# ---- HTML: one file, no scripts, nothing from elsewhere

STYLE = """
body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em;color:#1a1d21;background:#fff}
h1{font-size:1.6em;margin-bottom:.2em}h2{font-size:1.2em;margin:2em 0 .2em;border-top:1px solid #ccd;padding-top:.8em}
h3{font-size:1em;margin:1em 0 .2em}p{margin:.3em 0}table{border-collapse:collapse;margin:.4em 0;font-size:.92em}
th,td{padding:.15em .7em;text-align:right;border-bottom:1px solid #e3e6ea;font-variant-numeric:tabular-nums}
th:first-child,td:first-child,.l td,.l th{text-align:left}th{font-weight:600;background:#f2f4f7}
code,pre{font:.9em ui-monospace,monospace}pre{background:#f6f7f9;padding:.6em;overflow-x:auto;margin:.3em 0}
.bar{display:inline-block;width:9em;height:.7em;background:#e3e6ea;vertical-align:middle;margin-right:.5em}
.bar i{display:block;height:100%;background:#2f7d4f}.bad{color:#a8201a;font-weight:600}.dim{color:#667}
summary{cursor:pointer;margin:.4em 0}
@media(prefers-color-scheme:dark){body{color:#dfe3e8;background:#15181c}th{background:#22272d}
pre{background:#1d2126}th,td{border-color:#2d333a}.bar{background:#2d333a}.bad{color:#ff8a80}.dim{color:#99a}}
"""


def text(value):
    return html.escape(f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value))


def rows_html(columns, rows, kind=""):
    head = "".join(f"<th>{text(c)}</th>" for c in columns)
    body = "".join("<tr>" + "".join(f"<td>{c if isinstance(c, Raw) else text(c)}</td>" for c in r) + "</tr>\n"
                   for r in rows)
    return f"<table class='{kind}'><tr>{head}</tr>\n{body}</table>\n"


class Raw(str):
    """HTML already."""


def bar(c):
    share = c["reached"] / c["total"] if c["total"] else 0
    return Raw(f"<span class=bar><i style='width:{100 * share:.1f}%'></i></span>"
               f"{c['reached']:,} of {c['total']:,} ({100 * share:.2f} %)")


def overview(result):
    rows = []
    for k in result["kinds"]:
        if k["left_out"]:
            rows.append([Raw(f"<a href='#{k['name']}'>{k['name']}</a>"), "left out"] + [""] * 5)
            continue
        s, bad = k["shards"], len(k["failures"])
        covered = "; ".join(f"{c['reached']:,} of {c['total']:,} {c['unit']}" for c in k["coverage"])
        rows.append([Raw(f"<a href='#{k['name']}'>{k['name']}</a>"), f"{s['passed']} of {s['total']}",
                     Raw(f"<span class=bad>{bad}</span>") if bad else 0, s["left"],
                     f"{k['ran']['cpu_seconds']:,.0f} s", f"{k['ran']['wall_seconds']:,.0f} s", covered])
    return rows_html(["kind", "shards passed", "failed", "left", "processor time", "from first to last",
                      "coverage"], rows)


def kind_html(k):
    out = [f"<h2 id='{k['name']}'>{text(k['name'])}</h2>\n<p>{text(k['about'])}</p>\n"]
    if k["left_out"]:
        return out[0] + f"<p class=dim>Left out: {text(k['left_out'])}</p>\n"
    s, ran = k["shards"], k["ran"]
    others = ", ".join(f"{s[n]} {w}" for n, w in (("failed", "failed"), ("timeout", "stopped by their limit"),
                                                  ("lost", "lost"), ("left", "left")) if s[n])
    out.append(f"<p>{s['passed']} of {s['total']} shards passed{', ' + others if others else ''}; "
               f"{ran['cpu_seconds']:,.0f} s of processor time, {ran['shard_seconds']:,.0f} s summed over shards, "
               f"{ran['wall_seconds']:,.0f} s from the first start to the last end"
               f"{' (' + ran['from'] + ' to ' + ran['to'] + ')' if ran['from'] else ''}; "
               f"at most {ran['peak_mib']:,} MiB; on {text(', '.join(ran['hosts']) or 'no host')}</p>\n")
    out.append(f"<p><code>{text(k['command'])}</code>"
               f"{', ' + format(k['work'], ',') + ' per shard' if k['work'] else ''}</p>\n")
    if k["counts"]:
        out.append(rows_html([n.replace("_", " ") for n in k["counts"]], [list(k["counts"].values())]))
    if k["coverage"]:
        out.append(rows_html(["coverage", ""], [[c["name"], bar(c)] for c in k["coverage"]], "l"))
    for f in k["failures"]:
        code = "" if f["code"] is None else f", exit code {f['code']}"
        out.append(f"<p class=bad>{text(f['shard'])}: {text(f['outcome'])}{code}"
                   f"{': ' + text(f['why']) if f['why'] else ''}</p>\n<pre>{text(f['ran']['again'])}\n"
                   f"# {text(f['ran']['output'])}</pre>\n")
    for t in k["tables"]:
        if t["rows"]:
            out.append(f"<details><summary>{text(t['title'])}</summary>\n"
                       f"{rows_html(t['columns'], t['rows'])}</details>\n")
    return "".join(out)


def page(result):
    m, s = result["made"], result["totals"]["shards"]
    facts = [["commit", (m["commit"] or "unknown") + (" with changes" if m["changed"] else "")],
             ["made", f"{m['date']} on {m['host']}, {m['processors']} processors"],
             ["build", " ".join(filter(None, [m["build_type"], m["sanitizers"] not in ("", "OFF") and
                                              "with sanitizers"])) or "unknown"]]
    facts += [[n, v] for n, v in sorted(m["tools"].items())]
    return ("<!doctype html>\n<html lang=en><head><meta charset=utf-8><title>Warplock farm</title>"
            "<meta name=viewport content='width=device-width'>"
            f"<style>{STYLE}</style></head><body>\n<h1>Warplock farm</h1>\n"
            f"<p>{s['passed']} of {s['total']} shards passed, "
            f"<span{' class=bad' if s['bad'] else ''}>{s['bad']} failed</span>, {s['left']} left; "
            f"{result['totals']['ran']['cpu_seconds']:,.0f} s of processor time</p>\n"
            + overview(result) + "<h3>Made of</h3>\n" + rows_html(["", ""], facts, "l")
            + "".join(kind_html(k) for k in result["kinds"]) + "</body></html>\n")
