// Distances between points on CPUs: a parallel loop over parts of the result.
//
// A part is some rows and so many columns that the columns' components stay in the second-level cache for all rows.
#include "array/cpu/distances.hpp"

#include <algorithm>
#include <cstring>

#include "array/blocks/blocks.hpp"
#include "array/cpu/step_submission.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::cpu {
namespace {

constexpr std::int64_t rows_of_part = 16, bytes_of_part = 256 << 10;

struct distance_work {
  distance_arguments d;
  blocks::distance_function function;
  std::int64_t width, parts, size;  // columns of a part; parts of the columns; bytes of a component
};

void measure_parts(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *,
                   std::size_t) {
  distance_work w;
  std::memcpy(&w, arguments, sizeof w);
  const distance_arguments &d = w.d;
  for (std::size_t u = begin; u < end; ++u) {
    const std::int64_t first_row = std::int64_t(u) / w.parts * rows_of_part, from = std::int64_t(u) % w.parts * w.width;
    const std::int64_t last_row = std::min(first_row + rows_of_part, d.rows),
                       last = std::min(from + w.width, d.columns);
    for (std::int64_t row = first_row; row < last_row; ++row) {
      const std::int64_t first = d.condensed ? std::max(from, row + 1) : from;
      if (first >= last) continue;
      const std::int64_t start = d.condensed ? row * (2 * d.columns - row - 1) / 2 - row - 1 : row * d.columns;
      const blocks::point_list points{d.first + row * d.components * w.size, d.second + first * w.size, d.weights,
                                      d.columns, d.components};
      w.function(std::size_t(last - first), points, d.to + (start + first) * w.size);
    }
  }
}

constexpr work_step distance_step{"distances", measure_parts};

}  // namespace

event measure(const queue &q, const distance_arguments &d, const ordered_dependencies &after) {
  const auto size = static_cast<std::int64_t>(size_of(d.type));
  const std::int64_t fitting = bytes_of_part / size / std::max<std::int64_t>(d.components, 1);
  const std::int64_t width = std::clamp<std::int64_t>(fitting / 64 * 64, 64, 4096);
  const distance_work w{d, blocks::find_distances(d.kind, d.type), width, (d.columns + width - 1) / width, size};
  const int variant = int(d.kind) * 2 + (d.type == dtype::float64);
  backend::launch_command command{
      code_of(distance_step, variant, q.get_device()), {}, std::as_bytes(std::span(&w, 1)), 0, {}};
  command.work.global[0] = std::size_t((d.rows + rows_of_part - 1) / rows_of_part * w.parts);
  return runtime::implementation_of(q, "distances").launch(command, dependencies(after));
}

}  // namespace dpep::array::cpu
