"""`python -m dpep doctor`, `python -m dpep coverage` and `python -m dpep drop-in`."""

import argparse
import pathlib
import sys


def main(arguments: list[str] | None = None) -> int:
    """Run a subcommand and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m dpep", description="Tools of dpep.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("doctor", help="report what was found on this machine, what is missing, and what to do")
    names = commands.add_parser("coverage", help="list which of NumPy's public names dpnp has")
    names.add_argument("--markdown", metavar="FILE", help="write the table to a file instead of printing it")
    commands.add_parser("drop-in", help="print the folder in which dpcxx has the names of other SYCL compilers")
    given = parser.parse_args(arguments)
    if given.command == "coverage":
        from dpep._coverage import coverage

        return coverage(given.markdown)
    if given.command == "drop-in":
        print(pathlib.Path(__file__).parent / "bin" / "drop-in")
        return 0
    from dpep._doctor import doctor

    return doctor()


if __name__ == "__main__":
    sys.exit(main())
