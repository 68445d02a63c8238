// Names: programs that use several namespaces at once, and names from before SYCL 2020.
#include <iomanip>
#include <iostream>
#include <sstream>

#include <gtest/gtest.h>

#include <CL/sycl.hpp>

#include "shared_array.hpp"

namespace of_both {

using namespace std;
using namespace sycl;

string formatted() {
  ostringstream out;
  out << hex << 255 << dec << ' ' << setw(4) << setprecision(3) << fixed << 1.5 << endl << flush;
  return out.str();
}

void from_a_kernel(sycl::queue &q) {
  q.submit([&](handler &h) {
     sycl::stream out(1024, 256, h);
     h.single_task([=] { out << hex << 255 << dec << ' ' << 7 << endl << "end" << flush; });
   }).wait();
}

}  // namespace of_both

TEST(names, manipulators_coexist_with_the_standard_librarys) {
  EXPECT_EQ(of_both::formatted(), "ff 1.500\n");
  sycl::queue q;
  testing::internal::CaptureStdout();
  of_both::from_a_kernel(q);
  q.wait();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "ff 7\nend");
}

TEST(names, of_sycl_1_2_1) {
  static_assert(std::is_same_v<cl::sycl::queue, sycl::queue>);
  static_assert(std::is_same_v<cl::sycl::cl_ulong, std::uint64_t>);
  static_assert(std::is_same_v<sycl::opencl::cl_float, float>);
  static_assert(std::is_same_v<cl::sycl::string_class, std::string>);
  static_assert(std::is_same_v<cl::sycl::vector_class<int>, std::vector<int>>);
  static_assert(std::is_same_v<cl::sycl::function_class<void(cl::sycl::exception_list)>, cl::sycl::async_handler>);
  static_assert(std::is_same_v<cl::sycl::unique_ptr_class<int>, std::unique_ptr<int>>);
  static_assert(std::is_same_v<cl::sycl::shared_ptr_class<int>, std::shared_ptr<int>>);
  static_assert(std::is_same_v<cl::sycl::weak_ptr_class<int>, std::weak_ptr<int>>);
  static_assert(std::is_same_v<cl::sycl::hash_class<int>, std::hash<int>>);
  static_assert(std::is_same_v<cl::sycl::mutex_class, std::mutex>);
  static_assert(std::is_same_v<cl::sycl::exception_ptr_class, std::exception_ptr>);
}

TEST(names, of_extensions) {
  sycl::queue q;
  const shared_array<int> p(64, q), sum(1, q);
  q.parallel_for(sycl::nd_range<2>({8, 8}, {4, 4}), [p = p.get(), sum = sum.get()](sycl::nd_item<2>) {
     namespace here = sycl::ext::oneapi::this_work_item;
     p[here::get_nd_item<2>().get_global_linear_id()] =
         static_cast<int>(here::get_work_group<2>().get_group_linear_id());
     sycl::ext::oneapi::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*sum) += 1;
   }).wait();
  EXPECT_EQ(p[0], 0);
  EXPECT_EQ(p[63], 3);
  EXPECT_EQ(sum[0], 64);
}

TEST(names, fractions_and_indices_are_numbers) {
  const sycl::id<1> i = 4;
  EXPECT_EQ(2.0f / i, 0.5f);
  EXPECT_EQ(i * 0.5, 2.0);
  EXPECT_EQ(10.0 - i, 6.0);
}
