// Programs whose work-items read neighbours, by how they treat the borders of arrays: every shape of launch, type of id
// and type of element, beside the same function called in a plain loop. All results are exact.
#include <algorithm>
#include <cstdlib>

#include "data.hpp"

namespace programs {
namespace {

/// How the index of a neighbour becomes one of an element. `n` elements, `i` may be outside by fewer than n.
struct clamps {
  template <class I> static I at(I i, I n) { return sycl::clamp(i, I(0), I(n - 1)); }
};
struct clamps_by_comparisons {
  template <class I> static I at(I i, I n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }
};
struct mirrors {
  template <class I> static I at(I i, I n) {
    if (i < 0) i = -i;
    if (i >= n) i = 2 * n - 2 - i;
    return i < 0 ? 0 : i;  // of one element
  }
};
struct mirrors_by_absolute_values {
  template <class I> static I at(I i, I n) { return std::max(I(n - 1 - std::abs(n - 1 - std::abs(i))), I(0)); }
};
struct wraps {
  template <class I> static I at(I i, I n) { return i < 0 ? i + n : i >= n ? i - n : i; }
};
struct wraps_by_remainders {
  template <class I> static I at(I i, I n) { return (i + n) % n; }
};

/// A weighted sum over the neighbours within the radius, in both directions.
template <class Border, class T, class I> T window(const T *in, I w, I h, I x, I y, I radius) {
  T sum = 0;
  for (I dy = -radius; dy <= radius; dy++)
    for (I dx = -radius; dx <= radius; dx++)
      sum = T(sum + T(dx + 2 * dy + 3) * in[Border::at(I(y + dy), h) * w + Border::at(I(x + dx), w)]);
  return sum;
}

/// Nine neighbours, without a loop.
template <class Border, class T, class I> T cross(const T *in, I w, I h, I x, I y) {
  const I l = Border::at(I(x - 1), w), r = Border::at(I(x + 1), w), u = Border::at(I(y - 1), h),
          d = Border::at(I(y + 1), h);
  return T(in[u * w + l] + 2 * in[u * w + x] + 3 * in[u * w + r] + 4 * in[y * w + l] + 5 * in[y * w + x] +
           6 * in[y * w + r] + 7 * in[d * w + l] + 8 * in[d * w + x] + 9 * in[d * w + r]);
}

template <class T> std::vector<T> image(int w, int h) {
  std::vector<T> made;
  for (const std::uint32_t x : integers(std::size_t(w) * std::size_t(h), 100, 5)) made.push_back(T(x));
  return made;
}

template <class T, class I, class F> void check(int w, int h, F value, const char *what) {
  const std::vector<T> in = image<T>(w, h);
  std::vector<T> wanted(in.size());
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) wanted[std::size_t(y * w + x)] = value(in.data(), I(w), I(h), I(x), I(y));
  sycl::queue q;
  T *from = sycl::malloc_shared<T>(in.size(), q), *out = sycl::malloc_shared<T>(in.size(), q);
  std::copy(in.begin(), in.end(), from);
  const auto expect = [&](const char *launch) {
    q.wait_and_throw();
    ASSERT_EQ(std::vector<T>(out, out + in.size()), wanted)
        << what << ", " << w << " x " << h << ", " << launch << ", ids of " << sizeof(I) << " bytes, elements of "
        << sizeof(T) << " bytes";
    std::fill(out, out + in.size(), T(1));
  };
  const auto store = [=](std::size_t x, std::size_t y) {
    out[y * std::size_t(w) + x] = value(from, I(w), I(h), I(x), I(y));
  };
  q.parallel_for(sycl::range<2>(std::size_t(h), std::size_t(w)), [=](sycl::id<2> i) { store(i[1], i[0]); });
  expect("range of two dimensions");
  q.parallel_for(sycl::range<1>(std::size_t(w * h)), [=](sycl::id<1> i) {
    const int id = int(i[0]);
    store(std::size_t(id % w), std::size_t(id / w));
  });
  expect("flat range");
  for (const auto &[height, width] : {std::pair<std::size_t, std::size_t>(16, 16), {2, 64}, {1, 128}}) {
    const std::size_t all_h = (std::size_t(h) + height - 1) / height * height,
                      all_w = (std::size_t(w) + width - 1) / width * width;
    q.parallel_for(sycl::nd_range<2>({all_h, all_w}, {height, width}), [=](sycl::nd_item<2> i) {
      const int x = int(i.get_global_id(1)), y = int(i.get_global_id(0));
      if (x >= w || y >= h) return;
      store(std::size_t(x), std::size_t(y));
    });
    expect("work-groups of two dimensions");
  }
  q.parallel_for(sycl::nd_range<1>((std::size_t(w * h) + 255) / 256 * 256, 256), [=](sycl::nd_item<1> i) {
    const std::size_t id = i.get_global_linear_id();
    if (id < std::size_t(w * h)) store(id % std::size_t(w), id / std::size_t(w));
  });
  expect("flat work-groups");
  sycl::free(from, q);
  sycl::free(out, q);
}

constexpr std::pair<int, int> shapes[] = {{1, 3}, {2, 2}, {17, 5}, {33, 20}, {64, 16}, {200, 9}, {333, 7}};

template <class Border, class T, class I> void check_border(const char *what) {
  for (const auto &[w, h] : shapes) {
    check<T, I>(w, h, [](const T *in, I w, I h, I x, I y) { return cross<Border, T, I>(in, w, h, x, y); }, what);
    for (const I radius : {I(0), I(1), I(4)}) {
      if (radius >= I(std::min(w, h))) continue;
      check<T, I>(
          w, h, [=](const T *in, I w, I h, I x, I y) { return window<Border, T, I>(in, w, h, x, y, radius); }, what);
    }
  }
}

}  // namespace

TEST(borders, clamped) {
  check_border<clamps, float, int>("clamp");
  check_border<clamps_by_comparisons, std::uint8_t, int>("clamp by comparisons");
  check_border<clamps_by_comparisons, double, long>("clamp by comparisons");
}

TEST(borders, mirrored) {
  check_border<mirrors, std::int16_t, int>("mirror");
  check_border<mirrors_by_absolute_values, float, long>("mirror by absolute values");
}

TEST(borders, periodic) {
  check_border<wraps, int, long>("wrap");
  check_border<wraps_by_remainders, std::uint8_t, int>("wrap by remainders");
  check_border<wraps_by_remainders, float, unsigned>("wrap by remainders of unsigned ids");
}

TEST(borders, ids_without_sign) {
  const auto value = [](const float *in, auto w, auto h, auto x, auto y) {
    const auto l = x > 0 ? x - 1 : 0, r = x + 1 < w ? x + 1 : w - 1, u = y == 0 ? h - 1 : y - 1,
               d = y == h - 1 ? 0 : y + 1;
    return in[y * w + l] + 2 * in[y * w + r] + 4 * in[u * w + x] + 8 * in[d * w + x];
  };
  for (const auto &[w, h] : shapes) {
    check<float, unsigned>(w, h, value, "conditions");
    check<float, std::size_t>(w, h, value, "conditions");
  }
}

TEST(borders, other_formulas) {
  const auto value = [](const auto *in, int w, int h, int x, int y) {
    const int i = y * w + x;
    if (x == 0 || y == 0) return in[i] * 2;
    if (x > 1 && x < w - 1 && y < h - 1) return in[i - 1] + in[i + 1] + in[i - w] + in[i + w] - in[i - 2];
    return in[i] - (x < w - 1 ? in[i + 1] : 7);
  };
  for (const auto &[w, h] : shapes) {
    check<int, int>(w, h, value, "branches");
    check<std::int16_t, int>(
        w, h, [=](const std::int16_t *in, int w, int h, int x, int y) { return std::int16_t(value(in, w, h, x, y)); },
        "branches");
  }
}

TEST(borders, zeros_outside) {
  const auto value = [](const std::uint8_t *in, int w, int h, int x, int y) {
    int sum = 0;
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        if (x + dx >= 0 && x + dx < w && y + dy >= 0 && y + dy < h) sum += in[(y + dy) * w + x + dx];
    return std::uint8_t(sum / 9);
  };
  for (const auto &[w, h] : shapes) check<std::uint8_t, int>(w, h, value, "zeros");
}

// A work-item in each element of a box, with neighbours in three dimensions.
TEST(borders, three_dimensions) {
  constexpr int nx = 35, ny = 6, nz = 5;
  const std::vector<int> in = image<int>(nx, ny * nz);
  const auto value = [](const int *in, int x, int y, int z) {
    const auto at = [&](int i, int j, int k) {
      return in[(sycl::clamp(k, 0, nz - 1) * ny + (j + ny) % ny) * nx + (i < 0 ? -i : i >= nx ? 2 * nx - 2 - i : i)];
    };
    return at(x - 2, y, z) + 3 * at(x + 2, y, z) + 5 * at(x, y - 1, z) + 7 * at(x, y + 1, z) + 11 * at(x, y, z - 1) +
           13 * at(x, y, z + 1);
  };
  std::vector<int> wanted, actual(in.size());
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) wanted.push_back(value(in.data(), x, y, z));
  sycl::queue q;
  for (const bool grouped : {false, true}) {
    {
      sycl::buffer from(in), to(actual);
      q.submit([&](sycl::handler &h) {
        sycl::accessor a(from, h, sycl::read_only);
        sycl::accessor b(to, h, sycl::write_only, sycl::no_init);
        const auto store = [=](std::size_t x, std::size_t y, std::size_t z) {
          b[(z * ny + y) * nx + x] =
              value(a.get_multi_ptr<sycl::access::decorated::no>().get(), int(x), int(y), int(z));
        };
        if (grouped)
          h.parallel_for(sycl::nd_range<3>({nz, ny, nx}, {1, 2, 35}), [=](sycl::nd_item<3> i) {
            store(i.get_global_id(2), i.get_global_id(1), i.get_global_id(0));
          });
        else
          h.parallel_for(sycl::range<3>(nz, ny, nx), [=](sycl::id<3> i) { store(i[2], i[1], i[0]); });
      });
    }
    EXPECT_EQ(actual, wanted) << (grouped ? "grouped" : "range");
  }
}

}  // namespace programs
