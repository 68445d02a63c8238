// Filters of neighbourhoods on CPUs: a parallel loop over parts of rows.
//
// An element of a given rank is found by a sorting network, since its steps are the same for all positions and so run
// on vectors. The network is Batcher's merge exchange (Knuth, The Art of Computer Programming 3, 5.2.2, algorithm M),
// without the steps that the rank does not depend on.
#include "array/cpu/filter.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "array/blocks/blocks.hpp"
#include "array/cpu/step_submission.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::cpu {
namespace {

constexpr std::int64_t most_columns = 4096;  // of a part

/// Bytes that a launch copies.
struct filter_work {
  blocks::filter_function function;
  blocks::filter_plan plan;
  const std::byte *from;
  std::byte *to;
  const std::int64_t *starts;
  std::int64_t columns, parts, size;  // parts of a row; bytes of an element
};

std::vector<blocks::exchange> sorting_network(std::int64_t n) {
  std::vector<blocks::exchange> steps;
  const auto top = n < 2 ? 0 : static_cast<std::int64_t>(std::bit_floor(std::uint64_t(n - 1)));
  for (std::int64_t p = top; p > 0; p /= 2) {
    std::int64_t r = 0, d = p;
    for (std::int64_t q = top;; q /= 2) {
      for (std::int64_t i = 0; i + d < n; ++i)
        if ((i & p) == r) steps.push_back({std::int32_t(i), std::int32_t(i + d)});
      if (q == p) break;
      d = q - p, r = p;
    }
  }
  return steps;
}

std::vector<blocks::exchange> selection_network(std::int64_t n, std::int64_t rank) {
  std::vector<blocks::exchange> steps = sorting_network(n), needed;
  std::vector<bool> is_used(std::size_t(n), false);
  is_used[std::size_t(rank)] = true;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const auto low = std::size_t(step->low), high = std::size_t(step->high);
    if (!is_used[low] && !is_used[high]) continue;
    is_used[low] = is_used[high] = true;
    needed.push_back(*step);
  }
  std::ranges::reverse(needed);
  return needed;
}

blocks::filter_form form_of(const filter_arguments &f) noexcept {
  switch (f.kind) {
  case filter_kind::sum:
    if (!f.opposites) return blocks::filter_form::sum;
    return f.subtract ? blocks::filter_form::sum_of_differences : blocks::filter_form::sum_of_pairs;
  case filter_kind::least:
    return f.weights ? blocks::filter_form::least_weighted : blocks::filter_form::least;
  case filter_kind::greatest:
    return f.weights ? blocks::filter_form::greatest_weighted : blocks::filter_form::greatest;
  case filter_kind::rank:
    break;
  }
  return blocks::filter_form::rank;
}

void filter_parts(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *scratch,
                  std::size_t) {
  filter_work w;
  std::memcpy(&w, arguments, sizeof w);
  for (std::size_t u = begin; u < end; ++u) {
    const std::int64_t row = std::int64_t(u) / w.parts, part = std::int64_t(u) % w.parts;
    const std::int64_t first = w.columns * part / w.parts, last = w.columns * (part + 1) / w.parts;
    w.function(std::size_t(last - first), w.from + (w.starts[row] + first) * w.size,
               w.to + (row * w.columns + first) * w.size, w.plan, scratch);
  }
}

constexpr work_step filter_step{"filter", filter_parts};

}  // namespace

event filter(const queue &q, const filter_arguments &f, const ordered_dependencies &after) {
  const blocks::filter_form form = form_of(f);
  filter_work w{};
  w.function = blocks::find_filter(form, f.type);
  w.plan = {f.distances, f.opposites, f.weights, f.taps, f.rank, nullptr, 0};
  w.from = f.from, w.to = f.to, w.starts = f.starts, w.columns = f.columns;
  w.parts = (f.columns + most_columns - 1) / most_columns;
  w.size = static_cast<std::int64_t>(size_of(f.type));
  std::shared_ptr<std::vector<blocks::exchange>> network;
  std::size_t scratch = 0;
  if (f.kind == filter_kind::rank) {
    network = std::make_shared<std::vector<blocks::exchange>>(selection_network(f.taps, f.rank));
    w.plan.exchanges = network->data();
    w.plan.exchange_count = static_cast<std::int64_t>(network->size());
    scratch = std::size_t(f.taps) * blocks::filter_scratch;
  }
  // Queues measure run times by code, which the number of taps decides.
  const int variant = (int(form) * int(dtype_count) + int(f.type)) * 64 + std::bit_width(std::uint64_t(f.taps));
  backend::launch_command command{
      code_of(filter_step, variant, q.get_device()), {}, std::as_bytes(std::span(&w, 1)), scratch, {}};
  command.work.global[0] = std::size_t(f.rows * w.parts);
  event done = runtime::implementation_of(q, "filter").launch(command, dependencies(after));
  if (network) done.keep_alive(network);
  return done;
}

}  // namespace dpep::array::cpu
