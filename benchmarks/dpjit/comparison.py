"""Times one program in several packages in turns, compares their results, and prints rows and means."""

from __future__ import annotations

import math
import statistics
import time

import programs

# Seconds between turns on CPUs: OpenBLAS's threads wait actively for more work, for 0.1 s after each call.
PAUSE = 0.15
# Seconds and calls of a turn, with the preparation of arguments.
TURN, MOST_CALLS = 0.1, 100
MOST_TURNS = 8


class Row:
    """The first call's seconds and those of later calls, by package, and the errors of those that failed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.first: dict[str, float] = {}
        self.times: dict[str, list[float]] = {}
        self.errors: dict[str, str] = {}

    def median(self, who: str) -> float:
        return statistics.median(self.times[who]) if self.times.get(who) else math.nan

    def best_peer(self) -> str | None:
        """The package with the least median, ours apart."""
        peers = [who for who in self.times if who != "dpjit" and who not in self.errors]
        return min(peers, key=self.median, default=None)

    def ratio(self, who: str) -> float:
        """How many times as long as ours the package takes."""
        return self.median(who) / self.median("dpjit")

    @classmethod
    def from_dict(cls, found: dict) -> Row:
        row = cls(found["name"])
        row.first, row.errors = found["first"], found["errors"]
        row.times = {who: [median] for who, median in found["median"].items()}
        return row

    def as_dict(self) -> dict:
        medians = {who: self.median(who) for who in self.times}
        return {"name": self.name, "first": self.first, "median": medians, "errors": self.errors}


def timed(peer, given) -> tuple[float, list, object]:
    arguments = peer.prepare(given)
    start = time.perf_counter()
    returned = peer.call(arguments)
    return time.perf_counter() - start, arguments, returned


def measure(name: str, makers: dict, given, seconds: float, keep_going: bool = False, pause: float = PAUSE) -> Row:
    """Call each package's program on the same data: first once, to compare the results, then in turns.

    A turn is a few calls in a row, whose first is not counted unless it is the only one. Each package has `seconds`
    in all and at least two turns, but one call if that takes a second. With `keep_going` errors are recorded in the row
    and not raised.
    """
    row, peers, expected = Row(name), {}, None
    for who, make in makers.items():
        try:
            peer = make(name)
            row.first[who], arguments, returned = timed(peer, given)
            found = peer.results(arguments, returned)
            if expected is None:
                expected = (who, found)
            try:
                programs.check_results(name, expected[1], found, f"{who} and {expected[0]}")
            except RuntimeError as error:
                if not keep_going:
                    raise
                row.errors[who] = str(error)
            arguments = returned = found = None
            again = timed(peer, given)[0]
            if again < 1.0:
                peers[who] = peer
            row.times[who] = [] if again < 1.0 else [again]
        except Exception as error:
            if not keep_going:
                raise
            row.errors[who] = f"{type(error).__name__}: {error}"
    take_turns(peers, row, given, seconds, pause)
    return row


def take_turns(peers: dict, row: Row, given, seconds: float, pause: float) -> None:
    spent = dict.fromkeys(peers, 0.0)
    for turn in range(MOST_TURNS):
        for who, peer in peers.items():
            if turn >= 2 and spent[who] >= seconds:
                continue
            time.sleep(pause)
            begin = time.perf_counter()
            calls = []
            while len(calls) < MOST_CALLS and (not calls or time.perf_counter() - begin < TURN):
                calls.append(timed(peer, given)[0])
            row.times[who] += calls[1:] or calls
            spent[who] += time.perf_counter() - begin


def header(names: list[str]) -> str:
    columns = "".join(f"{each:>11}" for each in names)
    return f"{'median, ms':28}{columns}{'best/ours':>11}  first, ms:{columns}"


def line(row: Row, names: list[str]) -> str:
    best = row.best_peer()
    ratio = row.ratio(best) if best and "dpjit" in row.times else math.nan
    medians = "".join(f"{1e3 * row.median(each):11.4g}" for each in names)
    firsts = "".join(f"{1e3 * row.first.get(each, math.nan):11.4g}" for each in names)
    errors = "".join(f"\n    {who}: {error[:200]}" for who, error in row.errors.items())
    return f"{row.name:28}{medians}{ratio:11.2f}{'':12}{firsts}{errors}"


def summary(rows: list[Row], peers: list[str]) -> str:
    """Geometric means against each peer and the best, and the programs that are slower than the best peer."""

    def mean(ratios: list[float]) -> str:
        found = [each for each in ratios if each == each]
        if not found:
            return "no program"
        least = f"{min(found):.2f} to {max(found):.2f}"
        return f"{math.exp(statistics.fmean(map(math.log, found))):.2f} ({len(found)} programs, {least})"

    ours = [row for row in rows if "dpjit" in row.times]
    lines = ["time of the peer / time of dpjit, geometric means:"]
    for peer in peers:
        lines.append(f"  {peer}: {mean([row.ratio(peer) for row in ours if peer in row.times])}")
    with_best = [(row, row.best_peer()) for row in ours if row.best_peer()]
    lines.append(f"  the best of them: {mean([row.ratio(best) for row, best in with_best])}")
    slower = sorted((row.ratio(best), row.name, best) for row, best in with_best if row.ratio(best) < 1)
    lines.append("slower than the best: " + (", ".join(f"{n} ({b}, {r:.2f})" for r, n, b in slower) or "none"))
    return "\n".join(lines)
