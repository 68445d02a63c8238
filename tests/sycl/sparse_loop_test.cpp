// Loops that few work-items of a vector enter: searches of graphs, and other loops over elements far from each other.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include "shared_array.hpp"

namespace {

using bytes = std::uint8_t;

unsigned hash(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

/// A number below 1000. Loops that compute so much are executed in vectors.
int number(int of) { return static_cast<int>(hash(static_cast<unsigned>(of)) % 1000); }

/// A graph, and of each 16 vertices as many that are active, on average, as the parameter says.
class sparse_loops : public testing::TestWithParam<unsigned> {
protected:
  static constexpr int n = 5003;
  sycl::queue q{sycl::property::queue::in_order()};
  shared_array<int> first_{n + 1, q}, targets_{n * 12, q}, numbers_{n, q}, results_{n, q};
  shared_array<bytes> active_{n, q}, marks_{n, q};
  int *const first = first_.get(), *const targets = targets_.get(), *const numbers = numbers_.get(),
             *const results = results_.get();
  bytes *const active = active_.get(), *const marks = marks_.get();
  std::vector<int> expected = std::vector<int>(n);
  std::vector<bytes> expected_marks = std::vector<bytes>(n);

  void SetUp() override {
    first[0] = 0;
    for (int i = 0; i < n; ++i) {
      const int count = static_cast<int>(hash(static_cast<unsigned>(i)) % 11);
      for (int k = 0; k < count; ++k)
        targets[first[i] + k] = static_cast<int>(hash(static_cast<unsigned>(i * 16 + k + 1)) % n);
      first[i + 1] = first[i] + count;
      active[i] = hash(static_cast<unsigned>(i) + 77) % 16 < GetParam();
      numbers[i] = static_cast<int>(hash(static_cast<unsigned>(i) + 5) % 1000);
      marks[i] = results[i] = 0;
    }
  }

  /// Runs the function for each number below n as a kernel, and on the host with `expected` and `expected_marks`.
  template <class F> void check(F f) {
    q.parallel_for(n, [f, results = results, marks = marks](sycl::id<1> i) { f(int(i[0]), results, marks); }).wait();
    for (int i = 0; i < n; ++i) f(i, expected.data(), expected_marks.data());
    for (int i = 0; i < n; ++i) {
      ASSERT_EQ(results[i], expected[static_cast<std::size_t>(i)]) << i;
      ASSERT_EQ(marks[i], expected_marks[static_cast<std::size_t>(i)]) << i;
    }
  }
};

template <class T> void add(T &to, T amount) {
  sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device>(to).fetch_add(amount);
}
template <class T> void least(T &of, T value) {
  sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device>(of).fetch_min(value);
}

}  // namespace

TEST_P(sparse_loops, mark_the_neighbours) {
  check([=, active = active, first = first, targets = targets](int i, int *out, bytes *mark) {
    if (!active[i]) return;
    for (int k = first[i]; k < first[i + 1]; k++)
      if (!active[targets[k]]) {
        out[targets[k]] = 7;
        mark[targets[k]] = 1;
      }
  });
}

TEST_P(sparse_loops, add_to_the_neighbours) {
  check([=, active = active, first = first, targets = targets, numbers = numbers](int i, int *out, bytes *) {
    const int mine = numbers[i] * 3, other = numbers[i ^ 1 ? i : 0];
    if (active[i])
      for (int k = first[i]; k < first[i + 1]; k++)
        add(out[targets[k]], mine + i + other + number(k + i) + active[targets[k]]);
  });
}

TEST_P(sparse_loops, relax_edges) {
  for (int i = 0; i < n; ++i) results[i] = expected[static_cast<std::size_t>(i)] = 1 << 20;
  check([=, active = active, first = first, targets = targets, numbers = numbers](int i, int *out, bytes *mark) {
    if (!active[i]) return;
    for (int k = first[i]; k < first[i + 1]; k++) {
      const int distance = numbers[i] + number(targets[k]) + active[targets[k]];
      if (distance % 3 == 0) continue;
      least(out[targets[k]], distance);
      mark[targets[k]] = 1;
    }
  });
}

TEST_P(sparse_loops, leave_in_the_middle) {
  check([=, active = active, first = first, targets = targets, numbers = numbers](int i, int *out, bytes *mark) {
    if (active[i])
      for (int k = first[i], round = 5; k < first[i + 1]; k++, round += 2) {
        const int t = targets[k];
        if (active[t] && numbers[t] > 500) break;
        out[i] += round + number(t);
        mark[i] = bytes(round);
        if (numbers[t] % 7 == 0) break;
      }
  });
}

TEST_P(sparse_loops, inside_of_loops) {
  check([=, active = active, first = first, targets = targets](int i, int *out, bytes *) {
    for (int round = 0; round < 3; ++round) {
      if (active[(i + round) % n])
        for (int k = first[i]; k < first[i + 1]; k++)
          if (active[targets[k]]) add(out[targets[k]], number(round + k));
      if ((i + round) % 5 == 0) add(out[i], 1);
    }
  });
}

TEST_P(sparse_loops, follow_chains) {
  check([=, active = active, targets = targets, numbers = numbers](int i, int *out, bytes *) {
    if (active[i] == 0) return;
    int at = i, steps = 0;
    while (numbers[at] > 100 && steps < 40) {
      add(out[at], number(steps) + active[at]);
      at = targets[at];
      ++steps;
    }
  });
}

TEST_P(sparse_loops, have_results) {
  check([=, active = active, first = first, targets = targets](int i, int *out, bytes *mark) {
    int sum = 0, last = -1;
    if (active[i])
      for (int k = first[i]; k < first[i + 1]; k++) {
        sum += number(targets[k]) * active[targets[k]];
        last = targets[k];
        add(out[last], 1);
      }
    add(out[i], sum * 2 + last);
    mark[i] = bytes(sum);
  });
}

TEST_P(sparse_loops, have_private_arrays) {
  check([=, active = active, first = first, targets = targets](int i, int *out, bytes *mark) {
    int counts[4] = {};
    if (active[i])
      for (int k = first[i]; k < first[i + 1]; k++) {
        counts[targets[k] % 4] += active[targets[k]] + number(k);
        if (active[targets[k]]) mark[targets[k]] = 1;
      }
    out[i] = counts[0] + counts[1] * 10 + counts[2] * 100 + counts[3] * 1000;
  });
}

INSTANTIATE_TEST_SUITE_P(active_of_16, sparse_loops, testing::Values(0, 1, 2, 4, 8, 12, 15, 16));
