// Physical memory that is mapped to reserved addresses (extension sycl_ext_oneapi_virtual_mem).
#include <numeric>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>
#include <sycl/ext/oneapi/virtual_mem/physical_mem.hpp>
#include <sycl/ext/oneapi/virtual_mem/virtual_mem.hpp>
#include <sycl/sycl.hpp>

#include "error_of.hpp"

namespace {

namespace ext = sycl::ext::oneapi::experimental;
using mode = ext::address_access_mode;

/// A queue on a device with virtual memory, and the smallest size that can be mapped.
class virtual_memory : public testing::Test {
protected:
  void SetUp() override {
    if (!q.get_device().has(sycl::aspect::ext_oneapi_virtual_mem)) GTEST_SKIP() << "the device has no virtual memory";
    granule = ext::get_mem_granularity(q, ext::granularity_mode::minimum);
  }

  sycl::queue q;
  const sycl::context c = q.get_context();
  std::size_t granule = 0;
};

using test::error_of;

}  // namespace

TEST_F(virtual_memory, an_array_grows_without_moving) {
  constexpr int steps = 5;
  const std::size_t each = 3 * granule, count = each / sizeof(int);
  const std::uintptr_t start = ext::reserve_virtual_mem(steps * each, c);
  ASSERT_NE(start, 0u);
  std::vector<ext::physical_mem> parts;
  for (int step = 0; step < steps; step++) {
    parts.emplace_back(q, each);
    void *const mapped = parts.back().map(start + step * each, each, mode::read_write);
    EXPECT_EQ(mapped, reinterpret_cast<void *>(start + step * each));
    const std::size_t n = (step + 1) * count, before = step * count;
    int *const data = reinterpret_cast<int *>(start);
    q.parallel_for(n, [=](sycl::id<1> i) { data[i] = i < before ? data[i] + 1 : int(i); }).wait();
  }
  std::vector<int> found(steps * count);
  q.memcpy(found.data(), reinterpret_cast<int *>(start), found.size() * sizeof(int)).wait();
  for (std::size_t i = 0; i < found.size(); i++) ASSERT_EQ(found[i], int(i + steps - 1 - i / count)) << i;
  for (int step = 0; step < steps; step++) ext::unmap(reinterpret_cast<void *>(start + step * each), each, c);
  ext::free_virtual_mem(start, steps * each, c);
}

TEST_F(virtual_memory, parts_of_the_physical_memory_are_mapped_where_one_likes) {
  const ext::physical_mem memory(q.get_device(), c, 2 * granule);
  EXPECT_EQ(memory.size(), 2 * granule);
  EXPECT_EQ(memory.get_context(), c);
  EXPECT_EQ(memory.get_device(), q.get_device());
  const std::uintptr_t start = ext::reserve_virtual_mem(0, 8 * granule, c);
  auto *const second = static_cast<int *>(memory.map(start + granule, granule, mode::read_write, granule));
  auto *const first = static_cast<int *>(memory.map(start + 4 * granule, granule, mode::read_write));
  q.fill(first, 7, granule / 4);
  q.fill(second, 8, granule / 4);
  q.wait();
  ext::unmap(first, granule, c);
  ext::unmap(second, granule, c);
  // The contents stay in the physical memory.
  auto *const both = static_cast<int *>(memory.map(start, 2 * granule, mode::read));
  std::vector<int> found(2 * granule / 4);
  q.copy(both, found.data(), found.size()).wait();
  for (std::size_t i = 0; i < found.size(); i++) ASSERT_EQ(found[i], i < granule / 4 ? 7 : 8) << i;
  ext::unmap(both, 2 * granule, c);
  ext::free_virtual_mem(start, 8 * granule, c);
}

TEST_F(virtual_memory, a_part_is_mapped_after_the_whole_or_refused) {
  const ext::physical_mem memory(q, 3 * granule);
  const std::uintptr_t start = ext::reserve_virtual_mem(3 * granule, c);
  auto *const whole = static_cast<int *>(memory.map(start, 3 * granule, mode::read_write));
  q.fill(whole, 5, 3 * granule / 4).wait();
  ext::unmap(whole, 3 * granule, c);
  int *part = nullptr;
  const auto error =
      error_of([&] { part = static_cast<int *>(memory.map(start + granule, granule, mode::read_write, 2 * granule)); });
  if (q.get_device().is_gpu()) {
    EXPECT_EQ(error.code, sycl::errc::feature_not_supported) << error.message;
  } else {
    ASSERT_NE(part, nullptr) << error.message;
    EXPECT_EQ(*part, 5);
    ext::unmap(part, granule, c);
  }
  EXPECT_EQ(memory.map(start, 3 * granule, mode::read), whole);
  int last = 0;
  q.memcpy(&last, whole + 3 * granule / 4 - 1, sizeof last).wait();
  EXPECT_EQ(last, 5);
  ext::unmap(whole, 3 * granule, c);
  ext::free_virtual_mem(start, 3 * granule, c);
}

TEST_F(virtual_memory, has_access_modes_and_is_device_memory) {
  const std::uintptr_t start = ext::reserve_virtual_mem(4 * granule, c);
  void *const pointer = reinterpret_cast<void *>(start);
  {
    const ext::physical_mem memory(q, 2 * granule);
    memory.map(start, granule);
    memory.map(start + granule, granule, granule);
  }  // the mappings keep the memory
  EXPECT_EQ(ext::get_access_mode(pointer, 2 * granule, c), mode::none);
  EXPECT_EQ(sycl::get_pointer_type(pointer, c), sycl::usm::alloc::unknown);
  ext::set_access_mode(pointer, 2 * granule, mode::read_write, c);
  EXPECT_EQ(ext::get_access_mode(pointer, 2 * granule, c), mode::read_write);
  EXPECT_EQ(sycl::get_pointer_type(pointer, c), sycl::usm::alloc::device);
  EXPECT_EQ(sycl::get_pointer_device(static_cast<char *>(pointer) + granule + 5, c), q.get_device());
  q.memset(pointer, 3, 2 * granule).wait();
  ext::set_access_mode(static_cast<char *>(pointer) + granule, granule, mode::read, c);
  EXPECT_EQ(ext::get_access_mode(static_cast<char *>(pointer) + granule, granule, c), mode::read);
  EXPECT_EQ(error_of([&] { ext::get_access_mode(pointer, 2 * granule, c); }).code, sycl::errc::invalid);
  char found = 0;
  q.memcpy(&found, static_cast<char *>(pointer) + 2 * granule - 1, 1).wait();
  EXPECT_EQ(found, 3);
  ext::unmap(pointer, granule, c);
  ext::unmap(static_cast<char *>(pointer) + granule, granule, c);
  EXPECT_EQ(sycl::get_pointer_type(pointer, c), sycl::usm::alloc::unknown);
  ext::free_virtual_mem(start, 4 * granule, c);
}

TEST_F(virtual_memory, kernels_take_many_mappings_at_once) {
  constexpr int count = 64;
  const std::uintptr_t start = ext::reserve_virtual_mem(count * granule, c);
  std::vector<ext::physical_mem> parts;
  for (int i = count - 1; i >= 0; i--) {  // from the end
    parts.emplace_back(q, granule);
    parts.back().map(start + i * granule, granule, mode::read_write);
  }
  auto *const data = reinterpret_cast<unsigned *>(start);
  const std::size_t n = count * granule / sizeof(unsigned);
  q.parallel_for(n, [=](sycl::id<1> i) { data[i] = unsigned(i); });
  q.wait();
  auto *const sum = sycl::malloc_shared<unsigned long long>(1, q);
  *sum = 0;
  q.parallel_for(n, sycl::reduction(sum, sycl::plus<unsigned long long>()), [=](sycl::id<1> i, auto &total) {
     total += data[n - 1 - i];
   }).wait();
  EXPECT_EQ(*sum, (unsigned long long)(n) * (n - 1) / 2);
  sycl::free(sum, q);
  for (int i = 0; i < count; i++) ext::unmap(reinterpret_cast<void *>(start + i * granule), granule, c);
  ext::free_virtual_mem(start, count * granule, c);
}

TEST_F(virtual_memory, objects_have_reference_semantics) {
  const ext::physical_mem a(q, granule), b(q, granule), copy = a;
  EXPECT_EQ(a, copy);
  EXPECT_NE(a, b);
  EXPECT_EQ(std::hash<ext::physical_mem>()(a), std::hash<ext::physical_mem>()(copy));
  EXPECT_EQ((std::unordered_set<ext::physical_mem>{a, b, copy}.size()), 2u);
}

TEST_F(virtual_memory, has_granularities) {
  const std::size_t recommended = ext::get_mem_granularity(q);
  EXPECT_GT(granule, 0u);
  EXPECT_EQ(recommended % granule, 0u);
  EXPECT_EQ(ext::get_mem_granularity(q.get_device(), c), recommended);
  EXPECT_EQ(ext::get_mem_granularity(c, ext::granularity_mode::minimum), granule);
  EXPECT_EQ(ext::get_mem_granularity(ext::physical_mem(q, granule), ext::granularity_mode::minimum), granule);
}

TEST_F(virtual_memory, wrong_arguments_are_refused) {
  const std::uintptr_t start = ext::reserve_virtual_mem(4 * granule, c);
  const ext::physical_mem memory(q, 2 * granule);
  memory.map(start, granule, mode::read_write);
  void *const pointer = reinterpret_cast<void *>(start);
  void *const outside = reinterpret_cast<void *>(start + 4 * granule);
  const sycl::context other(q.get_device());
  const struct {
    const char *what;
    std::function<void()> call;
  } wrong[] = {
      {"physical memory of an odd size", [&] { ext::physical_mem(q, granule + 1); }},
      {"physical memory of 0 bytes", [&] { ext::physical_mem(q, 0); }},
      {"reserving an odd size", [&] { ext::reserve_virtual_mem(granule / 2, c); }},
      {"reserving nothing", [&] { ext::reserve_virtual_mem(0, c); }},
      {"reserving from an odd address", [&] { ext::reserve_virtual_mem(start + 1, granule, c); }},
      {"mapping to mapped addresses", [&] { memory.map(start, granule, mode::read); }},
      {"mapping over mapped addresses", [&] { memory.map(start, 2 * granule, mode::read); }},
      {"mapping past the memory", [&] { memory.map(start + granule, 2 * granule, mode::read, granule); }},
      {"mapping from an odd offset", [&] { memory.map(start + granule, granule, mode::read, 1); }},
      {"mapping to an odd address", [&] { memory.map(start + granule + 1, granule, mode::read); }},
      {"mapping past the reservation", [&] { memory.map(start + 3 * granule, 2 * granule, mode::read); }},
      {"mapping where nothing is reserved", [&] { memory.map(granule, granule, mode::read); }},
      {"mapping to another context's addresses",
       [&] { ext::physical_mem(q.get_device(), other, granule).map(start + granule, granule, mode::read); }},
      {"the access to what is not mapped", [&] { ext::get_access_mode(pointer, 2 * granule, c); }},
      {"access to what is not mapped", [&] { ext::set_access_mode(pointer, 2 * granule, mode::read, c); }},
      {"access to what is not reserved", [&] { ext::set_access_mode(outside, granule, mode::read, c); }},
      {"unmapping what is not mapped", [&] { ext::unmap(reinterpret_cast<void *>(start + granule), granule, c); }},
      {"unmapping more than is mapped", [&] { ext::unmap(pointer, 2 * granule, c); }},
      {"unmapping in another context", [&] { ext::unmap(pointer, granule, other); }},
      {"freeing mapped addresses", [&] { ext::free_virtual_mem(start, 4 * granule, c); }},
      {"freeing a part", [&] { ext::free_virtual_mem(start, granule, c); }},
      {"freeing what is not reserved", [&] { ext::free_virtual_mem(start + granule, granule, c); }},
  };
  for (const auto &[what, call] : wrong) EXPECT_EQ(error_of(call).code, sycl::errc::invalid) << what;
  ext::unmap(pointer, granule, c);
  ext::free_virtual_mem(start, 4 * granule, c);
  EXPECT_EQ(error_of([&] { ext::free_virtual_mem(start, 4 * granule, c); }).code, sycl::errc::invalid) << "freed twice";
  EXPECT_EQ(error_of([&] { ext::physical_mem(q, std::size_t{1} << 46); }).code, sycl::errc::memory_allocation);
}
