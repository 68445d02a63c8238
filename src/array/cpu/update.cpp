// Updates of elements at indices on CPUs: block kernels, or a call of the operation's kernel for each element.
#include "array/cpu/update.hpp"

#include <algorithm>
#include <cstring>

#include <dpep/array_opcodes.hpp>

#include "array/blocks/blocks.hpp"
#include "array/blocks/updates.hpp"

namespace dpep::array::cpu {
namespace {

/// An operation on single elements, whose operands and results are cast from and to the array's dtype.
class single_update {
public:
  explicit single_update(const update_arguments &u)
      : function_(blocks::find(u.code, u.types)),
        item_(size_of(u.type)),
        value_bytes_(u.types.inputs == 2 && !u.is_one_value ? size_of(u.types.from[1]) : 0) {
    if (u.types.from[0] != u.type) cast_from_ = blocks::find_cast(u.type, u.types.from[0]);
    if (u.types.to != u.type) cast_to_ = blocks::find_cast(u.types.to, u.type);
  }

  void run(std::size_t count, const std::int64_t *offsets, const std::byte *values, std::byte *x) const {
    alignas(16) std::byte operand[16], result[16];
    for (std::size_t i = 0; i < count; ++i, values += value_bytes_) {
      std::byte *const to = x + offsets[i] * static_cast<std::int64_t>(item_);
      const void *inputs[] = {to, values};
      if (cast_from_) {
        cast_from_(1, inputs, operand);
        inputs[0] = operand;
      }
      function_(1, inputs, result);
      if (cast_to_) {
        const void *const source = result;
        cast_to_(1, &source, to);
      } else {
        std::memcpy(to, result, item_);
      }
    }
  }
  std::size_t value_bytes() const noexcept { return value_bytes_; }

private:
  blocks::element_function function_, cast_from_ = nullptr, cast_to_ = nullptr;
  std::size_t item_, value_bytes_;  // the latter 0 for one value
};

/// Calls f(count, offsets, first) for blocks of offsets, from the index `first` on.
template <class F> void each_block(const update_arguments &u, F f) {
  constexpr std::int64_t block = 512;
  if (!u.length) return f(static_cast<std::size_t>(u.count), u.indices, std::int64_t{0});
  std::int64_t offsets[block];
  for (std::int64_t first = 0; first < u.count; first += block) {
    const auto n = static_cast<std::size_t>(std::min(block, u.count - first));
    blocks::find_offsets(n, u.indices + first, u.length, u.stride, offsets);
    f(n, offsets, first);
  }
}

}  // namespace

void update_now(const update_arguments &u) noexcept {
  const bool is_plain =
      u.types.inputs == 2 && u.types.from[0] == u.type && u.types.from[1] == u.type && u.types.to == u.type;
  if (const blocks::update_function kernel = is_plain ? blocks::find_update(u.code, u.type) : nullptr) {
    const std::size_t step = !u.is_one_value, bytes = step * size_of(u.type);
    return each_block(u, [&](std::size_t n, const std::int64_t *offsets, std::int64_t first) {
      kernel(n, offsets, u.values + first * static_cast<std::int64_t>(bytes), step, u.x);
    });
  }
  const single_update update(u);
  each_block(u, [&](std::size_t n, const std::int64_t *offsets, std::int64_t first) {
    update.run(n, offsets, u.values + first * static_cast<std::int64_t>(update.value_bytes()), u.x);
  });
}

}  // namespace dpep::array::cpu
