// Runs a kernel in textual IR through work-group formation, without cache, queues and memory pools around.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "jit/spmd/work_group.hpp"
#include "jit/targets/x86/target.hpp"

namespace dpep::test {

/// A formed kernel in memory.
class formed_kernel {
public:
  enum class optimisation {
    none,      // neither before nor after formation
    standard,  // both, as kernels from C++ are
    after      // only after it
  };

  /// The processor that it is compiled for, and how many work-items a vector has; 0: as many as suit it.
  struct machine {
    const jit::target &target = jit::x86_target();
    std::uint32_t width = 0;
  };

  /// `text` is a module, or the functions of one: the builtins' declarations are added. The kernel is `@kernel`.
  formed_kernel(const std::string &text, const jit::specialisation &special, optimisation how = optimisation::standard)
      : formed_kernel(text, special, how, machine{}) {}
  formed_kernel(const std::string &text, const jit::specialisation &, optimisation, const machine &);

  /// Runs all units of the launch in one call, with local memory as the runtime would give it.
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

/// The levels of x86-64 that this processor can stand for, each with vectors of its own.
std::vector<std::unique_ptr<jit::target>> x86_levels();

/// A launch of work-groups, and its specialisation.
geometry groups_of(std::array<std::size_t, 3> global, std::array<std::size_t, 3> local, std::uint32_t dimensions);
jit::specialisation specialisation_of(const geometry &, std::uint32_t sub_group_size = 1);

inline bool contains(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

}  // namespace dpep::test
