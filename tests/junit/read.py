"""read.py FILE: checks the form of a JUnit report and prints its cases, one Python tuple a line:
(outcome, classname, name, message, text). Its own counts must be those of its cases."""
import sys
import xml.etree.ElementTree as ET

root = ET.parse(sys.argv[1]).getroot()
assert root.tag == "testsuites" and len(root) == 1, root
suite = root[0]
assert suite.tag == "testsuite" and suite.get("name"), suite.attrib
counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
seconds = 0.0
for case in suite:
    assert case.tag == "testcase" and set(case.attrib) == {"classname", "name", "time"}, case.attrib
    assert case.get("classname") and case.get("name")
    assert float(case.get("time")) >= 0
    seconds += float(case.get("time"))
    counts["tests"] += 1
    assert len(case) <= 1
    outcome, message, text = "passed", None, None
    for what in case:
        outcome = {"failure": "failed", "skipped": "skipped"}[what.tag]
        counts[{"failure": "failures", "skipped": "skipped"}[what.tag]] += 1
        message, text = what.get("message"), what.text
        assert message, case.attrib
        if outcome == "failed":
            assert message in text, (message, text)
    print((outcome, case.get("classname"), case.get("name"), message, text))
for name, count in counts.items():
    assert int(suite.get(name)) == count, (name, suite.get(name), count)
# Each case is rounded to milliseconds.
assert abs(float(suite.get("time")) - seconds) <= 0.001 * (1 + counts["tests"]), suite.get("time")
print("{tests} cases, {failures} failed, {skipped} skipped".format(**counts))
