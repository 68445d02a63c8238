"""Parser of documentation: sections, files (a line `name`, then a fenced block) and other code blocks."""

from __future__ import annotations

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"(?:^`(?P<file>[\w.]+)`\n\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


class Section:
    """The text between two headings: `files` by name, and other code blocks by language, in order."""

    def __init__(self, text: str) -> None:
        self.files: dict[str, str] = {}
        self.blocks: dict[str, list[str]] = {}
        for block in BLOCK.finditer(text):
            if block["file"]:
                self.files[block["file"]] = block["text"]
            else:
                self.blocks.setdefault(block["language"], []).append(block["text"])


def sections(document: str) -> dict[str, Section]:
    """The sections of a document by heading; the text before the first heading is section ''."""
    parts = re.split(r"^## (.+)\n", "## \n" + (ROOT / document).read_text(), flags=re.MULTILINE)
    first = parts[0].removeprefix("## \n")
    return {"": Section(first)} | {title: Section(text) for title, text in zip(parts[1::2], parts[2::2])}
