// DPEP_DUMP=folder: saves the result of each compilation stage.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace llvm {
class Module;
}

namespace dpep::jit {

/// Writes the files of one compilation: `<kernel>-<hash>.<nn>-<stage>.<kind>`. Does nothing unless DPEP_DUMP is set. If
/// the folder is not writable, prints one warning per process to stderr.
class stage_dump {
public:
  /// `assembly`: receives the assembly if not null.
  stage_dump(std::string_view kernel, std::string_view hash, std::string *assembly = nullptr);
  bool enabled() const noexcept { return !prefix_.empty() || assembly_; }
  void text(std::string_view stage, std::string_view kind, std::string_view content);
  void module(std::string_view stage, const llvm::Module &);
  /// Saves the input of a failed compilation if DPEP_DUMP is set. Returns a sentence for the error message: the path of
  /// the file, or how to obtain it.
  std::string save_failed_input(std::span<const unsigned char> input);

private:
  std::string prefix_;
  std::string *assembly_;
  int stage_ = 0;
};

}  // namespace dpep::jit
