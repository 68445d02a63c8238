"""dpctl.utils: the rules of compute-follows-data, and SequentialOrderManager."""

import copy
import itertools
import threading

import dpctl
import pytest
from dpctl import utils


class TestExecutionQueue:
    def test_is_the_queue_of_all(self, queue):
        assert utils.get_execution_queue([queue]) is queue
        assert utils.get_execution_queue((queue, dpctl.SyclQueue(queue._get_capsule()))) == queue

    def test_is_none_without_a_common_queue(self, queue):
        for queues in ([], [queue, dpctl.SyclQueue()], [queue, None], [None, None], [1]):
            assert utils.get_execution_queue(queues) is None

    def test_requires_a_sequence(self):
        for wrong in ({}, None, 1):
            with pytest.raises(TypeError):
                utils.get_execution_queue(wrong)


class TestUsmType:
    @pytest.mark.parametrize("pair", list(itertools.product(range(3), range(3))))
    def test_of_a_result_is_the_closest_to_the_device(self, pair):
        order = ["device", "shared", "host"]
        assert utils.get_coerced_usm_type([order[i] for i in pair]) == order[min(pair)]

    def test_of_no_or_invalid_types_is_none(self):
        assert utils.get_coerced_usm_type([]) is None
        assert utils.get_coerced_usm_type(["device", "unknown"]) is None
        assert utils.get_coerced_usm_type(["device", 3]) is None
        with pytest.raises(TypeError):
            utils.get_coerced_usm_type({})

    def test_is_validated(self):
        for good in ("device", "shared", "host"):
            utils.validate_usm_type(good)
            utils.validate_usm_type(good, allow_none=False)
        utils.validate_usm_type(None)
        for wrong, error in ((None, TypeError), ({}, TypeError), ("usm", ValueError)):
            with pytest.raises(error):
                utils.validate_usm_type(wrong, allow_none=False)


def test_intel_device_info_requires_a_device(device):
    assert isinstance(utils.intel_device_info(device), dict)
    with pytest.raises(TypeError):
        utils.intel_device_info({})


class TestSequentialOrder:
    def test_keeps_incomplete_events(self, queue):
        manager = utils.SequentialOrderManager[queue]
        event = dpctl.SyclEvent()
        manager.add_event_pair(event, [event, event])
        assert (manager.num_host_task_events, manager.num_submitted_events) == (1, 2)
        manager.add_event_pair([], event)
        assert (manager.host_task_events, manager.submitted_events) == ([], [event])
        other = copy.copy(manager)
        manager.wait()
        assert manager.num_submitted_events == 0
        assert other.num_submitted_events == 1

    def test_includes_array_work(self, queue):
        tensor = pytest.importorskip("dpctl.tensor")
        arrays = pytest.importorskip("dpep._array")
        x = tensor.arange(100_000, dtype="f4", sycl_queue=queue)
        y = x + 1
        assert arrays.pending_work(queue)["operations"] > 0
        dpctl.SyclEvent.wait_for(utils.SequentialOrderManager[queue].submitted_events)
        assert arrays.pending_work(queue)["operations"] == 0
        assert float(y[7]) == 8

    def test_is_one_for_each_queue_and_thread(self, queue):
        som = utils.SequentialOrderManager
        assert som[queue] is som[queue] is not som[dpctl.SyclQueue()]
        elsewhere = []
        thread = threading.Thread(target=lambda: elsewhere.append(som[queue]))
        thread.start()
        thread.join()
        assert elsewhere[0] is not som[queue]
        som.clear()

    def test_requires_queues_and_events(self, queue):
        with pytest.raises(TypeError):
            utils.SequentialOrderManager[None]
        with pytest.raises(TypeError):
            utils.SequentialOrderManager[queue].add_event_pair(None, [])
