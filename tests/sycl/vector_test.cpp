// Kernels with divergent control flow and all kinds of memory accesses, compared with the same functions on the host.
// CMake runs these tests at every vector width.
#include <bit>
#include <cstdint>

#include <gtest/gtest.h>

#include "on_device.hpp"
#include "shared_array.hpp"

namespace {

constexpr std::size_t items = 1000;  // not a multiple of a vector

/// Numbers without a pattern.
constexpr std::uint32_t scramble(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

template <class F> void same_as_on_host(F f) {
  using R = decltype(f(std::size_t()));
  const std::vector<R> got = test::on_device<R>(items, f);
  for (std::size_t i = 0; i < items; i++) ASSERT_EQ(got[i], f(i)) << "work-item " << i;
}

TEST(divergent_code, branches) {
  same_as_on_host([](std::size_t i) {
    const std::uint32_t x = scramble(std::uint32_t(i));
    std::uint32_t r = 1;
    if (x & 1) {
      r = x * 3;
      if (x & 2)
        r += 7;
      else if (x & 4)
        return r ^ 5;  // early return
    } else if (x % 5 == 0) {
      r = x / ((x >> 3) % 7 + 1);
    }
    return r + (x >> 1);
  });
}

TEST(divergent_code, loops_of_different_length) {
  same_as_on_host([](std::size_t i) {
    std::uint64_t x = i + 1;
    std::uint32_t steps = 0;
    while (x != 1 && steps < 200) {
      x = x % 2 ? 3 * x + 1 : x / 2;
      steps++;
    }
    return steps * 1000 + std::uint32_t(x);
  });
}

TEST(divergent_code, nested_loops_with_break_continue_and_return) {
  same_as_on_host([](std::size_t i) {
    std::uint32_t state = scramble(std::uint32_t(i)), sum = 0;
    for (int a = 0; a < 9; a++) {
      if ((state >> a) & 1) continue;
      for (int b = 0; b < a + int(i % 4); b++) {
        state = state * 1664525 + 1013904223;
        if (state >> 28 == 3) break;
        if (state >> 26 == 17) return sum ^ 0x55;
        sum += state >> 20;
        for (std::uint32_t c = 0; c < (state >> 30); c++) {
          sum = sum * 5 + c;
          if (sum % 11 == 0) goto next;  // leaves two loops
        }
      }
      sum ^= std::uint32_t(a);
    next:;
    }
    return sum;
  });
}

TEST(divergent_code, loops_with_uniform_exits) {
  same_as_on_host([n = std::uint32_t(13)](std::size_t i) {
    std::uint32_t sum = 0, last = 0;
    for (std::uint32_t k = 0; k < n; k++) {
      if ((i + k) % 3 == 0) {
        for (std::uint32_t j = 0; j < k; j++) sum += scramble(j + std::uint32_t(i)) >> 25;
      }
      last = k;
      if (sum > 100000 * n) break;
    }
    return sum + last;
  });
}

TEST(divergent_code, switches) {
  same_as_on_host([](std::size_t i) {
    std::uint32_t x = scramble(std::uint32_t(i)), r = 0;
    for (int k = 0; k < 6; k++) {
      switch ((x >> (4 * k)) & 7) {
      case 0:
        r += 3;
        break;
      case 1:
        r *= 3;
        [[fallthrough]];
      case 2:
        r ^= x;
        break;
      case 3:
      case 4:
        r -= x >> 3;
        continue;
      case 5:
        return r;
      default:
        r = ~r;
      }
      r += std::uint32_t(k);
    }
    return r;
  });
}

TEST(divergent_code, private_arrays) {
  same_as_on_host([](std::size_t i) {
    std::uint32_t stack[32], top = 0, x = std::uint32_t(i), sum = 0;
    stack[top++] = x % 50;
    while (top) {
      const std::uint32_t n = stack[--top];
      sum = sum * 3 + n;
      if (n > 6 && top < 30) {
        stack[top++] = n / 2;
        if (n % 3) stack[top++] = n / 3;
      }
    }
    return sum;
  });
  same_as_on_host([](std::size_t i) {
    struct {
      std::uint8_t a[16];
      std::uint32_t b[4];
    } mixed = {};
    for (std::uint32_t k = 0; k < 40; k++) {
      mixed.a[scramble(k + std::uint32_t(i)) % 16] += std::uint8_t(k);
      mixed.b[k % 4] += mixed.a[(k + i) % 16];
    }
    return mixed.b[0] + 3 * mixed.b[1] + 5 * mixed.b[2] + 7 * mixed.b[3];
  });
}

TEST(divergent_code, inactive_work_items_have_no_effect) {
  sycl::queue q;
  const shared_array<std::uint32_t> table(64, q);
  for (std::size_t i = 0; i < 64; i++) table[i] = scramble(std::uint32_t(i));
  same_as_on_host([t = table.get()](std::size_t i) {
    const std::uint32_t x = scramble(std::uint32_t(i));
    std::uint32_t r = 1;
    if (i % 7 == 3) r = 1000 / std::uint32_t(i % 7 - 2);  // other work-items would divide by zero
    if (i < 64) r += t[i] + t[63 - i];                    // and read beyond the end
    if (x % 4 == 1) r ^= t[x % 64];
    if (x > 0xF0000000U) r += *(i == 5000 ? nullptr : t + 3);  // an address common to all work-items
    return r;
  });
}

TEST(divergent_code, mixed_types) {
  same_as_on_host([](std::size_t i) {
    const std::uint32_t x = scramble(std::uint32_t(i));
    const auto byte = std::int8_t(x);
    const auto word = std::int16_t(x >> 8);
    const auto wide = std::int64_t(byte) * word - std::int64_t(i);
    double d = double(wide) * 0.5;
    const float f = float(word) * 0.25f;
    if (byte > 0) d += double(f);
    if (word % 2) d = double(std::int32_t(d)) - double(byte);
    const bool odd = (x & 1) != (byte < 0);
    return odd ? d : d + double(std::uint8_t(x >> 3));
  });
}

struct particle {
  float x, y, z;
  std::int32_t kind;
};

TEST(memory_accesses, fields_of_structures_and_strides) {
  sycl::queue q;
  const shared_array<particle> p(items, q);
  const shared_array<std::uint16_t> rows(3 * items, q);
  const shared_array<double> backward(items, q), fives(5 * items, q);
  for (std::size_t i = 0; i < items; i++) p[i] = {float(i), 2 * float(i), 0.5f, std::int32_t(i % 3)};
  const auto step = [=, pp = p.get(), r = rows.get(), b = backward.get(), v = fives.get()](std::size_t i) {
    particle &own = pp[i];
    own.x += own.z;
    own.y = own.x - own.y;
    if (own.kind == 1) own.z = -own.x;
    if (own.kind != 2) own.kind += int(i);
    r[3 * i] = std::uint16_t(i);
    r[3 * i + 1] = std::uint16_t(i + 1);
    r[3 * i + 2] = std::uint16_t(own.kind);
    b[items - 1 - i] = double(i) + double(r[3 * i]);
    for (int k = 0; k < 5; k++)
      if (k != 2) v[5 * i + std::size_t(k)] = double(own.y) + k;
  };
  q.parallel_for(sycl::range<1>(items), [=](sycl::id<1> i) { step(i[0]); }).wait_and_throw();
  const std::vector<particle> got = p.values();
  const std::vector<std::uint16_t> got_rows = rows.values();
  const std::vector<double> got_backward = backward.values(), got_fives = fives.values();
  for (std::size_t i = 0; i < items; i++) {
    p[i] = {float(i), 2 * float(i), 0.5f, std::int32_t(i % 3)};
    step(i);
    ASSERT_EQ(got[i].x, p[i].x) << i;
    ASSERT_EQ(got[i].y, p[i].y) << i;
    ASSERT_EQ(got[i].z, p[i].z) << i;
    ASSERT_EQ(got[i].kind, p[i].kind) << i;
  }
  EXPECT_EQ(got_rows, rows.values());
  EXPECT_EQ(got_backward, backward.values());
  EXPECT_EQ(got_fives, fives.values());
}

TEST(memory_accesses, short_vectors) {
  sycl::queue q;
  const shared_array<sycl::float4> a(items, q);
  const shared_array<sycl::int3> b(items, q);
  for (std::size_t i = 0; i < items; i++) a[i] = {float(i), 1, 2, float(i % 9)};
  q.parallel_for(sycl::range<1>(items), [a = a.get(), b = b.get()](sycl::id<1> i) {
     const sycl::float4 v = a[i];
     sycl::float4 w = v * 2.0f + sycl::float4(v.w(), v.z(), v.y(), v.x());
     if (i[0] % 3 == 0) w = sycl::max(w, sycl::float4(5));
     a[i] = w;
     b[i] = {int(w.x()), int(w.y()), int(i[0])};
   }).wait_and_throw();
  for (std::size_t i = 0; i < items; i++) {
    const float v[] = {float(i), 1, 2, float(i % 9)};
    for (int k = 0; k < 4; k++) {
      float w = v[k] * 2 + v[3 - k];
      if (i % 3 == 0) w = std::max(w, 5.0f);
      ASSERT_EQ(a[i][k], w) << i << " " << k;
      if (k < 2) ASSERT_EQ(b[i][k], int(w)) << i;
    }
    ASSERT_EQ(b[i][2], int(i));
  }
}

template <class T> using atomic = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device>;

TEST(memory_accesses, atomic_operations_on_one_place_and_on_many) {
  sycl::queue q;
  const shared_array<std::int32_t> one(8, q);
  const shared_array<std::uint32_t> many(16, q);
  const shared_array<float> sums(2, q);
  const shared_array<std::uint32_t> tickets(items, q);
  one[1] = 1 << 20;
  one[3] = -1;
  q.parallel_for(sycl::range<1>(items), [=, o = one.get(), m = many.get(), s = sums.get(),
                                         t = tickets.get()](sycl::id<1> i) {
     const auto x = std::int32_t(scramble(std::uint32_t(i[0])) >> 12);
     atomic<std::int32_t>(o[0]).fetch_add(x);
     atomic<std::int32_t>(o[1]).fetch_min(x);
     atomic<std::int32_t>(o[2]).fetch_max(x);
     atomic<std::int32_t>(o[3]).fetch_and(x | 0x1000);
     atomic<std::int32_t>(o[4]).fetch_xor(x);
     if (i[0] % 3 == 1) atomic<std::int32_t>(o[5]).fetch_add(2);
     if (i[0] % 100 == 7) atomic<std::int32_t>(o[6]).fetch_sub(x);
     atomic<std::uint32_t>(m[x % 16])++;
     atomic<float>(s[0]).fetch_add(0.5f);
     if (x % 2) atomic<float>(s[1]).fetch_add(float(x % 8));
     t[atomic<std::int32_t>(o[7]).fetch_add(1)] = std::uint32_t(i[0]);
   }).wait_and_throw();
  std::int32_t wanted[8] = {0, 1 << 20, 0, -1, 0, 0, 0, std::int32_t(items)};
  std::vector<std::uint32_t> wanted_many(16);
  float wanted_sum = 0;
  for (std::size_t i = 0; i < items; i++) {
    const auto x = std::int32_t(scramble(std::uint32_t(i)) >> 12);
    wanted[0] += x;
    wanted[1] = std::min(wanted[1], x);
    wanted[2] = std::max(wanted[2], x);
    wanted[3] &= x | 0x1000;
    wanted[4] ^= x;
    wanted[5] += i % 3 == 1 ? 2 : 0;
    wanted[6] -= i % 100 == 7 ? x : 0;
    wanted_many[std::size_t(x % 16)]++;
    wanted_sum += x % 2 ? float(x % 8) : 0;
  }
  for (int k = 0; k < 8; k++) EXPECT_EQ(one[std::size_t(k)], wanted[k]) << k;
  EXPECT_EQ(many.values(), wanted_many);
  EXPECT_EQ(sums[0], 0.5f * items);
  EXPECT_EQ(sums[1], wanted_sum);
  std::vector<std::uint32_t> seen = tickets.values();
  std::sort(seen.begin(), seen.end());
  for (std::size_t i = 0; i < items; i++) ASSERT_EQ(seen[i], i);
}

TEST(memory_accesses, compare_exchange_in_a_loop) {
  sycl::queue q;
  const shared_array<double> product(1, q);
  product[0] = 1;
  q.parallel_for(sycl::range<1>(items), [p = product.get()](sycl::id<1> i) {
     atomic<double> shared(*p);
     double seen = shared.load();
     while (!shared.compare_exchange_strong(seen, i[0] % 2 ? seen * 2 : seen / 2)) {}
   }).wait_and_throw();
  EXPECT_EQ(product[0], 1);
}

[[gnu::noinline]] std::uint32_t not_inlined(std::uint32_t x, std::uint32_t *where) {
  for (std::uint32_t k = 0; k < x % 5; k++) *where += k * x;
  return *where ^ x;
}

TEST(divergent_code, calls_of_functions) {
  same_as_on_host([](std::size_t i) {
    std::uint32_t own = std::uint32_t(i), r = 0;
    if (i % 3) r = not_inlined(own * 7, &own);
    return r + own;
  });
}

TEST(divergent_code, ranges_of_two_and_three_dimensions) {
  sycl::queue q;
  const shared_array<std::uint32_t> out(7 * 19 * 37, q);
  q.parallel_for(sycl::range<3>(7, 19, 37), [p = out.get()](sycl::item<3> at) {
     std::uint32_t r = std::uint32_t(at[0] * 10000 + at[1] * 100 + at[2]);
     while (r % 4 != std::uint32_t(at[1] % 4)) r += scramble(r) % 4 + 1;
     p[at.get_linear_id()] = r;
   }).wait_and_throw();
  for (std::size_t i = 0; i < out.size(); i++) {
    const std::size_t z = i / (19 * 37), y = i / 37 % 19, x = i % 37;
    std::uint32_t r = std::uint32_t(z * 10000 + y * 100 + x);
    while (r % 4 != std::uint32_t(y % 4)) r += scramble(r) % 4 + 1;
    ASSERT_EQ(out[i], r) << i;
  }
}

}  // namespace
