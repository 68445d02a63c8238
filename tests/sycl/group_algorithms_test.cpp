// Group functions and algorithms of work-groups against naive loops, for every shape of group.
#include <complex>
#include <vector>

#include <gtest/gtest.h>

#include "on_device.hpp"

namespace {

using sycl::nd_item;

/// f(nd_item, global linear id) of each work-item, by global linear id.
template <class R, int D, class F>
std::vector<R> in_groups(const sycl::range<D> &groups, const sycl::range<D> &local, F f) {
  sycl::queue q;
  const std::size_t count = groups.size() * local.size();
  R *const results = sycl::malloc_shared<R>(count, q);
  q.parallel_for(sycl::nd_range<D>(groups * local, local), [=](nd_item<D> item) {
    const std::size_t me = item.get_group_linear_id() * item.get_group().get_local_linear_range() +
                           item.get_local_linear_id();  // results of a group are contiguous
    results[me] = f(item, me);
  });
  q.wait_and_throw();
  const std::vector<R> copy(results, results + count);
  sycl::free(results, q);
  return copy;
}

template <int D> struct shape {
  static constexpr int dimensions = D;
  sycl::range<D> groups, local;
};

/// Calls check(shape, number of groups, group size) for groups of 1 to 1000 in 1, 2 and 3 dimensions.
template <class Check> void for_all_shapes(Check check) {
  const auto run = [&](auto s) {
    SCOPED_TRACE("group of " + std::to_string(s.local.size()) + " in " + std::to_string(s.dimensions) + " dimensions");
    check(s, s.groups.size(), s.local.size());
  };
  for (const std::size_t n : {1, 7, 16, 31, 64, 100, 256, 1000}) run(shape<1>{3, n});
  run(shape<2>{{2, 3}, {1, 1}});
  run(shape<2>{{2, 3}, {7, 1}});
  run(shape<2>{{1, 2}, {8, 8}});
  run(shape<2>{{2, 1}, {4, 64}});
  run(shape<3>{{2, 1, 2}, {1, 1, 1}});
  run(shape<3>{{1, 2, 1}, {1, 7, 1}});
  run(shape<3>{{1, 2, 2}, {4, 2, 8}});
  run(shape<3>{{1, 1, 2}, {2, 32, 4}});
}

constexpr int value(std::size_t i) { return static_cast<int>(i * 7919 % 101) - 50; }

TEST(group_algorithms, reduce) {
  for_all_shapes([](auto s, std::size_t groups, std::size_t size) {
    struct results {
      int sum, with_init, least;
      float float_sum, float_most;
      bool any, all, none;
    };
    const auto got = in_groups<results>(s.groups, s.local, [](auto item, std::size_t i) {
      const auto g = item.get_group();
      const int x = value(i);
      return results{sycl::reduce_over_group(g, x, sycl::plus<>()),
                     sycl::reduce_over_group(g, x, 1000, sycl::plus<int>()),
                     sycl::reduce_over_group(g, x, sycl::minimum<>()),
                     sycl::reduce_over_group(g, static_cast<float>(x), sycl::plus<>()),
                     sycl::reduce_over_group(g, static_cast<float>(x), sycl::maximum<float>()),
                     sycl::any_of_group(g, x > 45),
                     sycl::all_of_group(g, x, [](int y) { return y < 49; }),
                     sycl::none_of_group(g, x == 0)};
    });
    for (std::size_t group = 0; group < groups; group++) {
      results wanted{0, 1000, 1000, 0, -1000, false, true, true};
      for (std::size_t i = group * size; i < (group + 1) * size; i++) {
        wanted.sum += value(i);
        wanted.with_init += value(i);
        wanted.least = std::min(wanted.least, value(i));
        wanted.float_most = std::max(wanted.float_most, static_cast<float>(value(i)));
        wanted.any |= value(i) > 45;
        wanted.all &= value(i) < 49;
        wanted.none &= value(i) != 0;
      }
      for (std::size_t i = group * size; i < (group + 1) * size; i++) {
        ASSERT_EQ(got[i].sum, wanted.sum);
        ASSERT_EQ(got[i].with_init, wanted.with_init);
        ASSERT_EQ(got[i].least, wanted.least);
        ASSERT_EQ(got[i].float_sum, static_cast<float>(wanted.sum));  // integers: exact in any order
        ASSERT_EQ(got[i].float_most, wanted.float_most);
        ASSERT_EQ(got[i].any, wanted.any);
        ASSERT_EQ(got[i].all, wanted.all);
        ASSERT_EQ(got[i].none, wanted.none);
      }
    }
  });
}

TEST(group_algorithms, scans) {
  for_all_shapes([](auto s, std::size_t groups, std::size_t size) {
    struct results {
      int exclusive, inclusive, exclusive_from, inclusive_from;
    };
    const auto got = in_groups<results>(s.groups, s.local, [](auto item, std::size_t i) {
      const auto g = item.get_group();
      const int x = value(i);
      return results{sycl::exclusive_scan_over_group(g, x, sycl::plus<>()),
                     sycl::inclusive_scan_over_group(g, x, sycl::maximum<>()),
                     sycl::exclusive_scan_over_group(g, x, 100, sycl::plus<>()),
                     sycl::inclusive_scan_over_group(g, x, sycl::plus<>(), 100)};
    });
    for (std::size_t group = 0; group < groups; group++) {
      int sum = 0, most = -1000;
      for (std::size_t i = group * size; i < (group + 1) * size; i++) {
        ASSERT_EQ(got[i].exclusive, sum);
        ASSERT_EQ(got[i].exclusive_from, 100 + sum);
        sum += value(i);
        most = std::max(most, value(i));
        ASSERT_EQ(got[i].inclusive, most);
        ASSERT_EQ(got[i].inclusive_from, 100 + sum);
      }
    }
  });
}

TEST(group_algorithms, scans_of_other_types_and_operations) {
  for_all_shapes([](auto s, std::size_t groups, std::size_t size) {
    struct results {
      float sum;
      double most;
      unsigned bits, product;
      long least;
      unsigned char small;
      bool any;
    };
    const auto got = in_groups<results>(s.groups, s.local, [](auto item, std::size_t i) {
      const auto g = item.get_group();
      const int x = value(i);
      const auto u = static_cast<unsigned>(x);
      return results{sycl::inclusive_scan_over_group(g, static_cast<float>(x), sycl::plus<>()),
                     sycl::exclusive_scan_over_group(g, static_cast<double>(x), -60.0, sycl::maximum<>()),
                     sycl::exclusive_scan_over_group(g, u, sycl::bit_xor<>()),
                     sycl::inclusive_scan_over_group(g, 2 * u + 1, sycl::multiplies<>()),
                     sycl::inclusive_scan_over_group(g, static_cast<long>(x), sycl::minimum<>()),
                     sycl::inclusive_scan_over_group(g, static_cast<unsigned char>(u % 3), sycl::plus<unsigned char>()),
                     sycl::inclusive_scan_over_group(g, x > 45, sycl::logical_or<>())};
    });
    for (std::size_t group = 0; group < groups; group++) {
      results wanted{0, -60, 0, 1, 1000, 0, false};
      for (std::size_t i = group * size; i < (group + 1) * size; i++) {
        const int x = value(i);
        const auto u = static_cast<unsigned>(x);
        ASSERT_EQ(got[i].most, wanted.most);
        ASSERT_EQ(got[i].bits, wanted.bits);
        wanted.sum += static_cast<float>(x);  // integers: exact in any order
        wanted.most = std::max(wanted.most, static_cast<double>(x));
        wanted.bits ^= u;
        wanted.product *= 2 * u + 1;
        wanted.least = std::min(wanted.least, static_cast<long>(x));
        wanted.small = static_cast<unsigned char>(wanted.small + u % 3);
        wanted.any |= x > 45;
        ASSERT_EQ(got[i].sum, wanted.sum);
        ASSERT_EQ(got[i].product, wanted.product);
        ASSERT_EQ(got[i].least, wanted.least);
        ASSERT_EQ(got[i].small, wanted.small);
        ASSERT_EQ(got[i].any, wanted.any);
      }
    }
  });
}

TEST(group_algorithms, broadcast_shift_permute_and_select) {
  for_all_shapes([](auto s, std::size_t groups, std::size_t size) {
    struct results {
      int first, last, by_id, left, right, permuted, mirrored;
    };
    const auto got = in_groups<results>(s.groups, s.local, [](auto item, std::size_t i) {
      const auto g = item.get_group();
      const std::size_t n = g.get_local_linear_range(), me = g.get_local_linear_id();
      auto mirror = g.get_local_id(), middle = mirror;
      for (int d = 0; d < mirror.dimensions; d++) {
        mirror[d] = g.get_local_range(d) - 1 - mirror[d];
        middle[d] = g.get_local_range(d) / 2;
      }
      const int x = value(i);
      results r;
      r.first = sycl::group_broadcast(g, x);
      r.last = sycl::group_broadcast(g, x, n - 1);
      r.by_id = sycl::group_broadcast(g, x, middle);
      r.left = sycl::shift_group_left(g, x);
      r.right = sycl::shift_group_right(g, x, 2);
      r.permuted = sycl::permute_group_by_xor(g, x, 1);
      r.mirrored = sycl::select_from_group(g, x, mirror);
      if (me + 1 >= n) r.left = 0;  // unspecified there
      if (me < 2) r.right = 0;
      if ((me ^ 1) >= n) r.permuted = 0;
      return r;
    });
    std::size_t middle = 0;
    for (int d = 0; d < s.dimensions; d++) middle = middle * s.local[d] + s.local[d] / 2;
    for (std::size_t group = 0; group < groups; group++) {
      const std::size_t first = group * size;
      for (std::size_t me = 0; me < size; me++) {
        const results &r = got[first + me];
        ASSERT_EQ(r.first, value(first));
        ASSERT_EQ(r.last, value(first + size - 1));
        ASSERT_EQ(r.by_id, value(first + middle));
        ASSERT_EQ(r.left, me + 1 < size ? value(first + me + 1) : 0);
        ASSERT_EQ(r.right, me >= 2 ? value(first + me - 2) : 0);
        ASSERT_EQ(r.permuted, (me ^ 1) < size ? value(first + (me ^ 1)) : 0);
        ASSERT_EQ(r.mirrored, value(first + size - 1 - me));
      }
    }
  });
}

TEST(group_algorithms, joint_algorithms_give_all_work_items_the_same) {
  for (const std::size_t size : {1, 7, 64, 256}) {
    for (const std::size_t count : {0, 1, 5, 64, 1000}) {
      std::vector<int> input(count);
      for (std::size_t i = 0; i < count; i++) input[i] = value(i);
      sycl::queue q;
      int *const in = sycl::malloc_shared<int>(count + 1, q), *const out = sycl::malloc_shared<int>(4 * count + 1, q);
      std::copy(input.begin(), input.end(), in);
      struct results {
        int sum, with_init, product;
        bool any, all, none;
        std::size_t lengths;
      };
      const auto got = in_groups<results>(sycl::range<1>(1), sycl::range<1>(size), [=](nd_item<1> item, std::size_t) {
        const auto g = item.get_group();
        results r;
        r.sum = sycl::joint_reduce(g, in, in + count, sycl::plus<>());
        r.with_init = sycl::joint_reduce(g, in, in + count, 5, sycl::maximum<>());
        r.product = sycl::joint_reduce(g, in, in + count, 1, [](int a, int b) { return a * b % 1009; });
        r.any = sycl::joint_any_of(g, in, in + count, [](int x) { return x > 40; });
        r.all = sycl::joint_all_of(g, in, in + count, [](int x) { return x != 7; });
        r.none = sycl::joint_none_of(g, in, in + count, [](int x) { return x == 7; });
        r.lengths = sycl::joint_exclusive_scan(g, in, in + count, out, sycl::plus<>()) - out;
        r.lengths += sycl::joint_exclusive_scan(g, in, in + count, out + count, 9, sycl::plus<>()) - out;
        r.lengths += sycl::joint_inclusive_scan(g, in, in + count, out + 2 * count, sycl::plus<>()) - out;
        r.lengths += sycl::joint_inclusive_scan(g, in, in + count, out + 3 * count, sycl::plus<>(), 9) - out;
        return r;
      });
      int sum = 0, most = 5, product = 1;
      bool any = false, seven = false;
      for (std::size_t i = 0; i < count; i++) {
        ASSERT_EQ(out[i], sum);
        ASSERT_EQ(out[count + i], sum + 9);
        sum += input[i];
        ASSERT_EQ(out[2 * count + i], sum);
        ASSERT_EQ(out[3 * count + i], sum + 9);
        most = std::max(most, input[i]);
        product = product * input[i] % 1009;
        any |= input[i] > 40;
        seven |= input[i] == 7;
      }
      for (const results &r : got) {
        ASSERT_EQ(r.sum, sum);
        ASSERT_EQ(r.with_init, most);
        ASSERT_EQ(r.product, product);
        ASSERT_EQ(r.any, any);
        ASSERT_EQ(r.all, !seven);
        ASSERT_EQ(r.none, !seven);
        ASSERT_EQ(r.lengths, (1 + 2 + 3 + 4) * count);
      }
      sycl::free(in, q);
      sycl::free(out, q);
    }
  }
}

/// 2x2 matrices: their product is associative but not commutative, so it shows whether the order is kept.
struct matrix {
  unsigned a, b, c, d;
  friend bool operator==(const matrix &, const matrix &) = default;
};
struct matrix_product {
  matrix operator()(const matrix &x, const matrix &y) const {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
};
constexpr matrix some_matrix(std::size_t i) {
  return {static_cast<unsigned>(i % 3 + 1), static_cast<unsigned>(i % 5), 1, static_cast<unsigned>(i % 7)};
}

TEST(group_algorithms, keep_the_order_of_operations_that_do_not_commute) {
  for_all_shapes([](auto s, std::size_t groups, std::size_t size) {
    struct results {
      matrix all, before, up_to;
    };
    const auto got = in_groups<results>(s.groups, s.local, [](auto item, std::size_t i) {
      const auto g = item.get_group();
      const matrix x = some_matrix(i), one{1, 0, 0, 1};
      return results{sycl::reduce_over_group(g, x, matrix_product()),
                     sycl::exclusive_scan_over_group(g, x, one, matrix_product()),
                     sycl::inclusive_scan_over_group(g, x, matrix_product())};
    });
    for (std::size_t group = 0; group < groups; group++) {
      matrix product{1, 0, 0, 1};
      for (std::size_t i = group * size; i < (group + 1) * size; i++) {
        ASSERT_EQ(got[i].before, product);
        product = matrix_product()(product, some_matrix(i));
        ASSERT_EQ(got[i].up_to, product);
      }
      for (std::size_t i = group * size; i < (group + 1) * size; i++) ASSERT_EQ(got[i].all, product);
    }
  });
}

TEST(group_algorithms, of_complex_numbers_vecs_and_halves) {
  for_all_shapes([](auto s, std::size_t groups, std::size_t size) {
    struct results {
      std::complex<double> sum;
      sycl::float3 vector;
      sycl::half most;
    };
    const auto got = in_groups<results>(s.groups, s.local, [](auto item, std::size_t i) {
      const auto g = item.get_group();
      const auto x = static_cast<float>(value(i));
      return results{sycl::reduce_over_group(g, std::complex<double>(x, 2 * x), sycl::plus<>()),
                     sycl::reduce_over_group(g, sycl::float3(x, -x, 1), sycl::plus<>()),
                     sycl::reduce_over_group(g, static_cast<sycl::half>(x), sycl::maximum<>())};
    });
    for (std::size_t group = 0; group < groups; group++) {
      int sum = 0, most = -1000;
      for (std::size_t i = group * size; i < (group + 1) * size; i++) {
        sum += value(i);
        most = std::max(most, value(i));
      }
      for (std::size_t i = group * size; i < (group + 1) * size; i++) {
        ASSERT_EQ(got[i].sum, std::complex<double>(sum, 2 * sum));
        ASSERT_TRUE(sycl::all(got[i].vector == sycl::float3(static_cast<float>(sum), static_cast<float>(-sum),
                                                            static_cast<float>(size))));
        ASSERT_EQ(static_cast<int>(got[i].most), most);
      }
    }
  });
}

/// A function with a barrier in a loop, which remains a call in the kernel.
template <class G> [[gnu::noinline]] int sums_of_powers(const G &g, int x, int powers) {
  int total = 0, power = 1;
  for (int p = 0; p < powers; p++) {
    power *= x;
    total += sycl::reduce_over_group(g, power, sycl::plus<>()) * (p + 1);
    sycl::group_barrier(g);
  }
  return total;
}

TEST(group_algorithms, in_loops_and_in_called_functions) {
  for_all_shapes([](auto s, std::size_t groups, std::size_t size) {
    const auto got = in_groups<int>(s.groups, s.local, [](auto item, std::size_t i) {
      const auto g = item.get_group();
      const int rounds = 1 + static_cast<int>(item.get_group_linear_id() % 3);  // uniform in the group
      return sums_of_powers(g, value(i) % 4, rounds);
    });
    for (std::size_t group = 0; group < groups; group++) {
      int total = 0;
      for (int p = 0; p < 1 + static_cast<int>(group % 3); p++)
        for (std::size_t i = group * size; i < (group + 1) * size; i++) {
          int power = 1;
          for (int k = 0; k <= p; k++) power *= value(i) % 4;
          total += power * (p + 1);
        }
      for (std::size_t i = group * size; i < (group + 1) * size; i++) ASSERT_EQ(got[i], total);
    }
  });
}

TEST(group_algorithms, under_conditions_that_are_the_same_for_the_group) {
  const auto got = in_groups<int>(sycl::range<1>(8), sycl::range<1>(64), [](nd_item<1> item, std::size_t i) {
    const auto g = item.get_group();
    const int x = value(i);
    if (g.get_group_id(0) % 2) return sycl::reduce_over_group(g, x, sycl::maximum<>());
    const int sum = sycl::inclusive_scan_over_group(g, x, sycl::plus<>());
    return sum > 0 ? sum : -sum;
  });
  for (std::size_t group = 0; group < 8; group++) {
    int sum = 0, most = -1000;
    for (std::size_t i = group * 64; i < (group + 1) * 64; i++) most = std::max(most, value(i));
    for (std::size_t i = group * 64; i < (group + 1) * 64; i++) {
      sum += value(i);
      ASSERT_EQ(got[i], group % 2 ? most : std::abs(sum));
    }
  }
}

template <class In, class Out, class Op> void expect_joint_scans(const std::vector<In> &values, Op op) {
  sycl::queue q;
  const std::size_t n = values.size();
  In *const in = sycl::malloc_shared<In>(n, q);
  Out *const out = sycl::malloc_shared<Out>(2 * n, q);
  std::copy(values.begin(), values.end(), in);
  q.parallel_for(sycl::nd_range<1>(8, 8), [=](nd_item<1> item) {
     const auto g = item.get_group();
     sycl::joint_inclusive_scan(g, in, in + n, out, op);
     sycl::joint_exclusive_scan(g, in, in + n, out + n, op);
   }).wait();
  Out before = sycl::known_identity_v<Op, Out>;
  for (std::size_t i = 0; i < n; i++) {
    EXPECT_EQ(out[n + i], before) << i;
    before = op(before, static_cast<Out>(values[i]));
    EXPECT_EQ(out[i], before) << i;
  }
  sycl::free(in, q);
  sycl::free(out, q);
}

TEST(group_algorithms, joint_scans_are_computed_in_the_type_of_the_results) {
  for (const std::size_t n : {1, 4, 7, 100}) {
    expect_joint_scans<unsigned char, int>(std::vector<unsigned char>(n, 200), sycl::plus<int>());
    expect_joint_scans<double, std::uint64_t>(std::vector<double>(n, 3.0), sycl::maximum<std::uint64_t>());
    expect_joint_scans<double, std::uint64_t>(std::vector<double>(n, 3.0), sycl::minimum<std::uint64_t>());
    expect_joint_scans<int, signed char>(std::vector<int>(n, -5), sycl::maximum<signed char>());
    expect_joint_scans<float, int>(std::vector<float>(n, 6.0f), sycl::bit_and<int>());
    expect_joint_scans<float, float>(std::vector<float>(n, 0.5f), sycl::plus<>());
  }
}

TEST(group_local_memory, is_shared_by_the_group_and_distinct_for_each_call) {
  const auto got = in_groups<int>(sycl::range<1>(4), sycl::range<1>(32), [](nd_item<1> item, std::size_t i) {
    namespace ext = sycl::ext::oneapi;
    const auto g = item.get_group();
    auto a = ext::group_local_memory_for_overwrite<int[32]>(g);
    auto b = ext::group_local_memory_for_overwrite<int[32]>(g);
    auto c = ext::group_local_memory<int>(g, 1000);
    const std::size_t me = item.get_local_id(0);
    (*a)[me] = value(i);
    (*b)[me] = -1;
    sycl::group_barrier(g);
    return (*a)[31 - me] + (*b)[me] + *c;
  });
  for (std::size_t i = 0; i < got.size(); i++) EXPECT_EQ(got[i], value(i / 32 * 32 + 31 - i % 32) + 999);
}

struct starts_with_seven {
  int value = 7;
};

TEST(group_local_memory, to_be_overwritten_holds_objects_of_their_default_constructor) {
  const auto got = in_groups<int>(sycl::range<1>(4), sycl::range<1>(32), [](nd_item<1> item, std::size_t) {
    auto objects = sycl::ext::oneapi::group_local_memory_for_overwrite<starts_with_seven[2]>(item.get_group());
    return (*objects)[0].value + 10 * (*objects)[1].value;
  });
  for (const int each : got) EXPECT_EQ(each, 77);
}

}  // namespace
