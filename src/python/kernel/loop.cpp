#include "loop.hpp"

#include <algorithm>
#include <bit>

#include <dpep/array_functions.hpp>
#include <dpep/array_order.hpp>
#include <dpep/memory.hpp>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "../keep_alive.hpp"
#include "caller.hpp"
#include "loop_results.hpp"

namespace dpep::python {

/// Memory that the host reads and every device writes.
class result_memory {
public:
  result_memory(const queue &q, std::size_t bytes) : context_(q.get_context()), bytes_(bytes) {
    pointer_ = allocate(usm_kind::host, bytes, 64, context_, {});
  }
  result_memory(const result_memory &) = delete;
  ~result_memory() { free(pointer_, context_); }
  std::uint64_t *words() const noexcept { return static_cast<std::uint64_t *>(pointer_); }
  bool suits(const queue &q, std::size_t bytes) const { return bytes <= bytes_ && context_ == q.get_context(); }
  /// Whether it is small enough to be kept for the next call.
  bool is_small() const noexcept { return bytes_ <= 64 << 10; }

private:
  const context context_;
  const std::size_t bytes_;
  void *pointer_;
};

nb::object number_in(const ndarray &a) { return number_to_python(a.type(), false, element_of(a, "dpjit")); }

/// The objects that a call passes, with arrays without axes as numbers, and the queue of the arrays.
struct loop_inputs {
  std::vector<PyObject *> objects;
  std::vector<nb::object> numbers;  // that `objects` refers to
  const queue *where = nullptr;
  bool short_rows = false;
  std::size_t elements = 0;

  explicit loop_inputs(std::span<PyObject *const> given) : objects(given.begin(), given.end()) {
    for (PyObject *&x : objects) {
      if (!is_array(x)) continue;
      const ndarray &a = array_of(x);
      short_rows |= has_short_rows(a);
      elements += std::size_t(a.size());
      if (!where) where = &a.get_queue();
      if (a.dimensions() != 0) continue;
      numbers.push_back(number_in(a));
      x = numbers.back().ptr();
    }
    if (!where) where = &default_queue();
  }
  /// Adds or removes the first object of the form `concurrent`: the counter of its barriers.
  void with_counter(bool wanted) {
    if (counter_.is_valid()) objects.erase(objects.begin());
    counter_.reset();
    if (!wanted) return;
    constexpr std::array<std::int64_t, 1> shape{1};
    const array::scalar zero = array::scalar::of(std::int64_t{0});
    counter_ = to_python(array::full(shape, zero, dtype::uint32, {*where}), array::package::dpctl);
    objects.insert(objects.begin(), counter_.ptr());
  }

private:
  nb::object counter_;
};

namespace {

constexpr std::pair<std::string_view, sharing> sharing_names[] = {
    {"none", sharing::none},       {"items", sharing::items}, {"chunks", sharing::chunks},
    {"strides", sharing::strides}, {"grid", sharing::grid},   {"groups", sharing::groups},
    {"batches", sharing::batches}, {"sums", sharing::sums},   {"concurrent", sharing::concurrent}};

sharing sharing_named(nb::handle name) {
  const auto *const how =
      std::ranges::find(sharing_names, nb::cast<std::string>(name), &std::pair<std::string_view, sharing>::first);
  if (how == std::end(sharing_names)) throw value_error("Loop: unknown form " + text_of(nb::repr(name)));
  return how->second;
}

iterations iterations_of(std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (step == 0) throw value_error("prange: step must not be zero");
  const bool up = step > 0;
  if (up ? start >= stop : start <= stop) return {start, step, 0};
  const std::uint64_t distance =
      up ? std::uint64_t(stop) - std::uint64_t(start) : std::uint64_t(start) - std::uint64_t(stop);
  const std::uint64_t size = up ? std::uint64_t(step) : 0 - std::uint64_t(step);
  return {start, step, (distance - 1) / size + 1};
}

std::int64_t integer_from(PyObject *x) {
  const nb::object index = nb::steal(PyNumber_Index(x));
  if (!index.is_valid()) throw nb::python_error();
  const std::int64_t value = PyLong_AsLongLong(index.ptr());
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return value;
}

/// The number of iterations of a work-item in the form `chunks`. It depends on the number of iterations only, so that
/// results of reductions do not depend on the number of threads.
/// Above one it is even: two iterations may share loads (jit/compile/stencil_rows.hpp).
std::size_t chunk_of(std::size_t count) {
  constexpr std::size_t items = 256;
  return count < items ? 1 : std::min<std::size_t>((count / items + 1) & ~std::size_t{1}, 4096);
}
/// The work-groups in the form `strides`. Their number does not depend on the device, either.
constexpr std::size_t strided_group = 256, most_strided_groups = 1024;
/// Arrays that are reduced: each work-item has a copy. Larger ones take longer to copy than operations on whole arrays.
constexpr std::size_t most_reduced_elements = 1 << 16, most_copied_elements = 1 << 22;
constexpr std::int64_t most_scratch_elements = 1 << 24;
/// Shorter inner loops are not worth sharing between the work-items of a row.
constexpr std::size_t least_shared_iterations = 4;
/// With more rows, or shorter ones, a work-item for each row takes less time than a work-group that combines its
/// work-items' sums.
constexpr std::size_t most_rows_of_reductions = 1 << 16, least_reduced_iterations = 128;
/// Work-items of one group execute shorter inner loops in less time than the launch of a kernel for each loop takes.
constexpr std::size_t least_iterations_of_kernels = 8192;
/// With more rows, or shorter ones, a work-item for each row takes less time than a sub-group.
constexpr std::size_t most_rows_in_batches = 1 << 15, least_batched_iterations = 64, batches_group = 128;
/// With fewer iterations of the inner loop, a sub-group takes less time than a work-group with barriers.
constexpr std::size_t least_iterations_of_groups = 4096;
/// The work-items of a group in the form `sums`, and the most groups for each compute unit. For each element that is
/// added to, and each group, there are so many additions at least: each group adds its sums to the elements.
constexpr std::size_t sums_group = 256, sums_groups = 8, least_sums_of_element = 4, least_summed_iterations = 8192;
/// The work-items of a group in the form `concurrent`. With fewer groups, one takes less time without barriers of the
/// launch. With more iterations, kernels for the inner loops do.
/// Each work-item computes what all compute, so groups are smaller unless they share reductions and rows.
constexpr std::size_t concurrent_group = 256, concurrent_group_of_rows = 1024, least_concurrent_groups = 4,
                      most_concurrent_iterations = 1 << 24;
/// With more elements, kernels for parallel loops in a loop take less time than a work-group that executes all of it.
constexpr std::size_t most_elements_of_one_group = 1 << 14;
/// The sub-groups of GPUs have as many work-items.
constexpr std::size_t sub_group_items = 32;
/// The work-items in the form `grid`.
constexpr std::size_t most_grid_items = 1 << 30;
/// The work-items of a group in the form `groups`: many, if there are few groups.
constexpr std::size_t group_granularity = 32, most_items_of_many = 256, most_items_of_few = 1024, few_groups = 256,
                      most_groups = 1 << 30;

bool on_one_queue(std::span<PyObject *const> objects) {
  const queue *first = nullptr;
  return std::ranges::all_of(objects, [&](PyObject *x) {
    if (!is_array(x)) return true;
    if (!first) first = &array_of(x).get_queue();
    return array_of(x).get_queue() == *first;
  });
}

/// Whether loops on the queue have the forms for GPUs.
bool runs_as_on_gpus(const queue &q) { return !q.get_device().info().local_mem_is_global || loops_as_on_gpus(); }

}  // namespace

void compiled_loop::read_forms() {
  if (!trees_.is_valid()) return;
  const nb::object make = trees_;  // another thread may read the forms at the same time
  const nb::dict trees = nb::cast<nb::dict>(make());
  std::vector<form> read;
  for (auto [name, tree] : trees) read.push_back({sharing_named(name), this->read(tree)});
  if (!trees_.is_valid()) return;  // it has, and may be using them
  forms_ = std::move(read);
  trees_.reset();
}

std::shared_ptr<const pykernel::callable> compiled_loop::read(nb::handle tree) const {
  try {
    const std::shared_ptr<pykernel::callable> source = read_loop(function_, tree);
    source->fast_math = fast_math_;
    return source;
  } catch (const pykernel::compile_error &e) {
    raise(e);
  }
}

void compiled_loop::read_forms_for_gpus() {
  if (!trees_for_gpus_.is_valid() || trees_for_gpus_.is_none()) return;
  const nb::object make = trees_for_gpus_;  // another thread may read the forms at the same time
  const nb::object found = make();
  std::vector<std::shared_ptr<gpu_form>> read;
  for (nb::handle each : nb::object(found["forms"])) {
    using names = std::vector<std::string>;
    using singles = std::vector<sharing_rules::single_loop>;
    const auto extents = [&](const char *key) { return nb::cast<sharing_rules::extents>(each[key]); };
    const auto list = [&](const char *key) { return nb::cast<names>(each[key]); };
    read.push_back(std::make_shared<gpu_form>(
        form{sharing_named(each["form"]), this->read(each["tree"])},
        sharing_rules{extents("elements"), list("stored"), list("integers"), list("sums"), extents("extents"),
                      extents("rows"), nb::cast<singles>(each["single"])},
        nb::cast<bool>(each["is_cheap_on_host"]), nb::cast<bool>(each["reduces"]),
        nb::cast<std::size_t>(each["most_rows"]), nb::cast<bool>(each["has_lanes"])));
  }
  if (!trees_for_gpus_.is_valid()) return;
  for_gpus_ = std::move(read);
  has_shared_loops_ = nb::cast<bool>(found["by_python"]);
  trees_for_gpus_.reset();
}

std::optional<sharing_items> compiled_loop::sharing_for(const gpu_form &f, std::span<const iterations> nest,
                                                        const loop_inputs &inputs) const {
  const auto named = [&](std::string_view name) {
    const auto at = input_named(name, inputs.objects.size());
    return at ? inputs.objects[*at] : nullptr;
  };
  if (!f.rules.allow(inputs.objects, named)) return std::nullopt;
  if (f.of.how == sharing::sums) return sums_for(f, nest, inputs, named);
  std::size_t rows = nest.empty() ? 1 : nest[0].count;
  const std::size_t count = f.rules.iterations(rows, named);
  if (is_parallel() && count < least_shared_iterations) return std::nullopt;
  if (f.most_rows && (rows > f.most_rows || count < least_iterations_of_groups)) return std::nullopt;
  if (f.of.how == sharing::batches) {
    if (rows > most_rows_in_batches || count < least_batched_iterations) return std::nullopt;
    return {{rows, batches_group, count}};
  }
  if (f.of.how == sharing::concurrent) return concurrent_groups_for(f, count, inputs);
  if (has_parallel_ && inputs.elements > most_elements_of_one_group) return std::nullopt;
  if (f.reduces && !has_parallel_ && (rows > most_rows_of_reductions || count < least_reduced_iterations))
    return std::nullopt;
  if (f.of.how == sharing::grid) {
    if (f.rules.have_single()) {
      const std::optional<std::size_t> lanes = f.rules.single_iterations(named);
      if (!lanes || *lanes > most_grid_items / std::max<std::size_t>(rows, 1)) return std::nullopt;
      return {{rows, *lanes, count}};
    }
    if (f.rules.have_rows()) rows = std::clamp<std::size_t>(f.rules.rows(named), 1, most_grid_items);
    return {{rows, std::clamp<std::size_t>(most_grid_items / rows, 1, std::max<std::size_t>(count, 1)), count}};
  }
  if (rows > most_groups) return std::nullopt;
  const std::size_t most = rows < few_groups ? most_items_of_few : most_items_of_many;
  const std::size_t items = is_parallel() || !f.has_lanes ? count : count * sub_group_items;
  const std::size_t whole = (items + group_granularity - 1) / group_granularity * group_granularity;
  return {{rows, std::clamp(whole, group_granularity, most), count}};
}

std::optional<sharing_items> compiled_loop::concurrent_groups_for(const gpu_form &f, std::size_t count,
                                                                  const loop_inputs &inputs) const {
  if (count > most_concurrent_iterations || checks_are_on()) return std::nullopt;  // a failing work-item ends
  const std::size_t items = count * (f.has_lanes ? sub_group_items : 1);
  const std::size_t most = inputs.where->get_device().info().max_compute_units;
  const std::size_t lanes = f.reduces || f.has_lanes ? concurrent_group_of_rows : concurrent_group;
  const std::size_t groups = std::min((items + lanes - 1) / lanes, most);
  if (groups < std::min(least_concurrent_groups, most)) return std::nullopt;
  return {{1, lanes, count, groups}};
}

std::optional<sharing_items> compiled_loop::sums_for(const gpu_form &f, std::span<const iterations> nest,
                                                     const loop_inputs &inputs,
                                                     const sharing_rules::variables &named) const {
  if (checks_are_on()) return std::nullopt;  // they are for the arrays' indices
  std::size_t rows = 1;
  for (const iterations &of_loop : nest) rows *= of_loop.count;
  const bool shares_iterations = f.has_lanes || f.rules.have_rows();
  if (f.rules.have_rows()) rows = f.rules.rows(named);
  const std::size_t inner = shares_iterations || nest.empty() ? f.rules.iterations(rows, named) : 1;
  const std::size_t all = rows * inner, summed = f.rules.summed_elements(named);
  if (rows > most_grid_items || all < least_summed_iterations || all / least_sums_of_element < summed)
    return std::nullopt;
  const std::size_t most = std::max<std::size_t>(inputs.where->get_device().info().max_compute_units, 1) * sums_groups;
  const std::size_t groups = std::clamp<std::size_t>(all / (summed + sums_group) / least_sums_of_element, 1, most);
  std::size_t lanes = 1;
  while (shares_iterations && lanes < inner && (lanes < 32 || lanes * rows < groups * sums_group) && lanes < sums_group)
    lanes *= 2;
  return {{rows, lanes, inner, groups}};
}

std::optional<nb::object> compiled_loop::run_as_on_gpus(std::span<const iterations> nest, loop_inputs &inputs,
                                                        choice *measured) {
  read_forms_for_gpus();
  bool fits = false;
  for (const auto &f : for_gpus_) {
    const std::optional<sharing_items> items = sharing_for(*f, nest, inputs);
    if (!items) continue;
    fits = true;
    if (f->is_cheap_for_python && (has_parallel_ || items->iterations >= least_iterations_of_kernels))
      return refuse_quietly();
    if (nb::object outputs = run(f->of, nest, inputs, measured, *items); !outputs.is_none()) return outputs;
  }
  if (!fits && has_shared_loops_ && inputs.elements >= least_iterations_of_kernels) return refuse_quietly();
  return std::nullopt;
}

compiled_loop::form &compiled_loop::form_for(const queue &q, bool short_rows) {
  if (forms_.size() == 1) return forms_[0];
  // Where local memory is global memory, on CPUs, work-items run one after the other on a few threads.
  // Inner loops over a short last axis are unrolled, so that LLVM vectorises across the work-items of `items`.
  const bool few_long_items = !runs_as_on_gpus(q) && (is_reduction() || !scratch_.empty() || !short_rows);
  for (form &f : forms_)
    if ((f.how == sharing::chunks) == few_long_items) return f;
  return forms_[0];
}

const specialisation *compiled_loop::find(form &f, const launch_form &shape, std::span<const std::uint64_t> key,
                                          const std::function<std::vector<pykernel::type>()> &types) {
  for (const auto &s : f.all)
    if (std::ranges::equal(s->key, key)) return s.get();
  auto made = std::make_unique<specialisation>();
  made->key.assign(key.begin(), key.end());
  made->arguments = types();
  const bool many_iterations = f.how != sharing::items && f.how != sharing::grid;
  const bool is_shared = is_for_gpus(f.how);  // then there is another form
  const pykernel::loop_properties loop{reductions_, outputs_, many_iterations, vectorises_items_, scratch_, is_shared};
  try {
    made->ir = pykernel::translate({.function = *f.source,
                                    .arguments = made->arguments,
                                    .dimensions = shape.dimensions,
                                    .grouped = shape.grouped,
                                    .check = checks_are_on(),
                                    .single_task = shape.single_task,
                                    .debug = debug_ || pykernel::debugging_enabled(),
                                    .loop = &loop});
    made->compiled = without_gil([&] { return pykernel::make_kernel(made->ir); });
  } catch (const pykernel::compile_error &e) {
    using enum pykernel::error_kind;
    refused_for_arrays_ = e.kind() == whole_array || e.kind() == array_function;
    if (is_parallel() && !refused_for_arrays_ && !is_shared && !only_on_gpus_) raise(e);
    refusal_ = e.what();
  }
  for (const auto &s : f.all)
    if (std::ranges::equal(s->key, key)) return s.get();  // another thread compiled the same
  f.all.push_back(std::move(made));
  return f.all.back().get();
}

namespace {

/// An array that the loop reduces.
struct reduced_array {
  std::size_t input;  // its position
  nb::object how;     // of Python's class ArrayReduction
  nb::object total;   // the array before the loop
  nb::object parts;   // one array for each work-item
};

/// The outputs of a loop with the results in place of the work-items' arrays.
nb::object with_totals(const nb::object &outputs, const std::vector<reduced_array> &reduced) {
  nb::list values;
  for (nb::handle each : outputs) {
    const auto of = std::ranges::find_if(reduced, [&](const reduced_array &r) { return r.parts.is(each); });
    if (of == reduced.end())
      values.append(each);
    else
      values.append(of->how.attr("finish")(of->total, of->parts));
  }
  return nb::tuple(values);
}

}  // namespace

nb::object compiled_loop::call(std::span<PyObject *const> given, bool in_order) {
  if (given.size() < 3 * std::size_t(dimensions_)) throw type_error("Loop: the bounds of its ranges are missing");
  read_forms();
  std::array<iterations, 3> nest;
  bool empty = false;
  for (std::size_t d = 0; d < std::size_t(dimensions_); ++d) {
    nest[d] = iterations_of(integer_from(given[3 * d]), integer_from(given[3 * d + 1]), integer_from(given[3 * d + 2]));
    empty |= nest[d].count == 0;
  }
  loop_inputs inputs(given.subspan(3 * std::size_t(dimensions_)));
  const bool as_on_gpus = runs_as_on_gpus(*inputs.where);
  choice *measured = nullptr;
  if (has_parallel_) {
    refused_for_arrays_ = true;  // so that there is no warning where Python executes the loop
    if (as_on_gpus) {
      const nb::object outputs = run_as_on_gpus({}, inputs, nullptr).value_or(nb::none());
      refused_for_arrays_ = true;
      return outputs;
    }
    measured = &choices_[std::size_t(std::bit_width(inputs.elements))];
    if (measured->prefers_python()) {
      timed_ = measured;
      timed_on_ = *inputs.where;
      started_ = std::chrono::steady_clock::now();
      return nb::none();
    }
  }
  const std::span<const iterations> counted(nest.data(), std::size_t(dimensions_));
  if (as_on_gpus ? has_parallel_form_ && !in_order : only_on_gpus_) return nb::none();
  if (as_on_gpus && !empty)
    if (const std::optional<nb::object> outputs = run_as_on_gpus(counted, inputs, measured)) return *outputs;
  return run(form_for(*inputs.where, inputs.short_rows), counted, inputs, measured);
}

nb::object compiled_loop::run(form &f, std::span<const iterations> nest, loop_inputs &inputs, choice *measured,
                              sharing_items shared) {
  const bool empty = std::ranges::any_of(nest, [](const iterations &i) { return i.count == 0; });
  const launch_form shape{dimensions_of(f.how), is_grouped(f.how), f.how == sharing::none};
  inputs.with_counter(f.how == sharing::concurrent);
  geometry work;
  work.dimensions = std::uint32_t(shape.dimensions);
  packed_arguments packed(shape, std::span(f.source->source.parameters).last(inputs.objects.size()));
  const bool takes_item = f.how != sharing::none;
  if (takes_item) packed.add_item(item_word(shape));
  std::size_t items = 1, integers = 0;
  const auto pass = [&](std::int64_t x) { packed.add_integer(x), ++integers; };
  for (std::size_t d = 0; d < nest.size(); ++d) {
    pass(nest[d].start), pass(nest[d].step);
    if (f.how == sharing::items) work.global[nest.size() - 1 - d] = nest[d].count;
  }
  if (f.how == sharing::grid) {
    work.global[0] = shared.lanes;
    if (shape.dimensions == 2) work.global[1] = shared.rows;
  } else if (f.how == sharing::groups) {
    work.global[0] = items = shared.lanes * shared.rows;
    work.local = {shared.lanes, 1, 1};
  } else if (f.how == sharing::concurrent) {
    work.local = {shared.lanes, 1, 1};
  } else if (f.how == sharing::batches) {
    pass(std::int64_t(shared.rows));
    // Sub-groups of more work-items iterate over the rest of the rows.
    work.global[0] = (shared.rows * sub_group_items + shared.lanes - 1) / shared.lanes * shared.lanes;
    work.local = {shared.lanes, 1, 1};
  } else if (f.how == sharing::sums) {
    for (std::size_t d = 0; d < nest.size(); ++d) pass(std::int64_t(d ? nest[d].count : shared.rows));
    pass(std::int64_t(shared.lanes));
    work.global[0] = shared.groups * sums_group;
    work.local = {sums_group, 1, 1};
  }
  std::vector<reduced_array> reduced;
  std::size_t copied = 0;  // the elements of a work-item's copies
  for (std::size_t r = 0; r < reductions_.size(); ++r) {
    const std::size_t at = *input_named(reductions_[r].variable, inputs.objects.size());
    PyObject *const x = inputs.objects[at];
    if (!is_array(x)) continue;
    const std::size_t elements = std::size_t(array_of(x).size());
    if (of_arrays_[r].is_none())
      return refuse("'" + reductions_[r].variable + "' is an array, and is changed both in place and by assignments");
    if (elements > most_reduced_elements)
      return refuse("'" + reductions_[r].variable + "' has " + std::to_string(elements) +
                    " elements; arrays of up to " + std::to_string(most_reduced_elements) +
                    " are reduced in compiled loops");
    copied = std::max(copied, elements);
    reduced.push_back({at, of_arrays_[r], nb::borrow(x), {}});
  }
  for (const std::string &name : scratch_) {
    const auto elements =
        nb::cast<std::int64_t>(nb::handle(inputs.objects[*input_named(name, inputs.objects.size())]).attr("size"));
    if (elements > most_scratch_elements)
      return refuse("an iteration creates an array of " + std::to_string(elements) + " elements");
    copied = std::max(copied, std::size_t(std::max<std::int64_t>(elements, 0)));
  }
  const std::size_t most_items = copied ? std::max<std::size_t>(most_copied_elements / copied, 16) : SIZE_MAX;
  if (f.how == sharing::chunks) {
    const std::size_t chunk = std::max(chunk_of(nest[0].count), (nest[0].count + most_items - 1) / most_items);
    pass(std::int64_t(nest[0].count)), pass(std::int64_t(chunk));
    work.global[0] = items = (nest[0].count + chunk - 1) / chunk;
  } else if (f.how == sharing::strides) {
    pass(std::int64_t(nest[0].count));
    const std::size_t most = std::clamp<std::size_t>(most_items / strided_group, 1, most_strided_groups);
    const std::size_t groups = std::clamp<std::size_t>(nest[0].count / strided_group, 1, most);
    work.global[0] = items = groups * strided_group;
    work.local = {strided_group, 1, 1};
  }
  std::vector<nb::object> scratch;
  for (const std::string &name : scratch_) {
    PyObject *&x = inputs.objects[*input_named(name, inputs.objects.size())];
    const auto first = std::ranges::find_if(inputs.objects, is_array);
    const nb::object queue =
        first == inputs.objects.end() ? nb::none() : nb::object(nb::handle(*first).attr("sycl_queue"));
    scratch.push_back(nb::handle(x).attr("begin")(items, queue));
    x = scratch.back().ptr();
  }
  for (reduced_array &r : reduced) {
    r.parts = r.how.attr("begin")(r.total, items);
    inputs.objects[r.input] = r.parts.ptr();
  }
  try {
    for (std::size_t i = 0; i < inputs.objects.size(); ++i) packed.add(inputs.objects[i], i);
  } catch (nb::python_error &e) {
    if (is_parallel() || !on_one_queue(inputs.objects)) throw;
    refusal_ = e.what();
    refused_for_arrays_ = has_parallel_;  // whose inner loops are compiled
    return nb::none();
  }
  const auto types = [&] {
    std::vector<pykernel::type> list;
    using kinds = pykernel::type_properties::kind;
    if (takes_item)
      list.push_back(pykernel::simple_type(shape.grouped ? kinds::nd_item : kinds::item, shape.dimensions));
    list.insert(list.end(), integers, pykernel::weak_integer());
    for (PyObject *x : inputs.objects) list.push_back(packed_arguments::type_of_argument(x));
    return list;
  };
  const specialisation *const compiled = find(f, shape, packed.key(), std::ref(types));
  if (!compiled->compiled) return nb::none();
  if (f.how == sharing::concurrent) {
    work.global[0] = shared.lanes;
    const std::size_t most = compiled->compiled.max_concurrent_groups(inputs.where->get_device(), work, 0);
    work.global[0] *= std::clamp<std::size_t>(most, 1, shared.groups);
  }
  if (empty) {
    for (const reduced_array &r : reduced) inputs.objects[r.input] = r.total.ptr();
    return unchanged_outputs(inputs.objects);
  }
  if (!reduced.empty()) {
    nb::object outputs = launch(*inputs.where, *compiled, work, packed, items, inputs.objects);
    return with_totals(outputs, reduced);
  }
  if (!measured) return launch(*inputs.where, *compiled, work, packed, items, inputs.objects);
  const auto start = std::chrono::steady_clock::now();
  nb::object outputs = launch(*inputs.where, *compiled, work, packed, items, inputs.objects);
  if (const event last = array::last_submitted(*inputs.where); last.status() != event_status::complete)
    wait_interruptibly(last);
  measured->learn_whole(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return outputs;
}

void compiled_loop::finished() {
  if (!timed_) return;
  // Other threads may start a run while this one waits.
  choice &run = *std::exchange(timed_, nullptr);
  const queue where = *std::exchange(timed_on_, std::nullopt);
  const auto start = started_;
  if (const event last = array::last_submitted(where); last.status() != event_status::complete)
    wait_interruptibly(last);
  run.learn_python(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

std::optional<std::size_t> compiled_loop::input_named(std::string_view name, std::size_t inputs) const {
  const auto &parameters = forms_[0].source->source.parameters;
  const auto found = std::ranges::find(parameters, name, &pykernel::parameter::name);
  if (found == parameters.end()) return std::nullopt;
  return inputs - std::size_t(parameters.end() - found);
}

nb::object compiled_loop::input_of(std::size_t output, std::span<PyObject *const> inputs) const {
  return nb::borrow(inputs[*input_named(outputs_[output], inputs.size())]);
}

nb::object compiled_loop::unchanged_outputs(std::span<PyObject *const> inputs) const {
  nb::list values;
  for (std::size_t i = 0; i < outputs_.size(); ++i) values.append(input_of(i, inputs));
  return nb::tuple(values);
}

void compiled_loop::raise_as_written(const exception &e) const {
  const std::string_view text = e.what();
  constexpr std::string_view before = "failed: ", after = " (in ";
  const std::size_t start = text.find(before), end = text.rfind(after);
  if (start == text.npos || end == text.npos || end < start) return;
  const std::string_view raised = text.substr(start + before.size(), end - start - before.size());
  const std::size_t colon = raised.find_first_of(":(");
  const std::string name(raised.substr(0, colon));
  const nb::object globals = function_.attr("__globals__");
  nb::object type = nb::steal(PyObject_CallMethod(globals.ptr(), "get", "s", name.c_str()));
  if (!type.is_valid()) throw nb::python_error();
  if (type.is_none()) type = nb::getattr(nb::module_::import_("builtins"), name.c_str(), nb::none());
  if (!PyType_Check(type.ptr()) || PyObject_IsSubclass(type.ptr(), PyExc_Exception) != 1) return;
  const auto text_from = [&](std::size_t at) {  // a text that was cut off may end within a character
    const std::string_view rest = raised.substr(std::min(at, raised.size()));
    return nb::steal(PyUnicode_DecodeUTF8(rest.data(), static_cast<Py_ssize_t>(rest.size()), "replace"));
  };
  nb::object given = nb::tuple();
  if (colon != raised.npos && raised[colon] == ':') {
    given = nb::make_tuple(text_from(colon + 2));
  } else if (colon != raised.npos) {
    try {
      given = nb::module_::import_("ast").attr("literal_eval")(text_from(colon));
    } catch (const nb::python_error &) {
      given = text_from(colon);
    }
    if (!nb::isinstance<nb::tuple>(given)) given = nb::make_tuple(given);
  }
  nb::object error = nb::steal(PyObject_Call(type.ptr(), given.ptr(), nullptr));
  if (!error.is_valid()) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
    PyErr_Clear();  // the class's initialiser takes arguments that the message does not have
    error = type.attr("__new__")(type, *given);
  }
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

nb::object compiled_loop::launch(const queue &where, const specialisation &compiled, const geometry &work,
                                 packed_arguments &packed, std::size_t items, std::span<PyObject *const> inputs) {
  const std::span<const pykernel::type> outputs = compiled.ir->outputs;
  if (compiled.ir->outputs_of_groups) items /= strided_group;
  const std::span<const std::uint32_t> optional = compiled.ir->optional_outputs;
  const std::size_t words = outputs.empty() ? 0 : items * (output_words(outputs) + optional.size());
  std::shared_ptr<result_memory> memory;
  if (words) {
    const std::size_t bytes = words * sizeof(std::uint64_t);
    memory = std::exchange(kept_memory_, nullptr);
    if (!memory || !memory->suits(where, bytes)) memory = std::make_shared<result_memory>(where, bytes);
    packed.add_word(std::bit_cast<std::uintptr_t>(memory->words()));
  }
  const source_line line = calling_line();
  std::shared_ptr<void> held = words ? nullptr : hold(inputs);
  event done;
  {
    gil_release unlocked;
    const auto submit = [&](const ordered_dependencies &after) {
      event e = dpep::launch(where, compiled.compiled, work, packed.bytes(), 0, after, line, after.replaced);
      if (e && held) e.keep_alive(std::move(held));
      return e;
    };
    done = array::in_turn(where, {}, std::ref(submit));
  }
  if (words || raises_ || compiled.ir->raises) {
    if (is_complete(done))
      interrupts::wait_succeeded();
    else
      wait_interruptibly(done, [&] {
        done.keep_alive(hold(inputs));
        if (memory) done.keep_alive(memory);
      });
    try {
      where.throw_asynchronous();
    } catch (const exception &e) {
      raise_as_written(e);
      throw;
    }
  }
  release_finished();
  if (outputs.empty()) return nb::tuple();
  const std::span<std::uint64_t> results(memory ? memory->words() : nullptr, words);
  if (items > 1) combine_outputs(outputs, operations_, results);
  nb::object values = outputs_to_python(outputs, optional, results, [&](std::size_t i) { return input_of(i, inputs); });
  if (memory && memory->is_small()) kept_memory_ = std::move(memory);
  return values;
}

}  // namespace dpep::python
