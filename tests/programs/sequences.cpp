// Sequences and strings: alignment, edit distance, search, counts of substrings, compression by matches, primality.
#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "data.hpp"

namespace programs {
namespace {

std::string sequence(std::size_t length, std::uint64_t seed) {
  random_numbers r(seed);
  std::string s(length, 'A');
  for (char &c : s) c = "ACGT"[r.below(4)];
  return s;
}

}  // namespace

TEST(sequences, local_alignment_along_diagonals) {
  const std::string a = sequence(300, 1), b = sequence(260, 2) + a.substr(100, 80);
  const int m = int(a.size()), n = int(b.size());
  int best = 0;
  {
    sycl::queue q;
    sycl::buffer<char> x(a.data(), sycl::range<1>(a.size())), y(b.data(), sycl::range<1>(b.size()));
    sycl::buffer<int, 2> score(sycl::range<2>(a.size() + 1, b.size() + 1));
    sycl::buffer<int> most(&best, 1);
    q.submit([&](sycl::handler &h) {
      sycl::accessor s(score, h, sycl::write_only, sycl::no_init);
      h.fill(s, 0);
    });
    for (int d = 2; d <= m + n; d++) {  // cells with i + j = d do not depend on each other
      const int first = std::max(1, d - n), last = std::min(m, d - 1);
      q.submit([&](sycl::handler &h) {
        sycl::accessor s(score, h);
        sycl::accessor p(x, h, sycl::read_only);
        sycl::accessor t(y, h, sycl::read_only);
        h.parallel_for(std::size_t(last - first + 1), [=](sycl::id<1> id) {
          const std::size_t i = std::size_t(first) + id[0], j = std::size_t(d) - i;
          const int diagonal = s[i - 1][j - 1] + (p[i - 1] == t[j - 1] ? 2 : -1);
          s[i][j] = sycl::max(0, sycl::max(diagonal, sycl::max(s[i - 1][j], s[i][j - 1]) - 2));
        });
      });
    }
    q.submit([&](sycl::handler &h) {
      sycl::accessor s(score, h, sycl::read_only);
      h.parallel_for(score.get_range(), sycl::reduction(most, h, sycl::maximum<int>()),
                     [=](sycl::id<2> i, auto &largest) { largest.combine(s[i]); });
    });
  }
  std::vector<std::vector<int>> s(a.size() + 1, std::vector<int>(b.size() + 1));
  int expected = 0;
  for (std::size_t i = 1; i <= a.size(); i++)
    for (std::size_t j = 1; j <= b.size(); j++) {
      s[i][j] = std::max({0, s[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1), s[i - 1][j] - 2, s[i][j - 1] - 2});
      expected = std::max(expected, s[i][j]);
    }
  EXPECT_EQ(best, expected);
  EXPECT_GE(best, 160);
}

TEST(sequences, edit_distances_of_many_pairs_in_bit_vectors) {
  constexpr std::size_t pairs = 500, length = 60;
  std::vector<char> a, b;
  for (std::size_t k = 0; k < pairs; k++) {
    const std::string s = sequence(length, k + 1), t = k % 2 ? sequence(length, k + 1000) : s.substr(3) + "GAT";
    a.insert(a.end(), s.begin(), s.end());
    b.insert(b.end(), t.begin(), t.end());
  }
  std::vector<int> result(pairs);
  {
    sycl::queue q;
    sycl::buffer x(a);
    sycl::buffer y(b);
    sycl::buffer out(result);
    q.submit([&](sycl::handler &h) {
      sycl::accessor p(x, h, sycl::read_only);
      sycl::accessor t(y, h, sycl::read_only);
      sycl::accessor r(out, h, sycl::write_only);
      h.parallel_for(pairs, [=](sycl::id<1> k) {  // Myers' algorithm
        std::uint64_t equal[4] = {};
        for (std::size_t i = 0; i < length; i++) equal[p[k[0] * length + i] >> 1 & 3] |= std::uint64_t{1} << i;
        std::uint64_t up = ~std::uint64_t{0}, down = 0;
        int score = int(length);
        for (std::size_t j = 0; j < length; j++) {
          const std::uint64_t e = equal[t[k[0] * length + j] >> 1 & 3];
          const std::uint64_t d = (((e & up) + up) ^ up) | e | down;
          std::uint64_t right = down | ~(d | up), left = up & d;
          score += int(right >> (length - 1) & 1) - int(left >> (length - 1) & 1);
          right = right << 1 | 1;
          left <<= 1;
          up = left | ~(d | right);
          down = right & d;
        }
        r[k] = score;
      });
    });
  }
  for (std::size_t k = 0; k < pairs; k++) {
    std::vector<int> row(length + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= length; i++) {
      int diagonal = std::exchange(row[0], int(i));
      for (std::size_t j = 1; j <= length; j++) {
        const int substituted = diagonal + (a[k * length + i - 1] != b[k * length + j - 1]);
        diagonal = row[j];
        row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
      }
    }
    ASSERT_EQ(result[k], row[length]) << k;
  }
}

TEST(sequences, search_of_several_patterns) {
  const std::string text = sequence(50'000, 7);
  const std::vector<std::string> patterns{"ACGT", "GATTACA", "AAAAAA", "TTGCA"};
  std::vector<int> counts(patterns.size()), expected(patterns.size());
  std::string joined;
  std::vector<int> first{0};
  for (const std::string &p : patterns) {
    joined += p;
    first.push_back(int(joined.size()));
  }
  {
    sycl::queue q;
    sycl::buffer<char> t(text.data(), sycl::range<1>(text.size())), p(joined.data(), sycl::range<1>(joined.size()));
    sycl::buffer firsts(first);
    sycl::buffer found(counts);
    q.submit([&](sycl::handler &h) {
      sycl::accessor at(t, h, sycl::read_only);
      sycl::accessor ap(p, h, sycl::read_only);
      sycl::accessor af(firsts, h, sycl::read_only);
      sycl::accessor c(found, h);
      h.parallel_for(sycl::range<2>(patterns.size(), text.size()), [=, n = text.size()](sycl::item<2> i) {
        const auto begin = std::size_t(af[i[0]]), length = std::size_t(af[i[0] + 1]) - begin;
        if (i[1] + length > n) return;
        std::size_t k = 0;
        while (k < length && at[i[1] + k] == ap[begin + k]) k++;
        if (k == length) sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(c[i[0]])++;
      });
    });
  }
  for (std::size_t k = 0; k < patterns.size(); k++)
    for (std::size_t at = text.find(patterns[k]); at != std::string::npos; at = text.find(patterns[k], at + 1))
      expected[k]++;
  EXPECT_EQ(counts, expected);
}

TEST(sequences, counts_of_substrings) {
  constexpr std::size_t k = 5, bins = 1 << 2 * k;
  const std::string text = sequence(30'000, 3);
  std::vector<std::uint32_t> counts(bins);
  sycl::queue q;
  auto *t = sycl::malloc_device<char>(text.size(), q);
  auto *c = sycl::malloc_device<std::uint32_t>(bins, q);
  const std::vector<sycl::event> ready{q.copy(text.data(), t, text.size()), q.fill(c, 0u, bins)};
  const sycl::event counted = q.parallel_for(text.size() - k + 1, ready, [=](sycl::id<1> i) {
    std::uint32_t code = 0;
    for (std::size_t j = 0; j < k; j++) code = code << 2 | (std::uint32_t(t[i[0] + j]) >> 1 & 3);
    sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::device>(c[code])++;
  });
  q.copy(c, counts.data(), bins, counted).wait();
  sycl::free(t, q);
  sycl::free(c, q);
  std::map<std::string, std::uint32_t> expected;
  for (std::size_t i = 0; i + k <= text.size(); i++) expected[text.substr(i, k)]++;
  std::uint32_t distinct = 0;
  for (const std::uint32_t n : counts) distinct += n > 0;
  EXPECT_EQ(distinct, expected.size());
  for (const auto &[s, n] : expected) {
    std::uint32_t code = 0;
    for (const char x : s) code = code << 2 | (std::uint32_t(x) >> 1 & 3);
    ASSERT_EQ(counts[code], n) << s;
  }
}

TEST(sequences, compression_by_matches) {
  constexpr std::size_t window = 64, shortest = 4;
  std::string text;
  for (std::size_t k = 0; k < 200; k++) text += sequence(12, k % 7 + 1) + sequence(3, k);
  const std::size_t n = text.size();
  std::vector<int> length(n), distance(n);
  {
    sycl::queue q;
    sycl::buffer<char> t(text.data(), sycl::range<1>(n));
    sycl::buffer l(length);
    sycl::buffer d(distance);
    q.submit([&](sycl::handler &h) {
      sycl::accessor at(t, h, sycl::read_only);
      sycl::accessor al(l, h, sycl::write_only);
      sycl::accessor ad(d, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> i) {
        int best = 0, from = 0;
        for (std::size_t back = 1; back <= window && back <= i[0]; back++) {
          std::size_t k = 0;
          while (i[0] + k < n && k < 255 && at[i[0] + k] == at[i[0] + k - back]) k++;
          if (int(k) > best) best = int(k), from = int(back);
        }
        al[i] = best;
        ad[i] = from;
      });
    });
  }
  std::string decoded;
  std::size_t tokens = 0;
  for (std::size_t i = 0; i < n; tokens++) {
    if (length[i] < int(shortest)) {
      decoded += text[i++];
      continue;
    }
    for (int k = 0; k < length[i]; k++) decoded += decoded[decoded.size() - std::size_t(distance[i])];
    i += std::size_t(length[i]);
  }
  EXPECT_EQ(decoded, text);
  EXPECT_LT(tokens, n);
}

TEST(sequences, primality_by_miller_and_rabin) {
  constexpr std::size_t n = 3000;
  constexpr std::uint32_t start = 2'000'000'001u;
  std::vector<std::uint8_t> result(n);
  {
    sycl::queue q;
    sycl::buffer out(result);
    q.submit([&](sycl::handler &h) {
      sycl::accessor r(out, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> id) {
        const std::uint64_t m = start + 2 * std::uint32_t(id[0]);
        const auto power = [m](std::uint64_t base, std::uint64_t exponent) {
          std::uint64_t x = 1;
          for (; exponent; exponent >>= 1, base = base * base % m)
            if (exponent & 1) x = x * base % m;
          return x;
        };
        const int twos = int(sycl::ctz(m - 1));
        bool prime = true;
        for (const std::uint64_t witness : {2u, 7u, 61u}) {  // sufficient below 4,759,123,141
          std::uint64_t x = power(witness, (m - 1) >> twos);
          bool passes = x == 1 || x == m - 1;
          for (int k = 1; k < twos && !passes; k++) passes = (x = x * x % m) == m - 1;
          prime &= passes;
        }
        r[id] = prime;
      });
    });
  }
  for (std::size_t i = 0; i < n; i++) {
    const std::uint32_t m = start + 2 * std::uint32_t(i);
    bool prime = true;
    for (std::uint32_t d = 3; std::uint64_t(d) * d <= m && prime; d += 2) prime = m % d != 0;
    ASSERT_EQ(bool(result[i]), prime) << m;
  }
}

}  // namespace programs
