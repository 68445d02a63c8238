// Binary searches in sorted elements on CPUs: a parallel loop over blocks of needles.
#include "array/cpu/search.hpp"

#include <algorithm>
#include <cstring>

#include "array/blocks/blocks.hpp"
#include "array/cpu/step_submission.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::cpu {
namespace {

constexpr std::int64_t block = 2048;  // needles

void search_blocks(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *,
                   std::size_t) {
  search_arguments s;
  std::memcpy(&s, arguments, sizeof s);
  const std::int64_t first = std::int64_t(begin) * block, last = std::min(std::int64_t(end) * block, s.count);
  blocks::find_search(s.type)(std::size_t(last - first), s.needles + first * std::int64_t(size_of(s.type)),
                              {s.sorted, s.length, s.stride}, s.right, s.positions + first);
}

constexpr work_step search_step{"search", search_blocks};

}  // namespace

event search(const queue &q, const search_arguments &s, const ordered_dependencies &after) {
  backend::launch_command command{
      code_of(search_step, int(s.type), q.get_device()), {}, std::as_bytes(std::span(&s, 1)), 0, {}};
  command.work.global[0] = std::size_t((s.count + block - 1) / block);
  return runtime::implementation_of(q, "search").launch(command, dependencies(after));
}

}  // namespace dpep::array::cpu
