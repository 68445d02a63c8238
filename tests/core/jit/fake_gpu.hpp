// A GPU without hardware, for tests that compile kernels to PTX and assemble them with ptxas.
#pragma once

#include <cstdio>
#include <fstream>
#include <string>

#include "backend/backend.hpp"
#include "jit/launch/compiler.hpp"
#include "kernels.hpp"

namespace dpep::test {

/// Code as text, which cannot run.
class ptx_code final : public backend::code {
public:
  ptx_code(const backend::code_object &object, const backend::code_needs &needs)
      : code(object.name, needs), text(reinterpret_cast<const char *>(object.bytes.data()), object.bytes.size()) {}
  const std::string text;
};

/// A GPU whose machine code is PTX, and that cannot run kernels.
class fake_gpu : public backend::device {
public:
  explicit fake_gpu(std::string processor, std::string version = "9.0", std::string driver = "CUDA 13.0")
      : processor_(std::move(processor)) {
    info_.version = std::move(version);
    info_.driver_version = std::move(driver);
    info_.max_work_group_size = 1024;
    info_.max_work_item_sizes = {1024, 1024, 64};
    info_.local_mem_size = 48 << 10;
  }
  const device_info &info() const noexcept override { return info_; }
  backend::capabilities capabilities() const noexcept override { return {}; }
  std::unique_ptr<backend::queue> make_queue(const queue_options &, ref<backend::error_slot>) override { return {}; }
  void *allocate(usm_kind, std::size_t, std::size_t, backend::block_use) noexcept override { return nullptr; }
  void free(usm_kind, void *, std::size_t) noexcept override {}
  std::uint64_t free_memory() const noexcept override { return 0; }
  ref<const backend::code> load(const backend::code_object &object, const backend::code_needs &needs) override {
    return make_object<ptx_code>(object, needs);
  }
  std::string_view code_format() const noexcept override { return "nvptx"; }
  std::string_view code_processor() const noexcept override { return processor_; }
  std::span<const backend::symbol> symbols() const noexcept override {
    static constexpr backend::symbol all[] = {{"vprintf", nullptr},
                                              {"printf", nullptr},
                                              {"__dpep_printf", nullptr},
                                              {"__dpep_end_work_item", nullptr},
                                              {"__dpep_failing_item", nullptr},
                                              {"__dpep_failure_place", nullptr}};
    return all;
  }
  std::vector<partition_domain> affinity_domains() const override { return {}; }
  std::vector<std::unique_ptr<device>> partition(std::span<const std::uint32_t>) override { return {}; }
  std::vector<std::unique_ptr<device>> partition(partition_domain) override { return {}; }

private:
  device_info info_;
  const std::string processor_;
};

struct gpu_result {
  std::string ptx;
  backend::code_needs needs;
  kernel_report report;
};

inline jit::specialisation range(std::uint8_t dimensions) { return {false, dimensions, {}}; }
inline jit::specialisation groups(std::uint32_t x, std::uint32_t y = 0, std::uint32_t z = 0) {
  return {true, static_cast<std::uint8_t>(z ? 3 : y ? 2 : 1), {x, y, z}};
}

/// Compiles a kernel to PTX for the processor.
inline gpu_result compile(std::span<const unsigned char> module, const std::string &name,
                          const jit::specialisation &shape, const std::string &processor = "sm_90") {
  fake_gpu gpu(processor);
  const jit::loaded_kernel loaded = jit::compile({module, name, jit::digest_of(module)}, shape, gpu);
  return {static_cast<const ptx_code &>(*loaded.code).text, loaded.code->needs, loaded.report};
}
inline gpu_result compile(std::string_view text, const jit::specialisation &shape,
                          const std::string &processor = "sm_90") {
  return compile(bytes_of(text), "k", shape, processor);
}

inline bool contains(const std::string &text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Returns the errors of ptxas; an empty string if there are none, or if ptxas is not installed.
inline std::string assembler_errors(const std::string &ptx, const std::string &processor = "sm_90") {
  const scratch_folder folder;
  const std::string file = (folder.path / "k.ptx").string();
  std::ofstream(file) << ptx;
  const char *const path = std::getenv("DPEP_TEST_PTXAS");
  const std::string command =
      std::string(path ? path : "ptxas") + " -arch=" + processor + " -o /dev/null " + file + " 2>&1";
  std::FILE *const pipe = ::popen(command.c_str(), "r");
  std::string output;
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe)) output += buffer;
  const int status = ::pclose(pipe);
  return status == 0 || WEXITSTATUS(status) == 127 ? "" : output + "\n" + ptx;
}

}  // namespace dpep::test
