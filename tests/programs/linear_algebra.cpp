// Linear algebra: blocked factorisation, sparse products, tridiagonal systems, inverses with pivots.
#include <algorithm>
#include <cmath>

#include "data.hpp"

namespace programs {
namespace {

constexpr std::size_t block = 16;

/// A square matrix of fractions whose diagonal dominates.
std::vector<float> dominant_matrix(std::size_t n, std::uint64_t seed) {
  std::vector<float> m = fractions(n * n, seed);
  for (std::size_t i = 0; i < n; i++) m[i * n + i] += float(n) / 2;
  return m;
}

/// Factors the block on the diagonal that begins at `first`, in one work-group.
class factor_diagonal {
public:
  factor_diagonal(sycl::accessor<float, 2> m, std::size_t first, sycl::handler &h)
      : m_(m), tile_(sycl::range(block, block), h), first_(first) {}

  void operator()(sycl::nd_item<1> item) const {
    const std::size_t l = item.get_local_id(0), size = std::min(block, m_.get_range()[0] - first_);
    if (l < size)
      for (std::size_t j = 0; j < size; j++) tile_[l][j] = m_[first_ + l][first_ + j];
    for (std::size_t k = 0; k + 1 < size; k++) {
      item.barrier(sycl::access::fence_space::local_space);
      if (l > k && l < size) {
        tile_[l][k] /= tile_[k][k];
        for (std::size_t j = k + 1; j < size; j++) tile_[l][j] -= tile_[l][k] * tile_[k][j];
      }
    }
    if (l < size)
      for (std::size_t j = 0; j < size; j++) m_[first_ + l][first_ + j] = tile_[l][j];
  }

private:
  sycl::accessor<float, 2> m_;
  sycl::local_accessor<float, 2> tile_;
  std::size_t first_;
};

/// Solves for the blocks to the right of the diagonal (the group's first half) and below it (the second half).
struct solve_perimeter {
  sycl::accessor<float, 2> m;
  std::size_t first;

  void operator()(sycl::nd_item<1> item) const {
    const std::size_t l = item.get_local_id(0), lane = l % block;
    const std::size_t other = first + (item.get_group(0) + 1) * block + lane;
    if (other >= m.get_range()[0]) return;
    if (l < block) {
      for (std::size_t i = 1; i < block; i++)
        for (std::size_t k = 0; k < i; k++) m[first + i][other] -= m[first + i][first + k] * m[first + k][other];
    } else {
      for (std::size_t j = 0; j < block; j++) {
        for (std::size_t k = 0; k < j; k++) m[other][first + j] -= m[other][first + k] * m[first + k][first + j];
        m[other][first + j] /= m[first + j][first + j];
      }
    }
  }
};

struct pivot {
  float size;
  int row;
};
struct larger_pivot {
  pivot operator()(const pivot &a, const pivot &b) const {
    return a.size > b.size || (a.size == b.size && a.row < b.row) ? a : b;
  }
};

class find_pivot;
class swap_rows;
class eliminate;

}  // namespace

TEST(linear_algebra, lu_factorisation_in_blocks) {
  constexpr std::size_t n = 203;
  std::vector<float> matrix = dominant_matrix(n, 21), expected = matrix;
  {
    sycl::queue q;
    sycl::buffer<float, 2> buffer(matrix.data(), sycl::range<2>(n, n));
    for (std::size_t first = 0; first < n; first += block) {
      q.submit([&](sycl::handler &h) {
        sycl::accessor m(buffer, h);
        h.parallel_for(sycl::nd_range<1>(block, block), factor_diagonal(m, first, h));
      });
      if (first + block >= n) break;
      const std::size_t blocks = (n - first - 1) / block;
      q.submit([&](sycl::handler &h) {
        sycl::accessor m(buffer, h);
        h.parallel_for(sycl::nd_range<1>(blocks * 2 * block, 2 * block), solve_perimeter{m, first});
      });
      q.submit([&](sycl::handler &h) {
        sycl::accessor m(buffer, h);
        sycl::local_accessor<float, 2> lower({block, block}, h), upper({block, block}, h);
        const sycl::range<2> local(block, block);
        h.parallel_for(sycl::nd_range<2>(local * blocks, local), [=](sycl::nd_item<2> item) {
          const std::size_t li = item.get_local_id(0), lj = item.get_local_id(1);
          const std::size_t i = first + block + item.get_global_id(0), j = first + block + item.get_global_id(1);
          lower[li][lj] = i < n ? m[i][first + lj] : 0;
          upper[li][lj] = j < n ? m[first + li][j] : 0;
          sycl::group_barrier(item.get_group());
          float sum = 0;
          for (std::size_t k = 0; k < block; k++) sum += lower[li][k] * upper[k][lj];
          if (i < n && j < n) m[i][j] -= sum;
        });
      });
    }
  }
  for (std::size_t k = 0; k < n; k++)
    for (std::size_t i = k + 1; i < n; i++) {
      const float factor = expected[i * n + k] /= expected[k * n + k];
      for (std::size_t j = k + 1; j < n; j++) expected[i * n + j] -= factor * expected[k * n + j];
    }
  expect_near(matrix, expected, 1e-3f);
}

TEST(linear_algebra, sparse_products_by_rows_and_in_ell_pack) {
  constexpr std::size_t rows = 1003, columns = 777, widest = 41;
  random_numbers r(22);
  std::vector<int> first{0}, column;
  std::vector<float> value;
  for (std::size_t i = 0; i < rows; i++) {
    const std::size_t count = i % 7 == 3 ? 0 : r.below(widest + 1);
    for (std::size_t k = 0; k < count; k++) {
      column.push_back(int(r.below(columns)));
      value.push_back(r.fraction() - 0.5f);
    }
    first.push_back(int(column.size()));
  }
  const std::vector<float> x = fractions(columns, 23);
  std::vector<float> by_rows(rows), in_pack(rows), expected(rows);
  for (std::size_t i = 0; i < rows; i++)
    for (auto e = std::size_t(first[i]); e < std::size_t(first[i + 1]); e++)
      expected[i] += value[e] * x[std::size_t(column[e])];
  {
    sycl::queue q;
    sycl::buffer first_buffer(first);
    sycl::buffer column_buffer(column);
    sycl::buffer value_buffer(value);
    sycl::buffer x_buffer(x);
    sycl::buffer<float> y_buffer(by_rows.data(), rows), z_buffer(in_pack.data(), rows);
    // A sub-group for each row; the sub-groups take rows in turns.
    q.submit([&](sycl::handler &h) {
      auto f = first_buffer.get_access<sycl::access::mode::read>(h);
      auto c = column_buffer.get_access<sycl::access::mode::read>(h);
      auto v = value_buffer.get_access<sycl::access::mode::read>(h);
      auto in = x_buffer.get_access<sycl::access::mode::read>(h);
      auto out = y_buffer.get_access<sycl::access::mode::discard_write>(h);
      h.parallel_for(sycl::nd_range<1>(640, 64), [=](sycl::nd_item<1> item) {
        const sycl::sub_group sg = item.get_sub_group();
        const std::size_t per_group = sg.get_group_linear_range();
        for (std::size_t i = item.get_group_linear_id() * per_group + sg.get_group_linear_id(); i < rows;
             i += item.get_group_range(0) * per_group) {
          float sum = 0;
          for (int e = f[i] + int(sg.get_local_linear_id()); e < f[i + 1]; e += int(sg.get_local_linear_range()))
            sum += v[std::size_t(e)] * in[std::size_t(c[std::size_t(e)])];
          sum = sycl::reduce_over_group(sg, sum, sycl::plus<>());
          if (sg.leader()) out[i] = sum;
        }
      });
    });
    // The same elements by slots, so that neighbouring rows read neighbouring elements. Column -1 is no element.
    sycl::buffer<int, 2> packed_columns({widest, rows});
    sycl::buffer<float, 2> packed_values({widest, rows});
    q.submit([&](sycl::handler &h) {
      sycl::accessor f(first_buffer, h, sycl::read_only);
      sycl::accessor c(column_buffer, h, sycl::read_only);
      sycl::accessor v(value_buffer, h, sycl::read_only);
      sycl::accessor pc(packed_columns, h, sycl::write_only, sycl::no_init);
      sycl::accessor pv(packed_values, h, sycl::write_only, sycl::no_init);
      h.parallel_for(sycl::range<2>(widest, rows), [=](sycl::item<2> item) {
        const int e = f[item[1]] + int(item[0]);
        const bool there = e < f[item[1] + 1];
        pc[item] = there ? c[e] : -1;
        if (there) pv[item] = v[e];
      });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor pc(packed_columns, h, sycl::read_only);
      sycl::accessor pv(packed_values, h, sycl::read_only);
      sycl::accessor in(x_buffer, h, sycl::read_only);
      sycl::accessor out(z_buffer, h, sycl::write_only);
      h.parallel_for(rows, [=](auto i) {
        float sum = 0;
        for (std::size_t k = 0; k < widest && pc[k][i] >= 0; k++) sum = sycl::fma(pv[k][i], in[pc[k][i]], sum);
        out[i] = sum;
      });
    });
  }
  expect_near(by_rows, expected, 1e-4f);
  expect_near(in_pack, expected, 1e-4f);
}

TEST(linear_algebra, tridiagonal_systems_by_cyclic_reduction) {
  constexpr std::size_t systems = 37, n = 127;
  random_numbers r(24);
  std::vector<sycl::float4> rows(systems * n);  // left of the diagonal, diagonal, right of it, right-hand side
  for (sycl::float4 &row : rows) row = {r.fraction(), 2.5f + r.fraction(), r.fraction(), r.fraction()};
  for (std::size_t s = 0; s < systems; s++) rows[s * n].x() = rows[s * n + n - 1].z() = 0;
  std::vector<float> solution(systems * n), expected(systems * n);
  {
    sycl::queue q;
    sycl::buffer<sycl::float4, 2> in(rows.data(), {systems, n});
    sycl::buffer<float, 2> out(solution.data(), {systems, n});
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(in, h, sycl::read_only);
      sycl::accessor to(out, h, sycl::write_only);
      sycl::local_accessor<sycl::float4> row(n, h);
      sycl::local_accessor<float> x(n, h);
      constexpr std::size_t half = (n + 1) / 2;
      h.parallel_for(sycl::nd_range<2>({systems, half}, {1, half}), [=](sycl::nd_item<2> item) {
        const std::size_t s = item.get_group(0), l = item.get_local_id(1);
        for (std::size_t i = l; i < n; i += half) row[i] = from[s][i];
        std::size_t stride = 1;
        for (; stride < half; stride *= 2) {  // half of the rows lose both neighbours
          sycl::group_barrier(item.get_group());
          const std::size_t i = (l + 1) * 2 * stride - 1;
          if (i >= n) continue;
          const sycl::float4 above = row[i - stride], below = row[i + stride];
          const float up = row[i].x() / above.y(), down = row[i].z() / below.y();
          row[i] = {-up * above.x(), row[i].y() - up * above.z() - down * below.x(), -down * below.z(),
                    row[i].w() - up * above.w() - down * below.w()};
        }
        for (; stride >= 1; stride /= 2) {
          sycl::group_barrier(item.get_group());
          const std::size_t i = l * 2 * stride + stride - 1;
          if (i >= n) continue;
          const float before = i >= stride ? x[i - stride] : 0, after = i + stride < n ? x[i + stride] : 0;
          x[i] = (row[i].w() - row[i].x() * before - row[i].z() * after) / row[i].y();
        }
        sycl::group_barrier(item.get_group());
        for (std::size_t i = l; i < n; i += half) to[s][i] = x[i];
      });
    });
  }
  for (std::size_t s = 0; s < systems; s++) {  // Thomas's algorithm
    std::vector<double> c(n), d(n);
    for (std::size_t i = 0; i < n; i++) {
      const sycl::float4 row = rows[s * n + i];
      const double divisor = row.y() - (i ? row.x() * c[i - 1] : 0);
      c[i] = row.z() / divisor;
      d[i] = (row.w() - (i ? row.x() * d[i - 1] : 0)) / divisor;
    }
    for (std::size_t i = n; i-- > 0;) expected[s * n + i] = float(d[i] -= i + 1 < n ? c[i] * d[i + 1] : 0);
  }
  expect_near(solution, expected, 1e-5f);
}

TEST(linear_algebra, inverse_by_elimination_with_pivots) {
  constexpr std::size_t n = 70;
  const std::vector<float> matrix = fractions(n * n, 25);
  sycl::queue q;
  sycl::buffer<float, 2> work(sycl::range<2>(n, 2 * n));  // the matrix and, to its right, the unit matrix
  {
    sycl::host_accessor w(work, sycl::write_only, sycl::no_init);
    for (std::size_t i = 0; i < n; i++)
      for (std::size_t j = 0; j < n; j++) {
        w[i][j] = matrix[i * n + j];
        w[i][n + j] = i == j;
      }
  }
  sycl::buffer<pivot> best(1);
  sycl::buffer<float> factors(n);
  for (std::size_t k = 0; k < n; k++) {
    q.submit([&](sycl::handler &h) {
      sycl::accessor w(work, h, sycl::read_only);
      auto largest =
          sycl::reduction(best, h, pivot{-1, 0}, larger_pivot(), sycl::property::reduction::initialize_to_identity());
      h.parallel_for<find_pivot>(sycl::range(n - k), largest, [=](sycl::id<1> i, auto &all) {
        all.combine({sycl::fabs(w[k + i[0]][k]), int(k + i[0])});
      });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor w(work, h);
      sycl::accessor b(best, h, sycl::read_only);
      h.parallel_for<swap_rows>(2 * n, [=](sycl::id<1> j) {
        const auto other = std::size_t(b[0].row);
        if (other == k) return;
        const float kept = w[k][j[0]];
        w[k][j[0]] = w[other][j[0]];
        w[other][j[0]] = kept;
      });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor w(work, h, sycl::read_only);
      sycl::accessor f(factors, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::item<1> i) { f[i] = i == k ? 1 - 1 / w[k][k] : w[i][k] / w[k][k]; });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor w(work, h);
      sycl::accessor f(factors, h, sycl::read_only);
      h.parallel_for<eliminate>(2 * n, [=](sycl::id<1> j) {
        const float row = w[k][j];
        for (std::size_t i = 0; i < n; i++) w[i][j] -= f[i] * row;
      });
    });
  }
  const sycl::host_accessor inverse(work, sycl::read_only);
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = 0; j < n; j++) {
      double sum = 0;
      for (std::size_t k = 0; k < n; k++) sum += double(matrix[i * n + k]) * inverse[k][n + j];
      ASSERT_NEAR(sum, i == j, 2e-3) << i << ' ' << j;
    }
}

}  // namespace programs
