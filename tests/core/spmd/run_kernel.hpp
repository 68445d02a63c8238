// Compilation and execution of a kernel in textual IR, without the cache, queues and memory pools.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "jit/spmd/work_group.hpp"
#include "jit/targets/x86/target.hpp"

namespace dpep::test {

/// A compiled kernel in memory.
class formed_kernel {
public:
  enum class optimisation {
    none,      // neither before nor after work-group formation
    standard,  // before and after it, like kernels from C++
    after      // after it only
  };

  /// The target, and the number of work-items in a vector; 0: chosen by the JIT.
  struct machine {
    const jit::target &target = jit::x86_target();
    std::uint32_t width = 0;
  };

  /// Compiles `text`, a module without the builtins' declarations, which are added. The kernel is `@kernel`.
  formed_kernel(const std::string &text, const jit::specialisation &special, optimisation how = optimisation::standard)
      : formed_kernel(text, special, how, machine{}) {}
  formed_kernel(const std::string &text, const jit::specialisation &, optimisation, const machine &);

  /// Runs all units of the launch in one call, with local memory laid out as by the runtime.
  void run(const geometry &, const void *arguments, std::size_t dynamic_local_bytes = 0) const;
  /// Runs the units [begin, end).
  void run(const geometry &, const void *arguments, std::size_t begin, std::size_t end,
           std::size_t dynamic_local_bytes = 0) const;

  const backend::code_needs &needs() const { return needs_; }
  const kernel_report &report() const { return report_; }
  /// The module after formation, and after optimisation.
  const std::string &formed() const { return formed_; }
  const std::string &optimised() const { return optimised_; }
  std::size_t code_bytes() const { return code_bytes_; }

private:
  std::shared_ptr<void> memory_;
  backend::work_function entry_ = nullptr;
  backend::code_needs needs_;
  kernel_report report_;
  std::string formed_, optimised_;
  std::size_t code_bytes_ = 0;
};

/// Returns the x86-64 levels that this processor supports; they differ in their vector instructions.
std::vector<std::unique_ptr<jit::target>> x86_levels();

/// Returns a launch without work-groups, one of work-groups, and a launch's specialisation.
geometry range_of(std::size_t items);
geometry groups_of(std::array<std::size_t, 3> global, std::array<std::size_t, 3> local, std::uint32_t dimensions);
jit::specialisation specialisation_of(const geometry &, std::uint32_t sub_group_size = 1);

/// The number of occurrences of `part`.
std::size_t occurrences(const std::string &text, const std::string &part);
/// Returns the text with all occurrences of `word` replaced, for kernels that are templates.
std::string replaced(std::string text, const std::string &word, const std::string &by);
inline bool contains(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

}  // namespace dpep::test
