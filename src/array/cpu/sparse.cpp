// Operations on sparse matrices on CPUs: parallel loops over rows.
//
// Units have similar numbers of elements and rows together, so that neither long nor empty rows make a unit long.
#include "array/cpu/sparse.hpp"

#include <algorithm>
#include <cstring>

#include "array/base/errors.hpp"
#include "array/cpu/sparse_steps.hpp"
#include "array/cpu/step_submission.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array::cpu {
namespace {

// A product takes the calling thread less than a nanosecond an element.
constexpr std::int64_t unit_elements = 1 << 14, few_elements = 1 << 12, few_of_products = 1 << 14;

template <sparse_step step>
void kernel(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *, std::size_t) {
  sparse_arguments s;
  std::memcpy(&s, arguments, sizeof s);
  step(s, begin, end);
}

constexpr work_step parts_step{"sparse_multiply_parts", kernel<multiply_parts>},
    sums_step{"sparse_add_parts", kernel<add_parts>}, count_step{"sparse_count_keys", kernel<count_keys>},
    scan_step{"sparse_sum_keys", kernel<sum_keys>}, move_step{"sparse_move_elements", kernel<move_elements>};

/// The step of an operation on rows. The queue measures its run times by operation and dtype.
struct row_arguments {
  sparse_step step;
  sparse_arguments arguments;
};
void run_rows(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *, std::size_t) {
  row_arguments r;
  std::memcpy(&r, arguments, sizeof r);
  r.step(r.arguments, begin, end);
}
constexpr work_step rows_step{"sparse_rows", run_rows};

class submission {
public:
  explicit submission(const sparse_work &w) : work_(w) {
    const ndarray &of_index = w.starts ? w.starts : w.indices;
    arguments_.index = of_index.type();
    if (const ndarray &of_type = w.values ? w.values : w.to_values) arguments_.type = of_type.type();
    arguments_.intersection = w.intersection, arguments_.maximum = w.maximum, arguments_.only_stored = w.only_stored;
    arguments_.first = w.first, arguments_.last = w.last;
    arguments_.rows = w.rows, arguments_.columns = w.columns, arguments_.width = w.width;
    arguments_.count = w.indices ? w.indices.size() : w.values ? w.values.size() : w.to_indices.size();
    if (w.what == sparse_operation::take_rows) arguments_.count = w.x.size();
    arguments_.starts = use(w.starts), arguments_.indices = use(w.indices), arguments_.values = use(w.values);
    arguments_.other_starts = use(w.other_starts), arguments_.other_indices = use(w.other_indices);
    arguments_.other_values = use(w.other_values), arguments_.x = use(w.x);
    arguments_.to_starts = use(w.to_starts), arguments_.to_indices = use(w.to_indices);
    arguments_.to_values = use(w.to_values), arguments_.to_others = use(w.to_others);
    arguments_.counts = reinterpret_cast<std::int64_t *>(use(w.counts));
  }

  void submit() {
    switch (work_.what) {
    case sparse_operation::multiply_transposed:
      return multiply_transposed();
    case sparse_operation::group:
      return group();
    default:
      return by_rows();
    }
  }

private:
  std::byte *use(const ndarray &x) {
    if (!x) return nullptr;
    array_object &a = implementation_of(x, "sparse");
    std::byte *const first = a.first();
    used_.push_back(&a);
    return first;
  }
  const dpep::queue &queue() const { return used_.front()->queue; }
  /// Memory for `bytes` bytes during the work.
  std::byte *workspace(std::int64_t bytes) {
    workspace_ = make_object<storage>(queue(), usm_kind::device, static_cast<std::size_t>(bytes));
    return workspace_->base();
  }
  template <class F> void launch(F steps_of) {
    step_submission steps(queue());
    for (array_object *const a : used_) steps.uses(a->memory());
    if (workspace_) steps.uses(workspace_);
    steps_of(steps);
  }
  void launch(step_submission &steps, const work_step &step, std::int64_t units) const {
    steps.launch(step, variant(), std::as_bytes(std::span(&arguments_, 1)), units);
  }
  int variant() const { return (int(work_.what) * 64 + int(arguments_.type)) * 2 + (arguments_.index == dtype::int64); }
  std::int64_t few() const {
    const bool product =
        work_.what == sparse_operation::multiply || work_.what == sparse_operation::multiply_transposed;
    return product ? few_of_products : few_elements;
  }
  bool runs_now() { return arguments_.count * work_.width <= few() && is_host_accessible(queue()) && idle(queue()); }

  bool what_merges() const {
    return work_.what == sparse_operation::merge || work_.what == sparse_operation::pack_rows;
  }

  void by_rows() {
    const sparse_step step = row_step(work_.what);
    const std::int64_t rows = work_.what == sparse_operation::take_rows ? 0 : work_.rows;
    std::int64_t size = arguments_.count + rows;
    if (work_.other_indices && what_merges()) size += work_.other_indices.size();
    if (size == 0) return;
    std::int64_t elements = std::min<std::int64_t>(work_.width, 16);  // of dense matrices, for each of a
    if (work_.what == sparse_operation::fill_dense) elements = std::max<std::int64_t>(work_.columns / 16, 1);
    const std::int64_t each = std::max<std::int64_t>(unit_elements / elements, 1);
    arguments_.units = (size + each - 1) / each;
    if (size * elements <= few() && runs_now()) {
      arguments_.units = 1;
      return step(arguments_, 0, 1);
    }
    const row_arguments r{step, arguments_};
    launch([&](step_submission &steps) {
      steps.launch(rows_step, variant(), std::as_bytes(std::span(&r, 1)), arguments_.units);
    });
  }

  /// Each unit but the first has results of its own, which must be cleared and added.
  void multiply_transposed() {
    constexpr std::int64_t few_units = 4, most_units = 64, least_elements = 1 << 15;
    const std::int64_t size = (arguments_.count + work_.rows) * work_.width, results = work_.columns * work_.width;
    if (results == 0) return;
    arguments_.units = std::clamp<std::int64_t>(size / std::max(4 * results, least_elements), 1, few_units);
    arguments_.units = std::max(arguments_.units, std::min(size / std::max(16 * results, least_elements), most_units));
    if (runs_now()) {
      arguments_.units = 1;
      return multiply_parts(arguments_, 0, 1);
    }
    if (arguments_.units > 1)
      arguments_.partial = workspace((arguments_.units - 1) * results * std::int64_t(size_of(arguments_.type)));
    launch([&](step_submission &steps) {
      launch(steps, parts_step, arguments_.units);
      if (arguments_.units > 1) launch(steps, sums_step, (results + added_block - 1) / added_block);
    });
  }

  void group() {
    constexpr std::int64_t most_units = 16, least_elements = 1 << 15;
    arguments_.units =
        std::clamp<std::int64_t>(arguments_.count / std::max(4 * work_.rows, least_elements), 1, most_units);
    const bool now = runs_now();
    if (now) arguments_.units = 1;
    const auto bytes = std::int64_t(size_of(arguments_.index));
    arguments_.partial = workspace(std::max<std::int64_t>(arguments_.units * work_.rows, 1) * bytes);
    if (now) {
      count_keys(arguments_, 0, 1);
      sum_keys(arguments_, 0, 1);
      return move_elements(arguments_, 0, 1);
    }
    launch([&](step_submission &steps) {
      launch(steps, count_step, arguments_.units);
      launch(steps, scan_step, 1);
      launch(steps, move_step, arguments_.units);
    });
  }

  const sparse_work &work_;
  sparse_arguments arguments_;
  std::vector<array_object *> used_;
  ref<storage> workspace_;
};

}  // namespace

void apply(const sparse_work &w) { submission(w).submit(); }

}  // namespace dpep::array::cpu
