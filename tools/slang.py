#!/usr/bin/env python3
"""The SystemVerilog front end slang as a program: takes slang's own options, says what is wrong with the
sources and ends with exit code 1 when something is. Needs the module of tools/slang.txt."""
import shlex
import sys

from pyslang.driver import Driver


def main(arguments):
    driver = Driver()
    driver.addStandardArgs()
    if not driver.parseCommandLine(shlex.join(["slang"] + arguments)):
        return 1
    if not driver.processOptions() or not driver.parseAllSources():
        return 1
    compilation = driver.createCompilation()
    driver.reportCompilation(compilation, True)
    return 0 if driver.reportDiagnostics(True) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
