"""The simulation's work-groups: what their work-items share, and where they wait for each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from numba_dpex.kernel_api.turns import Turns, place_in_kernel


class Meeting:
    """Where the work-items of a group or sub-group wait for each other, for one operation after the other."""

    def __init__(self, kind: str, members: Sequence[int]) -> None:
        self.kind = kind
        self.members = members
        self.arrived: dict[int, object] = {}
        self.operation = ""
        self.place = ""


class WorkGroup:
    """One work-group of a launch, whose first work-item is the launch's `first`."""

    def __init__(self, turns: Turns, first: int) -> None:
        self._turns = turns
        self._first = first
        self._results: dict[int, object] = {}
        self._shared: dict[str, object] = {}

    def meet(self, item: int, meeting: Meeting, operation: str, value: object, combine: Callable) -> object:
        """Wait until all members of `meeting` are here with a value.

        `combine` makes of their values, in the members' order, a list of what each of them gets.
        """
        place = place_in_kernel()
        if not meeting.arrived:
            meeting.operation, meeting.place = operation, place
        elif (operation, place) != (meeting.operation, meeting.place):
            raise RuntimeError(
                f"work-item {item} calls {operation} ({place}) while others of its {meeting.kind} wait in "
                f"{meeting.operation} ({meeting.place}): all of them must make the same call"
            )
        meeting.arrived[item] = value
        if len(meeting.arrived) == len(meeting.members):
            values = combine([meeting.arrived[member] for member in meeting.members])
            self._results.update(zip(meeting.members, values))
            self._turns.go_on(self._first + member for member in meeting.members)
            meeting.arrived = {}
        where = f"{operation} ({place}) of a {meeting.kind} of {len(meeting.members)} is reached by {{items}} only"
        self._turns.wait(self._first + item, meeting, where)
        return self._results.pop(item)

    def shared(self, make: Callable[[], object]) -> object:
        """Return what `make` made when the first work-item called from this place of the kernel."""
        place = place_in_kernel()
        if place not in self._shared:
            self._shared[place] = make()
        return self._shared[place]
