"""results.py REPORT [EXPRESSION]: the report without what depends on time and place; or the value of an
expression over it: r is the report (or another JSON file), k its kinds by name."""
import json
import sys


def strip(value):
    if isinstance(value, dict):
        return {n: strip(v) for n, v in value.items() if n not in ("ran", "made")}
    return [strip(v) for v in value] if isinstance(value, list) else value


with open(sys.argv[1], encoding="utf-8") as f:
    r = json.load(f)
if len(sys.argv) > 2:
    k = {x["name"]: x for x in r["kinds"]} if "format" in r else {}
    print(eval(" ".join(sys.argv[2].split())))
else:
    print(json.dumps(strip(r), indent=1, sort_keys=True))
