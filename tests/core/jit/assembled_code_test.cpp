// Machine code in the disk cache is that of one GPU and one driver.
#include "imagined_gpu.hpp"

namespace dpep::test {
namespace {

/// A GPU with a driver, whose machine code says by which it was made.
class driven_gpu final : public imagined_gpu {
public:
  /// `takes`: its own code's name, which `version` and `driver` may not tell.
  driven_gpu(std::string version, std::string driver, std::string takes)
      : imagined_gpu("sm_90", std::move(version), std::move(driver)), is_("// by " + std::move(takes) + "\n") {}
  std::vector<std::byte> assemble(std::span<const std::byte> text) override {
    std::vector<std::byte> made(is_.size() + text.size());
    std::memcpy(made.data(), is_.data(), is_.size());
    std::memcpy(made.data() + is_.size(), text.data(), text.size());
    return made;
  }
  ref<const backend::code> load(const backend::code_object &object, const backend::code_needs &needs) override {
    if (!std::string_view(reinterpret_cast<const char *>(object.bytes.data()), object.bytes.size()).starts_with(is_))
      throw exception(errc::build, "the driver: there is no machine code for this GPU");
    return imagined_gpu::load(object, needs);
  }

private:
  const std::string is_;
};

struct work {
  std::uint64_t compiled, found;
};
work of_compiling(backend::device &gpu) {
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

TEST_F(assembled_code, is_not_another_gpus_or_drivers) {
  driven_gpu first("9.0", "CUDA 12.4", "first"), second("10.0", "CUDA 12.4", "second");
  driven_gpu third("9.0", "CUDA 13.0", "third");
  for (driven_gpu *gpu : {&first, &second, &third}) {
    const work made = of_compiling(*gpu);
    EXPECT_EQ(made.compiled, 1u);
    EXPECT_EQ(made.found, 0u);
  }
  for (driven_gpu *gpu : {&first, &second, &third}) {
    const work found = of_compiling(*gpu);
    EXPECT_EQ(found.compiled, 0u);
    EXPECT_EQ(found.found, 1u);
  }
}

TEST_F(assembled_code, that_is_refused_is_made_anew_once) {
  driven_gpu before("9.0", "CUDA 13.0", "before"), after("9.0", "CUDA 13.0", "after");
  EXPECT_EQ(of_compiling(before).compiled, 1u);
  const work again = of_compiling(after);
  EXPECT_EQ(again.compiled, 1u);
  EXPECT_EQ(again.found, 1u);
  const work found = of_compiling(after);
  EXPECT_EQ(found.compiled, 0u);
  EXPECT_EQ(found.found, 1u);
}

/// Takes nothing at all.
class refusing_gpu final : public imagined_gpu {
public:
  refusing_gpu() : imagined_gpu("sm_90") {}
  ref<const backend::code> load(const backend::code_object &, const backend::code_needs &) override {
    throw exception(errc::build, "the driver: no");
  }
};

TEST_F(assembled_code, that_is_refused_twice_is_an_error) {
  refusing_gpu gpu;
  EXPECT_THROW(of_compiling(gpu), exception);  // made here
  const std::uint64_t before = jit::counts().compiled;
  EXPECT_THROW(of_compiling(gpu), exception);  // found, and made here
  EXPECT_EQ(jit::counts().compiled - before, 1u);
}

}  // namespace
}  // namespace dpep::test
