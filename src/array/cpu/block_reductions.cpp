// Finds and calls loops over a block that reduce what they compute.
#include "array/cpu/block_reductions.hpp"

#include <algorithm>
#include <cstring>

#include <dpep/array_opcodes.hpp>

#include "array/cpu/loop_builder.hpp"
#include "array/cpu/reduction_ir.hpp"

namespace dpep::array {
namespace {

constexpr std::size_t max_reductions = 8;
constexpr std::int64_t max_pieces = 32;

class block_reduction_finder {
public:
  block_reduction_finder(const schedule &s, std::span<const std::int64_t> extents, std::span<const cell_value> values)
      : s_(s), extents_(extents), values_(values), numbers_(values.size(), none) {}

  std::optional<loop_call> find(std::size_t first, std::size_t &end) {
    collect(first, end);
    const auto reductions = std::size_t(std::ranges::count_if(members_, [&](std::size_t v) { return reduces(v); }));
    // A block kernel does what one reduction of an operand does. Beside many operations, reductions take little time.
    if (reductions == 0 || reductions > max_reductions || members_.size() < 2 ||
        members_.size() > most_unrolled_operations)
      return {};
    for (const std::size_t v : members_) add_inputs(v);
    for (const std::size_t v : members_) add_operation(v);
    for (const std::size_t v : members_)
      if (!reduces(v) && is_read_outside(v)) {
        loop_.description.results.push_back(numbers_[v]);
        add_address(v, std::uint16_t(values_[v].first_call + values_[v].calls - 1));
      }
    const auto chunk = std::int64_t(chunk_of(loop_.description));
    if (loop_.addresses.size() + reductions > loop_call::max_addresses || extent() % chunk != 0 ||
        extent() > max_pieces * std::int64_t(max_chain_length) * chunk || has_overlaps())
      return {};
    const cell_value &begin = values_[members_.front()], &last = values_[members_.back()];
    loop_.first = begin.first_call;
    loop_.count = std::uint16_t(last.first_call + last.calls - begin.first_call);
    loop_.elements = extent();
    loop_.piece = chunk * std::int64_t(max_chain_length);
    return std::move(loop_);
  }

private:
  static constexpr std::uint16_t none = 0xffff;

  const schedule &s_;
  const std::span<const std::int64_t> extents_;
  const std::span<const cell_value> values_;
  std::vector<std::size_t> members_;
  std::vector<std::uint16_t> numbers_;  // of values in the loop
  loop_call loop_;
  std::vector<std::size_t> located_;  // the values of the addresses

  const pass_value &value(std::size_t v) const { return s_.work.code[v]; }
  std::int64_t extent() const { return extents_[std::size_t(s_.work.lanes)]; }
  bool is_member(std::size_t v) const { return std::ranges::binary_search(members_, v); }
  bool reduces(std::size_t v) const { return value(v).what == step::reduce; }
  std::int64_t size_at(std::size_t v) const { return std::int64_t(size_of(value(v).type)); }
  std::int64_t stride_of(std::size_t v) const { return values_[v].location.strides[std::size_t(s_.work.lanes)]; }
  bool is_one_row(std::size_t v) const {
    for (int a = 0; a < int(extents_.size()); ++a)
      if (a != s_.work.lanes && value(v).domain.has(a) && extents_[std::size_t(a)] > 1) return false;
    return value(v).domain.has(s_.work.lanes);
  }

  bool can_contain(std::size_t v) const {
    const pass_value &i = value(v);
    if (!is_one_row(v) || s_.placements[v].level != s_.placements[members_.empty() ? v : members_.front()].level)
      return false;
    if (reduces(v)) {
      const dtype t = value(i.inputs[0]).type;
      return i.outer && values_[v].calls == 1 && !s_.placements[v].has_states && i.over.has(s_.work.lanes) &&
             i.positions.empty() && i.type == t && can_reduce_blocks(i.how, t) &&
             blocks::find_reducer(i.how, t)->state_bytes == size_of(t) &&
             stride_of(i.inputs[0]) == size_at(i.inputs[0]);
    }
    if (!can_fuse(s_, i) || stride_of(v) != size_at(v)) return false;
    // these branch on large arguments: see has_item_per_element()
    if (i.code == opcode::sin || i.code == opcode::cos || i.code == opcode::tan) return false;
    return std::ranges::all_of(i.inputs, [&](value_id u) { return stride_of(u) == 0 || stride_of(u) == size_at(u); });
  }

  // The values from `first` on that one loop can compute. As other loops, it contains no function of a function's
  // result, and one expensive function. Floats of one size are reduced, because vectors of others have other chains.
  void collect(std::size_t first, std::size_t &end) {
    std::vector<bool> follows_function(values_.size());
    bool has_expensive = false;
    std::int64_t float_bytes = 0;
    std::size_t v = first;
    for (; v < values_.size(); ++v) {
      if (values_[v].calls == 0) continue;
      if (!can_contain(v)) break;
      const pass_value &i = value(v);
      if (reduces(v)) {
        if (is_float(i.type) && float_bytes && float_bytes != size_at(v)) break;
        if (is_float(i.type)) float_bytes = size_at(v);
      } else {
        bool follows = std::ranges::any_of(i.inputs, [&](value_id u) { return follows_function[u]; });
        if (cost_of(i.code) != operation_cost::CHEAP) {
          const bool is_expensive = cost_of(i.code) == operation_cost::EXPENSIVE;
          if (follows || (is_expensive && has_expensive)) break;
          has_expensive |= is_expensive;
          follows = true;
        }
        follows_function[v] = follows;
      }
      members_.push_back(v);
    }
    end = v;
  }

  void add_address(std::size_t v, std::uint16_t call) {
    loop_.addresses.push_back(values_[v].location.at);
    loop_.calls.push_back(call);
    located_.push_back(v);
  }

  void add_inputs(std::size_t v) {
    for (const value_id u : value(v).inputs) {
      if (is_member(u) || numbers_[u] != none) continue;
      numbers_[u] = std::uint16_t(loop_.description.inputs.size());
      loop_.description.inputs.push_back({value(u).type, stride_of(u) ? blocks::form::vector : blocks::form::one});
      add_address(u, values_[v].first_call);
    }
  }

  void add_operation(std::size_t v) {
    const pass_value &i = value(v);
    element_loop::operation o{i.code, i.type};
    for (const value_id u : i.inputs) o.operands[o.count++] = numbers_[u];
    if (reduces(v)) {
      o.reduces = i.how;
      loop_.reductions.push_back({blocks::find_reducer(i.how, i.type), values_[v].location.at});
    }
    numbers_[v] = std::uint16_t(loop_.description.inputs.size() + loop_.description.operations.size());
    loop_.description.operations.push_back(std::move(o));
  }

  bool is_read_outside(std::size_t v) const {
    if (s_.placements[v].what == value_placement::kind::memory) return true;
    for (std::size_t u = v + 1; u < values_.size(); ++u)
      if (!is_member(u) && std::ranges::find(value(u).inputs, v) != value(u).inputs.end()) return true;
    return false;
  }

  // Whether a result has memory in common with another operand, except all of it: each element is stored after all
  // inputs of this element were read.
  bool has_overlaps() const {
    const std::size_t inputs = loop_.description.inputs.size();
    const auto end_of = [&](std::size_t k) {
      const std::size_t v = located_[k];
      return loop_.addresses[k].offset + (stride_of(v) ? extent() : 1) * size_at(v);
    };
    for (std::size_t r = inputs; r < loop_.addresses.size(); ++r)
      for (std::size_t k = 0; k < r; ++k) {
        const address &a = loop_.addresses[k], &b = loop_.addresses[r];
        if (a.base != b.base || a.offset >= end_of(r) || b.offset >= end_of(k)) continue;
        const bool same = k < inputs && a.offset == b.offset && size_at(located_[k]) == size_at(located_[r]) &&
                          stride_of(located_[k]) != 0;
        if (!same) return true;
      }
    return false;
  }
};

/// The combination of the results of pieces, in the order of block kernels (combine_block in blocks/reducers.hpp).
template <class T, class Combine>
T combine_pieces(const T *of, std::int64_t count, std::int64_t piece, const Combine &combine) {
  if (count <= piece) return *of;
  const std::int64_t left = (count / piece + 1) / 2;
  return combine(combine_pieces(of, left * piece, piece, combine),
                 combine_pieces(of + left, count - left * piece, piece, combine));
}

template <class T>
void finish(reduction how, const std::byte *pieces, std::int64_t count, std::int64_t piece, void *to) {
  T of[max_pieces];
  std::memcpy(of, pieces, std::size_t((count + piece - 1) / piece) * sizeof(T));
  const T result = combine_pieces(of, count, piece, [how](T a, T b) -> T {
    if (how == reduction::sum) return T(a + b);
    const bool replaces = how == reduction::max ? b > a : b < a;
    return replaces || b != b ? b : a;
  });
  std::memcpy(to, &result, sizeof result);
}

void finish(reduction how, dtype t, const std::byte *pieces, std::int64_t count, std::int64_t piece, void *to) {
  const bool is_signed = kind_of(t) == dtype_kind::signed_integer && how != reduction::sum;  // sums wrap around
  if (t == dtype::float32) return finish<float>(how, pieces, count, piece, to);
  if (t == dtype::float64) return finish<double>(how, pieces, count, piece, to);
  switch (size_of(t)) {
  case 1:
    return is_signed ? finish<std::int8_t>(how, pieces, count, piece, to)
                     : finish<std::uint8_t>(how, pieces, count, piece, to);
  case 2:
    return is_signed ? finish<std::int16_t>(how, pieces, count, piece, to)
                     : finish<std::uint16_t>(how, pieces, count, piece, to);
  case 4:
    return is_signed ? finish<std::int32_t>(how, pieces, count, piece, to)
                     : finish<std::uint32_t>(how, pieces, count, piece, to);
  default:
    return is_signed ? finish<std::int64_t>(how, pieces, count, piece, to)
                     : finish<std::uint64_t>(how, pieces, count, piece, to);
  }
}

}  // namespace

std::optional<loop_call> find_block_reduction(const schedule &s, std::span<const std::int64_t> extents,
                                              std::span<const cell_value> values, std::size_t first, std::size_t &end) {
  return block_reduction_finder(s, extents, values).find(first, end);
}

void call_block_reduction(const loop_call &f, backend::work_function function, std::byte *const *bases) {
  struct {
    std::int64_t count;
    std::array<std::byte *, loop_call::max_addresses> at;
  } arguments;
  alignas(8) std::byte pieces[max_reductions][std::size_t(max_pieces) * 8];
  arguments.count = f.elements;
  const std::size_t n = f.addresses.size();
  for (std::size_t k = 0; k < n; ++k) arguments.at[k] = bases[f.addresses[k].base] + f.addresses[k].offset;
  for (std::size_t r = 0; r < f.reductions.size(); ++r) arguments.at[n + r] = pieces[r];
  const geometry items{};
  function(&arguments, &items, 0, 1, nullptr, 0);
  std::size_t r = 0;
  for (const element_loop::operation &o : f.description.operations) {
    if (!o.reduces) continue;
    alignas(8) std::byte of_block[8];
    finish(*o.reduces, o.type, pieces[r], f.elements, f.piece, of_block);
    const loop_call::block_reduction &reduction = f.reductions[r++];
    reduction.reducer->merge(1, of_block, bases[reduction.state.base] + reduction.state.offset);
  }
}

}  // namespace dpep::array
