"""The table of the rows: as text while they are measured, as Markdown for a page, and its summary."""

from __future__ import annotations

import math
import pathlib
import statistics

from measurement import Measured

SLOWER = 1.2  # ratios above are listed


class Table:
    """Rows by section.

    Args:
        columns: Names of the libraries, ours first.
        heading: Lines that say what was measured where.
    """

    def __init__(self, columns: list[str], heading: list[str]) -> None:
        self.ours, self.columns, self.heading = columns[0], columns, heading
        self.sections: dict[str, list[Measured]] = {}

    @property
    def rows(self) -> list[Measured]:
        return [row for rows in self.sections.values() for row in rows]

    def begin(self, section: str) -> None:
        self.sections[section] = []
        print(f"\n{section:38}" + "".join(f"{name:>10}" for name in self.columns) + f"{'to best':>9}", flush=True)

    def add(self, measured: Measured) -> None:
        next(reversed(self.sections.values())).append(measured)
        cells = "".join(f"{self._cell(measured, name):>10}" for name in self.columns)
        print(f"  {measured.row.label:36}{cells}{self._ratio(measured):>9} {measured.best(self.ours)}", flush=True)
        for name, fault in measured.faults.items():
            print(f"    {name}: {fault}", flush=True)

    def _cell(self, measured: Measured, name: str) -> str:
        if name in measured.times:
            return _milliseconds(measured.times[name].median)
        return "fault" if name in measured.faults else "–"

    def _ratio(self, measured: Measured) -> str:
        ratio = measured.ratio(self.ours)
        return "–" if math.isnan(ratio) else f"{ratio:.2f}"

    def summary(self) -> list[str]:
        """Say how many rows are first, which are slower, and geometric means."""
        ratios = {row.row.label: row.ratio(self.ours) for row in self.rows}
        ratios = {title: ratio for title, ratio in ratios.items() if not math.isnan(ratio)}
        if not ratios:
            return ["No row has a peer."]
        first = sum(ratio <= 1 for ratio in ratios.values())
        slower = sum(ratio > SLOWER for ratio in ratios.values())
        lines = [
            f"{self.ours} is first in {first} of {len(ratios)} rows and slower than {SLOWER} of the fastest peer in "
            f"{slower}. The geometric mean of its times to those of the fastest peer is "
            f"{statistics.geometric_mean(ratios.values()):.2f}."
        ]
        means = []
        for peer in self.columns[1:]:
            both = [row.times for row in self.rows if peer in row.times and self.ours in row.times]
            if both:
                mean = statistics.geometric_mean(times[self.ours].median / times[peer].median for times in both)
                means.append(f"{mean:.2f} to {peer} ({len(both)} rows)")
        lines.append("Geometric means to each peer: " + ", ".join(means) + ".")
        return lines

    def slower(self) -> list[Measured]:
        """Rows above `SLOWER`, the slowest first."""
        rows = [row for row in self.rows if row.ratio(self.ours) > SLOWER]
        return sorted(rows, key=lambda row: -row.ratio(self.ours))

    def faults(self) -> list[str]:
        return [f"{row.row.label}, {name}: {fault}" for row in self.rows for name, fault in row.faults.items()]

    def close(self) -> None:
        print(f"\nslower than {SLOWER} of the fastest peer")
        for row in self.slower():
            best = row.best(self.ours)
            mine, theirs = (_milliseconds(row.times[name].median) for name in (self.ours, best))
            print(f"  {row.row.label:36}{mine:>10}{theirs:>10}{self._ratio(row):>9} {best}")
        if faults := self.faults():
            print("\nwrong or raised\n  " + "\n  ".join(faults))
        print("\n" + "\n".join(self.summary()), flush=True)

    def markdown(self) -> str:
        """Return the tables of all sections and the summary."""
        parts = [*self.heading, *self.summary()]
        for section, rows in self.sections.items():
            lines = [
                f"| {section} | " + " | ".join([*self.columns, "to the fastest peer"]) + " |",
                "| --- |" + " ---: |" * (len(self.columns) + 1),
            ]
            for row in rows:
                cells = [f"`{row.row.label}`", *(self._cell(row, name) for name in self.columns), self._ratio(row)]
                if row.ratio(self.ours) > SLOWER:
                    cells[-1] = f"**{cells[-1]}**"
                lines.append("| " + " | ".join(cells) + " |")
            parts.append("\n".join(lines))
        if faults := self.faults():
            parts.append("Left out, since the result was wrong or an error was raised:")
            parts.append("\n".join(f"* {fault}" for fault in faults))
        return "\n\n".join(parts)


def _milliseconds(time: float) -> str:
    return f"{time:.0f}" if time >= 1000 else f"{time:#.3g}".rstrip(".")


def write_between_markers(file: pathlib.Path, marker: str, text: str) -> None:
    """Replace what is between a page's markers for that name."""
    begin, end = (f"<!-- {marker}: {which} -->" for which in ("begin", "end"))
    page = file.read_text()
    if page.count(begin) != 1 or page.count(end) != 1:
        raise SystemExit(f"{file}: expected one line {begin!r} and one line {end!r}")
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    file.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}")
