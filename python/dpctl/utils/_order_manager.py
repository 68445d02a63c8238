"""Sequential order on out-of-order queues: events of submitted tasks, on which later tasks depend."""

import sys
from contextvars import ContextVar

from dpep._core import SyclEvent, SyclQueue, event_status_type


def _pending(events: list[SyclEvent]) -> list[SyclEvent]:
    return [e for e in events if e.execution_status != event_status_type.complete]


def _as_list(events: SyclEvent | list[SyclEvent]) -> list[SyclEvent]:
    events = list(events) if isinstance(events, (list, tuple)) else [events]
    for e in events:
        if not isinstance(e, SyclEvent):
            raise TypeError(f"add_event_pair: expected dpctl.SyclEvent objects, got {type(e).__name__}")
    return events


class _OrderManager:
    """The incomplete events of a queue."""

    def __init__(self, queue: SyclQueue) -> None:
        self._queue = queue
        self._host_tasks: list[SyclEvent] = []
        self._submitted: list[SyclEvent] = []

    def add_event_pair(
        self, host_task_event: SyclEvent | list[SyclEvent], comp_event: SyclEvent | list[SyclEvent]
    ) -> None:
        """Add the events of host tasks that keep arguments alive, and of the computations that use them."""
        host_tasks, submitted = _as_list(host_task_event), _as_list(comp_event)
        self._host_tasks = _pending(self._host_tasks) + host_tasks
        self._submitted = _pending(self._submitted) + submitted
        if (arrays := sys.modules.get("dpep._array")) is not None:  # otherwise there are no array operations
            for event in submitted:
                arrays.order_after(self._queue, event)

    @property
    def host_task_events(self) -> list[SyclEvent]:
        """Incomplete events of host tasks that keep arguments alive."""
        return list(self._host_tasks)

    @property
    def submitted_events(self) -> list[SyclEvent]:
        """Events on which the next task must depend, including that of array operations."""
        arrays = sys.modules.get("dpep._array")
        if arrays is None:
            return list(self._submitted)
        last = arrays.last_event(self._queue)
        return (
            [*self._submitted, last] if last.execution_status != event_status_type.complete else list(self._submitted)
        )

    @property
    def num_host_task_events(self) -> int:
        """Length of `host_task_events`."""
        return len(self._host_tasks)

    @property
    def num_submitted_events(self) -> int:
        """Length of `submitted_events`."""
        return len(self._submitted)

    def wait(self) -> None:
        """Wait until all events are complete, and remove them."""
        SyclEvent.wait_for(self._submitted + self._host_tasks)
        self._host_tasks, self._submitted = [], []

    def __copy__(self) -> "_OrderManager":
        copy = _OrderManager(self._queue)
        copy._host_tasks, copy._submitted = list(self._host_tasks), list(self._submitted)
        return copy


class _OrderManagers:
    """`SequentialOrderManager[queue]` is the order manager of a queue, one for each thread or asyncio task."""

    def __init__(self) -> None:
        self._managers: ContextVar[dict[SyclQueue, _OrderManager]] = ContextVar("order_managers")

    def _managers_of_context(self) -> dict[SyclQueue, _OrderManager]:
        managers = self._managers.get(None)
        if managers is None:
            managers = {}
            self._managers.set(managers)
        return managers

    def __getitem__(self, queue: SyclQueue) -> _OrderManager:
        if not isinstance(queue, SyclQueue):
            raise TypeError(f"SequentialOrderManager: expected a dpctl.SyclQueue, got {type(queue).__name__}")
        managers = self._managers_of_context()
        manager = managers.get(queue)
        if manager is None:
            manager = managers.setdefault(queue, _OrderManager(queue))
        return manager

    def clear(self) -> None:
        """Wait for the events of all queues, and remove the order managers."""
        managers = self._managers_of_context()
        for manager in managers.values():
            manager.wait()
        managers.clear()


SequentialOrderManager = _OrderManagers()
