// SyclQueue.submit and submit_async of kernels.
#include "programs.hpp"

#include "../errors.hpp"

#include <span>

#include <dpep/array_order.hpp>
#include <dpep/kernel_arguments.hpp>

#include "../array/arrays.hpp"
#include "../host_bytes.hpp"
#include "../keep_alive.hpp"
#include "../kernel/caller.hpp"
#include "../usm_memory.hpp"

namespace dpep::python {
namespace {

/// The items of a list or tuple, which lives on.
std::span<PyObject *const> items_of(nb::handle sequence) {
  return {PySequence_Fast_ITEMS(sequence.ptr()), static_cast<std::size_t>(PySequence_Fast_GET_SIZE(sequence.ptr()))};
}

/// Reads a range, of which the last element varies fastest, in the runtime's order, in which the first does.
std::size_t read_range(nb::handle range, const char *name, std::array<std::size_t, 3> &to) {
  if (!PyList_Check(range.ptr()) && !PyTuple_Check(range.ptr()))
    throw type_error(std::string("submit: ") + name + " must be a list of integers, got " + type_of(range));
  const std::span<PyObject *const> sizes = items_of(range);
  const std::size_t count = sizes.size();
  if (count < 1 || count > 3)
    throw exception(errc::nd_range, std::string("submit: ") + name + " must have one to three dimensions, got " +
                                        std::to_string(count));
  for (std::size_t i = 0; i < count; ++i) {
    const nb::object size = nb::borrow(sizes[i]);
    if (!PyIndex_Check(size.ptr()))
      throw type_error(std::string("submit: ") + name + " must be a list of integers, got " + type_of(size));
    const Py_ssize_t n = PyNumber_AsSsize_t(size.ptr(), PyExc_OverflowError);
    if (n == -1 && PyErr_Occurred()) throw nb::python_error();
    if (n < 0)
      throw exception(errc::nd_range,
                      std::string("submit: ") + name + " must not be negative, got " + std::to_string(n));
    to[count - 1 - i] = static_cast<std::size_t>(n);
  }
  return count;
}

geometry geometry_from(nb::handle global, nb::handle local) {
  geometry work;
  work.dimensions = static_cast<std::uint32_t>(read_range(global, "gS", work.global));
  if (local.is_none()) return work;
  work.local = {1, 1, 1};
  if (read_range(local, "lS", work.local) != work.dimensions)
    throw value_error("submit: gS and lS must have the same number of dimensions, got " +
                      std::to_string(nb::len(global)) + " and " + std::to_string(nb::len(local)));
  for (std::size_t d = 0; d < 3; ++d)
    if (work.local[d] == 0) throw exception(errc::nd_range, "submit: lS must not have zeros");
  return work;
}

/// Sets one argument. Returns the queue of an array, null for other objects.
const queue *set_argument(launch_arguments &to, std::size_t index, nb::handle x) {
  const auto name = [x] { return type_of(x); };
  if (nb::isinstance<usm_memory>(x)) {
    to.set_pointer(index, nb::cast<const usm_memory &>(x).pointer, name);
  } else if (is_array(x.ptr())) {
    const ndarray &a = array_of(x.ptr());
    to.set_pointer(index, array::first_element(a), name);
    return &a.get_queue();
  } else if (nb::isinstance<local_accessor>(x)) {
    const auto &memory = nb::cast<const local_accessor &>(x);
    to.set_local(index, memory.bytes, name, memory.extents);
  } else if (nb::isinstance<work_group_memory>(x)) {
    to.set_local(index, nb::cast<const work_group_memory &>(x).bytes, name);
  } else if (nb::isinstance<raw_kernel_argument>(x)) {
    to.set_value(index, nb::cast<const raw_kernel_argument &>(x).bytes, name);
  } else if (nb::hasattr(x, "__sycl_usm_array_interface__")) {
    to.set_pointer(index, view_of(x).pointer, name);
  } else if (PyObject_CheckBuffer(x.ptr())) {  // ctypes' numbers and structures, NumPy's numbers and arrays
    const host_bytes bytes(x, false);
    to.set_value(index, {static_cast<const std::byte *>(bytes.data()), bytes.size()}, name);
  } else {
    throw type_error("submit: argument " + std::to_string(index + 1) + " is a " + name() +
                     ": kernels take USM memory, arrays, numbers of ctypes and NumPy, LocalAccessor, WorkGroupMemory "
                     "and RawKernelArg");
  }
  return nullptr;
}

event launch(const queue &q, const named_kernel &kernel, nb::handle arguments, nb::handle global, nb::handle local,
             nb::handle after) {
  if (!PyList_Check(arguments.ptr()) && !PyTuple_Check(arguments.ptr()))
    throw type_error("submit: args must be a list, got " + type_of(arguments));
  std::vector<event> dependencies = events_from(after, "submit: dEvents");
  const geometry work = geometry_from(global, local);
  try {
    launch_arguments packed(kernel.kernel.kernel);
    const std::span<PyObject *const> given = items_of(arguments);
    for (std::size_t i = 0; i < given.size(); ++i)
      if (const queue *const home = set_argument(packed, i, given[i]); home && *home != q)
        dependencies.push_back(array::last_event(*home));  // pending work of another queue may still use the memory
    const source_line line = calling_line();
    std::shared_ptr<void> held = hold(given);
    const gil_release unlocked;
    event done = array::in_turn(q, dependencies, [&](const ordered_dependencies &all) {
      return packed.submit(q, work, all, line, all.replaced);
    });
    if (done) done.keep_alive(std::move(held));
    return done;
  } catch (const exception &e) {
    const auto code = e.code();
    if (code == errc::kernel_argument || code == errc::build || code == errc::kernel_not_supported)
      raise_submit_error(e.what());
    throw;
  }
}

event submit(const queue &q, const named_kernel &kernel, nb::handle arguments, nb::handle global, nb::handle local,
             nb::handle after) {
  const event done = launch(q, kernel, arguments, global, local, after);
  if (done) {
    wait_interruptibly(done);
    const gil_release unlocked;
    q.throw_asynchronous();
  } else {
    q.throw_asynchronous();
  }
  release_finished();
  return done;
}

event submit_async(const queue &q, const named_kernel &kernel, nb::handle arguments, nb::handle global,
                   nb::handle local, nb::handle after) {
  event done = launch(q, kernel, arguments, global, local, after);
  release_finished();
  return done;
}

}  // namespace

void bind_submit(nb::module_ &m) {
  auto type = nb::borrow<nb::class_<queue>>(m.attr("SyclQueue"));
  type.def(
          "submit", submit, "kernel"_a, nb::arg("args").none(), nb::arg("gS").none(), nb::arg("lS").none() = nb::none(),
          nb::arg("dEvents").none() = nb::none(),
          nb::sig("def submit(self, kernel: SyclKernel, args: list[object] | tuple[object, ...], gS: list[int] | "
                  "tuple[int, ...], lS: list[int] | tuple[int, ...] | None = None, dEvents: list[SyclEvent] | None = "
                  "None) -> SyclEvent"),
          "Run a kernel of a program over a range, and wait for it.\n\n"
          "Parameters\n----------\n"
          "kernel : SyclKernel\n    The kernel.\n"
          "args : list\n"
          "    Its arguments: USM memory, `usm_ndarray` and dpnp's arrays (their first element's address) for\n"
          "    pointers; numbers and structures of ctypes, NumPy's numbers, `RawKernelArg`, and buffers for values,\n"
          "    with exactly their bytes; `LocalAccessor` and `WorkGroupMemory` for local memory.\n"
          "gS : list of int\n"
          "    The range, of one to three dimensions. The last is `get_global_id(0)`.\n"
          "lS : list of int, optional\n"
          "    The size of work-groups, which divides the range. Kernels with barriers, local memory or ids of groups\n"
          "    get a size if none is given.\n"
          "dEvents : list of SyclEvent, optional\n    Events to run after.\n\n"
          "Returns\n-------\nSyclEvent\n    A complete event.\n\n"
          "Raises\n------\n"
          "SyclKernelSubmitError\n    For arguments that do not fit the kernel's; the message names the argument.\n"
          "SyclKernelInvalidRangeError\n    For a range or work-groups that the kernel cannot run over.\n"
          "ValueError\n    When gS and lS have different numbers of dimensions.\n"
          "TypeError\n    For objects that no kernel takes.\n\n"
          "Array work that is pending on the queue runs before, and later array work after the kernel.")
      .def("submit_async", submit_async, "kernel"_a, nb::arg("args").none(), nb::arg("gS").none(),
           nb::arg("lS").none() = nb::none(), nb::arg("dEvents").none() = nb::none(),
           nb::sig("def submit_async(self, kernel: SyclKernel, args: list[object] | tuple[object, ...], gS: list[int] "
                   "| tuple[int, ...], lS: list[int] | tuple[int, ...] | None = None, dEvents: list[SyclEvent] | None "
                   "= None) -> SyclEvent"),
           "Submit a kernel as `submit` does, without waiting, and return its event.\n\n"
           "The arguments are kept alive until the kernel is complete. Errors of the running kernel are raised by the\n"
           "queue's next wait.");
}

}  // namespace dpep::python
