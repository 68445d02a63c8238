// Fourier transforms by kernels: binds the passes of a plan to memory and tables, and launches them.
#include <array>
#include <cmath>

#include "array/gpu/device_sizes.hpp"
#include "array/gpu/fourier.hpp"
#include "array/gpu/fourier_lines.hpp"
#include "array/gpu/fourier_plan.hpp"
#include "array/gpu/fourier_tables.hpp"
#include "array/gpu/kernel_list.hpp"
#include "array/gpu/launch.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array::gpu {
namespace {

using std::int64_t;

constexpr const char *name = "Fourier transform";

std::byte *address(const ndarray &x) { return implementation_of(x, name).first(); }
bool is_aligned(const ndarray &x, dtype complex_type) {
  return reinterpret_cast<std::uintptr_t>(address(x)) % size_of(complex_type) == 0;
}

/// A kernel with its memory and numbers.
struct bound_pass {
  prepared_kernel kernel;
  std::array<std::byte *, fourier_operand::count> memory{};
  std::array<scalar, fourier_number::count> numbers;
};

class pass_binder {
public:
  pass_binder(const fourier_work &w, const fourier_plan &plan, const fourier_lines &x_lines)
      : w_(w), plan_(plan), x_(x_lines), device_(runtime::implementation_of(w.x.get_queue(), name).code_target) {
    const std::size_t bytes = std::size_t(x_.count() * plan.points) * size_of(w.type);
    if (plan.uses_first_scratch()) first_ = scratch(bytes);
    if (plan.uses_second_scratch) second_ = scratch(bytes);
    owners.push_back(std::make_shared<ref<storage>>(implementation_of(w.x, name).memory()));
    owners.push_back(std::make_shared<ref<storage>>(implementation_of(w.y, name).memory()));
  }
  std::vector<std::shared_ptr<void>> owners;

  std::vector<bound_pass> bind() {
    std::vector<bound_pass> all;
    for (const fourier_pass &p : plan_.passes) all.push_back(bind(p));
    if (plan_.untangles) all.push_back(bind_untangle());
    return all;
  }

private:
  const fourier_work &w_;
  const fourier_plan &plan_;
  const fourier_lines &x_;
  backend::device &device_;
  std::vector<ref<storage>> scratch_;
  std::byte *first_ = nullptr, *second_ = nullptr;

  std::byte *scratch(std::size_t bytes) {
    scratch_.push_back(allocate_workspace(w_.x.get_queue(), bytes, owners));
    return scratch_.back()->base();
  }
  std::byte *table(fourier_table what, int64_t points, int64_t convolution = 0) {
    std::shared_ptr<std::byte> found = find_table(w_.x.get_queue(), {what, w_.type, points, convolution});
    std::byte *const first = found.get();
    owners.push_back(std::move(found));
    return first;
  }
  std::byte *memory(fourier_memory m) const {
    switch (m) {
    case fourier_memory::x:
      return address(w_.x);
    case fourier_memory::y:
      return address(w_.y);
    case fourier_memory::first_scratch:
      return first_;
    case fourier_memory::second_scratch:
      break;
    }
    return second_;
  }

  bound_pass bind(const fourier_pass &p) {
    static auto &kernels = *new kernel_list<fourier_kernel>;
    const int64_t each = std::min(p.kernel.tile / p.radix, most_columns(w_.type));
    const int64_t distance = plan_.points / p.radix, columns = x_.count() * distance;
    bound_pass b{
        kernels.find(p.kernel, device_, (columns + each - 1) / each, [&] { return generate_fourier(p.kernel); }),
        {},
        {}};
    b.memory[fourier_operand::from] = memory(p.from);
    b.memory[fourier_operand::to] = memory(p.to);
    if (p.radix > 1) b.memory[fourier_operand::column_roots] = table(fourier_table::roots, p.radix);
    if (p.roots) b.memory[fourier_operand::roots] = table(fourier_table::root_powers, p.roots);
    if (p.kernel.before == fourier_multiplied::by_table)
      b.memory[fourier_operand::read_table] = table(fourier_table::chirp, plan_.chirp);
    const bool is_last = &p == &plan_.passes.back();
    if (p.kernel.has_write_table)
      b.memory[fourier_operand::write_table] = is_last ? table(fourier_table::chirp, plan_.chirp)
                                                       : table(fourier_table::spectrum, plan_.chirp, plan_.points);
    if (p.kernel.convolves)
      b.memory[fourier_operand::spectrum] = table(fourier_table::spectrum, plan_.chirp, plan_.points);

    const fourier_lines from = p.from == fourier_memory::x ? x_ : row_major_lines(x_.outer, plan_.points, x_.inner);
    const auto set = [&](std::size_t which, int64_t value) { b.numbers[which] = scalar::of(value); };
    set(fourier_number::columns, columns);
    set(fourier_number::inner, x_.inner);
    set(fourier_number::points, plan_.points);
    set(fourier_number::radix, p.radix);
    b.numbers[fourier_number::schedule] = scalar::of(column_schedule(p.radix));
    set(fourier_number::before, p.before);
    set(fourier_number::columns_each, each);
    set(fourier_number::from_step, from.step);
    set(fourier_number::from_length, p.from == fourier_memory::x ? w_.x.shape()[std::size_t(w_.axis)] : plan_.points);
    set(fourier_number::length, w_.length);
    for (std::size_t a = 0; a < fourier_lines::max_axes; ++a) {
      set(fourier_number::batch + a, from.lengths[a]);
      set(fourier_number::batch + fourier_lines::max_axes + a, from.strides[a]);
    }
    set(fourier_number::to_length, p.to_length);
    set(fourier_number::flags, p.flags | directions(p, from, distance));
    set(fourier_number::root_shift, p.roots ? root_shift(p.roots) : 0);
    set(fourier_number::root_step, plan_.points / (p.before * p.radix));
    b.numbers[fourier_number::factor] = scalar::of(p.factor);
    return b;
  }

  /// Whether elements of adjacent columns, or adjacent elements of a column, are closer in memory.
  int64_t directions(const fourier_pass &p, const fourier_lines &from, int64_t distance) const {
    const bool along_line = x_.inner == 1 && distance > 1;
    const int64_t last = from.axes ? from.strides[from.axes - 1] : 0;
    const int64_t from_columns = along_line ? from.step : last;
    const int64_t to_columns = x_.inner > 1 ? 1 : !along_line ? p.to_length : p.before == 1 ? p.radix : 1;
    return (std::abs(from_columns) < std::abs(from.step * distance) ? fourier_flag::reads_columns : 0) |
           (to_columns < p.before * x_.inner ? fourier_flag::writes_columns : 0);
  }

  bound_pass bind_untangle() {
    static auto &kernels = *new kernel_list<dtype>;
    const int64_t half = plan_.chirp ? plan_.chirp : plan_.points, elements = x_.count() * (half + 1);
    bound_pass b{kernels.find(w_.type, device_, (elements + untangle_group - 1) / untangle_group,
                              [&] { return generate_untangle(w_.type); }),
                 {},
                 {}};
    b.memory[0] = first_;
    b.memory[1] = address(w_.y);
    b.memory[2] = table(fourier_table::root_powers, w_.length);
    const int64_t numbers[] = {x_.count(), x_.inner, half, root_shift(w_.length)};
    for (std::size_t k = 0; k < std::size(numbers); ++k) b.numbers[k] = scalar::of(numbers[k]);
    return b;
  }
};

void launch_all(const queue &where, const std::vector<bound_pass> &passes, std::vector<std::shared_ptr<void>> owners) {
  runtime::queue_object &q = runtime::implementation_of(where, name);
  deferred_queue::of(where).in_turn([&](const ordered_dependencies &after) {
    event last;
    // the last kernel completes last, because each waits for the one before
    const auto keep_owners = [&] {
      if (last)
        for (std::shared_ptr<void> &owner : owners) last.keep_alive(std::move(owner));
    };
    try {
      for (const bound_pass &p : passes) {
        const filled_arguments filled(p.kernel.arguments, {p.memory, p.numbers}, nullptr, nullptr);
        last = launch(q, p.kernel, filled.bytes(), last ? ordered_dependencies({&last, 1}, &last) : after);
      }
    } catch (...) {  // earlier kernels use the owners' memory
      keep_owners();
      throw;
    }
    keep_owners();
    return last;
  });
}

}  // namespace

event transform_by_kernels(const fourier_work &w) {
  const queue &where = w.x.get_queue();
  const dtype x_type = w.what == fourier_kind::real_to_complex ? real_of(w.type) : w.type;
  std::optional<fourier_lines> lines = lines_of(w.x, w.axis);
  if (!lines || (x_type == w.type && !is_aligned(w.x, w.type))) {
    fourier_work copied = w;
    copied.x = copy(w.x, order::row_major);
    return transform_by_kernels(copied);
  }
  const bool y_is_aligned = is_aligned(w.y, w.type);
  if (!y_is_aligned && w.what != fourier_kind::complex_to_real) {
    fourier_work other = w;
    other.y = empty(w.y.shape(), w.y.type(), {where, w.y.memory_kind()});
    transform_by_kernels(other);
    assign(w.y, other.y);
    w.y.evaluate();
    return last_submitted(where);
  }
  const device_sizes sizes(runtime::implementation_of(where, name).code_target.info());
  const fourier_plan plan = plan_of(w, {.tile = fourier_tile(w.type, sizes.local_bytes),
                                        .in_place = address(w.x) == address(w.y),
                                        .y_is_scratch = y_is_aligned});
  pass_binder binder(w, plan, *lines);
  const std::vector<bound_pass> passes = binder.bind();
  launch_all(where, passes, std::move(binder.owners));
  return last_submitted(where);
}

}  // namespace dpep::array::gpu
