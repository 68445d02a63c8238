// Splits a program into kernels for GPUs.
#include "array/gpu/pass_split.hpp"

#include <algorithm>

#include "array/operations/costs.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t always_inner = 8, max_inner = 64;
// Rows that a work-group reads again are in the caches.
constexpr std::int64_t max_row = 1 << 16, max_single_row = 1 << 13, many_rows = 128;

class pass_splitter {
public:
  explicit pass_splitter(kernel_program &w) : program_(w), done_(count()), taken_(count()) {}

  std::vector<kernel_pass> split() {
    std::vector<kernel_pass> passes;
    while (find_needed()) passes.push_back(next());
    return passes;
  }

private:
  kernel_program &program_;
  std::vector<bool> done_;    // stores, and reductions that are temporaries
  std::vector<bool> taken_;   // reductions of the current pass
  std::vector<bool> needed_;  // needed by stores that are not done

  std::size_t count() const { return program_.code.code.size(); }
  bool is_long(std::size_t v) const { return program_[value_id(v)].what == step::reduce && !program_.inner[v]; }

  bool find_needed() {
    needed_.assign(count(), false);
    bool any = false;
    for (std::size_t v = count(); v-- > 0;) {
      if (program_[value_id(v)].what == step::store && !done_[v]) needed_[v] = any = true;
      if (!needed_[v] || (done_[v] && program_[value_id(v)].what == step::reduce)) continue;
      for (const value_id i : program_[value_id(v)].inputs)
        if (i != no_value) needed_[i] = true;
    }
    return any;
  }

  /// For each value: whether all long reductions that it depends on are done or, with `with_taken`, in the current
  /// pass.
  std::vector<bool> find_ready(bool with_taken) const {
    std::vector<bool> ready(count(), true);
    for (std::size_t v = 0; v < count(); ++v)  // inputs come first
      for (const value_id i : program_[value_id(v)].inputs)
        if (i != no_value && !done_[i] && !(is_long(i) ? with_taken && taken_[i] : ready[i])) ready[v] = false;
    return ready;
  }
  bool is_open(std::size_t v) const { return needed_[v] && !done_[v] && !taken_[v]; }
  bool waits(std::size_t v) const { return is_long(v) && is_open(v); }

  kernel_pass next() {
    kernel_pass p;
    std::fill(taken_.begin(), taken_.end(), false);
    const std::vector<bool> ready = find_ready(false);
    for (std::size_t v = 0; v < count() && p.stages.empty(); ++v)
      if (waits(v) && ready[v]) begin_stages(p, value_id(v));
    if (p.stages.empty()) return stores_only();
    bool others = false;
    for (std::size_t v = 0; v < count(); ++v) others |= waits(v);
    // later kernels may read memory that stores overwrite: then stores come in the last kernel
    if (!(others && program_.aliased)) add_stores(p);
    p.whole_rows &= p.stages.size() > 1 || !p.row_stores.empty();
    finish(p);
    return p;
  }

  void begin_stages(kernel_pass &p, value_id first) {
    p.reduced = program_[first].over;
    p.kept = program_.domain(first) - p.reduced;
    const std::int64_t rows = program_.count(p.kept), row = program_.count(p.reduced);
    p.whole_rows = row <= max_row && (rows >= many_rows || row <= max_single_row);
    for (;;) {
      std::vector<value_id> stage;
      const std::vector<bool> ready = find_ready(p.whole_rows);
      for (std::size_t v = 0; v < count(); ++v)
        if (waits(v) && program_[value_id(v)].over == p.reduced && program_.domain(value_id(v)) - p.reduced == p.kept &&
            ready[v])
          stage.push_back(value_id(v));
      if (stage.empty()) return;
      for (const value_id v : stage) taken_[v] = true;
      p.stages.push_back(std::move(stage));
      if (!p.whole_rows) return;
    }
  }

  void add_stores(kernel_pass &p) {
    const std::vector<bool> ready = find_ready(true);
    for (std::size_t v = 0; v < count(); ++v) {
      if (program_[value_id(v)].what != step::store || done_[v] || !ready[v]) continue;
      const axis_set domain = program_.domain(value_id(v));
      if (domain == p.kept)
        p.kept_stores.push_back(value_id(v));
      else if (p.whole_rows && domain == (p.kept | p.reduced))
        p.row_stores.push_back(value_id(v));
      else
        continue;
      done_[v] = true;
    }
  }

  void finish(kernel_pass &p) {
    find_needed();
    std::vector<bool> read_later(count());
    for (std::size_t v = 0; v < count(); ++v)
      if (is_open(v))
        for (const value_id i : program_[value_id(v)].inputs)
          if (i != no_value) read_later[i] = true;
    for (std::size_t v = 0; v < count(); ++v)
      if (taken_[v] && read_later[v]) p.temporaries.push_back({value_id(v), 0});
    for (auto &[v, operand] : p.temporaries) {
      memory_operand m{program_[v].type, true, std::vector<std::int64_t>(program_.code.sizes.size(), 0)};
      auto stride = std::int64_t(size_of(m.type));
      for (int a = program_.code.axes(); a-- > 0;) {
        if (!program_[v].axes.has(a)) continue;
        m.strides[std::size_t(a)] = stride;
        stride *= program_.code.sizes[std::size_t(a)];
      }
      operand = std::uint16_t(program_.code.memory.size());
      program_.temporaries.push_back(std::size_t(stride));  // the size, replaced by the offset later
      program_.code.memory.push_back(std::move(m));
      program_.alignment.push_back(16);
      done_[v] = true;
    }
  }

  kernel_pass stores_only() {
    kernel_pass p;
    for (std::size_t v = 0; v < count(); ++v) {
      if (program_[value_id(v)].what != step::store || done_[v]) continue;
      const axis_set domain = program_.domain(value_id(v));
      if (p.kept_stores.empty()) p.kept = domain;
      if (domain != p.kept) continue;
      p.kept_stores.push_back(value_id(v));
      done_[v] = true;
    }
    return p;
  }
};

/// Compile time of accumulating one element.
double step_milliseconds(reduction how, dtype type) {
  if (how == reduction::logsumexp) return 2;
  if (how == reduction::hypot) return 4;
  return kind_of(type) == dtype_kind::complex || type == dtype::float16 ? 1 : 0.2;
}

/// Compile time of one element of the reduction with its inputs. Other reductions include their own inputs.
double inner_step_milliseconds(const kernel_program &w, value_id reduction) {
  std::vector<bool> below(reduction);
  const auto need = [&](value_id v) {
    for (const value_id input : w[v].inputs) below[input] = true;
  };
  need(reduction);
  double sum = step_milliseconds(w[reduction].how, w[w[reduction].inputs[0]].type);
  for (value_id v = reduction; v-- > 0;) {
    if (!below[v] || (w[v].axes & w[reduction].over).empty()) continue;
    sum += w.milliseconds[v];
    if (w[v].what != step::reduce) need(v);
  }
  return sum;
}

}  // namespace

void classify_reductions(kernel_program &w) {
  const std::size_t count = w.code.code.size();
  w.inner.assign(count, false);
  w.milliseconds.assign(count, 0);
  w.step_milliseconds.assign(count, 0);
  std::vector<double> bytes_below(count);  // bytes that are read for the value; shared inputs count each time
  for (value_id v = 0; v < count; ++v) {
    const instruction &i = w[v];
    if (i.what == step::load || i.what == step::gather)
      bytes_below[v] = double(w.count(i.axes)) * double(size_of(i.type));
    for (const value_id input : i.inputs) bytes_below[v] += bytes_below[input];
    if (i.what == step::element) w.milliseconds[v] = compile_milliseconds(i.code, i.function, w[i.inputs[0]].type);
    if (i.what != step::reduce) continue;
    const std::int64_t n = w.count(i.over);
    w.inner[v] =
        n <= always_inner || (n <= max_inner && double(w.count(i.axes)) * double(size_of(i.type)) > bytes_below[v]);
    w.milliseconds[v] = step_milliseconds(i.how, w[i.inputs[0]].type);
    if (!w.inner[v]) continue;
    w.step_milliseconds[v] = inner_step_milliseconds(w, v);
    w.milliseconds[v] = w.step_milliseconds[v] * (is_unrolled(w, v, 1) ? double(n) : 1);
  }
}

std::vector<kernel_pass> split_into_passes(kernel_program &w) { return pass_splitter(w).split(); }

}  // namespace dpep::array::gpu
