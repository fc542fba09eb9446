"""python -m warplock --version: package and library, their place, backends and configurations."""

import argparse
import sys

from . import LibraryError, __version__, backends, configs
from ._library import library


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m warplock", description=__doc__)
    parser.add_argument("--version", action="store_true", help="print them")
    if not parser.parse_args().version:
        parser.print_help()
        return 2
    try:
        found = library()
    except LibraryError as e:
        print(f"warplock: {e}", file=sys.stderr)
        return e.exit_code
    print(f"warplock {__version__}, machine ISA {found.c.wl_isa_hash():016x}")
    print(f"library: {found.path}")
    print("backends: " + " ".join(n if there else f"({n})" for n, there in backends().items()))
    print("configurations: " + " ".join(configs()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
