"""The simulation's work-groups: shared memory and collective operations of their work-items."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from numba_dpex.kernel_api.scheduler import Scheduler, call_site


class Rendezvous:
    """The state of the current collective operation of a group or sub-group."""

    def __init__(self, kind: str, members: Sequence[int]) -> None:
        self.kind = kind
        self.members = members
        self.arrived: dict[int, object] = {}
        self.operation = ""
        self.call_site = ""


class WorkGroup:
    """One work-group of a launch. `first` is the number of its first work-item in the launch."""

    def __init__(self, scheduler: Scheduler, first: int) -> None:
        self._scheduler = scheduler
        self._first = first
        self._results: dict[int, object] = {}
        self._shared: dict[str, object] = {}

    def collective(self, item: int, rendezvous: Rendezvous, operation: str, value: object, combine: Callable) -> object:
        """Wait until all members of `rendezvous` have contributed a value, and return this member's result.

        `combine` maps the list of values, in the members' order, to the list of their results.
        """
        site = call_site()
        if not rendezvous.arrived:
            rendezvous.operation, rendezvous.call_site = operation, site
        elif (operation, site) != (rendezvous.operation, rendezvous.call_site):
            raise RuntimeError(
                f"work-item {item} calls {operation} ({site}) while others of its {rendezvous.kind} wait in "
                f"{rendezvous.operation} ({rendezvous.call_site}): all of them must make the same call"
            )
        rendezvous.arrived[item] = value
        if len(rendezvous.arrived) == len(rendezvous.members):
            values = combine([rendezvous.arrived[member] for member in rendezvous.members])
            self._results.update(zip(rendezvous.members, values))
            self._scheduler.resume(self._first + member for member in rendezvous.members)
            rendezvous.arrived = {}
        reason = (
            f"{operation} ({site}) of a {rendezvous.kind} of {len(rendezvous.members)} is reached by {{items}} only"
        )
        self._scheduler.wait(self._first + item, rendezvous, reason)
        return self._results.pop(item)

    def shared(self, make: Callable[[], object]) -> object:
        """Return the group's object for this call site; `make` creates it in the first work-item that gets here."""
        site = call_site()
        if site not in self._shared:
            self._shared[site] = make()
        return self._shared[site]
