// Searches and exact numbers: number-theoretic transforms, queens on a board, automata on text, orbits, puzzles.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <string>

#include "data.hpp"

namespace programs {
namespace {

constexpr std::uint64_t prime = 0xffffffff00000001u;  // 2^64 - 2^32 + 1

constexpr std::uint64_t times_modulo(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b % prime);
}
/// The same by the high half of the product: 2^64 is 2^32 - 1, and 2^96 is -1.
std::uint64_t times_in_halves(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t low = a * b, high = sycl::mul_hi(a, b), top = high >> 32, middle = high & 0xffffffff;
  std::uint64_t sum = low - top;
  if (low < top) sum -= 0xffffffff;
  const std::uint64_t added = middle * 0xffffffff;
  std::uint64_t result = sum + added;
  if (result < added) result += 0xffffffff;
  return result >= prime ? result - prime : result;
}
constexpr std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent; exponent >>= 1, base = times_modulo(base, base))
    if (exponent & 1) result = times_modulo(result, base);
  return result;
}

/// Transforms a buffer in place: bit reversal, then one kernel for each stage.
void transform(sycl::queue &q, sycl::buffer<std::uint64_t> &values, std::uint64_t root) {
  const std::size_t n = values.size();
  const int bits = std::countr_zero(n);
  q.submit([&](sycl::handler &h) {
    sycl::accessor v{values, h};
    h.parallel_for(n, [=](sycl::id<1> id) {
      const std::size_t i = id;
      std::size_t j = 0;
      for (int b = 0; b < bits; b++) j |= (i >> b & 1) << (bits - 1 - b);
      if (i < j) {
        const std::uint64_t kept = v[i];
        v[i] = v[j];
        v[j] = kept;
      }
    });
  });
  for (std::size_t half = 1; half < n; half *= 2) {
    sycl::buffer<std::uint64_t> roots{sycl::range(half)};
    {
      sycl::host_accessor r{roots, sycl::write_only, sycl::no_init};
      std::uint64_t factor = 1;
      for (auto &x : r) x = factor, factor = times_modulo(factor, power(root, n / (2 * half)));
    }
    q.submit([&](sycl::handler &h) {
      sycl::accessor v{values, h};
      sycl::accessor r{roots, h, sycl::read_only};
      h.parallel_for(n / 2, [=](sycl::id<1> id) {
        const std::size_t k = id & (half - 1), i = 2 * (id - k) + k;
        const std::uint64_t a = v[i], b = times_in_halves(v[i + half], r[k]);
        v[i] = a + b < a || a + b >= prime ? a + b - prime : a + b;
        v[i + half] = a >= b ? a - b : a - b + prime;
      });
    });
  }
}

/// A map of states to states; composition is associative, but not commutative.
using automaton = std::array<std::uint8_t, 8>;

/// States of the pattern "ab*c" or "ca": 7 is the state after a match.
automaton map_of(char c) {
  switch (c) {
  case 'a':
    return {1, 1, 1, 7, 1, 1, 1, 1};
  case 'b':
    return {0, 1, 1, 0, 1, 0, 0, 0};
  case 'c':
    return {3, 7, 3, 3, 3, 3, 3, 3};
  default:
    return {};
  }
}
automaton composed(const automaton &first, const automaton &then) {
  automaton both;
  for (std::size_t s = 0; s < both.size(); s++) both[s] = then[first[s]];
  return both;
}

/// Solutions with the queens of the first rows given as bits of columns and diagonals; no recursion.
int queens(int n, std::uint32_t columns, std::uint32_t left, std::uint32_t right) {
  struct level {
    std::uint32_t columns, left, right, open;
  } stack[16];
  const std::uint32_t all = (1u << n) - 1;
  int depth = 0, solutions = 0;
  stack[0] = {columns, left, right, all & ~(columns | left | right)};
  while (depth >= 0) {
    level &now = stack[depth];
    if (now.columns == all || now.open == 0) {
      solutions += now.columns == all;
      depth--;
      continue;
    }
    const std::uint32_t bit = now.open & -now.open;
    now.open ^= bit;
    level &next = stack[++depth];
    next.columns = now.columns | bit;
    next.left = (now.left | bit) << 1;
    next.right = (now.right | bit) >> 1;
    next.open = all & ~(next.columns | next.left | next.right);
  }
  return solutions;
}

}  // namespace

TEST(searches_and_numbers, products_of_polynomials_by_number_theoretic_transforms) {
  constexpr std::size_t n = 1024, length = 401;
  const std::vector<std::uint32_t> a = integers(length, 1u << 30, 111), b = integers(length, 1u << 30, 112);
  std::vector<std::uint64_t> left(n), right(n), expected(n);
  std::copy(a.begin(), a.end(), left.begin());
  std::copy(b.begin(), b.end(), right.begin());
  const std::uint64_t root = power(7, (prime - 1) / n);
  {
    sycl::queue q;
    sycl::buffer<std::uint64_t> x(left), y(right);
    x.set_final_data(left.data());
    transform(q, x, root);
    transform(q, y, root);
    q.submit([&](sycl::handler &h) {
      sycl::accessor u(x, h);
      sycl::accessor v(y, h, sycl::read_only);
      h.parallel_for(n, [=](sycl::id<1> i) { u[i] = times_in_halves(u[i], v[i]); });
    });
    transform(q, x, power(root, prime - 2));
    q.submit([&](sycl::handler &h) {
      sycl::accessor u(x, h);
      h.parallel_for(n, [=, inverse = power(n, prime - 2)](sycl::id<1> i) { u[i] = times_in_halves(u[i], inverse); });
    });
  }
  for (std::size_t i = 0; i < length; i++)
    for (std::size_t j = 0; j < length; j++)
      expected[i + j] = (expected[i + j] + static_cast<unsigned __int128>(a[i]) * b[j]) % prime;
  EXPECT_EQ(left, expected);
}

TEST(searches_and_numbers, queens_on_boards) {
  constexpr int known[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724};
  sycl::queue q;
  for (const int n : {4, 7, 10}) {
    int *count = sycl::malloc_shared<int>(1, q);
    *count = 0;
    // A work-item for each place of the first two queens.
    q.parallel_for(sycl::range<2>(std::size_t(n), std::size_t(n)), sycl::reduction(count, sycl::plus<int>()),
                   [=](sycl::id<2> at, auto &sum) {
                     const std::uint32_t first = 1u << at[0], second = 1u << at[1];
                     if (((first | first << 1 | first >> 1) & second) == 0)
                       sum += queens(n, first | second, (first << 1 | second) << 1, (first >> 1 | second) >> 1);
                   })
        .wait();
    EXPECT_EQ(*count, known[n]) << n;
    sycl::free(count, q);
  }
}

TEST(searches_and_numbers, automaton_on_a_text_by_a_scan_of_maps) {
  constexpr std::size_t n = 10'007, local = 128;
  std::string text;
  random_numbers r(113);
  while (text.size() < n) text += "aabbbc d"[r.below(8)];
  std::vector<std::uint8_t> states(n), expected(n);
  {
    sycl::queue q;
    const std::size_t groups = (n + local - 1) / local;
    sycl::buffer<char> in(text.data(), n);
    sycl::buffer<automaton> maps(n), totals(groups);
    sycl::buffer<std::uint8_t> out(states.data(), n);
    q.submit([&](sycl::handler &h) {
      sycl::accessor t(in, h, sycl::read_only);
      sycl::accessor m(maps, h, sycl::write_only, sycl::no_init), all(totals, h, sycl::write_only, sycl::no_init);
      sycl::local_accessor<automaton> parts(local, h);
      h.parallel_for(sycl::nd_range<1>(groups * local, local), [=](sycl::nd_item<1> item) {
        const std::size_t i = item.get_global_id(0), l = item.get_local_id(0);
        parts[l] = i < n ? map_of(t[i]) : automaton{0, 1, 2, 3, 4, 5, 6, 7};
        for (std::size_t step = 1; step < local; step *= 2) {
          sycl::group_barrier(item.get_group());
          automaton own = parts[l];
          if (l >= step) own = composed(parts[l - step], own);
          sycl::group_barrier(item.get_group());
          parts[l] = own;
        }
        if (i < n) m[i] = parts[l];
        if (l == local - 1) all[item.get_group_linear_id()] = parts[l];
      });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor m(maps, h, sycl::read_only), all(totals, h, sycl::read_only);
      sycl::accessor s(out, h, sycl::write_only);
      h.parallel_for(sycl::nd_range<1>(groups * local, local), [=](sycl::nd_item<1> item) {
        std::uint8_t state = 0;
        for (std::size_t k = 0; k < item.get_group(0); k++) state = all[k][state];
        if (const std::size_t i = item.get_global_id(0); i < n) s[i] = m[i][state];
      });
    });
  }
  std::uint8_t state = 0;
  for (std::size_t i = 0; i < n; i++) expected[i] = state = map_of(text[i])[state];
  EXPECT_EQ(states, expected);
  EXPECT_GT(std::ranges::count(states, 7), 100);
}

TEST(searches_and_numbers, orbits_of_mandelbrot_points) {
  constexpr std::size_t rows = 65, columns = 97;
  std::vector<int> steps(rows * columns), expected(rows * columns);
  constexpr int most = 300;
  // Products of dyadic numbers with few bits are exact for some steps; all else is the same arithmetic.
  const auto escape = [](double cx, double cy) {
    double x = 0, y = 0;
    int count = 0;
    while (count < most && x * x + y * y <= 4) {
      const double kept = x;
      x = sycl::fma(x, x, sycl::fma(-y, y, cx));
      y = sycl::fma(2 * kept, y, cy);
      count++;
    }
    return count;
  };
  const auto at = [](std::size_t i, std::size_t count, double low, double high) {
    return sycl::fma(double(i), (high - low) / double(count), low);
  };
  {
    sycl::queue q;
    sycl::buffer<int, 2> out(steps.data(), {rows, columns});
    q.submit([&](sycl::handler &h) {
      sycl::accessor s(out, h, sycl::write_only, sycl::no_init);
      h.parallel_for(sycl::range(rows, columns), [=](sycl::item<2> item) {
        s[item] = escape(at(item[1], columns, -2, 1), at(item[0], rows, -1.2, 1.2));
      });
    });
  }
  for (std::size_t i = 0; i < rows * columns; i++)
    expected[i] = escape(at(i % columns, columns, -2, 1), at(i / columns, rows, -1.2, 1.2));
  int different = 0;  // x * x + y * y may be contracted in one of them
  for (std::size_t i = 0; i < rows * columns; i++) different += steps[i] != expected[i];
  EXPECT_LE(different, 3);
  EXPECT_GT(std::ranges::count(steps, most), 500);
}

TEST(searches_and_numbers, sudokus_by_backtracking) {
  constexpr std::size_t puzzles = 40, cells = 81;
  const std::string solved = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
  random_numbers r(114);
  std::vector<std::uint8_t> boards;
  for (std::size_t p = 0; p < puzzles; p++) {  // the digits renamed, and cells removed
    std::array<std::uint8_t, 10> name{};
    std::iota(name.begin(), name.end(), std::uint8_t{0});
    for (std::uint32_t i = 9; i > 1; i--) std::swap(name[i], name[1 + r.below(i)]);
    for (const char c : solved) boards.push_back(r.below(5) < 2 ? name[std::size_t(c - '0')] : std::uint8_t{0});
  }
  std::vector<std::uint8_t> solutions = boards;
  {
    sycl::queue q;
    sycl::buffer<std::uint8_t, 2> all(solutions.data(), {puzzles, cells});
    q.submit([&](sycl::handler &h) {
      sycl::accessor b(all, h);
      h.parallel_for(sycl::nd_range<1>((puzzles + 15) / 16 * 16, 16), [=](sycl::nd_item<1> item) {
        const std::size_t p = item.get_global_id(0);
        if (p >= puzzles) return;
        std::uint16_t rows[9]{}, columns[9]{}, boxes[9]{};  // bits of the digits that are used
        std::uint8_t open[cells], digit[cells];
        int count = 0, depth = 0;
        for (std::uint8_t c = 0; c < cells; c++) {
          digit[c] = b[p][c];
          if (digit[c] == 0) {
            open[count++] = c;
            continue;
          }
          const auto bit = std::uint16_t(1u << digit[c]);
          rows[c / 9] |= bit, columns[c % 9] |= bit, boxes[c / 27 * 3 + c % 9 / 3] |= bit;
        }
        while (depth >= 0 && depth < count) {
          const std::uint8_t c = open[depth];
          std::uint16_t &row = rows[c / 9], &column = columns[c % 9], &box = boxes[c / 27 * 3 + c % 9 / 3];
          if (digit[c] > 0) {
            const auto bit = std::uint16_t(1u << digit[c]);
            row ^= bit, column ^= bit, box ^= bit;
          }
          const std::uint32_t used = row | column | box;
          std::uint32_t next = digit[c] + 1u;
          while (next <= 9 && (used >> next & 1)) next++;
          if (next > 9) {
            digit[c] = 0;
            depth--;
            continue;
          }
          digit[c] = std::uint8_t(next);
          const auto bit = std::uint16_t(1u << next);
          row |= bit, column |= bit, box |= bit;
          depth++;
        }
        for (std::size_t c = 0; c < cells; c++) b[p][c] = digit[c];
      });
    });
  }
  for (std::size_t p = 0; p < puzzles; p++) {
    const std::uint8_t *s = &solutions[p * cells], *given = &boards[p * cells];
    std::array<std::array<std::uint32_t, 9>, 3> seen{};
    for (std::size_t c = 0; c < cells; c++) {
      ASSERT_TRUE(given[c] == 0 || given[c] == s[c]) << p;
      seen[0][c / 9] |= 1u << s[c];
      seen[1][c % 9] |= 1u << s[c];
      seen[2][c / 27 * 3 + c % 9 / 3] |= 1u << s[c];
    }
    for (const auto &kind : seen)
      for (const std::uint32_t digits : kind) ASSERT_EQ(digits, 0x3feu) << p;
  }
}

}  // namespace programs
