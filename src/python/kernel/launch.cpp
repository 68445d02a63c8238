// Launches of Python kernels. This is the hot path: no Python code runs between the call and the queue.
#include "arguments.hpp"

#include <algorithm>
#include <functional>

#include <dpep/array_order.hpp>

#include "../keep_alive.hpp"
#include "caller.hpp"

namespace dpep::python {
namespace {

struct index_space {
  geometry work;
  launch_form form;
};

[[noreturn]] void refuse_index_space(nb::handle x) {
  raise("range", "call_kernel: a kernel is launched over a Range or an NdRange, got " + text_of(nb::repr(x)));
}

/// Reads extents, of which the last varies fastest, in the runtime's order, in which the first does.
std::size_t read_sizes(PyObject *sizes, std::array<std::size_t, 3> &to, PyObject *whole) {
  if (!PyTuple_Check(sizes)) refuse_index_space(whole);
  const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(sizes));
  if (count < 1 || count > 3) refuse_index_space(whole);
  for (std::size_t i = 0; i < count; ++i) {
    const Py_ssize_t n = PyNumber_AsSsize_t(PyTuple_GET_ITEM(sizes, Py_ssize_t(i)), PyExc_OverflowError);
    if (n == -1 && PyErr_Occurred()) throw nb::python_error();
    if (n < 0) refuse_index_space(whole);
    to[count - 1 - i] = std::size_t(n);
  }
  return count;
}

index_space index_space_of(PyObject *x) {
  index_space s;
  const registered_types &known = registered();
  if (PyTuple_Check(x)) {
    s.work.dimensions = std::uint32_t(read_sizes(x, s.work.global, x));
  } else if (known.nd_range && PyObject_TypeCheck(x, known.nd_range)) {
    static PyObject *const global_name = PyUnicode_InternFromString("_global_range");
    static PyObject *const local_name = PyUnicode_InternFromString("_local_range");
    const nb::object global = nb::steal(PyObject_GetAttr(x, global_name)),
                     local = nb::steal(PyObject_GetAttr(x, local_name));
    if (!global.is_valid() || !local.is_valid()) throw nb::python_error();
    s.work.dimensions = std::uint32_t(read_sizes(global.ptr(), s.work.global, x));
    s.work.local = {1, 1, 1};
    if (read_sizes(local.ptr(), s.work.local, x) != s.work.dimensions) refuse_index_space(x);
    s.form.grouped = true;
  } else if (x == Py_None) {
    s.form.single_task = true;
  } else {
    refuse_index_space(x);
  }
  s.form.dimensions = int(s.work.dimensions);
  return s;
}

kernel_function &kernel_argument(PyObject *x) {
  kernel_function *const f = kernel_function_of(x);
  if (!f || !f->is_kernel())
    throw type_error("call_kernel: expected a kernel, a function decorated with numba_dpex.kernel, got " +
                     type_of(nb::handle(x)));
  return *f;
}

/// A reduction that is an argument: the results of its work-items or work-groups are combined after the launch.
struct reduction_argument {
  std::size_t position;
  pykernel::type type;
  nb::object parts;
};

bool is_reduction(PyObject *x) {
  return registered().reduction && !is_array(x) && PyObject_TypeCheck(x, registered().reduction);
}

reduction_argument begin_reduction(PyObject *x, std::size_t position, const index_space &s) {
  if (s.form.single_task)
    raise("argument",
          "a reduction needs an index space: launch the kernel with call_kernel over a Range or an NdRange");
  std::size_t results = 1;
  for (std::size_t d = 0; d < s.work.dimensions; ++d) {
    const std::size_t local = s.form.grouped ? std::max<std::size_t>(s.work.local[d], 1) : 1;
    results *= s.work.global[d] / local;
  }
  const nb::handle h(x);
  pykernel::type_properties properties;
  properties.what = pykernel::type_properties::kind::reduction;
  properties.element = dtype_from(nb::object(h.attr("dtype")));
  properties.name = nb::cast<std::string>(h.attr("_operation"));
  // Work-groups cannot combine products of complex numbers.
  const bool by_items =
      s.form.grouped && kind_of(properties.element) == dtype_kind::complex && properties.name != "add";
  if (by_items) {
    results = 1;
    for (std::size_t d = 0; d < s.work.dimensions; ++d) results *= s.work.global[d];
  }
  return {position, pykernel::intern(properties), nb::object(h.attr("_begin")(results))};
}

struct launched {
  dpep::event done;
  dpep::queue where;
  std::vector<reduction_argument> reductions{};
};

/// Submits a kernel. `where`: null to use the arguments' queue. `held`: objects that are kept alive until it completes.
launched launch(PyObject *kernel, const dpep::queue *where, PyObject *space, std::span<PyObject *const> given,
                dependencies after, std::span<PyObject *const> held = {}) {
  kernel_function &f = kernel_argument(kernel);
  const index_space s = index_space_of(space);
  packed_arguments packed(s.form);
  const bool takes_item = f.takes_item(given.size());
  f.check_count(given.size(), takes_item);
  if (takes_item) packed.add_item(item_word(s.form));
  std::vector<reduction_argument> reductions;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!is_reduction(given[i])) {
      packed.add(given[i], i);
      continue;
    }
    reductions.push_back(begin_reduction(given[i], i, s));
    packed.add_reduction(array_of(reductions.back().parts.ptr()), reductions.back().type, i);
  }
  if (!where) where = packed.queue();
  if (!where)
    raise("queue", "no queue for kernel '" + text_of(nb::object(f.python().attr("__name__"))) +
                       "': none of its arguments is an array on a device; pass an array of dpnp or dpctl.tensor");
  if (packed.local_bytes() && !s.form.grouped)
    raise("argument", "a LocalAccessor needs work-groups: launch the kernel over an NdRange, not a Range");
  const auto types_given = [&] {
    std::vector<pykernel::type> types;
    using kinds = pykernel::type_properties::kind;
    if (takes_item)
      types.push_back(pykernel::simple_type(s.form.grouped ? kinds::nd_item : kinds::item, s.form.dimensions));
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto found = std::ranges::find(reductions, i, &reduction_argument::position);
      types.push_back(found == reductions.end() ? packed_arguments::type_of_argument(given[i]) : found->type);
    }
    return types;
  };
  const specialisation &compiled = f.find(packed.key(), std::ref(types_given));
  const source_line line = calling_line();
  launched result{{}, *where, std::move(reductions)};
  std::shared_ptr<void> objects = held.empty() ? nullptr : hold(held);
  {
    gil_release unlocked;
    const auto submit = [&](const ordered_dependencies &all) {
      event done = dpep::launch(*where, compiled.compiled, s.work, packed.bytes(), packed.local_bytes(), all, line,
                                all.replaced);
      if (done && objects) done.keep_alive(std::move(objects));
      return done;
    };
    std::vector<event> more;
    if (packed.queue() &&
        *packed.queue() != *where) {  // arrays' pending work on the other queue may still use this memory
      more.assign(after.begin(), after.end());
      more.push_back(array::last_event(*packed.queue()));
      after = more;
    }
    result.done = array::in_turn(*where, after, std::ref(submit));
  }
  return result;
}

using python_arguments = std::span<PyObject *const>;

/// Submits the operations that combine the results of reductions with their arrays' elements.
void finish(const launched &l, python_arguments given) {
  for (const reduction_argument &r : l.reductions) nb::handle(given[r.position]).attr("_finish")(r.parts);
}

/// Launches, and waits. `all`: the arguments of the Python call, kept alive if the wait is interrupted.
PyObject *run(PyObject *kernel, PyObject *space, python_arguments given, python_arguments all) {
  const launched l = launch(kernel, nullptr, space, given, {});
  if (l.done) {
    wait_interruptibly(l.done, [&] { l.done.keep_alive(hold(all)); });
    gil_release unlocked;
    l.where.throw_asynchronous();
  } else {
    l.where.throw_asynchronous();
  }
  release_finished();
  finish(l, given);
  Py_RETURN_NONE;
}

/// Launches, and returns two events, which are the same: numba-dpex had one that kept the arguments alive.
PyObject *submit(PyObject *kernel, PyObject *space, PyObject *after, python_arguments given, python_arguments all) {
  const std::vector<event> events = events_from(nb::handle(after), "dependent_events");
  launched l = launch(kernel, nullptr, space, given, events, all);
  release_finished();
  if (!l.reductions.empty()) {
    finish(l, given);
    gil_release unlocked;
    l.done = array::last_event(l.where);
  }
  const nb::object e = nb::cast(l.done);
  return nb::make_tuple(e, e).release().ptr();
}

// These are called without a Python function in between, so that calling_line() is the program's line.

PyObject *call_kernel(PyObject *, PyObject *const *arguments, Py_ssize_t count) noexcept {
  return guarded([&]() -> PyObject * {
    if (count < 2) throw type_error("call_kernel takes a kernel, an index space and the kernel's arguments");
    const python_arguments all(arguments, std::size_t(count));
    return run(all[0], all[1], all.subspan(2), all);
  });
}

PyObject *call_kernel_async(PyObject *, PyObject *const *arguments, Py_ssize_t count) noexcept {
  return guarded([&]() -> PyObject * {
    if (count < 3)
      throw type_error(
          "call_kernel_async takes a kernel, an index space, the events to wait for and the kernel's arguments");
    const python_arguments all(arguments, std::size_t(count));
    return submit(all[0], all[1], all[2], all.subspan(3), all);
  });
}

PyObject *single_task(PyObject *, PyObject *const *arguments, Py_ssize_t count) noexcept {
  return guarded([&]() -> PyObject * {
    if (count < 1) throw type_error("single_task takes a kernel and the kernel's arguments");
    const python_arguments all(arguments, std::size_t(count));
    return run(all[0], Py_None, all.subspan(1), all);
  });
}

PyObject *single_task_async(PyObject *, PyObject *const *arguments, Py_ssize_t count) noexcept {
  return guarded([&]() -> PyObject * {
    if (count < 2)
      throw type_error("single_task_async takes a kernel, the events to wait for and the kernel's arguments");
    const python_arguments all(arguments, std::size_t(count));
    return submit(all[0], Py_None, all[1], all.subspan(2), all);
  });
}

using fast_call = PyObject *(*)(PyObject *, PyObject *const *, Py_ssize_t) noexcept;

PyCFunction method(fast_call f) { return reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(f)); }

PyMethodDef functions[] = {
    {"call_kernel", method(call_kernel), METH_FASTCALL,
     "call_kernel(kernel_fn, index_space, *kernel_args)\n--\n\n"
     "Run a kernel over an index space, and wait until it has run.\n\n"
     "Parameters\n----------\nkernel_fn : a function decorated with `kernel`\nindex_space : Range or NdRange\n"
     "*kernel_args : arrays, numbers, tuples, LocalAccessor\n"
     "    The kernel's arguments, without the item.\n\n"
     "Raises\n------\nExecutionQueueInferenceError\n    The arrays are on different queues, or there are none."},
    {"call_kernel_async", method(call_kernel_async), METH_FASTCALL,
     "call_kernel_async(kernel_fn, index_space, dependent_events, *kernel_args)\n--\n\n"
     "Submit a kernel, and return two events (the same one twice) that complete when the kernel has run.\n\n"
     "Parameters\n----------\nkernel_fn : a function decorated with `kernel`\nindex_space : Range or NdRange\n"
     "dependent_events : sequence of dpctl.SyclEvent\n    Events that must complete before the kernel starts.\n"
     "*kernel_args : arrays, numbers, tuples, LocalAccessor"},
    {"single_task", method(single_task), METH_FASTCALL,
     "single_task(kernel_fn, *kernel_args)\n--\n\n"
     "Run a kernel without an index space once, and wait until it has run.\n\n"
     "Parameters\n----------\nkernel_fn : a function decorated with `kernel`, without a work-item parameter\n"
     "*kernel_args : arrays, numbers, tuples\n\n"
     "Examples\n--------\n"
     ">>> import dpnp\n>>> import numba_dpex as ndx\n"
     ">>> @ndx.kernel\n... def total(a, result):\n...     for i in range(a.size):\n...         result[0] += a[i]\n"
     ">>> result = dpnp.zeros(1, dtype=\"i8\")\n>>> ndx.single_task(total, dpnp.arange(5), result)\n"
     ">>> result\narray([10])"},
    {"single_task_async", method(single_task_async), METH_FASTCALL,
     "single_task_async(kernel_fn, dependent_events, *kernel_args)\n--\n\n"
     "Submit a kernel without an index space, and return what `call_kernel_async` returns.\n\n"
     "Parameters\n----------\nkernel_fn : a function decorated with `kernel`, without a work-item parameter\n"
     "dependent_events : sequence of dpctl.SyclEvent\n    Events that must complete before the kernel starts.\n"
     "*kernel_args : arrays, numbers, tuples"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void bind_kernel_launch(nb::module_ &m) {
  if (PyModule_AddFunctions(m.ptr(), functions) != 0) throw nb::python_error();
  m.def(
      "launch",
      [](nb::object kernel, nb::object where, nb::object space, nb::object after, nb::tuple given) {
        const std::vector<event> events = events_from(after, "dependent_events");
        std::vector<PyObject *> list;
        for (nb::handle x : given) list.push_back(x.ptr());
        const queue *const q = where.is_none() ? nullptr : &nb::cast<const queue &>(where);
        const launched l = launch(kernel.ptr(), q, space.ptr(), list, events, list);
        release_finished();
        return l.done;
      },
      "kernel"_a, "queue"_a.none(), "index_space"_a.none(), "dependent_events"_a, "args"_a,
      nb::sig("def launch(kernel: Function, queue: dpctl.SyclQueue | None, index_space: object, dependent_events: "
              "object, args: tuple) -> dpctl.SyclEvent"),
      "Submit a kernel to a queue, or to the queue of its arguments, and return its event.");
}

}  // namespace dpep::python
