// Sorts on devices that do not run host code: prepares and launches the kernels.
#include "array/gpu/sort.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <tuple>

#include "array/base/background.hpp"
#include "array/gpu/launch.hpp"
#include "array/gpu/sort_kernel.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array::gpu {
namespace {

struct prepared_sort {
  std::vector<prepared_kernel> kernels;  // of short rows; otherwise the three of sort_passes
  std::size_t totals_bytes = 0, counts_bytes = 0, position_bytes = 0;
};

prepared_kernel compile_one(generated_kernel generated, backend::device &device) {
  ref<const backend::code> code = compile_kernel(generated, device);
  return {std::move(code), std::move(generated.arguments), generated.local, std::size_t(generated.groups)};
}

prepared_sort compile_sort(const sort_task &t, tile_kind tiles, backend::device &device) {
  prepared_sort sort;
  if (is_short_row(t)) {
    sort.kernels.push_back(compile_one(generate_row_sort(t), device));
    return sort;
  }
  sort_passes passes = generate_sort_passes(t, tiles);
  compile_ahead(passes.sweep, device);  // the largest first
  compile_ahead(passes.count, device);
  for (generated_kernel *kernel : {&passes.clear, &passes.count, &passes.sweep})
    sort.kernels.push_back(compile_one(std::move(*kernel), device));
  sort.totals_bytes = passes.totals_bytes;
  sort.counts_bytes = passes.counts_bytes;
  sort.position_bytes = passes.position_bytes;
  return sort;
}

/// The most recent prepared sorts.
class sort_table {
public:
  static sort_table &get() {
    static auto &table = *new sort_table;  // never destroyed: a thread may be compiling while the process exits
    return table;
  }

  /// Large arrays are sorted with small tiles until the kernel for large ones is compiled. Results are the same. A
  /// kernel that is on disk is waited for.
  std::shared_ptr<const prepared_sort> prepare(const sort_task &t, backend::device &device) {
    if (!is_short_row(t) && fills_device(t)) {
      const key large{&device, t, tile_kind::large};
      const auto [sort, is_new] = find_or_add(large);
      if (sort) return sort;
      if (has_large_kernel(large)) return compile(large, device);
      if (is_new) {
        ahead_of_use([this, large, &device] { compile(large, device); });
        if (auto loaded = wait_for(large)) return loaded;
      }
    }
    const key small{&device, t, tile_kind::small};
    const std::shared_ptr<const prepared_sort> sort = find_or_add(small).first;
    return sort ? sort : compile(small, device);
  }

private:
  using key = std::tuple<const backend::device *, sort_task, tile_kind>;
  static constexpr std::size_t most = 64;
  static constexpr std::chrono::milliseconds load_time{5};  // from disk: three kernels, 1 ms each
  std::mutex mutex_;
  std::condition_variable compiled_;
  std::deque<std::pair<key, std::shared_ptr<const prepared_sort>>> known_;  // null: not yet compiled
  std::vector<key> large_kernels_;                                          // compiled; rows of all lengths share them

  static bool share_kernel(const key &a, const key &b) {
    sort_task of_length = std::get<sort_task>(a);
    of_length.rows = std::get<sort_task>(b).rows, of_length.length = std::get<sort_task>(b).length;
    return std::get<0>(a) == std::get<0>(b) && of_length == std::get<sort_task>(b) &&
           has_wide_indices(std::get<sort_task>(a)) == has_wide_indices(of_length);
  }
  bool has_large_kernel(const key &wanted) {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(large_kernels_, [&](const key &k) { return share_kernel(k, wanted); });
  }

  /// Returns also whether the entry is new.
  std::pair<std::shared_ptr<const prepared_sort>, bool> find_or_add(const key &wanted) {
    const std::lock_guard lock(mutex_);
    for (const auto &[known, sort] : known_)
      if (known == wanted) return {sort, false};
    known_.emplace_front(wanted, nullptr);
    if (known_.size() > most) known_.pop_back();
    return {nullptr, true};
  }
  /// The prepared sort, if it is compiled within the time that loading it takes; otherwise null.
  std::shared_ptr<const prepared_sort> wait_for(const key &wanted) {
    std::unique_lock lock(mutex_);
    std::shared_ptr<const prepared_sort> sort;
    compiled_.wait_for(lock, load_time, [&] {
      for (const auto &[known, value] : known_)
        if (known == wanted) sort = value;
      return sort != nullptr;
    });
    return sort;
  }
  std::shared_ptr<const prepared_sort> compile(const key &of, backend::device &device) {
    auto sort =
        std::make_shared<const prepared_sort>(compile_sort(std::get<sort_task>(of), std::get<tile_kind>(of), device));
    const std::lock_guard lock(mutex_);
    compiled_.notify_all();
    for (auto &[known, value] : known_)
      if (known == of) value = sort;
    if (std::get<tile_kind>(of) == tile_kind::large &&
        std::ranges::none_of(large_kernels_, [&](const key &k) { return share_kernel(k, of); }))
      large_kernels_.push_back(of);
    return sort;
  }
};

using operands = std::array<std::byte *, sort_operand::count>;

/// The memory operands of each pass, and their workspace.
class pass_operands {
public:
  pass_operands(const prepared_sort &sort, const sort_task &t, std::byte *from, std::byte *values, std::byte *positions)
      : sort_(sort), from_(from), values_(values), positions_(positions), bytes_(size_of(t.type)) {
    const auto bytes = std::int64_t(bytes_);
    // An array cannot be ordered in place by one pass. A second one, for a digit that is equal for all, moves it back.
    passes = bytes == 1 && values == from ? 2 : bytes;
    elements_bytes_ = aligned(std::size_t(t.rows * t.length * bytes));
    positions_bytes_ = positions ? aligned(std::size_t(t.rows * t.length) * sort.position_bytes) : 0;
    element_buffers_ = values ? (passes > 1 ? 1 : 0) : std::min<std::int64_t>(passes - 1, 2);
    position_buffers_ = positions ? std::min<std::int64_t>(passes - 1, 2) : 0;
  }
  std::int64_t passes;

  std::size_t workspace_bytes() const {
    return tables_bytes() + std::size_t(element_buffers_) * elements_bytes_ +
           std::size_t(position_buffers_) * positions_bytes_;
  }
  operands of(std::int64_t pass, std::byte *workspace) const {
    const bool first = pass == 0, last = pass == passes - 1;
    std::byte *const tickets = workspace, *const totals = tickets + sort_passes::tickets_bytes;
    std::byte *const counts = totals + counted_digits() * sort_.totals_bytes;
    std::byte *const elements = workspace + tables_bytes();
    std::byte *const positions = elements + std::size_t(element_buffers_) * elements_bytes_;
    // the result of each pass but the last; the last pass of all stores into `values`, as does every second before it
    const auto elements_of = [&](std::int64_t p) {
      const bool is_odd = (passes - 1 - p) % 2;
      return is_odd ? elements : values_ ? values_ : elements + elements_bytes_;
    };
    const auto positions_of = [&](std::int64_t p) { return positions + (p % 2 ? positions_bytes_ : 0); };
    operands m{};
    m[sort_operand::from] = first ? from_ : elements_of(pass - 1);
    m[sort_operand::to] = last ? values_ : elements_of(pass);
    if (positions_) {
      m[sort_operand::positions_from] = first ? nullptr : positions_of(pass - 1);
      m[sort_operand::positions_to] = last ? nullptr : positions_of(pass);
      m[sort_operand::positions_out] = last ? positions_ : nullptr;
    }
    m[sort_operand::cleared] = tickets;
    m[sort_operand::ticket] = tickets + std::size_t(pass) * sizeof(std::uint32_t);
    m[sort_operand::totals] = totals + std::size_t(pass) * sort_.totals_bytes;
    const auto counts_of = [&](std::int64_t p) { return counts + (p % 2 ? sort_.counts_bytes : 0); };
    m[sort_operand::counts] = counts_of(pass);
    m[sort_operand::next_counts] = counts_of(pass + 1);
    return m;
  }

private:
  std::size_t counted_digits() const { return std::max<std::size_t>(bytes_, 2); }
  std::size_t tables_bytes() const {
    return aligned(sort_passes::tickets_bytes + counted_digits() * sort_.totals_bytes + 2 * sort_.counts_bytes);
  }
  static std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
  const prepared_sort &sort_;
  std::byte *const from_, *const values_, *const positions_;
  const std::size_t bytes_;  // of an element
  std::size_t elements_bytes_, positions_bytes_;
  std::int64_t element_buffers_, position_buffers_;
};

}  // namespace

void sort(array_object &from, array_object *values, array_object *positions, bool descending) {
  const layout &l = from.layout;
  const std::int64_t length = l.dimensions() ? l.shape[std::size_t(l.dimensions()) - 1] : 1;
  std::int64_t rows = 1;
  for (int i = 0; i + 1 < l.dimensions(); ++i) rows *= l.shape[std::size_t(i)];
  if (!rows || !length) return;
  const queue &where = from.queue;
  runtime::queue_object &q = runtime::implementation_of(where, "sort");
  const sort_task t{from.type, rows, length, descending, positions != nullptr, device_sizes(q.code_target.info())};

  std::byte *const first = from.first(), *const first_value = values ? values->first() : nullptr;
  std::byte *const first_position = positions ? positions->first() : nullptr;
  const std::shared_ptr<const prepared_sort> sort = sort_table::get().prepare(t, q.code_target);
  std::vector<std::shared_ptr<void>> owners;
  const auto keep = [&](array_object &x) { owners.push_back(std::make_shared<ref<storage>>(x.memory())); };
  keep(from);
  if (values) keep(*values);
  if (positions) keep(*positions);
  const auto submit = [&](const prepared_kernel &kernel, const operands &memory, std::span<const scalar> scalars,
                          const ordered_dependencies &after) {
    return launch(q, kernel, filled_arguments(kernel.arguments, {memory, scalars}, nullptr, nullptr).bytes(), after);
  };
  ref<storage> workspace;
  std::optional<pass_operands> passes;
  if (!is_short_row(t)) {
    passes.emplace(*sort, t, first, first_value, first_position);
    workspace = allocate_workspace(where, passes->workspace_bytes(), owners);
  }
  const auto submit_all = [&](const ordered_dependencies &after, event &last) {
    if (!passes) {
      operands memory{};
      memory[sort_operand::from] = first;
      memory[sort_operand::to] = first_value;
      memory[sort_operand::positions_out] = first_position;
      last = submit(sort->kernels[0], memory, {}, after);
      return;
    }
    const auto run = [&](const prepared_kernel &kernel, std::int64_t pass) {
      const scalar first_bit[] = {scalar::of(8 * pass)};
      last = submit(kernel, passes->of(pass, workspace->base()), first_bit,
                    last ? ordered_dependencies({&last, 1}, &last) : after);
    };
    const auto &[clear, count, sweep] = std::tie(sort->kernels[0], sort->kernels[1], sort->kernels[2]);
    run(clear, 0);
    run(count, 0);
    for (std::int64_t pass = 0; pass < passes->passes; ++pass) run(sweep, pass);
  };
  deferred_queue::of(where).in_turn([&](const ordered_dependencies &after) {
    return submit_steps(owners, [&](event &last) { submit_all(after, last); });
  });
}

}  // namespace dpep::array::gpu
