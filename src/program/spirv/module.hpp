// A SPIR-V module that is being read: its ids with their types and values. The functions of this folder fill it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace dpep::spirv {

using id = std::uint32_t;

/// One instruction: its operation, and the words after the first.
struct instruction {
  std::uint16_t operation = 0;
  std::span<const std::uint32_t> operands;

  /// Throws errc::build if the instruction has no operand `i`.
  std::uint32_t operator[](std::size_t i) const;
  /// The text that starts at operand `i`; `next`: the operand after it.
  std::string text(std::size_t i, std::size_t *next = nullptr) const;
};

/// A decoration of an id: its number and words.
struct decoration {
  std::uint32_t what;
  std::vector<std::uint32_t> words;
};

/// What an id stands for. Types have `type`, values `value` and the id of their type.
struct entry {
  llvm::Type *type = nullptr;
  llvm::Value *value = nullptr;
  id value_type = 0;
  id element = 0;             // of vectors, arrays and pointers: the id of the element's type
  std::vector<id> members{};  // of structures; of functions: the parameters
  std::string name{};
  std::vector<decoration> decorations{};
  std::string extension{};  // of an imported set of instructions
};

struct entry_point {
  id function;
  std::string name;
  std::vector<std::uint32_t> local_size{};
  std::uint32_t sub_group_size = 0;
  bool contracts = true;
};

/// The module. `current`: the function that is being read.
struct module_reader {
  explicit module_reader(llvm::Module &m) : module(m), build(m.getContext()) {}

  llvm::Module &module;
  llvm::IRBuilder<> build;
  std::vector<entry> ids{};
  std::vector<entry_point> entry_points{};

  llvm::Function *current = nullptr;
  const entry_point *current_entry = nullptr;
  llvm::DenseMap<id, llvm::BasicBlock *> blocks{};
  llvm::DenseMap<id, llvm::Value *> builtin_variables{};  // those of the function, in its private memory
  std::vector<std::pair<llvm::PHINode *, instruction>> open_phis{};

  entry &at(id);
  llvm::Type *type(id);
  /// The value of an id; in functions, also of a variable with a work-item's id.
  llvm::Value *value(id);
  const decoration *find(id, std::uint32_t what);
  void set(id result, id type, llvm::Value *);
};

[[noreturn]] void refuse(const std::string &reason);
/// Refuses a module with an error that LLVM would not survive: it folds constants before anything is verified.
inline void expect(bool right, const char *what) {
  if (!right) refuse(std::string("it is damaged: ") + what);
}
/// The value, which must be an integer or a vector of them, or a float or a vector of them.
llvm::Value *integers(llvm::Value *);
llvm::Value *floats(llvm::Value *);

/// Types, constants and variables of the module. Returns whether the instruction is one of them.
bool read_declaration(module_reader &, const instruction &);
/// An instruction in a function's body.
void read_instruction(module_reader &, const instruction &);
/// Parts of read_instruction, which return whether the instruction is theirs.
bool read_arithmetic(module_reader &, const instruction &);
bool read_conversion(module_reader &, const instruction &);
bool read_comparison(module_reader &, const instruction &);
bool read_memory(module_reader &, const instruction &);
bool read_composite(module_reader &, const instruction &);
bool read_control_flow(module_reader &, const instruction &);
bool read_synchronisation(module_reader &, const instruction &);
bool read_extended(module_reader &, const instruction &);

/// Calls a built-in function of OpenCL C. `is_signed` is about its integers. Pointers become generic.
llvm::Value *call_builtin(module_reader &, const std::string &name, llvm::ArrayRef<llvm::Value *> arguments,
                          llvm::ArrayRef<llvm::Type *> pointees, llvm::Type *result, bool is_signed);
/// The private variable with a work-item's id or a size, of a SPIR-V variable with the decoration BuiltIn.
llvm::Value *builtin_variable(module_reader &, id variable);
/// Fast-math flags of the instruction's result.
llvm::FastMathFlags math_flags(module_reader &, id result);

}  // namespace dpep::spirv
