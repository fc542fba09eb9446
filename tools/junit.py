#!/usr/bin/env python3
"""Reports as JUnit XML, the form that CI systems read.

   junit.py CTEST-XML FILE   what ctest wrote (--output-junit) in the form that others agree on: a failure
                             has its output as text, a skipped test its reason, and a test whose program is
                             missing has failed
The farm uses the class Suite."""
import os
import re
import sys
import xml.etree.ElementTree as ET

# What XML 1.0 has no way to write.
NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text):
    return NO_XML.sub("?", text)


class Suite:
    """Cases of one suite; write() makes the file, whole or not at all."""

    def __init__(self, name):
        self.root = ET.Element("testsuite", name=clean(name))
        self.counts = {"passed": 0, "failed": 0, "skipped": 0}
        self.seconds = 0.0

    def add(self, classname, name, seconds, outcome, text=""):
        """outcome: passed, failed or skipped. text: why; its first line is the message."""
        case = ET.SubElement(self.root, "testcase", classname=clean(classname), name=clean(name),
                             time=f"{seconds:.3f}")
        self.counts[outcome] += 1
        self.seconds += seconds
        if outcome != "passed":
            what = ET.SubElement(case, "failure" if outcome == "failed" else "skipped",
                                 message=clean(text.strip().partition("\n")[0]))
            if outcome == "failed":
                what.text = clean(text)

    def write(self, path):
        c = self.counts
        self.root.attrib.update(tests=str(sum(c.values())), failures=str(c["failed"]), errors="0",
                                skipped=str(c["skipped"]), time=f"{self.seconds:.3f}")
        root = ET.Element("testsuites")
        root.append(self.root)
        ET.indent(root, " ")
        ET.ElementTree(root).write(path + ".new", encoding="UTF-8", xml_declaration=True)
        os.replace(path + ".new", path)


def writable(path):
    """None, or why no report can be written there: asked before hours of work."""
    if os.path.isdir(path):
        return f"{path} is a folder"
    folder = os.path.dirname(path) or "."
    return None if os.path.isdir(folder) and os.access(folder, os.W_OK) else f"cannot write {path}"


def ctest_case(case):
    """(outcome, text) of a test case of ctest."""
    status, output = case.get("status"), (case.findtext("system-out") or "").strip()
    if status == "run":
        return "passed", ""
    skipped = case.find("skipped")
    if status == "disabled" or (skipped is not None and skipped.get("message", "").startswith("SKIP_")):
        reason = re.search(r"SKIP: (.*)", output)
        return "skipped", reason[1] if reason else "disabled" if status == "disabled" else "no reason given"
    if status == "notrun":
        return "failed", "program missing\n" + output
    failure = case.find("failure")
    message = failure.get("message", "") if failure is not None else ""
    # ctest has no message, nor does it say here that the time was over.
    return "failed", f"{message or 'failed after ' + format(float(case.get('time') or 0), '.1f') + ' s'}\n{output}"


def main(arguments):
    if len(arguments) != 2:
        print("usage: junit.py CTEST-XML FILE", file=sys.stderr)
        return 2
    source = ET.parse(arguments[0]).getroot()
    suite = Suite("warplock")
    for case in source.iter("testcase"):
        # "python/api": the part before the last slash is the class.
        folder, _, name = case.get("name").rpartition("/")
        suite.add("ctest" + ("." + folder.replace("/", ".") if folder else ""), name,
                  float(case.get("time") or 0), *ctest_case(case))
    suite.write(arguments[1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
