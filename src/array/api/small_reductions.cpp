// Reductions of few elements to one, by one call of a block kernel.
#include "array/api/small_reductions.hpp"

#include "array/base/scalars.hpp"
#include "array/blocks/blocks.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

constexpr std::int64_t max_elements = 4096, max_cast = 1024;
constexpr std::size_t max_state_bytes = 64;

}  // namespace

ndarray small_reduction(reduction how, array_object &input, dtype computed, const layout &l, dtype result) {
  const bool mean = how == reduction::mean;
  if (how == reduction::variance || how == reduction::deviation) return {};
  if (input.pending() || !input.layout.row_major || input.layout.size > max_elements || input.layout.size == 0)
    return {};
  if (!is_host_accessible(input.queue) || !idle(input.queue)) return {};
  if (mean && computed == dtype::float16) computed = dtype::float32;

  const reduction step = mean ? reduction::sum : how;
  const dtype reduced = reduces_in_result_type(step) ? computed : input.type;
  const blocks::reducer *r = blocks::find_reducer(step, reduced);
  if (!r || r->state_bytes > max_state_bytes) return {};

  const auto count = static_cast<std::size_t>(input.layout.size);
  alignas(64) std::byte buffer[std::size_t{max_cast} * 16], state[max_state_bytes], value[16];
  const void *data = input.first();
  if (reduced != input.type) {
    if (input.layout.size > max_cast) return {};
    blocks::find_cast(input.type, reduced)(count, &data, buffer);
    data = buffer;
  }
  r->start(1, state);
  r->block(count, data, blocks::origin::cache, 0, state);
  r->finish(1, state, value);
  if (mean) {
    scalar sum = read_element(value, computed);
    sum.number /= static_cast<double>(count);
    write_element(value, computed, sum);
  }

  ndarray made = make_empty(input.queue, result, l, input.kind);
  const void *from = value;
  blocks::find_cast(computed, result)(1, &from, static_cast<array_object *>(made.get())->first());
  return made;
}

}  // namespace dpep::array
