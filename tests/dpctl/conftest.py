"""Fixtures of dpctl's tests."""

import dpctl
import pytest


@pytest.fixture
def queue():
    return dpctl.SyclQueue()


@pytest.fixture
def device():
    return dpctl.SyclDevice("cpu")
