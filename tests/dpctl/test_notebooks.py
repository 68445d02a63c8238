"""HTML representations in notebooks: well-formed, escaped, and with the important properties."""

from html.parser import HTMLParser

import dpctl
import dpctl.tensor as dpt
import dpnp
import pytest


class ParsedHtml(HTMLParser):
    """The texts of an HTML document. Asserts that elements are properly nested and closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open, self.texts = [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_a_device_shows_its_name_and_filter_string():
    device = dpctl.SyclDevice("cpu")
    texts = ParsedHtml(device._repr_html_()).texts
    assert device.name in texts
    assert device.filter_string in texts
    assert str(device.max_compute_units) in texts


def test_sub_devices_are_shown_too():
    device = dpctl.SyclDevice("cpu")
    if device.max_compute_units < 2:
        pytest.skip("one compute unit only")
    assert "sub-device" in "".join(ParsedHtml(device.create_sub_devices(partition=1)[0]._repr_html_()).texts)


def test_a_queue_shows_its_device_and_properties():
    queue = dpctl.SyclQueue("cpu", property=["in_order", "enable_profiling"])
    texts = ParsedHtml(queue._repr_html_()).texts
    assert "in order" in texts
    assert "enabled" in texts
    assert queue.sycl_device.filter_string in "".join(texts)
    assert "out of order" in ParsedHtml(dpctl.SyclQueue("cpu")._repr_html_()).texts


def test_a_platform_lists_its_devices():
    platform = dpctl.SyclPlatform("cpu")
    texts = ParsedHtml(platform._repr_html_()).texts
    assert platform.name in texts
    assert any(platform.get_devices()[0].name in text for text in texts)


@pytest.mark.parametrize("package", [dpt, dpnp])
def test_an_array_shows_its_values_and_properties(package):
    x = package.reshape(package.arange(6, dtype="float32"), (2, 3))
    texts = "".join(ParsedHtml(x._repr_html_()).texts)
    assert repr(x) in texts
    for fact in ("(2, 3)", "float32", "device"):
        assert fact in texts


def test_an_array_s_device_is_shown_as_its_queue():
    assert "SyclQueue" in ParsedHtml(dpt.ones(1).device._repr_html_()).texts
