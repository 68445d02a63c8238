// DPEP_DUMP=folder: keeps what each stage of a compilation made.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace llvm {
class Module;
}

namespace dpep::jit {

/// The files of one compilation: `<kernel>-<hash>.<nn>-<stage>.<kind>`. Does nothing unless DPEP_DUMP is set; a folder
/// that can't be written to costs a line on stderr, once.
class stage_dump {
public:
  /// `assembly`: where the assembly goes as well, when somebody wants to see it.
  stage_dump(std::string_view kernel, std::string_view hash, std::string *assembly = nullptr);
  bool enabled() const noexcept { return !prefix_.empty() || assembly_; }
  void text(std::string_view stage, std::string_view kind, std::string_view content);
  void module(std::string_view stage, const llvm::Module &);
  /// Keeps the input of a compilation that failed, in DPEP_DUMP's folder or, without one, nowhere; returns a sentence
  /// for the error message that says where it is, or how to get it.
  std::string keep_failed(std::span<const unsigned char> input);

private:
  std::string prefix_;
  std::string *assembly_;
  int stage_ = 0;
};

}  // namespace dpep::jit
