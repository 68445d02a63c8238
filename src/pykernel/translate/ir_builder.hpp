// Appends instructions to the intermediate form, and folds arithmetic on constants.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "pykernel/translate/kernel_ir.hpp"

namespace dpep::pykernel {

using node = std::uint32_t;  // index of an instruction, which stands for the instruction's result

class ir_builder {
public:
  explicit ir_builder(kernel_ir &c) : ir_(&c) {}

  std::uint32_t line = 0, site = 0;  // source line and call site of the next instructions
  std::uint8_t fast = 0;             // `fast_math` flags of the next instructions

  // --- Constants and arithmetic.
  node integer(machine_type, std::int64_t);
  node size(std::int64_t x) { return integer(machine_type::i64, x); }
  node boolean(bool x) { return integer(machine_type::i1, x); }
  node real(machine_type, double);
  std::optional<std::int64_t> known(node) const;  // the value of an integer constant
  std::optional<double> known_real(node) const;
  machine_type type_of(node n) const { return ir_->instructions[n].type; }

  node binary(operation, node a, node b, bool no_wrap = false);
  node unary(operation, node a);
  node compare(operation, node a, node b);
  node select(node condition, node yes, node no);
  node cast(operation, machine_type to, node a);
  node add(node a, node b) { return binary(operation::add, a, b); }
  node mul(node a, node b) { return binary(operation::mul, a, b); }
  node negate(node truth) { return binary(operation::bit_xor, truth, boolean(true)); }

  // --- Memory, calls, variables.
  /// `bits`: those of a number that is not negative; of a pointer, the zero bits at its end; 0: not known.
  node argument(machine_type, std::int64_t offset, int bits = 0);
  /// The index counted from the start of an axis. Negative indices count from the end.
  node wrap(node index, node extent);
  node offset(node address, node index, std::int64_t bytes);
  node load(machine_type, node address, bool constant = false);
  void store(node address, node value);
  node private_memory(machine_type element, std::int64_t count, bool zeroed);
  node call(machine_type result, std::string_view function, std::initializer_list<node> arguments);
  node call(machine_type result, std::string_view function, const std::vector<node> &arguments);
  /// Calls a complex function of the C library, and stores its result at the address `to`.
  void complex_call(machine_type part, std::string_view function, node to, const std::vector<node> &arguments);
  node string(std::string_view);
  node atomic(std::string_view what, machine_type, node address, node value, memory_ordering);
  node compare_exchange(node address, node expected, node desired, memory_ordering);
  void fence(memory_ordering);
  /// `of_all`: either all work-items fail here, or none.
  void fail(std::string_view what, std::string_view file, std::string_view function, bool of_all = false);
  /// The message has numbers in place of its first two `{}`.
  void fail_with(std::string_view what, node first, node second, std::string_view file, std::string_view function);
  std::uint32_t variable(machine_type, std::string name);
  node get(std::uint32_t variable);
  void set(std::uint32_t variable, node value);

  // --- Control flow. Each function object appends the instructions of one block.
  using body = std::function<void()>;
  void branch(node condition, const body &yes, const body &no = {});
  void loop(const std::function<node()> &condition, const body &);
  /// Whether the block is the current one, or contains it.
  bool is_open(std::uint32_t block) const;
  std::uint32_t current_block() const { return block_; }
  std::uint32_t new_scope() { return ++scopes_; }
  void scope(std::uint32_t number, const body &);
  void leave(std::uint32_t scope);

  std::uint32_t text(std::string_view);

private:
  kernel_ir *ir_;
  std::uint32_t block_ = 0;  // the block that instructions are appended to
  std::uint32_t scopes_ = 0;
  std::vector<std::uint32_t> outer_blocks_;  // those that contain the current one

  node append(instruction);
  std::uint32_t fill(const body &);
  const instruction &at(node n) const { return ir_->instructions[n]; }
};

}  // namespace dpep::pykernel
