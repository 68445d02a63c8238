"""docs/sycl.md: every name that the page lists exists, and those that it calls missing do not."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess

import dpep
import pytest

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs/sycl.md").read_text()


def rows(title: str) -> list[list[str]]:
    """The cells of a section's table, without its head."""
    section = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    table = [line for line in section.splitlines() if line.startswith("| ")][2:]
    return [[cell.strip().strip("`") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table]


def names(cell: str) -> list[str]:
    return [name.strip() for name in cell.split(",")]


def members() -> list[str]:
    """A member is found by its ambiguity with another of the same name, whatever it is."""
    lines = []
    for number, (type_, list_) in enumerate(rows("Classes")):
        for index, name in enumerate(names(list_)):
            if name == "operator()":
                continue
            n = f"{number}_{index}"
            lines += [
                f"struct fallback_{n} {{ int {name}; }};",
                f"struct both_{n} : {type_}, fallback_{n} {{}};",
                f"template <class T> concept lacks_{n} = requires {{ &T::{name}; }};",
                f'static_assert(!lacks_{n}<both_{n}>, "{type_} has no {name}");',
            ]
    return lines


def uses(qualified: list[str]) -> list[str]:
    return [f"namespace use_{i} {{ using {name}; }}" for i, name in enumerate(qualified)]


def functions() -> list[str]:
    return uses(
        [f"sycl::{name}" for _, list_ in rows("Types, functions and constants in `sycl`") for name in names(list_)]
    )


def descriptors() -> list[str]:
    return uses([f"{object_}::{name}" for object_, list_ in rows("Information descriptors") for name in names(list_)])


def enumerators() -> list[str]:
    all_ = [f"{type_}::{name}" for type_, list_ in rows("Enumerators") for name in names(list_)]
    return [f"constexpr auto value_{i} = {name};" for i, name in enumerate(all_)]


def guides() -> list[str]:
    return [
        f"static_assert(std::is_same_v<decltype({expression}), {type_}>);"
        for expression, type_ in rows("Deduction guides")
    ]


def extensions_of(section: str, namespace: str, others: str) -> list[str]:
    table = rows(section)
    macros = [macro for _, macro, _ in table]
    macros += re.findall(r"`(SYCL_(?:EXT|KHR)_\w+)`", PAGE.split(others)[1].split("\n\n")[0])
    lines = [f"#ifndef {macro}\n#error {macro}\n#endif" for macro in macros if "BFLOAT16_MATH" not in macro]
    return lines + uses([f"{namespace}::{name}" for *_, list_ in table for name in names(list_)])


def extensions() -> list[str]:
    return extensions_of("Extensions", "sycl::ext::oneapi", "Without names of their own")


def extensions_of_khronos() -> list[str]:
    return extensions_of("Extensions of Khronos", "sycl::khr", "Without names in `sycl::khr`")


def check(lines: list[str], folder: pathlib.Path) -> str:
    source = folder / "names.cpp"
    source.write_text("\n".join(["#include <sycl/sycl.hpp>", *lines, ""]))
    words = ["-std=c++20", "-fsyntax-only", "-ferror-limit=0", "-Wno-deprecated-declarations", "names.cpp"]
    dpcxx = pathlib.Path(os.environ.get("DPEP_PREFIX") or pathlib.Path(dpep.__file__).parent) / "bin/dpcxx"
    return subprocess.run([dpcxx, *words], cwd=folder, capture_output=True, text=True).stderr


@pytest.mark.parametrize(
    "part",
    [members, functions, descriptors, enumerators, guides, extensions, extensions_of_khronos],
    ids=lambda f: f.__name__,
)
def test_listed_names_exist(part, tmp_path):
    lines = part()
    assert len(lines) >= 10
    errors = [line for line in check(lines, tmp_path).splitlines() if "error:" in line]
    assert not errors, "\n".join(errors)


def test_missing_names_do_not_exist(tmp_path):
    missing = [name for cell, _ in rows("What there is not") for name in names(cell.replace("`", ""))]
    lines = [
        f"#ifdef {name}\n#else\nnamespace use_{i} {{ using macro::{name}; }}\n#endif"
        if name.startswith("SYCL_")
        else f"namespace use_{i} {{ using sycl::{name}; }}"
        for i, name in enumerate(missing)
    ]
    errors = check(["namespace macro {}", *lines], tmp_path)
    found = [
        name for name in missing if f"using {'macro' if name.startswith('SYCL_') else 'sycl'}::{name};" not in errors
    ]
    assert not found, f"exist now: {found}"
