// Interpolation between points on CPUs: a parallel loop over blocks of needles.
#include "array/cpu/interpolate.hpp"

#include <algorithm>
#include <cstring>

#include "array/blocks/interpolations.hpp"
#include "array/cpu/step_submission.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::cpu {
namespace {

constexpr std::int64_t block = 2048;        // needles
constexpr std::int64_t few_needles = 4096;  // for which the calling thread interpolates

void interpolate_needles(const interpolation_arguments &a, std::int64_t first, std::int64_t last) {
  blocks::point_table t{a.xp, a.fp, a.length, {}, {}};
  const std::int64_t parts = a.is_complex ? 2 : 1;
  for (std::int64_t k = 0; k < parts; ++k) {
    t.left[k] = a.has_left ? a.left[k] : a.fp[k];
    t.right[k] = a.has_right ? a.right[k] : a.fp[(a.length - 1) * parts + k];
  }
  const blocks::interpolation_kernels &kernels = blocks::find_interpolations();
  (a.is_complex ? kernels.complex : kernels.real)(static_cast<std::size_t>(last - first), a.x + first, t,
                                                  a.to + first * parts);
}

void interpolate_blocks(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *,
                        std::size_t) {
  interpolation_arguments a;
  std::memcpy(&a, arguments, sizeof a);
  const auto first = static_cast<std::int64_t>(begin) * block;
  interpolate_needles(a, first, std::min(static_cast<std::int64_t>(end) * block, a.count));
}

constexpr work_step interpolation_step{"interpolate", interpolate_blocks};

}  // namespace

bool interpolate_now(const interpolation_arguments &a) noexcept {
  if (a.count > few_needles) return false;
  interpolate_needles(a, 0, a.count);
  return true;
}

event interpolate(const queue &q, const interpolation_arguments &a, const ordered_dependencies &after) {
  backend::launch_command command{
      code_of(interpolation_step, a.is_complex, q.get_device()), {}, std::as_bytes(std::span(&a, 1)), 0, {}};
  command.work.global[0] = static_cast<std::size_t>((a.count + block - 1) / block);
  return runtime::implementation_of(q, "interpolate").launch(command, dependencies(after));
}

}  // namespace dpep::array::cpu
