// Integers of 128 bits, and the C library's functions for memory, strings and quotients, in kernels.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include "shared_array.hpp"

namespace {

using u128 = unsigned __int128;
using i128 = __int128;

/// Numbers of all lengths, many of them with long runs of zeros or ones.
std::vector<u128> numbers(std::size_t count, unsigned seed) {
  std::mt19937_64 next(seed);
  std::vector<u128> made;
  for (std::size_t i = 0; i < count; i++) {
    u128 x = u128(next()) << 64 | next();
    if (next() % 4 == 0) x |= ~u128(0) << (next() % 128);
    if (next() % 4 == 0) x &= ~u128(0) << (next() % 128);
    made.push_back(x >> (next() % 128));
  }
  return made;
}

constexpr std::size_t count = 20000;

/// Computes f(a, b) for all pairs in a kernel and on the host.
template <class Result, class F> void compare(F f, const char *what) {
  sycl::queue q;
  std::vector<u128> a = numbers(count, 1), b = numbers(count, 2);
  for (std::size_t i = 0; i < count; i += 7) b[i] = a[i] + i % 3 - 1;
  for (u128 &x : b) x += x == 0;
  std::vector<Result> found(count);
  {
    sycl::buffer<u128> left(a), right(b);
    sycl::buffer<Result> results(found);
    q.submit([&](sycl::handler &h) {
      const sycl::accessor l(left, h, sycl::read_only), r(right, h, sycl::read_only);
      const sycl::accessor out(results, h, sycl::write_only);
      h.parallel_for(count, [=](sycl::id<1> i) { out[i] = f(l[i], r[i]); });
    });
  }
  for (std::size_t i = 0; i < count; i++) ASSERT_EQ(found[i], f(a[i], b[i])) << what << " " << i;
}

}  // namespace

TEST(wide_integers, are_divided) {
  compare<u128>([](u128 a, u128 b) { return a / b; }, "a / b");
  compare<u128>([](u128 a, u128 b) { return a % b; }, "a % b");
  compare<i128>([](u128 a, u128 b) { return i128(a) / (i128(b) == -1 ? 1 : i128(b)); }, "signed a / b");
  compare<i128>([](u128 a, u128 b) { return i128(a) % (i128(b) == -1 ? 1 : i128(b)); }, "signed a % b");
  compare<u128>([](u128 a, u128 b) { return a % 1000000007u + b / 10u; }, "by constants");
  compare<u128>([](u128 a, u128 b) { return a / 4096 + b % 65536; }, "by powers of two");
  compare<i128>([](u128 a, u128 b) { return i128(a) / 4096 + i128(b) % 65536; }, "signed, by powers of two");
}

TEST(wide_integers, are_multiplied_modulo) {
  compare<std::uint64_t>(
      [](u128 a, u128 b) {
        const auto m = std::uint64_t(b) | 1;
        std::uint64_t x = std::uint64_t(a) % m, result = 1;
        for (std::uint64_t e = std::uint64_t(a >> 64); e; e >>= 1) {
          if (e & 1) result = std::uint64_t(u128(result) * x % m);
          x = std::uint64_t(u128(x) * x % m);
        }
        return result;
      },
      "powers");
}

TEST(wide_integers, are_converted) {
  compare<double>([](u128 a, u128) { return double(a); }, "to double");
  compare<float>([](u128 a, u128) { return float(a >> 1); }, "to float");
  compare<double>([](u128 a, u128) { return double(i128(a)); }, "signed to double");
  compare<float>([](u128 a, u128) { return float(i128(a)); }, "signed to float");
  compare<u128>([](u128 a, u128) { return u128(double(a >> 1)); }, "from double");
  compare<u128>([](u128 a, u128) { return u128(float(a >> 2)); }, "from float");
  compare<i128>([](u128 a, u128) { return i128(double(i128(a) >> 1)); }, "signed from double");
  compare<i128>([](u128 a, u128) { return i128(float(i128(a) >> 1) / 3); }, "signed from float");
}

TEST(c_library, strings_and_quotients) {
  sycl::queue q;
  constexpr int results = 17;
  shared_array<long> found(results, q);
  shared_array<char> text(64, q), copy(64, q);
  std::strcpy(text.get(), "one two three two");
  char *const t = text.get(), *const c = copy.get();
  long *const r = found.get();
  const auto call = [](char *t, char *c, long *r) {
    int i = 0;
    r[i++] = static_cast<const char *>(std::memchr(t, 't', 17)) - t;
    r[i++] = std::memchr(t, 'x', 17) == nullptr;
    r[i++] = long(std::strlen(t));
    r[i++] = long(strnlen(t, 5));
    r[i++] = std::strcmp(t, "one two three two");
    r[i++] = std::strcmp(t, "one") > 0;
    r[i++] = std::strncmp(t, "one more", 4);
    r[i++] = std::strncmp(t, "one more", 5) > 0;
    r[i++] = std::strchr(t, 'w') - t;
    r[i++] = std::strrchr(t, 'w') - t;
    r[i++] = std::strstr(t, "three") - t;
    std::strcpy(c, t + 4);
    std::strncpy(c + 32, t, 5);
    r[i++] = c[3];
    r[i++] = std::div(-17, 5).quot;
    r[i++] = std::div(-17, 5).rem;
    r[i++] = std::ldiv(1l << 40, 1000).rem;
    r[i++] = std::lldiv(1ll << 40, -1000).quot;
    r[i++] = i;
  };
  q.single_task([=] { call(t, c, r); }).wait();
  EXPECT_STREQ(c, "two three two");
  EXPECT_EQ(std::string(c + 32, 5), "one t");
  long expected[results];
  char expected_copy[64];
  char expected_text[64];
  std::strcpy(expected_text, t);
  call(expected_text, expected_copy, expected);
  for (int i = 0; i < results; i++) EXPECT_EQ(r[i], expected[i]) << i;
}
