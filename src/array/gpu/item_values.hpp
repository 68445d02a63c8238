// A work-item's values: what a program's instructions are at one place of the iteration space, or at a few
// neighbouring places at once, as a kernel's text.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "array/gpu/kernel_text.hpp"
#include "array/fusion/simplify.hpp"

namespace dpep::array::gpu {

/// A program on its way to kernels: with the temporaries that lie between them as further memory.
struct work {
  std::string name;  // of its kernels
  nest code;
  std::vector<std::size_t> temporaries;  // where each lies in the workspace; their operands come after the program's
  std::vector<std::uint16_t> kept_in;    // for each value: the operand of its temporary, or none
  std::vector<unsigned> alignment;       // of each operand's first element, in bytes, up to 16
  bool aliased = false;                  // memory that is written may be read
  // For each value, from examine():
  std::vector<bool> inner = {};           // a reduction that is done inside a work-item
  std::vector<double> milliseconds = {};  // that compiling takes each time that it is written, without what is below
  std::vector<double> step = {};          // the same of one element of an inner reduction, with what is below

  static constexpr std::uint16_t nowhere = 0xffff;
  std::size_t operands() const noexcept { return code.memory.size() - temporaries.size(); }
  const instruction &operator[](value_id v) const noexcept { return code.code[v]; }
  axis_set domain(value_id v) const noexcept;  // the axes that computing it goes over
  std::int64_t count(axis_set) const noexcept;
};

/// Where a work-item is: an index for each axis; `lanes` neighbouring ones along `lane_axis`.
struct place {
  std::vector<std::string> index;
  int lane_axis = -1, lanes = 1;
  axis_set hidden;          // what does not vary along these axes is not to be kept in registers from step to step:
  std::string hidden_zero;  // its addresses have this added, 0 of type i64 that the optimiser cannot know to be 0
};

/// Names of values at a place, computed where they are first asked for.
class values {
public:
  values(kernel_text &text, const work &w, place at) : text_(text), work_(w), at_(std::move(at)) {}
  /// Some indices behind `before` along an axis, the same everywhere else: addresses are found from its.
  values(const values &before, place at, int axis, std::int64_t steps)
      : text_(before.text_),
        work_(before.work_),
        at_(std::move(at)),
        addresses_(before.addresses_),
        axis_(axis),
        steps_(steps) {}
  /// For loops around some axes: what `outer` knows already and does not vary along them.
  values(const values &outer, place at, axis_set inner) : values(outer.text_, outer.work_, std::move(at)) {
    names_ = outer.names_;
    for (std::size_t v = 0; v < names_.size(); ++v)
      if (!(work_[value_id(v)].axes & inner).empty()) names_[v].clear();
  }

  /// One name, or one for each lane where the value varies along them.
  std::span<const std::string> of(value_id);
  const std::string &of(value_id v, int lane) {
    const auto names = of(v);
    return names[names.size() == 1 ? 0 : std::size_t(lane)];
  }
  /// Starts all loads that the value needs.
  void load_for(value_id);
  /// The operand's address, for places behind this one to be found from.
  void find(std::uint16_t operand) { static_cast<void>(address(operand, 0)); }
  void bind(value_id v, std::vector<std::string> names) { slot(v) = std::move(names); }
  void store(value_id store_instruction);
  /// The value into the memory of a temporary.
  void keep(value_id, std::uint16_t operand);
  /// A reduction's position of the element at this place.
  std::string position(std::span<const std::int64_t> strides, value_id, int lane);
  const place &here() const noexcept { return at_; }

private:
  kernel_text &text_;
  const work &work_;
  place at_;
  std::vector<std::vector<std::string>> names_;
  std::map<std::uint16_t, std::string> addresses_;  // of operands: here, or before this place where `steps_` is not 0
  std::set<std::uint16_t> stepped_;                 // those that are here
  std::vector<bool> loads_begun_;                   // for each value: load_for() was there
  int axis_ = -1;
  std::int64_t steps_ = 0;

  std::vector<std::string> &slot(value_id v) {
    if (names_.size() <= v) names_.resize(work_.code.code.size());
    return names_[v];
  }
  bool varies(axis_set axes) const { return at_.lanes > 1 && axes.has(at_.lane_axis); }
  std::string lane_index(int axis, int lane);
  std::string address(std::uint16_t operand, int lane);
  std::string found_address(std::uint16_t operand, int lane);
  unsigned alignment(std::uint16_t operand, std::int64_t bytes) const;
  bool contiguous(std::uint16_t operand) const;
  std::vector<std::string> load(std::uint16_t operand, bool always);
  void write(std::uint16_t operand, std::span<const std::string> names);
  std::vector<std::string> element(value_id);
  std::vector<std::string> ramp(value_id);
  std::vector<std::string> reduction_of(value_id);
  void settle(value_id, axis_set inner);
  void settle(value_id, axis_set inner, std::vector<bool> &met);
  bool has_indices_for(axis_set) const;
};

/// Whether the operand's elements at neighbouring places along the axis can be one access of so many bytes.
bool vectors_fit(const work &, std::uint16_t operand, int axis, std::int64_t bytes);

/// Whether the code of an inner reduction has each of its elements, for so many lanes; else it has a loop.
bool is_written_out(const work &, value_id, int lanes) noexcept;
/// Kernels are made so that compiling one takes hardly longer: operations that take longer are written fewer times.
inline constexpr double most_milliseconds = 200;

// -- States of reductions

std::string reducer_name(const work &, value_id);
std::size_t state_bytes(const work &, value_id);
/// The state as whole words: how many, and of which type.
struct state_words {
  std::size_t count;
  std::string type;
  std::size_t bytes;  // of one
};
state_words words_of(std::size_t state_bytes);
/// Both addresses are multiples of `multiple`, if it is given, or of the largest power of two in it up to 16.
void copy_state(kernel_text &, std::size_t bytes, const std::string &to, const std::string &from,
                std::size_t multiple = 0);

}  // namespace dpep::array::gpu
