"""dpctl.SyclDevice and dpctl.SyclPlatform: selection, properties and sub-devices."""

import os

import dpctl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def test_there_is_always_a_cpu():
    assert any(d.is_cpu for d in dpctl.get_devices())


@pytest.mark.parametrize("device", dpctl.get_devices(), ids=lambda d: d.filter_string)
class TestEveryRootDevice:
    def test_is_found_again_by_its_filter_string(self, device):
        again = dpctl.SyclDevice(device.filter_string)
        assert again == device
        assert hash(again) == hash(device)

    @pytest.mark.parametrize("backend", [True, False])
    @pytest.mark.parametrize("kind", [True, False])
    def test_is_found_by_each_shorter_filter_string(self, device, backend, kind):
        text = device.get_filter_string(include_backend=backend, include_device_type=kind)
        assert dpctl.SyclDevice(text) == device

    def test_is_found_by_its_id(self, device):
        assert dpctl.get_devices()[device.get_device_id()] == device
        assert dpctl.SyclDevice(str(device.get_device_id())) == device

    def test_is_its_own_root(self, device):
        assert device.parent_device is None
        assert device.get_unpartitioned_parent_device() == device

    def test_belongs_to_its_platform(self, device):
        assert device in device.sycl_platform.get_devices()

    def test_max_work_item_sizes_are_in_sycl_order(self, device):
        _slow, middle, fast = device.max_work_item_sizes3d
        assert device.max_work_item_sizes2d == (middle, fast)
        assert device.max_work_item_sizes1d == (fast,)

    def test_the_deprecated_name_warns(self, device):
        with pytest.warns(DeprecationWarning, match="max_work_item_sizes3d"):
            assert device.max_work_item_sizes == device.max_work_item_sizes3d


def test_compute_units_respect_the_affinity_of_the_process(device):
    assert device.max_compute_units <= len(os.sched_getaffinity(0))


@pytest.mark.parametrize(
    "text", ["", " ", "nonsense", "cpu:99", "-1", "cuda:cpu:0", "cpu:0:0:0", "cpu:x", "\x00", "é" * 500]
)
def test_an_unknown_filter_string_is_a_creation_error(text):
    with pytest.raises(dpctl.SyclDeviceCreationError):
        dpctl.SyclDevice(text)


@given(st.text(st.sampled_from("cpugopencl:,0123*! -") | st.characters(), max_size=24))
@settings(max_examples=300, deadline=None)
def test_any_text_selects_a_device_or_is_a_creation_error(text):
    try:
        found = dpctl.SyclDevice(text)
    except dpctl.SyclDeviceCreationError:
        return
    assert found in dpctl.get_devices()


@pytest.mark.parametrize("text", ["cpu\x00", "\x00", "\ud800", "cpu\udfff"])
def test_text_that_is_not_utf8_is_an_error_everywhere(text):
    for make, error in (
        (dpctl.SyclDevice, dpctl.SyclDeviceCreationError),
        (dpctl.SyclQueue, dpctl.SyclQueueCreationError),
        (dpctl.SyclContext, dpctl.SyclContextCreationError),
        (dpctl.SyclPlatform, ValueError),
        (dpctl.get_devices, ValueError),
        (dpctl.SyclDevice("cpu").create_sub_devices, ValueError),
        (lambda t: dpctl.SyclQueue(property=t), ValueError),
    ):
        with pytest.raises(error):
            make(text)


@pytest.mark.parametrize("wrong", [1, 1.5, b"cpu", [], {}, object, dpctl.SyclDevice])
def test_another_argument_is_a_type_error(wrong):
    with pytest.raises(TypeError, match="SyclDevice"):
        dpctl.SyclDevice(wrong)


def test_a_list_of_filters_selects_the_first_match():
    assert dpctl.SyclDevice("hip:gpu,cpu").is_cpu


class TestSubDevices:
    def test_by_counts_have_these_numbers_of_compute_units(self, device):
        parts = device.create_sub_devices(partition=[1] * device.max_compute_units)
        assert [p.max_compute_units for p in parts] == [1] * device.max_compute_units

    def test_equal_sub_devices_are_as_many_as_fit(self, device):
        assert len(device.create_sub_devices(partition=1)) == device.max_compute_units

    def test_have_their_root_as_parent(self, device):
        part = device.create_sub_devices(partition=1)[0]
        assert part.parent_device == device
        assert part.get_unpartitioned_parent_device() == device
        assert part != device

    def test_have_no_filter_string(self, device):
        part = device.create_sub_devices(partition=1)[0]
        for call in (lambda: part.filter_string, part.get_filter_string, part.get_device_id):
            with pytest.raises(TypeError, match="sub-device"):
                call()

    def test_can_be_printed(self, device, capsys):
        device.create_sub_devices(partition=1)[0].print_device_info()
        assert device.name in capsys.readouterr().out

    @pytest.mark.parametrize("partition", [0, -1, [0, 1], [1, -1], (0,), 1.5, [1.5], None, [None], {}, b"numa"])
    def test_an_invalid_count_is_a_type_error(self, device, partition):
        with pytest.raises(TypeError):
            device.create_sub_devices(partition=partition)

    @pytest.mark.parametrize("partition", [10**6, [10**6], [1, 10**9], 2**80])
    def test_more_compute_units_than_the_device_has_is_an_error(self, device, partition):
        with pytest.raises(dpctl.SyclSubDeviceCreationError):
            device.create_sub_devices(partition=partition)

    def test_an_unknown_domain_is_a_value_error(self, device):
        with pytest.raises(ValueError, match="L3_cache"):
            device.create_sub_devices(partition="L9_cache")


class TestSelecting:
    def test_the_default_device_has_the_best_score(self):
        best = max(d.default_selector_score for d in dpctl.get_devices())
        assert dpctl.select_default_device().default_selector_score == best

    @pytest.mark.parametrize("kind", ["cpu", "gpu", "accelerator"])
    def test_by_kind_finds_a_device_if_there_is_one(self, kind):
        select, there = getattr(dpctl, f"select_{kind}_device"), getattr(dpctl, f"has_{kind}_devices")()
        assert there == (dpctl.get_num_devices(device_type=kind) > 0)
        if there:
            assert select().device_type == dpctl.device_type[kind]
        else:
            with pytest.raises(dpctl.SyclDeviceCreationError):
                select()

    def test_by_aspects(self):
        assert dpctl.select_device_with_aspects("cpu", excluded_aspects="gpu").is_cpu

    def test_by_contradictory_aspects_is_an_error(self):
        with pytest.raises(dpctl.SyclDeviceCreationError, match="cpu"):
            dpctl.select_device_with_aspects(["gpu", "cpu"])

    def test_an_unknown_aspect_is_named_in_the_error(self):
        with pytest.raises(AttributeError, match="'fp65'"):
            dpctl.select_device_with_aspects("fp65")

    @pytest.mark.parametrize("wrong", [1, None, [1], object()])
    def test_an_aspect_must_be_a_str(self, wrong):
        with pytest.raises(TypeError):
            dpctl.select_device_with_aspects(wrong)

    @pytest.mark.parametrize(
        ("arguments", "error"),
        [({"backend": "cudda"}, ValueError), ({"backend": 3}, TypeError), ({"device_type": "xpu"}, ValueError)],
    )
    def test_an_unknown_backend_or_device_type_is_an_error(self, arguments, error):
        with pytest.raises(error):
            dpctl.get_devices(**arguments)

    def test_a_name_and_its_enumerator_are_the_same(self):
        assert dpctl.get_devices(device_type="cpu") == dpctl.get_devices(device_type=dpctl.device_type.cpu)
        assert dpctl.get_num_devices() == len(dpctl.get_devices("all", "all"))


class TestPeers:
    @pytest.mark.parametrize("method", ["can_access_peer", "enable_peer_access", "disable_peer_access"])
    @pytest.mark.parametrize("wrong", [None, {}, "cpu"])
    def test_must_be_devices(self, device, method, wrong):
        with pytest.raises(TypeError):
            getattr(device, method)(wrong)

    def test_a_device_is_no_peer_of_itself(self, device):
        with pytest.raises(ValueError, match="itself"):
            device.enable_peer_access(device)

    def test_an_unknown_value_argument_is_an_error(self, device):
        with pytest.raises(ValueError, match="atomics_supported"):
            device.can_access_peer(device, value="wrong")
        with pytest.raises(TypeError):
            device.can_access_peer(device, value=2)


class TestPlatform:
    def test_default_is_that_of_the_default_device(self):
        assert dpctl.SyclPlatform() == dpctl.SyclDevice().sycl_platform

    def test_an_unknown_filter_string_is_a_value_error(self):
        with pytest.raises(ValueError, match="nonsense"):
            dpctl.SyclPlatform("nonsense")

    @pytest.mark.parametrize("wrong", [1, [], b"cpu"])
    def test_another_argument_is_a_type_error(self, wrong):
        with pytest.raises(TypeError):
            dpctl.SyclPlatform(wrong)

    def test_devices_by_type_are_those_of_the_platform(self):
        for p in dpctl.get_platforms():
            assert set(p.get_devices("cpu")) | set(p.get_devices("gpu")) <= set(p.get_devices())

    def test_listing_names_each(self, capsys):
        for verbosity in range(3):
            dpctl.lsplatform(verbosity)
            out = capsys.readouterr().out
            assert all(p.name in out for p in dpctl.get_platforms())
        assert dpctl.SyclDevice("cpu").filter_string in out

    def test_listing_warns_about_an_invalid_verbosity(self):
        with pytest.warns(UserWarning, match="verbosity"):
            dpctl.lsplatform(3)
