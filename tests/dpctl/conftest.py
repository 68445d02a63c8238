"""What the tests of dpctl share."""

import dpctl
import pytest


@pytest.fixture
def queue():
    return dpctl.SyclQueue()


@pytest.fixture
def device():
    return dpctl.SyclDevice("cpu")
