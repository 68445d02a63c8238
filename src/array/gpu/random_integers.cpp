// Random integers with rejections on devices that do not run host code: generates and launches the kernel.
#include "array/gpu/random_integers.hpp"

#include "array/gpu/device_sizes.hpp"
#include "array/gpu/kernel_list.hpp"
#include "array/gpu/launch.hpp"
#include "array/gpu/template_call.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t group = 256, blocks_each = 2;  // as in device/array/random_integers.cpp

std::int64_t tile_of(int bits) { return group * blocks_each * (256 / bits); }

/// Operands are the integers, the report and the published words; scalars the tag, the number of tiles, and the 64-bit
/// parameters of the function in their order.
generated_kernel generate_integers(int bits, std::size_t result_bytes, std::int64_t sub_group) {
  constexpr std::uint16_t scalars_32 = 2, scalars_64 = 13;
  const std::int64_t tile = tile_of(bits), each = tile / group, local_bytes = 66 * 4 + (tile + tile / each) * bits / 8;
  template_call m(true);
  for (const std::size_t operand : {0, 1, 2}) m.memory(operand);
  m.counters();
  for (std::uint16_t k = 0; k < scalars_32; ++k) m.scalar_32(k);
  for (std::uint16_t k = 0; k < scalars_64; ++k) m.scalar_64(scalars_32 + k);
  m.constant("i32", sub_group);
  m.constant("i32", group);
  m.local_memory(std::size_t(local_bytes));
  const std::string name = fmt::format("random_integers_{}_{}", bits, 8 * result_bytes);
  generated_kernel kernel = m.finish("array_" + name, "dpep_" + name, group, 1, 4);
  kernel.sub_group = std::uint32_t(sub_group);
  return kernel;
}

}  // namespace

void draw_integers(const integer_draws &d, array_object &to, array_object &report) {
  static auto &kernels = *new kernel_list<std::tuple<int, std::size_t, std::int64_t>>;
  const queue &where = to.queue;
  runtime::queue_object &q = runtime::implementation_of(where, "integers");
  const std::int64_t sub_group = device_sizes(q.code_target.info()).sub_group;
  // A half of a word that is left precedes the words: it replaces the one before the first, in the block before if need
  // be.
  const bool is_in_block_before = d.pending && d.first == 0;
  const std::uint64_t first_block = is_in_block_before ? ~std::uint64_t{0} : 0;
  const std::uint64_t start = is_in_block_before ? 7 : d.first - (d.pending ? 1 : 0);
  const std::int64_t tile = tile_of(d.bits), tiles = (std::int64_t(start) + d.words + tile - 1) / tile;
  const prepared_kernel kernel = kernels.find({d.bits, size_of(to.type), sub_group}, q.code_target, tiles,
                                              [&] { return generate_integers(d.bits, size_of(to.type), sub_group); });
  std::byte *const addresses[] = {to.first(), report.first()};
  owner_list owners;
  for (array_object *a : {&to, &report}) owners.push_back(std::make_shared<ref<storage>>(a->memory()));
  deferred_queue &order = deferred_queue::of(where);
  order.in_turn([&](const ordered_dependencies &after) {
    deferred_queue::tagged_words words = order.words(std::size_t(tiles) * sizeof(std::uint64_t));
    owners.push_back(std::move(words.keep));
    std::byte *const memory[] = {addresses[0], addresses[1], words.first};
    const scalar numbers[] = {scalar::of(std::int64_t(words.tag)),
                              scalar::of(tiles),
                              scalar::of(to.layout.size),
                              scalar::of(first_block),
                              scalar::of(start),
                              scalar::of(d.pending),
                              scalar::of(d.key[0]),
                              scalar::of(d.key[1]),
                              scalar::of(d.counter[0]),
                              scalar::of(d.counter[1]),
                              scalar::of(d.counter[2]),
                              scalar::of(d.counter[3]),
                              scalar::of(d.count),
                              scalar::of(d.threshold),
                              scalar::of(d.least)};
    return submit_steps(owners, [&](event &last) {
      const filled_arguments filled(kernel.arguments, {memory, numbers}, nullptr, order.counters());
      last = launch(q, kernel, filled.bytes(), after);
    });
  });
}

}  // namespace dpep::array::gpu
