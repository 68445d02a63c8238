"""The simulation's work-groups: work-items run one at a time and wait for each other at barriers.

A work-item that waits must keep its Python frames, so it keeps its thread: the launching thread runs work-items one
after the other until one waits, another thread goes on with those that have not started, and so on. Only the thread
that has the turn runs, hence results are the same each time, a debugger sees one work-item at a time, and kernels
without barriers use no threads at all.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence

_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep


class _Abandoned(BaseException):
    """Unwinds a work-item that waits when another one has failed."""


class Meeting:
    """Where the work-items of a group or sub-group wait for each other, for one operation after the other."""

    def __init__(self, kind: str, members: Sequence[int]) -> None:
        self.kind = kind
        self.members = members
        self.arrived: dict[int, object] = {}
        self.operation = ""
        self.place = ""


def _place() -> str:
    """File and line of the kernel that called."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"


class WorkGroup:
    """Runs `body(i)` for all work-items i of one work-group."""

    def __init__(self, size: int, body: Callable[[int], None]) -> None:
        self._size = size
        self._body = body
        self._next = 0
        self._runnable: deque[int] = deque()
        self._turns: dict[int, threading.Lock] = {}  # of the work-items that wait
        self._results: dict[int, object] = {}
        self._waiting_at: dict[int, Meeting] = {}
        self._failure: BaseException | None = None
        self._interrupted = False
        self._over = threading.Lock()
        self._shared: dict[str, object] = {}

    def run(self) -> None:
        """Run all work-items; raise what the first one to fail raised."""
        self._over.acquire()
        self._work()
        try:
            self._over.acquire()  # until the last one is through
        except BaseException as error:  # Ctrl-C: those that are left end at their next barrier
            self._failure = error
            raise
        if self._failure is not None:
            raise self._failure

    def meet(self, item: int, meeting: Meeting, operation: str, value: object, combine: Callable) -> object:
        """Wait until all members of `meeting` are here with a value.

        `combine` makes of their values, in the members' order, a list of what each of them gets.
        """
        place = _place()
        if not meeting.arrived:
            meeting.operation, meeting.place = operation, place
        elif (operation, place) != (meeting.operation, meeting.place):
            raise RuntimeError(
                f"work-item {item} calls {operation} ({place}) while others of its {meeting.kind} wait in "
                f"{meeting.operation} ({meeting.place}): all of them must make the same call"
            )
        meeting.arrived[item] = value
        self._waiting_at[item] = meeting
        if len(meeting.arrived) == len(meeting.members):
            values = combine([meeting.arrived[member] for member in meeting.members])
            self._results.update(zip(meeting.members, values))
            self._runnable.extend(meeting.members)
            meeting.arrived = {}
        turn = self._turns[item] = threading.Lock()
        turn.acquire()
        self._hand_over()
        try:
            turn.acquire()
        except BaseException:  # Ctrl-C: another thread has the turn, so nothing can be handed over
            self._interrupted = True
            self._turns.pop(item, None)
            raise
        if self._failure is not None:
            raise _Abandoned
        del self._waiting_at[item]
        return self._results.pop(item)

    def shared(self, make: Callable[[], object]) -> object:
        """Return what `make` made when the first work-item called from this place of the kernel."""
        place = _place()
        if place not in self._shared:
            self._shared[place] = make()
        return self._shared[place]

    def _work(self) -> None:
        while self._failure is None and self._next < self._size:
            item = self._next
            self._next += 1
            try:
                self._body(item)
            except _Abandoned:
                pass
            except BaseException as error:
                self._failure = self._failure or error
                if self._interrupted:
                    raise
        self._hand_over()

    def _hand_over(self) -> None:
        """Give the turn to a work-item that can go on; the caller then waits or ends."""
        if self._failure is None and not self._runnable:
            if self._next < self._size:
                threading.Thread(target=self._work_traced, args=(sys.gettrace(),), daemon=True).start()
                return
            if self._turns:
                self._failure = self._deadlock()
        if self._failure is not None:
            self._runnable = deque(self._turns)
        if self._runnable:
            self._turns.pop(self._runnable.popleft()).release()
        else:
            self._over.release()

    def _work_traced(self, trace: Callable | None) -> None:
        sys.settrace(trace)  # a debugger's break points hold in all work-items
        self._work()

    def _deadlock(self) -> RuntimeError:
        waits = {}
        for item in self._turns:
            waits.setdefault(self._waiting_at[item], []).append(item)
        lines = [
            f"{meeting.operation} ({meeting.place}) of a {meeting.kind} of {len(meeting.members)} is reached by the "
            f"work-items {_some(items)} only"
            for meeting, items in waits.items()
        ]
        return RuntimeError("; ".join(lines) + ": all of them must make the same call")


def _some(items: list[int]) -> str:
    return ", ".join(map(str, items[:8])) + (", …" if len(items) > 8 else "")
