// Tests loading of ELF objects: invalid objects are rejected, and code is unmapped with its kernel.
#include "jit/targets/x86/load_elf.hpp"

#include <fstream>

#include "jit/compile/cache.hpp"
#include "jit/kernels.hpp"

namespace dpep {
namespace {

using namespace test;

std::size_t mappings_of_process() {
  std::ifstream maps("/proc/self/maps");
  return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(maps), {}, '\n'));
}

class loading : public ::testing::Test {
protected:
  scratch_folder folder;
  environment cache{"DPEP_CACHE", folder.path.string()};
  queue q = cpu_queue();

  // A valid object, from the cache's only entry, whose last field it is.
  std::vector<std::byte> object() {
    ir_kernel(scale_ir()).prepare(q.get_device(), flat(1));
    std::ifstream stream(folder.files().at(0), std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(stream), {}};
    const auto bytes = std::as_bytes(std::span(content))
                           .subspan(content.find("\x7f"
                                                 "ELF"));
    return {bytes.begin(), bytes.end()};
  }
};

TEST_F(loading, loads_code_that_runs) {
  const std::vector<std::byte> elf = object();
  const jit::loaded_code code = jit::load_elf(elf, "dpep_kernel", {}, "k");
  float a[3] = {1, 2, 3};
  const scale_arguments arguments{a, 2};
  const geometry work = flat(3);
  reinterpret_cast<backend::work_function>(code.entry)(&arguments, &work, 0, 2, nullptr, 0);
  EXPECT_EQ(std::vector(a, a + 3), (std::vector<float>{2, 4, 3}));
}

TEST_F(loading, rejects_invalid_objects) {
  const std::vector<std::byte> zeroes(200);
  EXPECT_HAS(error_of(errc::build, [&] { jit::load_elf(zeroes, "dpep_kernel", {}, "the kernel"); }), "'the kernel'");
  EXPECT_HAS(error_of(errc::build, [&] { jit::load_elf({}, "dpep_kernel", {}, "k"); }), "truncated");
}

TEST_F(loading, rejects_truncated_objects) {
  const std::vector<std::byte> elf = object();
  for (std::size_t size = 0; size < elf.size(); size += 7)
    error_of(errc::build, [&] { jit::load_elf(std::span(elf).first(size), "dpep_kernel", {}, "k"); });
}

TEST_F(loading, names_a_missing_entry_point) {
  const std::vector<std::byte> elf = object();
  EXPECT_HAS(error_of(errc::build, [&] { jit::load_elf(elf, "other", {}, "k"); }), "does not define 'other'");
}

TEST_F(loading, code_is_unmapped_with_its_kernel) {
  const auto launch_new_kernels = [&](int count) {
    for (int i = 0; i < count; ++i) {
      std::vector<float> a(4, 1);
      launch(q, ir_kernel(scale_ir()), flat(4), packed(scale_arguments{a.data(), 2}));
      q.wait();
      ASSERT_EQ(a[3], 2);
    }
  };
  launch_new_kernels(20);
  const std::size_t before = mappings_of_process();
  launch_new_kernels(200);
  EXPECT_LT(mappings_of_process(), before + 50);
}

}  // namespace
}  // namespace dpep
