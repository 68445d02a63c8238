// Launching Python kernels: the hot path is one call from Python's arguments to the queue.
#include "arguments.hpp"

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
  raise("range", "a kernel is launched over a Range or an NdRange, got " + text_of(nb::repr(x)));
}

/// Sizes as users write them, the last varying fastest, in dpep's order.
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
    throw type_error("a kernel is wanted, a function decorated with kernel, got " + type_of(nb::handle(x)));
  return *f;
}

struct launched {
  dpep::event done;
  dpep::queue where;
};

/// `where`: empty when the arguments say it. `held`: objects that are kept until the kernel is done.
launched launch(PyObject *kernel, const dpep::queue *where, PyObject *space, std::span<PyObject *const> given,
                dependencies after, std::span<PyObject *const> held = {}) {
  kernel_function &f = kernel_argument(kernel);
  const index_space s = index_space_of(space);
  packed_arguments packed(s.form);
  const bool takes_item = f.takes_item(given.size());
  f.check_count(given.size(), takes_item);
  if (takes_item) packed.add_item(item_word(s.form));
  for (std::size_t i = 0; i < given.size(); ++i) packed.add(given[i], i);
  if (!where) where = packed.queue();
  if (!where)
    raise("queue", "no queue can be told for kernel '" + text_of(nb::object(f.python().attr("__name__"))) +
                       "': none of its arguments is an array on a device");
  if (packed.local_bytes() && !s.form.grouped)
    raise("argument", "a LocalAccessor is memory of a work-group: launch the kernel over an NdRange, not a Range");
  const auto types_given = [&] {
    std::vector<pykernel::type> types;
    using kinds = pykernel::type_properties::kind;
    if (takes_item)
      types.push_back(pykernel::simple_type(s.form.grouped ? kinds::nd_item : kinds::item, s.form.dimensions));
    for (PyObject *x : given) types.push_back(packed_arguments::type_of_argument(x));
    return types;
  };
  const specialisation &compiled = f.find(packed.key(), std::ref(types_given));
  const source_line line = calling_line();
  launched result{{}, *where};
  std::shared_ptr<void> objects = held.empty() ? nullptr : hold(held);
  {
    nb::gil_scoped_release unlocked;
    const auto submit = [&](dependencies all) {
      event done = dpep::launch(*where, compiled.compiled, s.work, packed.bytes(), packed.local_bytes(), all, line);
      if (done && objects) done.keep_alive(std::move(objects));
      return done;
    };
    std::vector<event> more;
    if (packed.queue() && *packed.queue() != *where) {  // new memory, too, may still be used by that queue's array work
      more.assign(after.begin(), after.end());
      more.push_back(array::last_event(*packed.queue()));
      after = more;
    }
    result.done = array::in_turn(*where, after, std::ref(submit));
  }
  return result;
}

PyObject *call_kernel(PyObject *, PyObject *const *arguments, Py_ssize_t count) noexcept {
  return guarded([&]() -> PyObject * {
    if (count < 2) throw type_error("call_kernel takes a kernel, an index space and the kernel's arguments");
    const launched l = launch(arguments[0], nullptr, arguments[1], {arguments + 2, std::size_t(count - 2)}, {});
    if (l.done) {
      wait_interruptibly(l.done, [&] { l.done.keep_alive(hold({arguments, std::size_t(count)})); });
      nb::gil_scoped_release unlocked;
      l.where.throw_asynchronous();
    } else {
      l.where.throw_asynchronous();
    }
    release_finished();
    Py_RETURN_NONE;
  });
}

PyObject *call_kernel_async(PyObject *, PyObject *const *arguments, Py_ssize_t count) noexcept {
  return guarded([&]() -> PyObject * {
    if (count < 3)
      throw type_error(
          "call_kernel_async takes a kernel, an index space, the events to wait for and the kernel's arguments");
    const std::vector<event> after = events_from(nb::handle(arguments[2]), "dependent_events");
    const launched l = launch(arguments[0], nullptr, arguments[1], {arguments + 3, std::size_t(count - 3)}, after,
                              {arguments, std::size_t(count)});
    release_finished();
    const nb::object e = nb::cast(l.done);
    return nb::make_tuple(e, e).release().ptr();
  });
}

PyMethodDef functions[] = {
    {"call_kernel", reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(call_kernel)), METH_FASTCALL,
     "call_kernel(kernel_fn, index_space, *kernel_args)\n--\n\n"
     "Run a kernel over an index space, and wait until it is done.\n\n"
     "Parameters\n----------\nkernel_fn : a function decorated with `kernel`\nindex_space : Range or NdRange\n"
     "*kernel_args : arrays, numbers, tuples, LocalAccessor\n"
     "    The kernel's arguments, without the item.\n\n"
     "Raises\n------\nExecutionQueueInferenceError\n    The arrays are on different queues, or there is none."},
    {"call_kernel_async", reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(call_kernel_async)), METH_FASTCALL,
     "call_kernel_async(kernel_fn, index_space, dependent_events, *kernel_args)\n--\n\n"
     "Submit a kernel, and return two events (the same one twice) that are complete when it is done.\n\n"
     "Parameters\n----------\nkernel_fn : a function decorated with `kernel`\nindex_space : Range or NdRange\n"
     "dependent_events : sequence of dpctl.SyclEvent\n    What the kernel waits for.\n"
     "*kernel_args : arrays, numbers, tuples, LocalAccessor"},
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
      "Submit a kernel to a queue, or to that of its arguments; does not wait.");
}

}  // namespace dpep::python
