"""The outputs of dpcxx: programs, objects, libraries, assembly, bitcode, preprocessed text, depfiles."""

from __future__ import annotations

import pathlib
import shutil
import subprocess

import pytest


def dependencies(text: str) -> list[str]:
    """The names in the first rule of a depfile."""
    rule = text.replace("\\\n", " ").split("\n")[0]
    return rule.split(":", 1)[1].split()


def test_compiles_and_links_a_kernel_in_one_step(dpcxx, kernel):
    dpcxx.succeed(kernel)
    assert dpcxx.execute() == "image 1, standard 202002\n"


def test_source_without_kernels_embeds_no_image(dpcxx):
    dpcxx.write("none.cpp", "#include <sycl/sycl.hpp>\nint main() { TOY_REPORT; }\n")
    dpcxx.succeed("none.cpp")
    assert dpcxx.execute() == "image 0, standard 202002\n"


def test_function_for_other_units_kernels_embeds_an_image(dpcxx):
    dpcxx.write(
        "external.cpp",
        "#include <sycl/sycl.hpp>\n[[clang::sycl_external]] int twice(int x) { return 2 * x; }\n"
        "int main() { TOY_REPORT; }\n",
    )
    dpcxx.succeed("external.cpp")
    assert dpcxx.execute().startswith("image 1")


def test_kernels_are_found_behind_headers_that_do_not_name_sycl(dpcxx):
    dpcxx.write("deep.hpp", "#include <sycl/sycl.hpp>\n")
    dpcxx.write("middle.hpp", '#include "deep.hpp"\n')
    dpcxx.write("main.cpp", '#include "middle.hpp"\nint main() { TOY_KERNEL(p[0] = 1) TOY_REPORT; }\n')
    dpcxx.succeed("main.cpp")
    assert dpcxx.execute().startswith("image 1")


def test_kernels_are_found_by_forced_include(dpcxx):
    dpcxx.write("main.cpp", "int main() { TOY_KERNEL(p[0] = 1) TOY_REPORT; }\n")
    dpcxx.succeed("-include", "sycl/sycl.hpp", "main.cpp")
    assert dpcxx.execute().startswith("image 1")


def test_several_sources_of_one_name_and_an_object_make_one_program(dpcxx):
    dpcxx.write(
        "main.cpp",
        "#include <sycl/sycl.hpp>\nint a(); int b(); int main() { TOY_KERNEL(p[0] = 1) return a() + b(); }\n",
    )
    dpcxx.write("a/part.cpp", "#include <sycl/sycl.hpp>\nint a() { TOY_KERNEL(p[1] = 2) return -3; }\n")
    dpcxx.write("b/part.cpp", "int b() { return 3; }\n")
    dpcxx.succeed("-c", "b/part.cpp", "-o", "b.o")
    dpcxx.succeed("main.cpp", "a/part.cpp", "b.o", "-o", "program")
    assert dpcxx.execute("./program") == ""
    assert not list(dpcxx.folder.glob("*part*"))


def test_c_sources_and_kernels_in_one_command(dpcxx):
    dpcxx.write("part.c", "int new(void) { return 0; }\n")  # a keyword of C++
    dpcxx.write("main.cpp", "#include <sycl/sycl.hpp>\nint main() { TOY_KERNEL(p[0] = 1) TOY_REPORT; }\n")
    dpcxx.succeed("main.cpp", "part.c", "-o", "program")
    assert dpcxx.execute("./program").startswith("image 1")


def test_objects_are_named_as_clang_names_them(dpcxx, kernel, plain):
    dpcxx.succeed("-c", kernel, plain)
    assert {p.name for p in dpcxx.folder.glob("*.o")} == {"kernel.o", "plain.o"}


def test_output_for_several_objects_is_refused(dpcxx, kernel, plain):
    result = dpcxx.run("-c", kernel, plain, "-o", "x.o")
    assert result.returncode == 1
    assert result.stderr == "dpcxx: error: cannot specify -o when generating multiple output files\n"


def test_shared_library(dpcxx):
    dpcxx.write("library.cpp", '#include <sycl/sycl.hpp>\nextern "C" void f() { TOY_KERNEL(p[0] = 1) }\n')
    dpcxx.succeed("-O2", "-shared", "-fPIC", "library.cpp", "-o", "library.so")
    symbols = subprocess.run(["nm", "-D", dpcxx.folder / "library.so"], capture_output=True, text=True).stdout
    assert " T f" in symbols


def test_assembly_holds_the_image(dpcxx, kernel):
    dpcxx.succeed("-S", kernel, "-o", "out.s")
    assert "_ZN3toyL5imageE" in (dpcxx.folder / "out.s").read_text()


def test_syntax_check_creates_no_files(dpcxx, kernel):
    before = set(dpcxx.folder.iterdir())
    dpcxx.succeed("-fsyntax-only", kernel)
    assert set(dpcxx.folder.iterdir()) == before


def test_syntax_check_accepts_headers_that_require_an_image(dpcxx):
    dpcxx.write(
        "requires_image.cpp",
        "#include <sycl/sycl.hpp>\n"
        "#if !defined(DPEP_DEVICE_IMAGE) && !defined(__SYCL_DEVICE_ONLY__)\n"
        "#error sycl.hpp says that this is not compiled by dpcxx\n"
        "#endif\n"
        "int main() { TOY_KERNEL(p[0] = 1) }\n",
    )
    dpcxx.succeed("-fsyntax-only", "requires_image.cpp")


def test_device_only_makes_bitcode_of_the_kernels(dpcxx, kernel):
    dpcxx.succeed("-fsycl-device-only", kernel, "-o", "kernel.bc")
    assert (dpcxx.folder / "kernel.bc").read_bytes().startswith(b"BC\xc0\xde")
    dpcxx.succeed("-fsycl-device-only", "-S", kernel, "-o", "kernel.ll")
    assert "spir_kernel" in (dpcxx.folder / "kernel.ll").read_text()


def test_preprocessing_writes_the_host_s_text(dpcxx):
    dpcxx.write("x.cpp", "#include <sycl/sycl.hpp>\n#ifdef __SYCL_DEVICE_ONLY__\ndevice\n#else\nhost\n#endif\n")
    text = dpcxx.succeed("-E", "x.cpp")
    assert "\nhost\n" in text
    assert "\ndevice\n" not in text


def test_standard_input(dpcxx):
    source = "#include <sycl/sycl.hpp>\nint main() { TOY_KERNEL(p[0] = 1) TOY_REPORT; }\n"
    dpcxx.succeed("-x", "c++", "-", "-o", "program", text=source)
    assert dpcxx.execute("./program").startswith("image 1")
    dpcxx.succeed("-x", "c++", "-", "-o", "program", text="int main() {}\n")
    assert dpcxx.execute("./program") == ""


def test_plain_program_does_not_depend_on_libdpep(dpcxx, plain):
    dpcxx.succeed(plain)
    needed = subprocess.run(["readelf", "-d", dpcxx.folder / "a.out"], capture_output=True, text=True).stdout
    assert "libdpep" not in needed


def test_plain_source_is_compiled_once(dpcxx, plain, calls):
    dpcxx.succeed("-c", plain)
    commands = calls.read_text().splitlines()
    assert [" -M " in c for c in commands] == [True, False]  # first lists the included files, then compiles


def test_source_that_names_sycl_is_compiled_twice(dpcxx, kernel, calls):
    dpcxx.succeed("-c", kernel)
    commands = calls.read_text().splitlines()
    assert ["-fsycl-is-device" in c for c in commands] == [True, False]
    assert "-fsycl-is-host" in commands[1]


def test_sycl_turned_off_is_plain_clang(dpcxx, kernel, calls):
    dpcxx.run("-fno-sycl", "-c", kernel)
    assert len(calls.read_text().splitlines()) == 1


@pytest.mark.parametrize("flag", ["-MD", "-MMD"])
def test_depfile_lists_the_files_of_both_passes_and_no_temporary_ones(dpcxx, flag):
    dpcxx.write("device only.h", "")
    dpcxx.write("both.h", '#ifdef __SYCL_DEVICE_ONLY__\n#include "device only.h"\n#endif\n')
    dpcxx.write("x.cpp", '#include <sycl/sycl.hpp>\n#include "both.h"\nvoid f() { TOY_KERNEL(p[0] = 1) }\n')
    dpcxx.succeed("-c", "x.cpp", "-o", "out.o", flag, "-MF", "x.dep", "-MT", "my target")
    text = (dpcxx.folder / "x.dep").read_text()
    assert text.startswith("my target:")
    assert "device\\ only.h" in text
    assert "both.h" in text
    assert "image.bc" not in text
    assert ("sycl/sycl.hpp" in text) == (flag == "-MD")  # -MMD leaves system headers out


def test_depfile_goes_where_clang_puts_it(dpcxx, kernel):
    dpcxx.succeed("-c", "-MD", kernel)
    assert dependencies((dpcxx.folder / "kernel.d").read_text())[0] == "kernel.cpp"
    dpcxx.succeed("-c", "-MD", kernel, "-o", "other.o")
    assert (dpcxx.folder / "other.d").read_text().startswith("other.o:")


def test_depfile_has_empty_rules_for_headers_when_asked(dpcxx):
    dpcxx.write("a.h", "")
    dpcxx.write("x.cpp", '#include <sycl/sycl.hpp>\n#include "a.h"\nvoid f() { TOY_KERNEL(p[0] = 1) }\n')
    dpcxx.succeed("-c", "-MMD", "-MP", "x.cpp")
    assert (dpcxx.folder / "x.d").read_text().endswith("\na.h:\n")


def test_dependencies_alone(dpcxx, kernel):
    assert dependencies(dpcxx.succeed("-MM", kernel)) == ["kernel.cpp"]


def test_same_source_gives_the_same_object(dpcxx, kernel):
    objects = []
    for _ in range(2):
        dpcxx.succeed("-c", "-g", kernel)
        objects.append((dpcxx.folder / "kernel.o").read_bytes())
    assert objects[0] == objects[1]


def test_debug_information_reaches_the_image_as_line_tables(dpcxx, kernel):
    dpcxx.succeed("-fsycl-device-only", "-S", "-g", kernel, "-o", "kernel.ll")
    text = (dpcxx.folder / "kernel.ll").read_text()
    assert "emissionKind: LineTablesOnly" in text


def test_host_instrumentation_does_not_reach_the_kernels(dpcxx, kernel):
    dpcxx.succeed(
        "-fsycl-device-only", "-S", "-O0", "-fsanitize=address", "-fstack-protector-all", "-fprofile-instr-generate",
        "-D_FORTIFY_SOURCE=2", kernel, "-o", "kernel.ll",
    )  # fmt: skip
    text = (dpcxx.folder / "kernel.ll").read_text()
    for word in ("sanitize_address", "sspreq", "__llvm_profile", "optnone", "noinline"):
        assert word not in text


def test_parallel_runs_do_not_interfere(dpcxx, kernel, tmp_path: pathlib.Path):
    processes = [
        subprocess.Popen([dpcxx.program, "-c", kernel, "-o", f"{i}.o"], cwd=tmp_path, env=dpcxx.environment)
        for i in range(8)
    ]
    assert [p.wait() for p in processes] == [0] * 8
    assert list(dpcxx.temporary.iterdir()) == []
    assert len({(tmp_path / f"{i}.o").read_bytes() for i in range(8)}) == 1


def test_link_finds_libdpep_by_its_path_and_beside_packages(dpcxx, kernel, toy_prefix):
    dpcxx.succeed(kernel)
    text = subprocess.run(["readelf", "-d", dpcxx.folder / "a.out"], capture_output=True, text=True).stdout
    assert f"[{toy_prefix}/lib:$ORIGIN/../dpep/lib]" in text


def test_driver_works_through_a_symbolic_link_and_after_a_move(dpcxx, kernel, toy_prefix, tmp_path):
    moved = tmp_path / "moved"
    shutil.copytree(toy_prefix, moved)
    (tmp_path / "link").symlink_to(moved / "bin/dpcxx")
    subprocess.run([tmp_path / "link", kernel], cwd=dpcxx.folder, env=dpcxx.environment, check=True)
    assert dpcxx.execute().startswith("image 1")
