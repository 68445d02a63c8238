"""The C interface: from C with a C compiler, from ctypes, and on errors."""

import ctypes
import os
import pathlib
import shutil
import subprocess
import sys

import dpctl
import numpy as np
import pytest
from building import load

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "c_interface"


def flags(option):
    return subprocess.run(
        [sys.executable, "-m", "dpctl", option], capture_output=True, text=True, check=True
    ).stdout.split()


def library_path():
    folders = [f for f in flags("--library") if os.path.isdir(f)]
    return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(folders)}


def test_c_programs_list_devices_and_use_queues(tmp_path):
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    program = tmp_path / "list_devices"
    subprocess.run(
        [compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", EXAMPLE / "list_devices.c", *flags("--includes"),
         *flags("--library"), "-o", program],
        check=True,
    )  # fmt: skip
    out = subprocess.run([program], capture_output=True, text=True, check=True, env=library_path()).stdout
    lines = out.splitlines()
    assert [line.partition(": ")[2] for line in lines if line.startswith("platform")] == [
        p.name for p in dpctl.get_platforms()
    ]
    assert sum(line.startswith("  device") for line in lines) == len(dpctl.get_devices())
    assert lines[-1] == "sum 7000"


def test_ctypes(capsys):
    load(EXAMPLE / "from_ctypes.py", "from_ctypes").main()
    assert capsys.readouterr().out.splitlines() == [
        f"units {dpctl.SyclDevice().max_compute_units}",
        "values [42, 42, 42, 42, 42]",
    ]


@pytest.fixture(scope="module")
def interface():
    library = load(EXAMPLE / "from_ctypes.py", "from_ctypes").load()
    for name in ("DPCTLFilterSelector_Create", "DPCTLDevice_CreateFromSelector", "DPCTLQueue_Memcpy"):
        getattr(library, name).restype = ctypes.c_void_p
    return library


def test_failures_return_null_and_say_why_if_asked(interface, capfd, monkeypatch):
    monkeypatch.delenv("DPCTL_VERBOSITY", raising=False)
    assert interface.DPCTLFilterSelector_Create(b"opencl:gpu:7") is None
    assert interface.DPCTLDevice_CreateFromSelector(None) is None
    assert interface.DPCTLQueue_Memcpy(None, None, None, ctypes.c_size_t(1)) is None
    assert interface.DPCTLDevice_GetMaxComputeUnits(None) == 0
    assert capfd.readouterr().err == ""
    from dpctl._diagnostics import syclinterface_diagnostics

    with syclinterface_diagnostics(verbosity="error"):
        assert interface.DPCTLDevice_CreateFromSelector(None) is None
    assert "DPCTLDevice_CreateFromSelector: the selector is NULL" in capfd.readouterr().err
    with pytest.raises(ValueError, match="verbosity must be"), syclinterface_diagnostics("loud"):
        pass
    with pytest.raises(ValueError, match="log_dir must be"), syclinterface_diagnostics(log_dir="/no/such/folder"):
        pass


def test_references_of_python_objects_are_those_of_the_library(interface):
    """A queue of Python, by its address, fills memory of Python."""
    memory = dpctl.memory.MemoryUSMShared(64)
    interface.DPCTLQueue_Fill64.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t]
    event = interface.DPCTLQueue_Fill64(memory.sycl_queue.addressof_ref(), memory._pointer, 3, 8)
    interface.DPCTLEvent_Wait(event)
    interface.DPCTLEvent_Delete(event)
    assert np.frombuffer(memory.copy_to_host(), np.uint64).tolist() == [3] * 8


def test_kernels_of_spirv_and_their_errors(interface):
    for name in ("DPCTLKernelBundle_CreateFromSpirv", "DPCTLDeviceMgr_GetCachedContext"):
        getattr(interface, name).restype = ctypes.c_void_p
    device = interface.DPCTLDevice_Create()
    interface.DPCTLDeviceMgr_GetCachedContext.argtypes = [ctypes.c_void_p]
    context = interface.DPCTLDeviceMgr_GetCachedContext(device)
    arguments = [ctypes.c_void_p(context), ctypes.c_void_p(device), b"no SPIR-V here!!", ctypes.c_size_t(16), None]
    assert interface.DPCTLKernelBundle_CreateFromSpirv(*arguments) is None
    interface.DPCTLContext_Delete.argtypes = [ctypes.c_void_p]
    interface.DPCTLContext_Delete(context)
    interface.DPCTLDevice_Delete(device)
