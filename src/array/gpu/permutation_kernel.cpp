// Generates the kernels of random permutations.
#include "array/gpu/permutation_kernel.hpp"

#include "array/gpu/template_call.hpp"

namespace dpep::array::gpu {
namespace {

using namespace permutation_operand;

/// The steps that find the targets of exchanges.
generated_kernel generate_chain(permutation_step step, std::int64_t sub_group) {
  constexpr std::size_t local_bytes = 66 * 4;  // chain_memory
  template_call m(true);
  const auto memory = [&](std::initializer_list<std::size_t> operands) {
    for (const std::size_t k : operands) m.memory(k);
  };
  const char *name = "count";
  switch (step) {
  case permutation_step::draw:
    memory({words, starts, counts, used, targets, report});
    name = "draw";
    break;
  case permutation_step::finish:
    memory({words, starts, targets, report});
    name = "finish";
    break;
  default:
    memory({words, starts, counts, new_counts, used});
  }
  m.scalar_64(0);
  m.scalar_32(1);
  m.scalar_32(2);
  if (step == permutation_step::finish) m.scalar_64(3);
  m.constant("i32", sub_group);
  m.constant("i32", permutation_group);
  m.local_memory(local_bytes);
  generated_kernel kernel = m.finish(std::string("array_permute_") + name, std::string("dpep_permute_") + name,
                                     permutation_group, 1, step == permutation_step::finish ? 1 : 4);
  kernel.sub_group = std::uint32_t(sub_group);
  return kernel;
}

}  // namespace

generated_kernel generate_permutation(permutation_step step, std::int64_t sub_group) {
  template_call m(true);
  const auto finish = [&](const char *name) {
    m.constant("i32", permutation_group);
    return m.finish(std::string("array_permute_") + name, std::string("dpep_permute_") + name, permutation_group, 1, 1);
  };
  switch (step) {
  case permutation_step::clear:
    m.constant("i32", permutation_group);
    m.memory(heads);
    m.scalar_64(0);
    m.scalar_64(1);
    return m.finish("array_permute_clear", "dpep_sort_clear", permutation_group, 1, 1);
  case permutation_step::link:
    for (const std::size_t k : {targets, heads, links}) m.memory(k);
    m.scalar_32(0);
    m.scalar_32(1);
    return finish("link");
  case permutation_step::order:
    for (const std::size_t k : {heads, links}) m.memory(k);
    m.scalar_32(0);
    m.scalar_32(2);
    return finish("order");
  case permutation_step::follow:
    for (const std::size_t k : {targets, heads, links, to}) m.memory(k);
    m.scalar_32(0);
    m.scalar_32(1);
    return finish("follow");
  default:
    return generate_chain(step, sub_group);
  }
}

}  // namespace dpep::array::gpu
