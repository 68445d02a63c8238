// Random permutations on devices that do not run host code: prepares and launches the kernels.
#include "array/gpu/permutation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "array/gpu/kernel_list.hpp"
#include "array/gpu/launch.hpp"
#include "array/gpu/permutation_kernel.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array::gpu {
namespace {

using operands = std::array<std::byte *, permutation_operand::count>;

/// A part of the chain of words, whose tiles are work-groups, and the rounds that it takes.
struct chain_part {
  std::int64_t first, tiles, rounds;
};

/// The rest of the chain, from such an i on, is left to one work-group.
constexpr double rest = 1 << 17;
constexpr std::int64_t most_tiles = 2048;

/// Rounds after which estimates are exact, but for about one part in 10^8. Of words whose number is the share `x` of
/// their mask, a round divides the error of the estimates by k / x in the k-th round: errors at tiles are sums of those
/// of all tiles before. At first it is that of a sum of random numbers.
std::int64_t rounds_of(double x, double words) {
  double error = std::sqrt(words);
  std::int64_t k = 1;
  for (; error > 1e-8; ++k) error *= x / double(k);
  return k + 1;
}

/// The values of the mask of an element, and the words that it is expected to be used for, from that element on.
struct mask_range {
  double values, words;
  explicit mask_range(double i)
      : values(double(std::bit_ceil(std::uint64_t(i) + 1))), words(values * std::log((i + 1) / (values / 2))) {}
};

std::vector<chain_part> parts_of(std::int64_t count, std::int64_t words) {
  constexpr double most_x = 0.5;  // of a part, see rounds_of()
  std::vector<chain_part> parts;
  std::int64_t first = 0;
  for (double i = double(count - 1); i > rest;) {
    const mask_range upper(i), lower(upper.values / 2 - 1);
    const double in_upper = std::min(upper.words, most_x * upper.values), x = in_upper / upper.values;
    const double wanted = in_upper + (in_upper == upper.words ? (most_x - x) * lower.values : 0);
    const std::int64_t tiles =
        std::min({std::int64_t(wanted) / permutation_tile, most_tiles, (words - first) / permutation_tile});
    if (tiles == 0) break;
    const auto taken = double(tiles * permutation_tile), below = std::max(taken - upper.words, 0.0);
    parts.push_back({first, tiles, rounds_of((taken - below) / upper.values + below / lower.values, taken)});
    first += tiles * permutation_tile;
    i = below > 0 ? (lower.values - 1) * std::exp(-below / lower.values) : i * std::exp(-taken / upper.values);
  }
  return parts;
}

/// Launches the steps of one permutation, one after the other.
class permutation_steps {
public:
  permutation_steps(runtime::queue_object &q, const ordered_dependencies &after, event &last)
      : queue_(q), after_(after), last_(last), sub_group_(device_sizes(q.code_target.info()).sub_group) {}
  operands memory{};

  void run(permutation_step step, std::int64_t groups, const std::array<std::int64_t, 4> &of) {
    static auto &kernels = *new kernel_list<std::pair<permutation_step, std::int64_t>>;
    const prepared_kernel kernel = kernels.find({step, sub_group_}, queue_.code_target, groups,
                                                [&] { return generate_permutation(step, sub_group_); });
    const scalar numbers[] = {scalar::of(of[0]), scalar::of(of[1]), scalar::of(of[2]), scalar::of(of[3])};
    const filled_arguments filled(kernel.arguments, {memory, numbers}, nullptr, nullptr);
    last_ = launch(queue_, kernel, filled.bytes(), last_ ? ordered_dependencies({&last_, 1}, &last_) : after_);
  }

  void find_targets(std::int64_t count, std::int64_t words, std::byte *counts) {
    constexpr std::int64_t bytes = 4 * most_tiles;
    using namespace permutation_operand;
    std::int64_t first = 0, number = 0;
    for (const chain_part &part : parts_of(count, words)) {
      memory[permutation_operand::counts] = nullptr;
      for (std::int64_t round = 0; round < part.rounds; ++round) {
        memory[new_counts] = counts + round % 2 * bytes;
        run(permutation_step::count, part.tiles, {part.first, number, count - 1});
        memory[permutation_operand::counts] = memory[new_counts];
      }
      run(permutation_step::draw, part.tiles, {part.first, number, count - 1});
      first = part.first + part.tiles * permutation_tile;
      ++number;
    }
    run(permutation_step::finish, 1, {first, number, count - 1, words});
  }
  void apply(std::int64_t base, std::int64_t count, std::int64_t size) {
    const auto groups = [](std::int64_t items) { return (items + permutation_group - 1) / permutation_group; };
    const std::int64_t words = (size + 1) / 2, most_groups = 2048;
    const std::int64_t clearing = std::min(groups(words), most_groups);
    run(permutation_step::clear, clearing, {words, clearing});
    run(permutation_step::link, groups(count), {base, count, size});
    run(permutation_step::order, groups(size), {base, count, size});
    run(permutation_step::follow, groups(count), {base, count, size});
  }

private:
  runtime::queue_object &queue_;
  const ordered_dependencies &after_;
  event &last_;
  const std::int64_t sub_group_;
};

std::size_t aligned(std::int64_t bytes) { return std::size_t(bytes + 255) / 256 * 256; }

/// Calls `submit(steps, workspace)` in order with the queue's array work.
template <class F> void in_turn(std::initializer_list<array_object *> arrays, std::size_t workspace_bytes, F submit) {
  const queue &where = (*arrays.begin())->queue;
  runtime::queue_object &q = runtime::implementation_of(where, "permutation");
  owner_list owners;
  for (array_object *a : arrays) owners.push_back(std::make_shared<ref<storage>>(a->memory()));
  const ref<storage> workspace = allocate_workspace(where, workspace_bytes, owners);
  deferred_queue::of(where).in_turn([&](const ordered_dependencies &after) {
    return submit_steps(owners, [&](event &last) {
      permutation_steps steps(q, after, last);
      submit(steps, workspace->base());
    });
  });
}

}  // namespace

void draw_targets(array_object &words, array_object &targets, array_object &report) {
  constexpr std::int64_t most_parts = 4096;
  const std::size_t starts_bytes = aligned(4 * most_parts), tile_bytes = aligned(4 * most_tiles);
  std::byte *const addresses[] = {words.first(), targets.first(), report.first()};
  in_turn({&words, &targets, &report}, starts_bytes + 3 * tile_bytes,
          [&](permutation_steps &steps, std::byte *workspace) {
            operands &m = steps.memory;
            m[permutation_operand::words] = addresses[0];
            m[permutation_operand::targets] = addresses[1];
            m[permutation_operand::report] = addresses[2];
            m[permutation_operand::starts] = workspace;
            m[permutation_operand::used] = workspace + starts_bytes;
            steps.find_targets(targets.layout.size, words.layout.size, workspace + starts_bytes + tile_bytes);
          });
}

void exchange(array_object &given, std::int64_t size, array_object &to) {
  const std::int64_t count = to.layout.size;
  const std::size_t numbers = aligned(4 * size);
  std::byte *const addresses[] = {given.first(), to.first()};
  in_turn({&given, &to}, numbers + aligned(4 * count), [&](permutation_steps &steps, std::byte *workspace) {
    using namespace permutation_operand;
    steps.memory[targets] = addresses[0], steps.memory[permutation_operand::to] = addresses[1];
    steps.memory[heads] = workspace, steps.memory[links] = workspace + numbers;
    steps.apply(size - count, count, size);
  });
}

}  // namespace dpep::array::gpu
