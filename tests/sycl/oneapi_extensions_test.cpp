// Extensions of DPC++: copies of rows with padding, loads and reductions of groups, complex numbers, and queries.
#include <cmath>
#include <complex>
#include <cstdint>
#include <numeric>
#include <span>
#include <sstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sycl/ext/oneapi/experimental/complex.hpp>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

namespace syclex = sycl::ext::oneapi::experimental;
class of_default_groups;

TEST(rows_with_padding, are_copied_and_filled) {
  sycl::queue q;
  constexpr std::size_t width = 5, height = 4, pitch = 8;
  const shared_array<int> padded(pitch * height, q), packed(width * height, q);
  for (std::size_t i = 0; i < width * height; ++i) packed[i] = static_cast<int>(i);
  const sycl::event filled = q.ext_oneapi_fill2d(padded.get(), pitch, -1, pitch, height);
  const sycl::event copied = q.ext_oneapi_copy2d(packed.get(), width, padded.get(), pitch, width, height, filled);
  q.ext_oneapi_memset2d(padded.get(), pitch * sizeof(int), 0, sizeof(int), height, std::vector{copied}).wait();
  for (std::size_t r = 0; r < height; ++r)
    for (std::size_t c = 0; c < pitch; ++c) {
      const int expected = c == 0 ? 0 : c < width ? static_cast<int>(r * width + c) : -1;
      EXPECT_EQ(padded[r * pitch + c], expected) << r << ' ' << c;
    }
  const shared_array<int> back(width * height, q);
  q.ext_oneapi_memcpy2d(back.get(), width * sizeof(int), padded.get(), pitch * sizeof(int), width * sizeof(int), height)
      .wait();
  for (std::size_t r = 0; r < height; ++r)
    for (std::size_t c = 1; c < width; ++c) EXPECT_EQ(back[r * width + c], packed[r * width + c]);
  const sycl::event before = q.ext_oneapi_memset2d(back.get(), width * sizeof(int), 0, sizeof(int), 1, {copied});
  q.ext_oneapi_fill2d(back.get(), width, 7, 1, 1, {copied, before}).wait();
  EXPECT_EQ(back[0], 7);
  q.submit([&](sycl::handler &h) { h.ext_oneapi_copy2d(padded.get(), pitch, back.get(), width, 2, 1); }).wait();
  EXPECT_EQ(back[0], 0);
  const test::caught_error error = test::error_of([&] { q.ext_oneapi_memcpy2d(back.get(), 4, padded.get(), 8, 5, 2); });
  EXPECT_EQ(error.code, sycl::errc::invalid);
  EXPECT_TRUE(error.mentions("wider than the pitch of the destination")) << error.message;
}

TEST(groups, load_and_store_blocks_and_stripes) {
  sycl::queue q;
  constexpr std::size_t groups = 3, size = 16, each = 4, all = groups * size * each;
  const shared_array<int> from(all, q), blocked(all, q), striped(all, q), values(groups * size, q);
  std::iota(from.get(), from.get() + all, 0);
  q.parallel_for(sycl::nd_range<1>(groups * size, size), [from = from.get(), blocked = blocked.get(),
                                                          striped = striped.get(),
                                                          values = values.get()](sycl::nd_item<1> item) {
     const auto g = item.get_group();
     const std::size_t first = g.get_group_linear_id() * size * each;
     int mine[each];
     syclex::group_load(g, from + first, std::span<int, each>(mine));
     for (int &x : mine) x += 1000 * static_cast<int>(item.get_local_linear_id());
     syclex::group_store(g, std::span<int, each>(mine), blocked + first);
     sycl::vec<int, each> stripe;
     constexpr syclex::properties placed{syclex::data_placement_striped, syclex::contiguous_memory, syclex::full_group};
     syclex::group_load(g, from + first, stripe, placed);
     stripe += 1000 * static_cast<int>(item.get_local_linear_id());
     syclex::group_store(g, stripe, striped + first, placed);
     int one = 0;
     syclex::group_load(g, from + g.get_group_linear_id() * size, one);
     syclex::group_store(g, 2 * one, values + g.get_group_linear_id() * size);
   }).wait();
  for (std::size_t i = 0; i < all; ++i) {
    const std::size_t in_group = i % (size * each);
    EXPECT_EQ(blocked[i], static_cast<int>(i + 1000 * (in_group / each))) << i;
    EXPECT_EQ(striped[i], static_cast<int>(i + 1000 * (in_group % size))) << i;
  }
  for (std::size_t i = 0; i < groups * size; ++i) EXPECT_EQ(values[i], 2 * static_cast<int>(i));
}

struct largest_and_place {
  float value;
  int place;
};
struct take_larger {
  largest_and_place operator()(const largest_and_place &a, const largest_and_place &b) const {
    return b.value > a.value ? b : a;
  }
};

TEST(groups, reduce_by_operations_of_programs) {
  sycl::queue q;
  constexpr std::size_t size = 32, count = 77;
  const shared_array<float> from(count, q);
  const shared_array<largest_and_place> out(3, q);
  for (std::size_t i = 0; i < count; ++i) from[i] = std::sin(static_cast<float>(i * i));
  q.submit([&](sycl::handler &h) {
     const sycl::local_accessor<std::byte> scratch(size * sizeof(largest_and_place), h);
     const sycl::local_accessor<largest_and_place> pairs(count, h);
     h.parallel_for(sycl::nd_range<1>(size, size), [=, from = from.get(), out = out.get()](sycl::nd_item<1> item) {
       const syclex::group_with_scratchpad helper(item.get_group(),
                                                  std::span(&scratch[0], size * sizeof(largest_and_place)));
       const auto i = item.get_local_id(0);
       for (std::size_t k = i; k < count; k += size) pairs[k] = {from[k], static_cast<int>(k)};
       sycl::group_barrier(item.get_group());
       const largest_and_place mine{from[i], static_cast<int>(i)}, none{-2, -1};
       const auto of_group = syclex::reduce_over_group(helper, mine, none, take_larger());
       const auto of_range = syclex::joint_reduce(helper, &pairs[0], &pairs[0] + count, take_larger());
       const auto of_none = syclex::joint_reduce(helper, &pairs[0], &pairs[0], none, take_larger());
       if (i == 0) out[0] = of_group, out[1] = of_range, out[2] = of_none;
     });
   }).wait();
  const auto place = [&](std::size_t n) { return std::max_element(from.get(), from.get() + n) - from.get(); };
  EXPECT_EQ(out[0].place, place(size));
  EXPECT_EQ(out[1].place, place(count));
  EXPECT_EQ(out[2].place, -1);
}

TEST(work_groups, get_a_size_that_divides_the_range) {
  sycl::queue q;
  for (const std::size_t n : {1u, 97u, 1000u, 4096u}) {
    const shared_array<int> sizes(n, q);
    q.parallel_for<of_default_groups>(sycl::nd_range<1>(n, syclex::auto_range<1>()), [sizes = sizes.get()](
                                                                                         sycl::nd_item<1> item) {
       sizes[item.get_global_id(0)] = static_cast<int>(item.get_local_range(0));
     }).wait();
    const auto size = static_cast<std::size_t>(sizes[0]);
    EXPECT_TRUE(size >= 1 && size <= 256 && n % size == 0) << n << ' ' << size;
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(sizes[i], sizes[0]);
    EXPECT_TRUE(n != 4096 || size == 256);
  }
}

template <class T> void compute_complex(double tolerance) {
  using complex = syclex::complex<T>;
  sycl::queue q;
  constexpr std::size_t count = 24;
  const shared_array<complex> out(count, q);
  q.single_task([out = out.get()] {
    const complex z(T(0.5), T(-0.75)), w(T(1.25), T(0.5));
    std::size_t n = 0;
    for (const complex &x :
         {z + w,   z - w,    z * w,    z / w,    z + T(2), T(2) - z, z * T(2),  T(2) / z,
          acos(z), acosh(z), asin(z),  asinh(z), atan(z),  atanh(z), cos(z),    cosh(z),
          exp(z),  log(z),   log10(z), sin(z),   sqrt(z),  tan(z),   pow(z, w), complex(abs(z), arg(w))})
      out[n++] = x;
  });
  q.wait();
  const std::complex<double> z(0.5, -0.75), w(1.25, 0.5);
  const std::complex<double> expected[count] = {
      z + w,         z - w,         z * w,        z / w,         z + 2.0,        2.0 - z,
      z * 2.0,       2.0 / z,       std::acos(z), std::acosh(z), std::asin(z),   std::asinh(z),
      std::atan(z),  std::atanh(z), std::cos(z),  std::cosh(z),  std::exp(z),    std::log(z),
      std::log10(z), std::sin(z),   std::sqrt(z), std::tan(z),   std::pow(z, w), {std::abs(z), std::arg(w)}};
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_LE(std::abs(std::complex<double>(out[i]) - expected[i]), tolerance * (1 + std::abs(expected[i]))) << i;
}

TEST(complex_numbers, compute_in_kernels) {
  compute_complex<float>(1e-6);
  compute_complex<double>(1e-14);
  compute_complex<sycl::half>(4e-3);
}

TEST(complex_numbers, convert_print_and_compare) {
  using complex = syclex::complex<float>;
  complex z(1.5f, -2);
  z += 1;
  z *= syclex::complex<double>(0, 1);
  EXPECT_EQ(z, complex(2, 2.5f));
  EXPECT_NE(z, 2.0f);
  z = 3;
  EXPECT_EQ(z, 3.0f);
  std::ostringstream text;
  text << complex(1, 2);
  EXPECT_EQ(text.str(), "(1,2)");
  std::istringstream("(4,5)") >> z;
  EXPECT_EQ(std::complex<double>(z), std::complex<double>(4, 5));
  EXPECT_EQ(real(z) + imag(z), 9);
  EXPECT_EQ(norm(z), 41);
  EXPECT_EQ(conj(z), complex(4, -5));
  EXPECT_EQ(syclex::real(3) + syclex::imag(3.0), 3);
  static_assert(std::is_same_v<decltype(pow(z, 2.0)), syclex::complex<double>>);
  static_assert(std::is_same_v<decltype(pow(2, z)), complex>);
  const sycl::marray<complex, 2> two(z, complex(1, 1));
  EXPECT_EQ((two * two)[1], complex(0, 2));
  EXPECT_TRUE((two == two)[0]);
  const auto sizes = abs(two);
  static_assert(std::is_same_v<decltype(sizes), const sycl::marray<float, 2>>);
  EXPECT_FLOAT_EQ(sizes[1], std::sqrt(2.0f));
  EXPECT_EQ(syclex::pow(two, 2.0f)[1].real(), pow(complex(1, 1), 2.0f).real());
  EXPECT_FLOAT_EQ(syclex::polar(sycl::marray<float, 2>(1, 2), 0.0f)[1].real(), 2);
}

TEST(products_of_bytes, have_the_signs_of_their_types) {
  namespace oneapi = sycl::ext::oneapi;
  const sycl::vec<std::int8_t, 4> a(-1, 2, 3, -128);
  const sycl::vec<std::uint8_t, 4> b(255, 1, 2, 3);
  EXPECT_EQ(oneapi::dot_acc(a, b, 10), 10 - 255 + 2 + 6 - 384);
  EXPECT_EQ(oneapi::dot_acc(b, b, 0), 255 * 255 + 1 + 4 + 9);
  const auto word_a = static_cast<std::int32_t>(0x800302ff), word_signed = static_cast<std::int32_t>(0x030201ff);
  const auto word_b = 0x030201ffu;
  EXPECT_EQ(oneapi::dot_acc_4x8packed(word_a, word_b, 10), 10 - 255 + 2 + 6 - 384);
  EXPECT_EQ(oneapi::dot_acc(word_a, word_signed, 0), 1 + 2 + 6 - 384);
}

TEST(queries, tell_architectures_and_properties_of_kernels) {
  const sycl::queue q;
  const sycl::device d = q.get_device();
  const auto is = d.get_info<syclex::info::device::architecture>();
  EXPECT_TRUE(d.ext_oneapi_architecture_is(is));
  EXPECT_EQ(is == syclex::architecture::x86_64, d.is_cpu());
  EXPECT_EQ(d.ext_oneapi_architecture_is(syclex::arch_category::nvidia_gpu),
            d.get_backend() == sycl::backend::ext_oneapi_cuda);
  namespace of_kernel = sycl::info::kernel_device_specific;
  const auto size = sycl::ext::oneapi::get_kernel_info<of_default_groups, of_kernel::work_group_size>(q);
  EXPECT_EQ(size, d.get_info<sycl::info::device::max_work_group_size>());
  using num_args = sycl::info::kernel::num_args;
  EXPECT_EQ((sycl::ext::oneapi::get_kernel_info<of_default_groups, num_args>(q.get_context())), 1u);
}

TEST(threads, have_a_current_device) {
  const auto current = [] { return syclex::this_thread::get_current_device(); };
  EXPECT_EQ(current(), sycl::device());
  const auto devices = sycl::device::get_devices();
  syclex::this_thread::set_current_device(devices.back());
  EXPECT_EQ(current(), devices.back());
  std::thread([&] { EXPECT_EQ(current(), sycl::device()); }).join();
  syclex::this_thread::set_current_device(sycl::device());
}

TEST(queries, tell_the_number_of_compute_units) {
  const sycl::device d;
  static_assert(std::is_same_v<std::size_t, sycl::ext::oneapi::info::device::num_compute_units::return_type>);
  EXPECT_EQ(d.get_info<sycl::ext::oneapi::info::device::num_compute_units>(),
            d.get_info<sycl::info::device::max_compute_units>());
}

}  // namespace
