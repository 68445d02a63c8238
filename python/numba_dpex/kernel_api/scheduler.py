"""The simulation's scheduler: runs work-items one at a time, and switches when one waits for others.

A work-item that waits must keep its Python frames, so it keeps its thread. The launching thread runs work-items one
after the other until one waits; then another thread continues with those that have not begun, and so on. Only one
thread runs at a time, so results are reproducible, a debugger sees one work-item at a time, and kernels without waits
use no additional threads.

Waits at barriers are explicit. Spin-waits are detected: a work-item that repeatedly reads the same values with atomic
operations, and changes none, yields, and is resumed after another work-item has changed something.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable

_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep

_MAX_REPEATED_READS = 64  # a work-item yields after so many atomic reads that returned the same value as before
_MAX_OPERATIONS = 10_000  # a work-item yields after so many atomic operations; two may undo each other's changes
_MAX_IDLE_TURNS = 5_000  # spin-waits are a deadlock after so many resumptions without a change
_MAX_WAITING = 4096  # no further work-item begins while so many, or a whole group, wait, since each has a thread


class _Cancelled(BaseException):
    """Unwinds a work-item that waits when another one has failed."""


def call_site() -> str:
    """Return file and line of the kernel's call, for messages and to tell calls apart.

    The innermost frame outside of the package is the kernel's, since the package's functions have no source of their
    own to pass a location from.
    """
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"


class Scheduler:
    """Runs `body(i)` for all work-items i of a launch; in groups of `group_size`, if there are groups."""

    def __init__(self, size: int, body: Callable[[int], None], group_size: int | None = None) -> None:
        self._size = size
        self._body = body
        self._group_size = group_size
        self._next = 0
        self._runnable: deque[int] = deque()
        self._turns: dict[int, threading.Lock] = {}  # by waiting work-item; released to resume it
        self._reasons: dict[int, tuple[object, str]] = {}  # by waiting work-item: a key of the wait, and a description
        self._spinning: deque[tuple[int, int]] = deque()  # work-items in a spin-wait, and `_changes` when they yielded
        self._resumed_spinning = False  # the last work-item to be resumed was in a spin-wait
        self._changes = 0
        self._idle = (0, 0)  # the value of `_changes`, and the resumptions of spin-waits since it last changed
        self._seen: dict[int, dict] = {}  # by work-item: values that it read since its last change, by address
        self._repeated_reads = self._operations = 0  # of the running work-item
        self._failure: BaseException | None = None
        self._interrupted = False
        self._finished = threading.Lock()

    def run(self) -> None:
        """Run all work-items. Raise the exception of the first one that fails."""
        self._finished.acquire()
        self._work()
        try:
            self._finished.acquire()  # released when the last work-item has ended
        except BaseException as error:  # Ctrl-C: the remaining work-items end where they wait
            self._failure = error
            raise
        if self._failure is not None:
            raise self._failure

    def wait(self, item: int, key: object, reason: str) -> None:
        """Run other work-items until `resume` is called for this one.

        `reason` describes the wait in the message of a deadlock. It contains `{items}`, the work-items that wait.
        """
        self._reasons[item] = key, reason
        turn = self._turns[item] = threading.Lock()
        turn.acquire()
        self._schedule_next()
        try:
            turn.acquire()
        except BaseException:  # Ctrl-C: another thread runs, so this one must not schedule
            self._interrupted = True
            self._turns.pop(item, None)
            raise
        if self._failure is not None:
            raise _Cancelled
        del self._reasons[item]
        self._repeated_reads = self._operations = 0

    def resume(self, items) -> None:
        """Make waiting work-items runnable, in the given order."""
        self._runnable.extend(items)
        self._changes += 1

    def record_read(self, item: int, address: object, value: object, operation: str) -> None:
        """Record an atomic operation that read a value and did not change it."""
        seen = self._seen.setdefault(item, {})
        if address in seen and seen[address] == value:
            self._repeated_reads += 1
        else:
            seen[address] = value
        self._operations += 1
        if self._repeated_reads >= _MAX_REPEATED_READS or self._operations >= _MAX_OPERATIONS:
            self._yield(item, operation)

    def record_change(self, item: int, operation: str) -> None:
        """Record an atomic operation that changed a value."""
        self._seen.pop(item, None)
        self._changes += 1
        self._repeated_reads = 0
        self._operations += 1
        if self._operations >= _MAX_OPERATIONS:
            self._yield(item, operation)

    def _yield(self, item: int, operation: str) -> None:
        self._spinning.append((item, self._changes))
        site = f"{operation} ({call_site()})"
        self.wait(item, site, f"AtomicRef.{site} repeatedly reads the same value in {{items}}")

    def _work(self) -> None:
        """Run work-items until one waits, then schedule another thread."""
        while self._failure is None and self._may_begin():
            item = self._next
            self._next += 1
            self._repeated_reads = self._operations = 0
            try:
                self._body(item)
            except _Cancelled:
                pass
            except BaseException as error:
                self._failure = self._failure or error
                if self._interrupted:
                    raise
            self._seen.pop(item, None)
            self._changes += 1
            if self._runnable or self._spinner_may_proceed():
                break
        self._schedule_next()

    def _may_begin(self) -> bool:
        """Whether another work-item may begin: a new group must wait for the barriers of earlier groups."""
        if self._next == self._size or len(self._turns) >= max(_MAX_WAITING, self._group_size or 0):
            return False
        begins_group = self._group_size is not None and self._next % self._group_size == 0
        return not begins_group or not self._turns or bool(self._spinning)

    def _spinner_may_proceed(self) -> bool:
        """Whether anything changed since the first work-item in a spin-wait yielded."""
        return bool(self._spinning) and self._spinning[0][1] != self._changes

    def _schedule_next(self) -> None:
        """Resume a runnable work-item. The calling thread must then wait or end."""
        if self._failure is None and not self._runnable:
            if self._spinner_may_proceed() and not (self._resumed_spinning and self._may_begin()):
                # Alternates with work-items that have not begun, since spin-waits may depend on those.
                self._resumed_spinning = True
                self._runnable.append(self._spinning.popleft()[0])
            elif self._may_begin():
                self._resumed_spinning = False
                threading.Thread(target=self._work_traced, args=(sys.gettrace(),), daemon=True).start()
                return
            elif self._spinning:
                turns = self._idle[1] + 1 if self._idle[0] == self._changes else 0
                self._idle = self._changes, turns
                if turns < _MAX_IDLE_TURNS:
                    self._runnable.append(self._spinning.popleft()[0])
                else:
                    self._failure = self._deadlock("no work-item is left to change it")
            elif self._turns:
                self._failure = self._deadlock("all of them must make the same call")
        if self._failure is not None:
            self._runnable = deque(self._turns)
        if self._runnable:
            self._turns.pop(self._runnable.popleft()).release()
        else:
            self._finished.release()

    def _work_traced(self, trace: Callable | None) -> None:
        sys.settrace(trace)  # a debugger's breakpoints apply to all work-items
        self._work()

    def _deadlock(self, hint: str) -> RuntimeError:
        waits: dict[object, tuple[str, list[int]]] = {}
        for item in self._turns:
            key, reason = self._reasons[item]
            waits.setdefault(key, (reason, []))[1].append(item)
        lines = [reason.format(items=self._names(sorted(items))) for reason, items in waits.values()]
        return RuntimeError("; ".join(lines) + ": " + hint)

    def _names(self, items: list[int]) -> str:
        size = self._group_size or self._size
        several = {item // size for item in items[:8]} != {0} and self._group_size is not None
        names = [f"{item % size}" + (f" (work-group {item // size})" if several else "") for item in items[:8]]
        return "the work-items " + ", ".join(names) + (", …" if len(items) > 8 else "")
