"""Display of the progress of long work, on terminals, in notebooks or in a given file."""

from __future__ import annotations

import os
import sys
import threading
import time
from dataclasses import dataclass
from typing import IO, Self

from dpep import _core

_LONG_COMPILATION, _LONG_WORK = 1.0, 5.0  # seconds after which work is shown
_PERIOD = 0.2


@dataclass
class _Status:
    """Progress of one compilation or queue."""

    text: str
    done: float
    total: float
    seconds: float


class _Sampler:
    """Samples the process' activities, and keeps since when queues are busy and how much they had done then."""

    def __init__(self) -> None:
        self._busy: dict[int, tuple[float, int]] = {}

    def sample(self) -> _Status | None:
        """Return the work that has run longest, or None without long work."""
        now = time.monotonic()
        found: list[_Status] = []
        busy: dict[int, tuple[float, int]] = {}
        for what, number, name, step, done, total, part, seconds in _core.activities():
            if what == "compilation":
                if seconds >= _LONG_COMPILATION:
                    found.append(_Status(f"compiling '{name}' ({step})", done, total, seconds))
                continue
            began, before = busy[number] = self._busy.get(number, (now, done))
            if now - began >= _LONG_WORK:
                found.append(_Status(f"computing '{name}'", done - before + part, total - before, now - began))
        self._busy = busy
        return max(found, key=lambda shown: shown.seconds, default=None)


class _Line:
    """The last line of a terminal or of a notebook's output, which is overwritten."""

    def __init__(self, file: IO[str]) -> None:
        self._file, self._width = file, 0

    def show(self, shown: _Status) -> None:
        percent = 100 * shown.done / shown.total if shown.total else 0
        text = f"dpep: {shown.text}: {percent:.0f} % of {shown.total:g}, {shown.seconds:.0f} s"
        self._write(text)

    def clear(self) -> None:
        if self._width:
            self._write("")
            self._file.write("\r")
            self._file.flush()

    def _write(self, text: str) -> None:
        self._file.write("\r" + text.ljust(self._width))
        self._file.flush()
        self._width = len(text)


class _Bar:
    """A progress bar of tqdm."""

    def __init__(self, file: IO[str] | None, tqdm: type) -> None:
        self._file, self._tqdm, self._bar = file, tqdm, None

    def show(self, shown: _Status) -> None:
        if self._bar is None:
            self._bar = self._tqdm(
                total=shown.total, file=self._file, leave=False,
                bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}",
            )  # fmt: skip
            self._bar.start_t = time.time() - shown.seconds
        self._bar.set_description_str("dpep: " + shown.text, refresh=False)
        self._bar.total, self._bar.n = shown.total, min(shown.done, shown.total)
        self._bar.refresh()

    def clear(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _is_notebook() -> bool:
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return bool(shell) and hasattr(shell, "kernel")


def _display(file: IO[str] | None) -> _Line | _Bar | None:
    """The display for a given file, a notebook or a terminal on stderr; None without any."""
    notebook = _is_notebook()
    if file is None and not notebook and not (sys.stderr and sys.stderr.isatty()):
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line(file or sys.stderr)
    # In a notebook the bar is a widget, which takes no file.
    return _Bar(file if file or notebook else sys.stderr, tqdm)


class progress:
    """Show the progress of long work during a ``with`` block: compilations above 1 s, CPU work above 5 s.

    A line on stderr shows the work, its progress and its duration, and disappears when the work is complete. It is
    shown only on terminals and in notebooks, as a progress bar if ``tqdm`` is installed. The environment variable
    ``DPEP_PROGRESS=1`` has the same effect for the whole program.

    Parameters
    ----------
    file : file object, optional
        The file to write to instead of stderr, which need not be a terminal.

    Examples
    --------
    >>> import dpep, dpctl.tensor as dpt
    >>> with dpep.progress():
    ...     float(dpt.sum(dpt.ones(10)))
    10.0
    """

    def __init__(self, file: IO[str] | None = None) -> None:
        self._file = file
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        display = _display(self._file)
        if display is not None:
            self._stop.clear()
            self._thread = threading.Thread(target=self._run, args=(display,), name="dpep progress", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._thread is not None:
            self._stop.set()
            self._thread.join()
            self._thread = None

    def _run(self, display: _Line | _Bar) -> None:
        sampler = _Sampler()
        while not self._stop.wait(_PERIOD):
            shown = sampler.sample()
            if shown is None:
                display.clear()
            else:
                display.show(shown)
        display.clear()


def start_if_wanted() -> None:
    """Show progress until the program ends, if the environment variable DPEP_PROGRESS is set."""
    if os.environ.get("DPEP_PROGRESS", "0")[:1] in ("", "0"):
        return
    import atexit

    whole = progress()
    whole.__enter__()
    atexit.register(whole.__exit__)
