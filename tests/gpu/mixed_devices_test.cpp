// Tasks of the CPU that depend on events of a GPU, and buffers that both use.
#include <chrono>
#include <cstring>
#include <thread>

#include <dpep/buffer.hpp>

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

TEST(mixed_devices, a_buffer_moves_to_the_gpu_when_the_host_accessor_of_another_thread_is_released) {
  const queue gpu(device("cuda:gpu:0")), cpu(device("cpu"));
  const buffer b(16, 16);
  std::vector<event> none;
  b.acquire(cpu, access::write, 0, 16, none);
  auto *const on_host = static_cast<char *>(b.acquire_host(access::write));
  char moved[16] = {};
  std::thread user([&] {
    std::vector<event> wait_for;
    const void *const there = b.acquire(gpu, access::read, 0, 16, wait_for);
    gpu.copy(moved, there, sizeof moved, wait_for).wait();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::memset(on_host, 'a', 16);
  b.release_host(access::write);
  user.join();
  EXPECT_EQ(std::string(moved, 16), std::string(16, 'a'));
}

}  // namespace
}  // namespace dpep::test
