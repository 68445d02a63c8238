"""The packages as a whole: import, command lines and documentation."""

import doctest
import importlib
import os
import pathlib
import shutil
import subprocess
import sys

import dpctl
import dpctl.memory
import dpctl.tensor
import dpep
import pytest

MODULES = [
    "dpctl",
    "dpctl._device_context",
    "dpctl._device_selection",
    "dpctl._platform_listing",
    "dpctl._sycl_queue_manager",
    "dpctl._sycl_timer",
    "dpctl.memory",
    "dpctl.utils._compute_follows_data",
    "dpctl.utils._intel_device_info",
    "dpctl.utils._order_manager",
    "dpep._core",
]


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_documentation_run(name):
    if name == "dpep._core" and not shutil.which("clang-22"):
        pytest.skip("clang 22, which examples of programs need, is not installed")
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    if name == "dpep._core":  # doctest finds only Python functions and classes, not those of an extension
        tests = []
        for attribute in dir(module):
            found = getattr(module, attribute)
            objects = {attribute: found}
            if isinstance(found, type):
                objects |= {f"{attribute}.{k}": v for k, v in vars(found).items() if not k.startswith("__")}
            for label, o in objects.items():
                if doc := getattr(o, "__doc__", None):
                    tests.append(doctest.DocTestParser().get_doctest(doc, {}, label, None, None))
    else:
        tests = finder.find(module)
    results = [doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(t) for t in tests if t.examples]
    assert sum(r.failed for r in results) == 0
    if name in ("dpctl", "dpctl.memory", "dpep._core"):
        assert sum(r.attempted for r in results) > 0


@pytest.mark.parametrize("module", [dpctl, dpctl.memory, dpctl.utils])
def test_every_public_name_exists_and_is_documented(module):
    for name in module.__all__:
        assert getattr(module, name).__doc__, name


@pytest.mark.parametrize(
    "cls", [dpctl.SyclDevice, dpctl.SyclContext, dpctl.SyclQueue, dpctl.SyclEvent, dpctl.SyclPlatform]
)
def test_every_public_member_is_documented(cls):
    for name in dir(cls):
        if not name.startswith("_"):
            assert getattr(cls, name).__doc__, f"{cls.__name__}.{name}"
        assert cls.__module__ == "dpctl"


def test_import_loads_neither_numpy_nor_threads():
    code = "import sys, dpctl, os; print('numpy' in sys.modules, len(os.listdir('/proc/self/task')))"
    assert run("-c", code).stdout.split() == ["False", "1"]


def test_an_unknown_attribute_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        _ = dpctl.nonsense
    assert {"SyclTimer", "memory", "utils"} <= set(dir(dpctl))


class TestCommandLine:
    def test_prints_the_include_folder(self):
        folder = run("-m", "dpctl", "--include-dir").stdout.strip()
        assert folder == dpctl.get_include()
        assert run("-m", "dpctl", "--includes").stdout == f"-I {folder}\n"
        for header in ("dpctl4pybind11.hpp", "dpctl_capi.h", "dpctl_sycl_interface.h"):
            assert (pathlib.Path(folder) / header).exists()

    def test_prints_the_library_and_cmake_folders(self):
        library = pathlib.Path(run("-m", "dpctl", "--library-dir").stdout.strip())
        assert (library / "libDPCTLSyclInterface.so").exists()
        assert run("-m", "dpctl", "--library").stdout.startswith(f"-L {library} -l")
        cmake = pathlib.Path(run("-m", "dpctl", "--cmakedir").stdout.strip())
        assert (cmake / "dpctl-config.cmake").exists()

    @pytest.mark.parametrize("flag", ["-f", "-l", "-s"])
    def test_lists_platforms(self, flag):
        answer = run("-m", "dpctl", flag)
        assert answer.returncode == 0
        assert dpctl.get_platforms()[0].name in answer.stdout

    def test_warns_about_flags_that_a_listing_ignores(self):
        assert "--includes is being ignored" in run("-m", "dpctl", "-s", "--includes").stderr
        assert "are being ignored" in run("-m", "dpctl", "-s", "--includes", "--cmakedir").stderr

    def test_refuses_an_unknown_flag(self):
        assert run("-m", "dpctl", "--nonsense").returncode == 2


class TestDoctor:
    def test_succeeds_with_a_cpu(self):
        answer = run("-m", "dpep", "doctor")
        assert answer.returncode == 0, answer.stdout + answer.stderr
        assert dpep.__version__ in answer.stdout
        assert dpctl.SyclDevice("cpu").name in answer.stdout
        assert "a first kernel took" in answer.stdout

    def test_reports_excluded_devices_and_devices_that_fail(self):
        """The fake GPU executes no kernels, so its results are wrong."""
        driver = pathlib.Path(__file__).resolve().parents[2] / "build" / "tests" / "gpu" / "libfake_cuda.so"
        if not driver.exists():
            pytest.skip("the fake driver is not built")
        answer = run("-m", "dpep", "doctor", DPEP_CUDA_DRIVER=str(driver), ONEAPI_DEVICE_SELECTOR="cuda:1")
        assert answer.returncode == 1
        assert "excludes cuda:gpu:0" in answer.stdout
        assert "excludes native_cpu:cpu:0" in answer.stdout
        assert "cuda:gpu:0: Fake GPU 1 is there, but cannot compute: sin(x) + x gave" in answer.stdout

    def test_reports_that_no_device_is_left(self):
        answer = run("-m", "dpep", "doctor", ONEAPI_DEVICE_SELECTOR="hip:gpu")
        assert answer.returncode == 1
        assert "ONEAPI_DEVICE_SELECTOR" in answer.stdout

    def test_reports_errors_in_the_selector(self):
        answer = run("-m", "dpep", "doctor", ONEAPI_DEVICE_SELECTOR="garbage::")
        assert answer.returncode == 1
        assert "'garbage' is not a backend" in answer.stdout
        assert "Traceback" not in answer.stderr

    def test_reports_errors_of_the_cache(self, tmp_path):
        file = tmp_path / "file"
        file.write_text("")
        assert "not a folder" in run("-m", "dpep", "doctor", DPEP_CACHE=str(file)).stdout
        assert "not there yet" in run("-m", "dpep", "doctor", DPEP_CACHE=str(tmp_path / "new")).stdout

    def test_reports_an_untrusted_cache(self, tmp_path):
        tmp_path.chmod(0o777)
        answer = run("-m", "dpep", "doctor", DPEP_CACHE=str(tmp_path))
        assert answer.returncode == 0
        assert f"{tmp_path} is not used" in answer.stdout
        assert f"{tmp_path} is writable by other users (mode 0777" in answer.stdout
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("word", ["off", "0"])
    def test_reports_that_the_cache_is_switched_off(self, word):
        assert f"switched off (DPEP_CACHE={word})" in run("-m", "dpep", "doctor", DPEP_CACHE=word).stdout

    def test_reports_the_library_of_linear_algebra(self):
        answer = run("-m", "dpep", "doctor")
        assert "[ok] BLAS and LAPACK on CPUs: OpenBLAS" in answer.stdout

    @pytest.mark.parametrize(
        "library, reason",
        [("/no/such/library.so", "cannot open shared object file"), ("libm.so.6", "libm.so.6 has no BLAS")],
    )
    def test_reports_a_library_of_linear_algebra_that_cannot_be_used(self, library, reason):
        answer = run("-m", "dpep", "doctor", DPEP_BLAS=library)
        assert answer.returncode == 0
        assert f"[missing] BLAS and LAPACK on CPUs: DPEP_BLAS={library}" in answer.stdout
        assert reason in answer.stdout

    def test_reports_a_missing_clang(self):
        answer = run("-m", "dpep", "doctor", DPCXX_CLANG="no-such-clang")
        assert answer.returncode == 0
        assert "clang 22 was not found" in answer.stdout


def test_without_devices_queues_are_creation_errors():
    code = "import dpctl; print(dpctl.get_num_devices()); dpctl.SyclQueue()"
    answer = run("-c", code, ONEAPI_DEVICE_SELECTOR="hip:gpu")
    assert answer.stdout == "0\n"
    assert "SyclQueueCreationError" in answer.stderr


@pytest.mark.parametrize(
    "kind",
    [
        dpctl.SyclContext,
        dpctl.SyclDevice,
        dpctl.SyclEvent,
        dpctl.SyclPlatform,
        dpctl.SyclQueue,
        dpctl.memory.MemoryUSMDevice,
        dpctl.memory.MemoryUSMHost,
        dpctl.memory.MemoryUSMShared,
        dpctl.tensor.Device,
    ],
    ids=lambda kind: kind.__name__,
)
def test_uninitialized_objects_cannot_be_created(kind):
    with pytest.raises(TypeError, match=rf"{kind.__name__}.*: the object would be empty; call "):
        kind.__new__(kind)


def test_classes_can_be_derived_from():
    class Queue(dpctl.SyclQueue):
        def __init__(self):
            super().__init__("cpu")

    class Memory(dpctl.memory.MemoryUSMShared):
        pass

    assert Queue().sycl_device.is_cpu
    assert Memory(16).nbytes == 16
