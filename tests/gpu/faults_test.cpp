// Kernels that fault take their device away: who is told what.
#include "pretended_gpu.hpp"

namespace dpep::test {
namespace {

constexpr char faulting_ir[] = R"(
  declare void @llvm.debugtrap()
  define spir_kernel void @k(ptr %arguments) {
    call void @llvm.debugtrap()
    ret void
  })";

TEST_F(PretendedGpu, FaultsTakeTheDeviceAndNothingElse) {
  const device gone{"cuda:gpu:2"};
  const queue lost(gone), cpu{device("cpu")};
  auto *const x = allocate<int>(usm_kind::device, 1, lost);
  const kernel k = ir_kernel(faulting_ir);
  const std::string fault = message_of([&] {
    launch(lost, k, flat(1), {});
    lost.wait();
  });
  EXPECT_TRUE(contains(fault, "kernel 'k'") && contains(fault, "unspecified launch failure")) << fault;
  const std::string later = message_of([&] { lost.fill(x, &fault[0], 1, 4).wait(); });
  EXPECT_TRUE(contains(later, "lost to this process")) << later;
  EXPECT_TRUE(contains(message_of([&] { (void)native::stream_of(lost); }), "lost"));
  for (const std::size_t size : {16, 100 << 20}) {
    const std::string none = message_of([&] { allocate<char>(usm_kind::device, size, lost); });
    EXPECT_TRUE(size == 16 || contains(none, "lost to this process")) << none;
  }
  const int one = 1;
  auto *const y = allocate<int>(usm_kind::shared, 1);
  int z = 0;
  q.fill(y, &one, sizeof one, 1).wait();
  cpu.fill(&z, &one, sizeof one, 1).wait();
  EXPECT_EQ(*y + z, 2);
}

}  // namespace
}  // namespace dpep::test
