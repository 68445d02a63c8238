"""Checks files of ours: their length, their opening line, and that they name no machine, person or place of work."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONG, TOO_LONG = 600, 1000  # lines
CODE = {".cpp", ".hpp", ".h", ".py", ".pyx", ".pxd", ".cmake"}
TEXT = CODE | {".txt", ".md", ".sh", ".toml", ".yml", ".yaml", ".cfg", ""}

# Paths that exist on one machine only. Places that every system has (/usr, /tmp, /proc) are fine.
PRIVATE = re.compile(
    r"(?<![\w.$}])/(?:home/(?!me\b)|root/|work/|Users/|opt/wheels/)[\w.]|\b(?:10|192\.168)(?:\.\d{1,3}){2,3}\b"
)


def check(path: pathlib.Path) -> tuple[list[str], list[str]]:
    """Errors and warnings for one file."""
    name = path.relative_to(ROOT).as_posix()
    errors, warnings = [], []
    try:
        lines = path.read_text().splitlines()
    except UnicodeDecodeError:
        return [], []
    if len(lines) > TOO_LONG:
        errors.append(f"{name}: {len(lines)} lines; {TOO_LONG} at most: split it by purpose")
    elif len(lines) > LONG:
        warnings.append(f"{name}: {len(lines)} lines; more than {LONG} should be rare")
    if path.suffix in CODE and lines and not lines[0].startswith(("//", "#", '"""', "/*", "<", "..")):
        errors.append(f"{name}:1: a file opens with a line that says its one purpose")
    for number, line in enumerate(lines, 1):
        if PRIVATE.search(line) and name != "tools/lint/files.py":
            errors.append(f"{name}:{number}: a path or address of one machine: {line.strip()}")
        if re.search(r"\b(TODO|FIXME|XXX)\b", line) and name != "tools/lint/files.py":
            errors.append(f"{name}:{number}: unfinished: {line.strip()}")
        if line.startswith(("<<<<<<< ", ">>>>>>> ")):
            errors.append(f"{name}:{number}: a merge conflict's marker")
    return errors, warnings


def main() -> int:
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    failed = False
    for name in names:
        path = ROOT / name
        if path.suffix not in TEXT or not path.is_file() or name == "LICENSE":
            continue
        errors, warnings = check(path)
        failed |= bool(errors)
        for line in errors:
            print(line)
        for line in warnings:
            print("warning:", line)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
