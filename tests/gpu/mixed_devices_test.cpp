// Tasks of the CPU that depend on events of a GPU.
#include "fake_gpu.hpp"

namespace dpep::test {
namespace {

constexpr char empty_ir[] = "define spir_kernel void @k(ptr %arguments) { ret void }";

// The status of a GPU's event may start the tasks that depend on it.
TEST(mixed_devices, a_cpu_task_that_depends_on_a_gpu_can_be_waited_for_and_queried) {
  const queue gpu(device("cuda:gpu:0")), cpu(device("cpu"));
  const kernel k = ir_kernel(empty_ir);
  for (int i = 0; i < 300; ++i) {
    const event first = launch(gpu, k, flat(1), {});
    const event second = launch(cpu, k, flat(1), {}, 0, {&first, 1});
    while (i % 2 && !second.wait_list().empty()) {}
    second.wait();
    EXPECT_EQ(second.status(), event_status::complete);
  }
}

}  // namespace
}  // namespace dpep::test
