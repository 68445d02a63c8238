"""All documents: relative links lead to files, and paths of the repository that they name exist."""

from __future__ import annotations

import re

import pytest
from snippets import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCED = re.compile(r"^\s*```.*?^\s*```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[\w-]+)?\)")
PATH = re.compile(r"`((?:benchmarks|docs|examples|include|python|src|tests|tools)/[\w./-]*)`")
MADE_BY_RECIPES = "softplus"  # files that a reader of CONTRIBUTING.md creates


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_and_paths_exist(document):
    text = FENCED.sub("", document.read_text())
    linked = [document.parent / link for link in LINK.findall(text)]
    named = [ROOT / path for path in PATH.findall(text) if MADE_BY_RECIPES not in path]
    missing = sorted({str(path) for path in linked + named if not path.exists()})
    assert not missing
