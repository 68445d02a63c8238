// Choices by the device's architecture in kernels (extension sycl_ext_oneapi_device_architecture).
#include <gtest/gtest.h>

#include <sycl/sycl.hpp>

namespace {

namespace syclex = sycl::ext::oneapi::experimental;
using enum syclex::architecture;

/// What a kernel of one work-item stores, given the memory.
template <class F> int result_of(const F &f) {
  sycl::queue q;
  int *const out = sycl::malloc_shared<int>(1, q);
  *out = -1;
  q.single_task([=] { f(out); }).wait();
  const int result = *out;
  sycl::free(out, q);
  return result;
}

syclex::architecture own_architecture() { return sycl::device().get_info<syclex::info::device::architecture>(); }
bool on_cpu() { return own_architecture() == x86_64; }
bool on_nvidia() { return sycl::device().ext_oneapi_architecture_is(syclex::arch_category::nvidia_gpu); }

TEST(architectures, are_chosen_by_name) {
  const int chosen = result_of([](int *out) {
    syclex::if_architecture_is<x86_64>([=] {
      *out = 1;
    }).else_if_architecture_is<nvidia_gpu_sm_80, nvidia_gpu_sm_90>([=] {
        *out = 2;
      }).otherwise([=] { *out = 3; });
  });
  const bool listed = own_architecture() == nvidia_gpu_sm_80 || own_architecture() == nvidia_gpu_sm_90;
  EXPECT_EQ(chosen, on_cpu() ? 1 : listed ? 2 : 3);
}

TEST(architectures, are_chosen_by_category) {
  const int chosen = result_of([](int *out) {
    syclex::if_architecture_is<syclex::arch_category::nvidia_gpu, syclex::arch_category::amd_gpu>([=] {
      *out = 1;
    }).otherwise([=] { *out = 2; });
  });
  EXPECT_EQ(chosen, on_nvidia() ? 1 : 2);
  EXPECT_EQ(
      result_of([](int *out) { syclex::if_architecture_is<syclex::arch_category::intel_gpu>([=] { *out = 1; }); }), -1);
}

TEST(architectures, are_compared_within_a_family) {
  const int above = result_of([](int *out) {
    syclex::if_architecture_is_gt<nvidia_gpu_sm_50>([=] { *out = 1; }).otherwise([=] { *out = 2; });
  });
  EXPECT_EQ(above, on_nvidia() ? 1 : 2);
  const int between = result_of([](int *out) {
    syclex::if_architecture_is_between<nvidia_gpu_sm_50, nvidia_gpu_sm_100>([=] {
      *out = 1;
    }).else_if_architecture_is_between<x86_64, x86_64>([=] {
        *out = 2;
      }).otherwise([=] { *out = 3; });
  });
  EXPECT_TRUE(on_cpu() ? between == 2 : between == 1 || between == 3);
  EXPECT_EQ(result_of([](int *out) {
              syclex::if_architecture_is_lt<x86_64>([=] { *out = 1; })
                  .else_if_architecture_is_le<x86_64>([=] { *out = 2; })
                  .else_if_architecture_is_lt<nvidia_gpu_sm_60>([=] { *out = 3; })
                  .else_if_architecture_is_ge<nvidia_gpu_sm_60>([=] { *out = 4; });
            }),
            on_cpu() ? 2 : 4);
}

TEST(architectures, choose_one_at_most) {
  const int calls = result_of([](int *out) {
    *out = 0;
    syclex::if_architecture_is<x86_64>([=] { *out += 1; })
        .else_if_architecture_is<x86_64>([=] { *out += 10; })
        .else_if_architecture_is_ge<nvidia_gpu_sm_50>([=] { *out += 1; })
        .otherwise([=] { *out += 100; });
  });
  EXPECT_EQ(calls, on_cpu() || on_nvidia() ? 1 : 100);
}

}  // namespace
