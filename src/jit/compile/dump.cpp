// Writes the files of DPEP_DUMP.
#include "jit/compile/dump.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <sys/stat.h>

namespace dpep::jit {
namespace {

// Kernel names are mangled and long, and may contain any character: keep those that are valid in file names.
std::string file_name(std::string_view kernel) {
  std::string name;
  for (const char c : kernel.substr(0, 80)) name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  return name;
}

bool write_file(const std::string &path, const void *data, std::size_t size) {
  std::FILE *const file = std::fopen(path.c_str(), "we");
  const bool written = file && std::fwrite(data, 1, size, file) == size;
  const bool closed = file && std::fclose(file) == 0;
  if (written && closed) return true;
  static std::atomic_flag warned;
  if (!warned.test_and_set())
    std::fprintf(stderr,
                 "dpep: DPEP_DUMP: cannot write %s; check that the folder exists and that its disk is not full\n",
                 path.c_str());
  return false;
}

}  // namespace

stage_dump::stage_dump(std::string_view kernel, std::string_view hash, std::string *assembly) : assembly_(assembly) {
  const char *folder = std::getenv("DPEP_DUMP");
  if (!folder || !*folder) return;
  ::mkdir(folder, 0755);
  prefix_ = fmt::format("{}/{}-{}", folder, file_name(kernel), hash.substr(0, 8));
}

void stage_dump::text(std::string_view stage, std::string_view kind, std::string_view content) {
  if (assembly_ && stage == "assembly") *assembly_ = content;
  if (prefix_.empty()) return;
  write_file(fmt::format("{}.{:02}-{}.{}", prefix_, stage_++, stage, kind), content.data(), content.size());
}

void stage_dump::module(std::string_view stage, const llvm::Module &module) {
  if (prefix_.empty()) return;
  std::string content;
  llvm::raw_string_ostream(content) << module;
  text(stage, "ll", content);
}

std::string stage_dump::save_failed_input(std::span<const unsigned char> input) {
  if (prefix_.empty()) return "set DPEP_DUMP to a folder to keep the kernel's code and the result of each stage there";
  const std::string path = prefix_ + ".failed";
  return write_file(path, input.data(), input.size()) ? "its input was saved in " + path
                                                      : "its input could not be saved";
}

}  // namespace dpep::jit
