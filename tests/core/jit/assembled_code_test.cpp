// Tests that machine code in the disk cache is used only for the GPU and the driver that it was made for.
#include "fake_gpu.hpp"

namespace dpep::test {
namespace {

/// A GPU whose machine code names the driver that assembled it, and that loads only its own driver's code.
class gpu_with_driver final : public fake_gpu {
public:
  /// `code_name`: identifies code of this driver, also where `version` and `driver` are equal.
  gpu_with_driver(std::string version, std::string driver, std::string code_name)
      : fake_gpu("sm_90", std::move(version), std::move(driver)),
        code_header_("// by " + std::move(code_name) + "\n") {}
  std::vector<std::byte> assemble(std::span<const std::byte> text) override {
    std::vector<std::byte> made(code_header_.size() + text.size());
    std::memcpy(made.data(), code_header_.data(), code_header_.size());
    std::memcpy(made.data() + code_header_.size(), text.data(), text.size());
    return made;
  }
  ref<const backend::code> load(const backend::code_object &object, const backend::code_needs &needs) override {
    if (!std::string_view(reinterpret_cast<const char *>(object.bytes.data()), object.bytes.size())
             .starts_with(code_header_))
      throw exception(errc::build, "the driver: there is no machine code for this GPU");
    return fake_gpu::load(object, needs);
  }

private:
  const std::string code_header_;
};

/// Numbers of kernels that were compiled, and found in the cache.
struct work {
  std::uint64_t compiled, found;
};
work compile_once(backend::device &gpu) {
  const std::string text = scale_ir();
  const jit::compile_counts before = jit::counts();
  (void)jit::compile({bytes_of(text), "k", jit::digest_of(bytes_of(text))}, range(1), gpu);
  const jit::compile_counts now = jit::counts();
  return {now.compiled - before.compiled, now.from_disk - before.from_disk};
}

struct assembled_code : ::testing::Test {
  const scratch_folder folder;
  const environment cache{"DPEP_CACHE", folder.path.string()};
};

TEST_F(assembled_code, is_not_shared_between_gpus_or_drivers) {
  gpu_with_driver first("9.0", "CUDA 12.4", "first"), second("10.0", "CUDA 12.4", "second");
  gpu_with_driver third("9.0", "CUDA 13.0", "third");
  for (gpu_with_driver *gpu : {&first, &second, &third}) {
    const work made = compile_once(*gpu);
    EXPECT_EQ(made.compiled, 1u);
    EXPECT_EQ(made.found, 0u);
  }
  for (gpu_with_driver *gpu : {&first, &second, &third}) {
    const work found = compile_once(*gpu);
    EXPECT_EQ(found.compiled, 0u);
    EXPECT_EQ(found.found, 1u);
  }
}

TEST_F(assembled_code, that_the_driver_rejects_is_compiled_again_once) {
  gpu_with_driver before("9.0", "CUDA 13.0", "before"), after("9.0", "CUDA 13.0", "after");
  EXPECT_EQ(compile_once(before).compiled, 1u);
  const work again = compile_once(after);
  EXPECT_EQ(again.compiled, 1u);
  EXPECT_EQ(again.found, 1u);
  const work found = compile_once(after);
  EXPECT_EQ(found.compiled, 0u);
  EXPECT_EQ(found.found, 1u);
}

/// A GPU that rejects all code.
class rejecting_gpu final : public fake_gpu {
public:
  rejecting_gpu() : fake_gpu("sm_90") {}
  ref<const backend::code> load(const backend::code_object &, const backend::code_needs &) override {
    throw exception(errc::build, "the driver: no");
  }
};

TEST_F(assembled_code, that_the_driver_rejects_twice_is_an_error) {
  rejecting_gpu gpu;
  EXPECT_THROW(compile_once(gpu), exception);  // compiled
  const std::uint64_t before = jit::counts().compiled;
  EXPECT_THROW(compile_once(gpu), exception);  // found, then compiled
  EXPECT_EQ(jit::counts().compiled - before, 1u);
}

}  // namespace
}  // namespace dpep::test
