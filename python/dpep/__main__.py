"""`python -m dpep doctor`."""

import argparse
import sys


def main(arguments: list[str] | None = None) -> int:
    """Run a subcommand and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m dpep", description="Tools of dpep.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("doctor", help="report what was found on this machine, what is missing, and what to do")
    parser.parse_args(arguments)
    from dpep._doctor import doctor

    return doctor()


if __name__ == "__main__":
    sys.exit(main())
