// dpctl.program: SyclProgram and SyclKernel, and their creation from source.
#include "programs.hpp"

#include "../attributes.hpp"
#include "../errors.hpp"
#include "../host_bytes.hpp"

#include <span>

#include <dpep/exception.hpp>
#include <dpep/sub_groups.hpp>

namespace dpep::python {
namespace {

/// The size of sub-groups: those of the kernel's attribute, else the device's.
std::uint32_t sub_group_size(const device_kernel &k) {
  if (const std::uint32_t required = k.kernel.properties->required_sub_group) return required;
  return static_cast<std::uint32_t>(default_sub_group_size(k.where.info()));
}

std::size_t largest_group(const device_kernel &k) {
  const auto &required = k.kernel.properties->required_group;
  return required[0] ? required[0] * required[1] * required[2] : k.where.info().max_work_group_size;
}

device_program create_from_source(const queue &q, const std::string &source, const std::string &options) {
  try {
    const gil_release unlocked;
    return {program::from_opencl_source(source, options), q.get_device()};
  } catch (const exception &e) {
    if (e.code() != errc::build) throw;
    raise_compilation_error(e.what());
  }
}

/// `where` names the function and its parameter, for messages.
device_program create_from_module(const queue &q, nb::handle module, const char *where,
                                  program (*make)(std::span<const std::byte>)) {
  if (!PyObject_CheckBuffer(module.ptr()))
    throw type_error(std::string(where) + " must be bytes, got " + type_of(module));
  const host_bytes buffer(module, false);
  const std::span bytes(static_cast<const std::byte *>(buffer.data()), buffer.size());
  try {
    const gil_release unlocked;
    return {make(bytes), q.get_device()};
  } catch (const exception &e) {
    if (e.code() != errc::build) throw;
    raise_compilation_error(e.what());
  }
}

device_program create_from_spirv(const queue &q, nb::handle module, const std::string &) {
  return create_from_module(q, module, "create_program_from_spirv: IL", program::from_spirv);
}

device_program create_from_bitcode(const queue &q, nb::handle module) {
  return create_from_module(q, module, "create_program_from_bitcode: bitcode", program::from_bitcode);
}

/// The strings of a list or tuple.
std::vector<std::string> texts_in(nb::handle list, const char *name) {
  const auto wrong = [&](nb::handle given) {
    return type_error(std::string("create_kernel_bundle_from_sycl_source: ") + name +
                      " must be a list of strings, got " + type_of(given));
  };
  if (!PyList_Check(list.ptr()) && !PyTuple_Check(list.ptr())) throw wrong(list);
  std::vector<std::string> texts;
  for (nb::handle item : nb::borrow<nb::sequence>(list)) {
    if (!PyUnicode_Check(item.ptr())) throw wrong(item);
    texts.push_back(text_of(item));
  }
  return texts;
}

std::vector<sycl_source::header> headers_in(nb::handle list) {
  const auto wrong = [&](nb::handle given) {
    return type_error("create_kernel_bundle_from_sycl_source: headers must be a list of tuples of a name and a text, "
                      "got " +
                      type_of(given));
  };
  if (!PyList_Check(list.ptr()) && !PyTuple_Check(list.ptr())) throw wrong(list);
  std::vector<sycl_source::header> headers;
  for (nb::handle item : nb::borrow<nb::sequence>(list)) {
    if (!PyTuple_Check(item.ptr()) || PyTuple_GET_SIZE(item.ptr()) != 2) throw wrong(item);
    const nb::handle name = PyTuple_GET_ITEM(item.ptr(), 0), text = PyTuple_GET_ITEM(item.ptr(), 1);
    if (!PyUnicode_Check(name.ptr())) throw wrong(name);
    if (!PyUnicode_Check(text.ptr())) throw wrong(text);
    headers.push_back({text_of(name), text_of(text)});
  }
  return headers;
}

device_program create_from_sycl(const queue &q, const std::string &text, nb::handle headers, nb::handle names,
                                nb::handle options) {
  const sycl_source source{text, headers_in(headers), texts_in(names, "registered_names"), texts_in(options, "copts")};
  try {
    const gil_release unlocked;
    return {program::from_sycl_source(source), q.get_device()};
  } catch (const exception &e) {
    if (e.code() != errc::build) throw;
    raise_compilation_error(e.what());
  }
}

void bind_kernel(nb::module_ &m) {
  nb::class_<named_kernel> type(
      m, "SyclKernel", "A kernel of a program, made by `SyclProgram.get_sycl_kernel`. `SyclQueue.submit` runs it.");
  attributes(type)
      .add(
          "num_args", [](const named_kernel &k) { return k.kernel.kernel.properties->arguments.size(); },
          "The number of arguments.")
      .add(
          "work_group_size", [](const named_kernel &k) { return largest_group(k.kernel); },
          "The largest number of work-items in a work-group.")
      .add(
          "preferred_work_group_size_multiple", [](const named_kernel &k) { return sub_group_size(k.kernel); },
          "The number of which work-groups should have multiples of work-items.")
      .add(
          "private_mem_size", [](const named_kernel &k) { return k.kernel.kernel.properties->private_bytes; },
          "The bytes of private memory of a work-item: its arrays and variables that are not in registers.")
      .add(
          "max_num_sub_groups",
          [](const named_kernel &k) {
            const std::size_t size = sub_group_size(k.kernel);
            return (largest_group(k.kernel) + size - 1) / size;
          },
          "The largest number of sub-groups in a work-group.")
      .add(
          "max_sub_group_size", [](const named_kernel &k) { return sub_group_size(k.kernel); },
          "The largest number of work-items in a sub-group.")
      .add(
          "compile_num_sub_groups", [](const named_kernel &) { return 0; },
          "The number of sub-groups that the source requires; 0 for none.")
      .add(
          "compile_sub_group_size",
          [](const named_kernel &k) { return k.kernel.kernel.properties->required_sub_group; },
          "The size of sub-groups that the source requires (`intel_reqd_sub_group_size`); 0 for none.");
  type.def(
          "get_function_name", [](const named_kernel &k) { return k.name; }, "Return the kernel's name.")
      .def(
          "get_num_args", [](const named_kernel &k) { return k.kernel.kernel.properties->arguments.size(); },
          "Return the number of arguments.")
      .def(
          "addressof_ref", [](const named_kernel &k) { return reinterpret_cast<std::uintptr_t>(&k.kernel); },
          "Return the address of the C++ object, which is a reference in the C interface.")
      .def("__repr__", [](const named_kernel &k) {
        return format("<dpctl.program.SyclKernel {!r} with {} arguments>", k.name,
                      k.kernel.kernel.properties->arguments.size());
      });
}

void bind_type(nb::module_ &m) {
  nb::class_<device_program>(m, "SyclProgram",
                             "A compiled program, made by `create_program_from_source`. It has the program's kernels.")
      .def(
          "has_sycl_kernel",
          [](const device_program &p, const std::string &name) { return p.program.find(name) != nullptr; },
          "kernel_name"_a,
          "Whether the program has a kernel of that name. Kernels in SYCL also have the registered names, and those "
          "of\n"
          "C++'s ABI.")
      .def(
          "get_sycl_kernel",
          [](const device_program &p, const std::string &name) {
            if (const program_kernel *const k = p.program.find(name)) return named_kernel{{*k, p.where}, name};
            std::string all;
            for (const program_kernel &k : p.program.kernels())
              all += (all.empty() ? "'" : ", '") + k.properties->name + "'";
            throw value_error("get_sycl_kernel: the program has no kernel '" + name + "'; it has " +
                              (all.empty() ? "none" : all));
          },
          "kernel_name"_a,
          "Return the kernel of that name, a `SyclKernel`.\n\n"
          "Raises\n------\nValueError\n    When the program has no such kernel.")
      .def(
          "addressof_ref", [](const device_program &p) { return reinterpret_cast<std::uintptr_t>(&p); },
          "Return the address of the C++ object, which is a reference in the C interface.")
      .def("__repr__", [](const device_program &p) {
        nb::list names;
        for (const program_kernel &k : p.program.kernels()) names.append(k.properties->name);
        return format("<dpctl.program.SyclProgram with kernels {}>", names);
      });
}

}  // namespace

void bind_program(nb::module_ &m) {
  bind_kernel(m);
  bind_type(m);
  refuse_bare_objects(m.attr("SyclKernel"), "SyclKernel");
  refuse_bare_objects(m.attr("SyclProgram"), "SyclProgram");
  m.def("create_program_from_source", create_from_source, "q"_a, "src"_a, "copts"_a = "",
        "Compile a program in OpenCL C, or find it in the disk cache.\n\n"
        "clang 22 compiles the program, so it must be installed (`DPCXX_CLANG` names it where PATH does not have it);\n"
        "a program in the cache needs no clang. The language is OpenCL C 1.2, or that of the option `-cl-std=CL3.0`,\n"
        "without images, pipes and kernels that launch kernels. All devices run the kernels.\n\n"
        "Parameters\n----------\n"
        "q : SyclQueue\n    A queue of the device that the program is for.\n"
        "src : str\n    The source.\n"
        "copts : str, optional\n"
        "    Options of OpenCL's compilers (`-cl-std=CL3.0`, `-cl-fast-relaxed-math`, …), `-D`, `-U`, `-I`, `-W…`.\n\n"
        "Returns\n-------\nSyclProgram\n    The program.\n\n"
        "Raises\n------\n"
        "SyclProgramCompilationError\n"
        "    With the compiler's messages, or what is missing when there is no clang 22.\n"
        "TypeError\n    For arguments of other types.\n\n"
        "Examples\n--------\n"
        ">>> import dpctl, dpctl.program, dpctl.tensor as dpt\n"
        ">>> q = dpctl.SyclQueue()\n"
        ">>> program = dpctl.program.create_program_from_source(q, '''\n"
        "... kernel void doubled(global const int *a, global int *b) {\n"
        "...   size_t i = get_global_id(0);\n"
        "...   b[i] = 2 * a[i];\n"
        "... }''')\n"
        ">>> a = dpt.arange(5, dtype='i4', sycl_queue=q)\n"
        ">>> b = dpt.empty_like(a)\n"
        ">>> event = q.submit(program.get_sycl_kernel('doubled'), [a, b], [5])\n"
        ">>> b\n"
        "usm_ndarray([0, 2, 4, 6, 8], dtype=int32)");
  m.def(
      "create_kernel_bundle_from_sycl_source", create_from_sycl, "q"_a, "source"_a, "headers"_a = nb::tuple(),
      "registered_names"_a = nb::tuple(), "copts"_a = nb::tuple(),
      nb::sig("def create_kernel_bundle_from_sycl_source(q: SyclQueue, source: str, headers: list[tuple[str, str]] | "
              "tuple[tuple[str, str], ...] = (), registered_names: list[str] | tuple[str, ...] = (), copts: list[str] "
              "| tuple[str, ...] = ()) -> SyclProgram"),
      "Compile a program in C++ with SYCL, or find it in the disk cache.\n\n"
      "Its kernels are the functions with `SYCL_EXT_ONEAPI_FUNCTION_PROPERTY`, and those of `registered_names`.\n"
      "dpcxx and clang 22 compile the program, so clang 22 must be installed; a program in the cache needs no clang.\n"
      "All devices run the kernels.\n\n"
      "Parameters\n----------\n"
      "q : SyclQueue\n    A queue of the device that the program is for.\n"
      "source : str\n    The source, which includes `<sycl/sycl.hpp>`.\n"
      "headers : list of tuple of two str, optional\n    Names and texts of files that the source may include.\n"
      "registered_names : list of str, optional\n"
      "    Expressions such as `f<float>` that name functions: they become kernels that are found by these names.\n"
      "copts : list of str, optional\n"
      "    Options: `-D`, `-U`, `-I`, `-isystem`, `-include`, `-std=`, `-W…`, `-f…`, `-g`.\n\n"
      "Returns\n-------\nSyclProgram\n"
      "    The program. A kernel is found by its function's name, `f` or `space::f`; with the types of its parameters\n"
      "    (`f(int, float*)`) where several kernels have that name.\n\n"
      "Raises\n------\n"
      "SyclProgramCompilationError\n"
      "    With the compiler's messages, or what is missing when there is no clang 22.\n"
      "TypeError\n    For arguments of other types.\n\n"
      "Examples\n--------\n"
      ">>> import ctypes, dpctl, dpctl.program, dpctl.tensor as dpt\n"
      ">>> q = dpctl.SyclQueue()\n"
      ">>> program = dpctl.program.create_kernel_bundle_from_sycl_source(q, '''\n"
      "... #include <sycl/sycl.hpp>\n"
      "... namespace syclex = sycl::ext::oneapi;\n"
      "... extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::experimental::nd_range_kernel<1>))\n"
      "... void scaled(const float *x, float *y, float factor) {\n"
      "...   const std::size_t i = syclex::this_work_item::get_nd_item<1>().get_global_id(0);\n"
      "...   y[i] = factor * x[i];\n"
      "... }''')\n"
      ">>> x = dpt.arange(4, dtype='f4', sycl_queue=q)\n"
      ">>> y = dpt.empty_like(x)\n"
      ">>> event = q.submit(program.get_sycl_kernel('scaled'), [x, y, ctypes.c_float(2.5)], [4], [2])\n"
      ">>> y\n"
      "usm_ndarray([0. , 2.5, 5. , 7.5], dtype=float32)");
  m.def(
      "is_sycl_source_compilation_available", [] { return true; },
      "Whether this build of the package compiles programs in SYCL. They need clang 22 besides.");
  m.def("create_program_from_spirv", create_from_spirv, "q"_a, nb::arg("IL").none(), "copts"_a = "",
        nb::sig("def create_program_from_spirv(q: SyclQueue, IL: object, copts: str = '') -> SyclProgram"),
        "Make a program of a binary module in SPIR-V, of OpenCL's flavour.\n\n"
        "Parameters\n----------\n"
        "q : SyclQueue\n    A queue of the device that the program is for.\n"
        "IL : bytes, or another object with the buffer protocol\n    The module.\n"
        "copts : str, optional\n    Not used.\n\n"
        "Returns\n-------\nSyclProgram\n    The program.\n\n"
        "Raises\n------\n"
        "SyclProgramCompilationError\n    For damaged modules, and for what is not supported, such as images.");
  m.def(
      "create_program_from_bitcode", create_from_bitcode, "q"_a, nb::arg("bitcode").none(),
      nb::sig("def create_program_from_bitcode(q: SyclQueue, bitcode: object) -> SyclProgram"),
      "Make a program of LLVM bitcode.\n\n"
      "The bitcode is that of kernels in OpenCL C for the target spir64, of LLVM 22 or an earlier version, as\n"
      "`clang -x cl --target=spir64 -O2 -Xclang -disable-llvm-passes -emit-llvm -c` writes it. clang 22 reads it, so "
      "it\n"
      "must be installed.\n\n"
      "Parameters\n----------\n"
      "q : SyclQueue\n    A queue of the device that the program is for.\n"
      "bitcode : bytes, or another object with the buffer protocol\n    The module.\n\n"
      "Returns\n-------\nSyclProgram\n    The program.\n\n"
      "Raises\n------\n"
      "SyclProgramCompilationError\n"
      "    For damaged modules, other targets, what is not supported, such as images, and when there is no clang 22.");
}

}  // namespace dpep::python
