// A loop of a dpjit function, compiled as a kernel for the types of the variables that it uses.
#pragma once

#include <chrono>
#include <functional>
#include <map>

#include "arguments.hpp"
#include "loop_sharing.hpp"

namespace dpep::python {

/// How work-items share the iterations of a loop.
enum class sharing : std::uint8_t {
  none,        // one work-item executes all
  items,       // each work-item executes one iteration of a nest of up to three loops
  chunks,      // each work-item executes consecutive iterations
  strides,     // each of n work-items executes every n-th iteration
  grid,        // the work-items of a row share one iteration, or those of the whole launch a sequential loop
  groups,      // the work-items of a work-group share one iteration, or a sequential loop, and wait for each other
  concurrent,  // the work-items of the launch share a sequential loop; all work-groups run at once, and wait
  batches,     // the work-items of a sub-group execute batches of an inner loop's iterations
  sums,        // the work-items of a work-group execute iterations, and add to copies of arrays in local memory
};

/// The iterations of range(start, stop, step).
struct iterations {
  std::int64_t start = 0, step = 1;
  std::size_t count = 0;
};

/// The element of an array without axes as a NumPy scalar: a number of the loop.
nb::object number_in(const ndarray &);

/// Memory that the host reads and every device writes.
class result_memory;

/// The objects that a call passes, with arrays without axes as numbers, and the queue of the arrays.
struct loop_inputs;

/// The choice between two ways to run a sequential loop that contains parallel ones, for arrays of about one size: as a
/// whole on one thread, or by Python, which submits the parallel loops. It follows the times of the first runs.
class choice {
public:
  bool prefers_python() const noexcept {
    if (python_runs_ >= python_samples) return python_ < whole_;
    if (whole_runs_ < whole_samples && whole_ < never_by_chance) return false;
    return whole_ >= (total_ < enough_runs ? long_run : worth_a_comparison);
  }
  void learn_whole(double seconds) noexcept {
    whole_ = whole_runs_ ? std::min(whole_, seconds) : seconds;
    whole_runs_ = std::min(whole_runs_ + 1, whole_samples);
    total_ += seconds;
  }
  void learn_python(double seconds) noexcept { python_ = python_runs_++ ? std::min(python_, seconds) : seconds; }

private:
  // Seconds. A comparison compiles the inner loops. Runs that take `long_run` are compared at once, shorter ones after
  // `enough_runs` in all, and those below `worth_a_comparison` never.
  static constexpr double long_run = 1e-3, worth_a_comparison = 0.1e-3, enough_runs = 50e-3;
  static constexpr int python_samples = 3;  // the first run compiles the inner loops
  // The system may suspend a thread for milliseconds, so that shorter runs are not judged by one of them.
  static constexpr int whole_samples = 3;
  static constexpr double never_by_chance = 30e-3;
  double whole_ = 0, python_ = 0;  // the least times
  double total_ = 0;               // of runs as a whole
  int whole_runs_ = 0, python_runs_ = 0;
};

/// How many work-items share the loop: `lanes` in each of the rows or groups. Rows are the iterations of a parallel
/// loop.
struct sharing_items {
  std::size_t rows = 1, lanes = 1;
  std::size_t iterations = 1;  // of the inner loops
  std::size_t groups = 0;      // work-groups in the forms `sums` and `concurrent`
};

class compiled_loop {
public:
  struct form {
    sharing how = sharing::none;
    std::shared_ptr<const pykernel::callable> source;
    std::vector<std::unique_ptr<specialisation>> all{};
  };

  compiled_loop(nb::object function, nb::object trees, int dimensions, bool has_parallel, const nb::list &reductions,
                std::vector<std::string> outputs, nb::dict options)
      : function_(std::move(function)),
        trees_(std::move(trees)),
        dimensions_(dimensions),
        has_parallel_(has_parallel),
        outputs_(std::move(outputs)) {
    for (nb::handle r : reductions) {
      reductions_.push_back({nb::cast<std::string>(r[0]), nb::cast<std::string>(r[1])});
      of_arrays_.push_back(nb::borrow(r[2]));
    }
    for (const std::string &name : outputs_) {
      const auto found = std::ranges::find(reductions_, name, &pykernel::loop_properties::reduction::variable);
      operations_.push_back(found == reductions_.end() ? "" : found->operation);
    }
    debug_ = nb::cast<bool>(options["debug"]);
    raises_ = nb::cast<bool>(options.attr("get")("raises", false));
    has_parallel_form_ = nb::cast<bool>(options.attr("get")("reduces", false));
    vectorises_items_ = nb::cast<bool>(options.attr("get")("vectorises_items", false));
    only_on_gpus_ = nb::cast<bool>(options.attr("get")("only_on_gpus", false));
    scratch_ = nb::cast<std::vector<std::string>>(options.attr("get")("scratch", nb::list()));
    if (scratch_.empty()) trees_for_gpus_ = options.attr("get")("for_gpus", nb::none());
    fast_math_ = fast_math_of(nb::object(options["fastmath"]));
  }
  compiled_loop(const compiled_loop &) = delete;

  /// Runs the loop, and returns a tuple of its outputs. Returns None where Python is to execute the loop: for
  /// operations on whole arrays, and, if the loop is sequential, for all else that kernels do not support.
  /// `in_order`: sequential loops are not executed as parallel ones.
  nb::object call(std::span<PyObject *const> given, bool in_order = false);

  /// Records the time of a run by Python, after a call that returned None.
  void finished();

  /// Visits the Python objects that the loop refers to, for the garbage collector: `trees_` may refer to the loop.
  int traverse(visitproc visit, void *arg) {
    Py_VISIT(function_.ptr());
    Py_VISIT(trees_.ptr());
    Py_VISIT(trees_for_gpus_.ptr());
    for (const nb::object &each : of_arrays_) Py_VISIT(each.ptr());
    return 0;
  }
  void clear() {
    trees_.reset();
    trees_for_gpus_.reset();
  }

  bool is_parallel() const noexcept { return dimensions_ > 0; }
  /// The line of the loop in its file; 0 before it is compiled.
  std::uint32_t line() const noexcept { return forms_.empty() ? 0 : forms_[0].source->source.at.line; }
  nb::list variables_of(const form &f, const specialisation &s) const {
    nb::list variables;
    for (std::size_t i = 0; i < s.arguments.size(); ++i)
      variables.append(nb::make_tuple(f.source->source.parameters[i].name, pykernel::display_name(s.arguments[i])));
    return variables;
  }
  /// The reason why the loop could not be compiled for the types of the last call; empty if it could.
  const std::string &refusal() const noexcept { return refusal_; }
  /// Whether that was an operation on whole arrays.
  bool refused_for_arrays() const noexcept { return refused_for_arrays_; }
  std::vector<const form *> forms() const {
    std::vector<const form *> all;
    for (const form &f : forms_) all.push_back(&f);
    for (const auto &each : for_gpus_) all.push_back(&each->of);
    return all;
  }
  /// The dimensions of a form's index space.
  int dimensions_of(sharing how) const noexcept {
    if (how == sharing::sums || how == sharing::batches || how == sharing::concurrent) return 1;
    if (how != sharing::grid) return std::max(1, dimensions_);
    return dimensions_ > 0 || for_gpus_.back()->rules.have_rows() ? 2 : 1;
  }
  static bool is_grouped(sharing how) noexcept {
    return how == sharing::strides || (is_for_gpus(how) && how != sharing::grid);
  }
  /// Whether it is a form for GPUs besides those of all devices.
  static bool is_for_gpus(sharing how) noexcept { return how >= sharing::grid; }

private:
  /// A form for GPUs: its work-items share inner loops, or copies of arrays.
  struct gpu_form {
    form of;
    sharing_rules rules;
    bool is_cheap_for_python;  // but for the loops in it, which are kernels of their own
    bool reduces;              // its work-items share reductions
    std::size_t most_rows;     // for more, and for short inner loops, the next form takes less time; 0: never
    bool has_lanes;            // several work-items share an iteration: in the form `sums` of a parallel loop, in the
                               // forms `groups` and `concurrent` of an inner loop
  };

  nb::object function_, trees_;  // trees_: the function that returns the trees of all forms; empty after its call
  nb::object trees_for_gpus_;    // the function that returns what the forms for GPUs are made of; empty after its call
  std::vector<std::shared_ptr<gpu_form>> for_gpus_;  // in order of preference
  bool has_shared_loops_ = false;                    // and no such form: Python executes it for large arrays
  std::uint8_t fast_math_ = 0;
  int dimensions_;                         // of the nest of parallel loops; 0: the loop is sequential
  bool has_parallel_;                      // a sequential loop that contains parallel ones
  std::map<std::size_t, choice> choices_;  // of such a loop, by the order of magnitude of its arrays' sizes
  choice *timed_ = nullptr;                // of the loop that Python runs now
  std::optional<queue> timed_on_;
  std::chrono::steady_clock::time_point started_;
  std::vector<std::string> outputs_, operations_;
  std::vector<pykernel::loop_properties::reduction> reductions_;
  std::vector<nb::object> of_arrays_;           // for each reduction: what reduces arrays, or None
  std::shared_ptr<result_memory> kept_memory_;  // of the last call, unless one is using it
  std::vector<std::string> scratch_;  // the parameters that are arrays of each work-item, of Python's class Scratch
  std::vector<form> forms_;
  bool debug_ = false;
  bool has_parallel_form_ = false;  // a sequential loop that GPUs execute as another one, which is parallel
  bool only_on_gpus_ = false;       // that other loop
  bool vectorises_items_ = false;   // as loop_properties::vectorises_items
  bool raises_ = false;             // the loop has `raise` or `assert`, so a call waits for it
  std::string refusal_;
  bool refused_for_arrays_ = false;

  /// Reads the forms' trees.
  void read_forms();
  void read_forms_for_gpus();
  std::shared_ptr<const pykernel::callable> read(nb::handle tree) const;
  /// How many work-items share the loop in a form for GPUs; nullopt if it does not suit these inputs. `nest`: the
  /// iterations of parallel loops.
  std::optional<sharing_items> sharing_for(const gpu_form &, std::span<const iterations> nest,
                                           const loop_inputs &) const;
  std::optional<sharing_items> sums_for(const gpu_form &, std::span<const iterations> nest, const loop_inputs &,
                                        const sharing_rules::variables &) const;
  std::optional<sharing_items> concurrent_groups_for(const gpu_form &, std::size_t count, const loop_inputs &) const;
  /// Runs the loop in the first form for GPUs that suits its inputs. Returns None if Python is to execute it, and
  /// nullopt if no form does.
  std::optional<nb::object> run_as_on_gpus(std::span<const iterations> nest, loop_inputs &, choice *measured);
  nb::object run(form &, std::span<const iterations> nest, loop_inputs &, choice *measured, sharing_items = {});
  bool is_reduction() const noexcept { return !reductions_.empty(); }
  /// Records that Python executes the loop because of operations on whole arrays. Returns None.
  nb::object refuse(std::string reason) {
    refusal_ = std::move(reason);
    refused_for_arrays_ = true;
    return nb::none();
  }
  /// Returns None for a loop that Python executes without a warning.
  nb::object refuse_quietly() {
    refused_for_arrays_ = true;
    return nb::none();
  }
  form &form_for(const queue &, bool short_rows);
  /// The outputs of a loop without iterations.
  nb::object unchanged_outputs(std::span<PyObject *const> inputs) const;
  /// The input that has the name of an output. Inputs are the last parameters of all forms.
  nb::object input_of(std::size_t output, std::span<PyObject *const> inputs) const;
  /// The position of an input by its name; nullopt if there is none.
  std::optional<std::size_t> input_named(std::string_view name, std::size_t inputs) const;
  /// Raises the Python exception that a kernel's error names, if it comes from `raise` or `assert`.
  void raise_as_written(const exception &) const;
  /// Submits the kernel, and waits for it if it has outputs or may raise. Returns the outputs, combined over
  /// work-items.
  nb::object launch(const queue &, const specialisation &, const geometry &, packed_arguments &, std::size_t items,
                    std::span<PyObject *const> inputs);
  const specialisation *find(form &, const launch_form &, std::span<const std::uint64_t> key,
                             const std::function<std::vector<pykernel::type>()> &types);
};

}  // namespace dpep::python
