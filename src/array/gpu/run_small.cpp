// Single element operations on evaluated arrays.
#include "array/gpu/run_small.hpp"

#include <bit>

#include "array/gpu/launch.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array::gpu {
namespace {

/// The key of a prepared kernel. `what`: the operation, and each operand's form, type and alignment.
struct kernel_key {
  const backend::device *device = nullptr;
  std::uint64_t what = 0;
  std::int64_t count = 0;
  void add(std::uint64_t value, int bits) { what = what << bits | value; }
  friend bool operator==(const kernel_key &, const kernel_key &) = default;
};

instruction make_instruction(step what, dtype type) {
  instruction i{};
  i.what = what;
  i.type = type;
  return i;
}

program program_of(opcode code, const signature &s, const plain_operands &operands, std::int64_t count) {
  program p;
  p.sizes = {count};
  const axis_set all = count > 1 ? axis_set::of(0) : axis_set();
  instruction result = make_instruction(step::element, s.to);
  result.code = code;
  for (std::size_t k = 0; k < s.inputs; ++k) {
    instruction i = make_instruction(operands.arrays[k] ? step::load : step::scalar, s.from[k]);
    if (operands.arrays[k]) {
      i.axes = all;
      i.operand = std::uint16_t(p.memory.size());
      p.memory.push_back({s.from[k], false, {count > 1 ? std::int64_t(size_of(s.from[k])) : 0}});
      result.axes = all;
    } else {
      i.operand = p.scalars++;
    }
    result.inputs[k] = value_id(p.code.size());
    p.code.push_back(i);
  }
  p.code.push_back(result);
  instruction store = make_instruction(step::store, s.to);
  store.axes = result.axes;
  store.operand = std::uint16_t(p.memory.size());
  store.inputs[0] = value_id(p.code.size() - 1);
  p.code.push_back(store);
  p.memory.push_back({s.to, true, {count > 1 ? std::int64_t(size_of(s.to)) : 0}});
  return p;
}

}  // namespace

void run_small(opcode code, const signature &s, const plain_operands &operands, array_object &result,
               std::int64_t count) {
  runtime::queue_object &q = runtime::implementation_of(result.queue, "array operation");
  std::array<std::byte *, 4> memory{};
  std::array<scalar, 3> scalars{};
  std::size_t memories = 0, numbers = 0;
  kernel_key key{&q.code_target, std::uint64_t(code) + 1, count};
  key.add(std::uint64_t(s.to), 4);
  std::shared_ptr<std::vector<ref<storage>>> owners;
  const auto use = [&](array_object &a) {
    if (const ref<storage> &where = a.memory(); !where->in_order || where->queue != result.queue) {
      if (!owners) owners = std::make_shared<std::vector<ref<storage>>>();
      owners->push_back(where);
    }
    std::byte *const first = memory[memories++] = a.first();
    key.add(std::uint64_t(std::countr_zero(reinterpret_cast<std::uintptr_t>(first) | 16)), 3);
  };
  for (std::size_t k = 0; k < s.inputs; ++k) {
    key.add(std::uint64_t(s.from[k]) << 1 | (operands.arrays[k] != nullptr), 5);
    if (operands.arrays[k])
      use(*operands.arrays[k]);
    else
      scalars[numbers++] = *operands.numbers[k];
  }
  use(result);

  struct entry {
    kernel_key key;
    std::shared_ptr<const prepared_kernels> prepared;
  };
  using table = std::array<entry, 64>;
  // allocated, because libraries have little static thread-local storage
  static thread_local std::unique_ptr<table> recent;
  if (!recent) recent = std::make_unique<table>();
  const argument_values arguments(std::span(memory).first(memories), std::span(scalars).first(numbers));
  entry &mine = (*recent)[(key.what ^ key.what >> 17 ^ std::uint64_t(count)) % recent->size()];
  if (!(mine.key == key)) {
    const program_arguments all{
        {arguments.memory.begin(), arguments.memory.end()}, {arguments.scalars.begin(), arguments.scalars.end()}, {}};
    mine = {key, prepare(program_of(code, s, operands, count), all, false, q.code_target)};
  }
  const prepared_kernel &kernel = mine.prepared->kernels.front();
  const filled_arguments filled(kernel.arguments, arguments, nullptr, nullptr);
  deferred_queue::of(result.queue).in_turn([&](const ordered_dependencies &after) {
    event done = launch(q, kernel, filled.bytes(), after);
    if (done && owners) done.keep_alive(std::move(owners));
    return done;
  });
}

}  // namespace dpep::array::gpu
