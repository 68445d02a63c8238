"""Checks a wheel and sets its platform tag: `finish.py built.whl folder`.

The glibc version that its libraries need decides the tag (manylinux_2_36_x86_64 or lower). Libraries that are neither
in the wheel nor on every Linux are an error, and so is a wheel of more than 40 MB. Files have a fixed order and time,
so that the same sources give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import zipfile

MAX_BYTES = 40_000_000
MAX_GLIBC = (2, 36)  # Debian 12's
# The libraries that manylinux guarantees on every system
SYSTEM_LIBRARIES = {
    "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libgcc_s.so.1", "libstdc++.so.6",
    "ld-linux-x86-64.so.2",
}  # fmt: skip


def requirements_of(name: str, content: bytes) -> tuple[tuple[int, int], set[str]]:
    """Return the glibc version and the libraries that an ELF file needs. Exit if it searches absolute paths."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        text = subprocess.run(
            ["readelf", "-V", "-d", "-W", file.name], check=True, capture_output=True, text=True
        ).stdout
    versions = [tuple(map(int, v)) for v in re.findall(r"\bGLIBC_(\d+)\.(\d+)", text)]
    needs = set(re.findall(r"\(NEEDED\).*\[(.+)\]", text))
    for path in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.+)\]", text):
        if any(not part.startswith("$ORIGIN") for part in path.split(":")):
            sys.exit(f"wheel: {name} searches for libraries in {path}, which other machines do not have")
    return max(versions, default=(2, 5)), needs


def read(path: pathlib.Path) -> dict[str, tuple[bytes, int]]:
    """Return the content and the mode of each file."""
    with zipfile.ZipFile(path) as wheel:
        return {i.filename: (wheel.read(i), i.external_attr >> 16) for i in wheel.infolist() if not i.is_dir()}


def platform_tag(files: dict[str, tuple[bytes, int]]) -> str:
    """Return the platform tag for the libraries' requirements. Exit if they cannot be satisfied."""
    inside = {name.rsplit("/", 1)[-1] for name in files}
    newest = (2, 5)
    for name, (content, _) in files.items():
        if not content.startswith(b"\x7fELF"):
            continue
        glibc, needs = requirements_of(name, content)
        if missing := needs - SYSTEM_LIBRARIES - inside:
            sys.exit(
                f"wheel: {name} needs {', '.join(sorted(missing))}, which is neither in the wheel nor on every system"
            )
        newest = max(newest, glibc)
    if newest > MAX_GLIBC:
        sys.exit(f"wheel: needs glibc {newest}, newer than {MAX_GLIBC}: build it on an older system")
    return f"manylinux_{newest[0]}_{newest[1]}_x86_64"


def record_of(files: dict[str, tuple[bytes, int]], record: str) -> bytes:
    """Return the wheel's RECORD: its files with hashes and sizes, as PEP 376 defines it."""
    lines = []
    for name in sorted(files):
        if name != record:
            digest = base64.urlsafe_b64encode(hashlib.sha256(files[name][0]).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{len(files[name][0])}")
    return "\n".join([*lines, f"{record},,", ""]).encode()


def write(path: pathlib.Path, files: dict[str, tuple[bytes, int]]) -> None:
    """Write a wheel with sorted files of one time."""
    moment = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800))[:6]  # zip times start in 1980
    # RECORD is last, as the format recommends.
    order = sorted(files, key=lambda name: (name.endswith(".dist-info/RECORD"), name))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name in order:
            content, mode = files[name]
            info = zipfile.ZipInfo(name, moment)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # Unix, so that external_attr has the mode
            info.external_attr = (0o100755 if mode & 0o111 else 0o100644) << 16
            wheel.writestr(info, content, compresslevel=9)
    # The same files, compressed further by libdeflate: 3 % smaller.
    subprocess.run(["advzip", "--recompress", "--shrink-normal", "--quiet", path], check=True)


def main(built: str, folder: str) -> None:
    source, target = pathlib.Path(built), pathlib.Path(folder)
    files = read(source)
    platform = platform_tag(files)
    metadata = next(name for name in files if name.endswith(".dist-info/WHEEL"))
    content, mode = files[metadata]
    tagged = re.sub(rb"(?m)^(Tag: [^-]+-[^-]+-).+$", rb"\g<1>" + platform.encode(), content)
    files[metadata] = (tagged, mode)
    record = metadata.replace("WHEEL", "RECORD")
    files[record] = (record_of(files, record), files[record][1])

    target.mkdir(exist_ok=True)
    wheel = target / re.sub(r"-[^-]+\.whl$", f"-{platform}.whl", source.name)
    write(wheel, files)
    size = wheel.stat().st_size
    if size > MAX_BYTES:
        sys.exit(f"wheel: {wheel} has {size / 1e6:.1f} MB; the maximum is {MAX_BYTES / 1e6:.0f} MB")
    print(f"{wheel}: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
