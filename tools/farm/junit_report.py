"""The report of the farm as JUnit XML: a shard is a test case of the class farm.PART.KIND."""
import importlib.util
import os

_HERE = os.path.dirname(os.path.abspath(__file__))
_SPEC = importlib.util.spec_from_file_location("junit", os.path.join(os.path.dirname(_HERE), "junit.py"))
junit = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(junit)
writable = junit.writable


def text(failure):
    """Why a shard did not pass, how to run it again, and the end of its output."""
    code = "" if failure["code"] is None else f", exit code {failure['code']}"
    why = f": {failure['why']}" if failure["why"] else ""
    try:
        with open(failure["ran"]["output"], encoding="utf-8", errors="replace") as f:
            output = "".join(f.readlines()[-50:])
    except OSError:
        output = ""
    return f"{failure['outcome']}{code}{why}\nagain: {failure['ran']['again']}\n{output}"


def write(path, farm, kinds, rows, broken):
    """rows: kinds of the report. broken: reasons for which a kind was left out that are failures."""
    suite = junit.Suite("farm")
    for row in rows:
        kind, name = kinds[row["name"]], f"farm.{row['part']}.{row['name']}"
        if row["left_out"]:
            outcome = "failed" if row["left_out"] in broken else "skipped"
            suite.add(name, row["name"], 0, outcome, row["left_out"])
            continue
        failures = {f["shard"]: f for f in row["failures"]}
        for shard in kind.shards():
            status = farm.status(shard)
            seconds = status["ran"]["seconds"] if status and status["ran"] else 0
            if shard.name in failures:
                suite.add(name, shard.name, seconds, "failed", text(failures[shard.name]))
            elif status is None:
                suite.add(name, shard.name, 0, "skipped", "not run yet")
            else:
                suite.add(name, shard.name, seconds, "passed")
    suite.write(path)
