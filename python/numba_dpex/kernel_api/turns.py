"""The simulation's work-items: one runs at a time, and gives its turn away where it waits for others.

A work-item that waits must keep its Python frames, so it keeps its thread: the launching thread runs work-items one
after the other until one waits, another thread goes on with those that have not begun, and so on. Only the thread
that has the turn runs, hence results are the same each time, a debugger sees one work-item at a time, and kernels
that wait for nothing use no threads at all.

Waiting at a barrier is known. Waiting in a loop is guessed: who looks at the same values again and again, and changes
none, lets others go on, and has the turn again when something happened.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable

_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep

_LOOKS = 64  # at values seen before, until others have a turn
_OPERATIONS = 10_000  # atomic ones of any kind, until others have a turn: two may undo what they did, again and again
_PATIENCE = 5_000  # turns in which nobody did anything but look
_MOST_WAITING = 4096  # each has a thread


class _Abandoned(BaseException):
    """Unwinds a work-item that waits when another one has failed."""


def place_in_kernel() -> str:
    """File and line of the kernel that called."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"


class Turns:
    """Runs `body(i)` for all work-items i of a launch; in groups of `group_size`, if there are groups."""

    def __init__(self, size: int, body: Callable[[int], None], group_size: int | None = None) -> None:
        self._size = size
        self._body = body
        self._group_size = group_size
        self._next = 0
        self._runnable: deque[int] = deque()
        self._turns: dict[int, threading.Lock] = {}  # of the work-items that wait
        self._where: dict[int, tuple[object, str]] = {}  # they wait: a key for those that wait together, and in words
        self._looking: deque[tuple[int, int]] = deque()  # of these, who looks for changes, and how many there were
        self._looked_last = False
        self._changes = 0
        self._idle = (0, 0)  # changes, and turns since the last one
        self._seen: dict[int, dict] = {}  # by a work-item since its last change: values by where they are
        self._looks = self._operations = 0  # of who has the turn
        self._failure: BaseException | None = None
        self._interrupted = False
        self._over = threading.Lock()

    def run(self) -> None:
        """Run all work-items; raise what the first one to fail raised."""
        self._over.acquire()
        self._work()
        try:
            self._over.acquire()  # until the last one is through
        except BaseException as error:  # Ctrl-C: those that are left end where they wait
            self._failure = error
            raise
        if self._failure is not None:
            raise self._failure

    def wait(self, item: int, key: object, where: str) -> None:
        """Let others go on until `go_on` is called for this work-item.

        `where` says, of `{items}`, what they wait for, in case that it never is.
        """
        self._where[item] = key, where
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
        del self._where[item]
        self._looks = self._operations = 0

    def go_on(self, items) -> None:
        """Let work-items that wait have the turn, one after the other."""
        self._runnable.extend(items)
        self._changes += 1

    def looked(self, item: int, at: object, value: object, operation: str) -> None:
        """An atomic operation found `value` there, and left it."""
        seen = self._seen.setdefault(item, {})
        if at in seen and seen[at] == value:
            self._looks += 1
        else:
            seen[at] = value
        self._operations += 1
        if self._looks >= _LOOKS or self._operations >= _OPERATIONS:
            self._let_others(item, operation)

    def changed(self, item: int, operation: str) -> None:
        """An atomic operation changed a value."""
        self._seen.pop(item, None)
        self._changes += 1
        self._looks = 0
        self._operations += 1
        if self._operations >= _OPERATIONS:
            self._let_others(item, operation)

    def _let_others(self, item: int, operation: str) -> None:
        self._looking.append((item, self._changes))
        place = f"{operation} ({place_in_kernel()})"
        self.wait(item, place, f"AtomicRef.{place} finds the same again and again in {{items}}")

    def _work(self) -> None:
        while self._failure is None and self._may_begin():
            item = self._next
            self._next += 1
            self._looks = self._operations = 0
            try:
                self._body(item)
            except _Abandoned:
                pass
            except BaseException as error:
                self._failure = self._failure or error
                if self._interrupted:
                    raise
            self._seen.pop(item, None)
            self._changes += 1
            if self._runnable or self._news():
                break
        self._hand_over()

    def _may_begin(self) -> bool:
        """Whether another work-item may begin: a new group's only when nobody is stuck at a barrier of those before."""
        if self._next == self._size or len(self._turns) >= _MOST_WAITING:
            return False
        begins_group = self._group_size is not None and self._next % self._group_size == 0
        return not begins_group or not self._turns or bool(self._looking)

    def _news(self) -> bool:
        """Whether something happened since the first of those that look for changes had the turn."""
        return bool(self._looking) and self._looking[0][1] != self._changes

    def _hand_over(self) -> None:
        """Give the turn to a work-item that can go on; the caller then waits or ends."""
        if self._failure is None and not self._runnable:
            if self._news() and not (self._looked_last and self._may_begin()):
                self._looked_last = True  # in turns with those that have not begun: they may be what is waited for
                self._runnable.append(self._looking.popleft()[0])
            elif self._may_begin():
                self._looked_last = False
                threading.Thread(target=self._work_traced, args=(sys.gettrace(),), daemon=True).start()
                return
            elif self._looking:
                turns = self._idle[1] + 1 if self._idle[0] == self._changes else 0
                self._idle = self._changes, turns
                if turns < _PATIENCE:
                    self._runnable.append(self._looking.popleft()[0])
                else:
                    self._failure = self._stuck("nobody is left who could change that")
            elif self._turns:
                self._failure = self._stuck("all of them must make the same call")
        if self._failure is not None:
            self._runnable = deque(self._turns)
        if self._runnable:
            self._turns.pop(self._runnable.popleft()).release()
        else:
            self._over.release()

    def _work_traced(self, trace: Callable | None) -> None:
        sys.settrace(trace)  # a debugger's break points hold in all work-items
        self._work()

    def _stuck(self, advice: str) -> RuntimeError:
        waits: dict[object, tuple[str, list[int]]] = {}
        for item in self._turns:
            key, where = self._where[item]
            waits.setdefault(key, (where, []))[1].append(item)
        lines = [where.format(items=self._names(sorted(items))) for where, items in waits.values()]
        return RuntimeError("; ".join(lines) + ": " + advice)

    def _names(self, items: list[int]) -> str:
        size = self._group_size or self._size
        several = {item // size for item in items[:8]} != {0} and self._group_size is not None
        names = [f"{item % size}" + (f" (work-group {item // size})" if several else "") for item in items[:8]]
        return "the work-items " + ", ".join(names) + (", …" if len(items) > 8 else "")
