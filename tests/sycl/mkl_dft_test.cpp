// oneapi::mkl::dft: Fourier transforms of complex and real numbers, by their definition.
#include <numbers>

#include "mkl_operands.hpp"

namespace {

using namespace mkl_test;
namespace dft = oneapi::mkl::dft;
using dft::config_param;
using dft::config_value;
using lengths_list = std::vector<int64_t>;
using complex = std::complex<double>;

int64_t product_of(const lengths_list &n) {
  int64_t all = 1;
  for (const int64_t i : n) all *= i;
  return all;
}
/// The transform along all axes of row-major numbers, one axis after the other.
std::vector<complex> transformed(std::vector<complex> x, const lengths_list &n, double sign) {
  int64_t inner = 1;
  for (std::size_t axis = n.size(); axis-- > 0; inner *= n[axis]) {
    const std::vector<complex> from = x;
    const int64_t length = n[axis], all = product_of(n);
    for (int64_t i = 0; i < all; ++i) {
      const int64_t k = i / inner % length, first = i - k * inner;
      complex sum = 0;
      for (int64_t j = 0; j < length; ++j)
        sum += from[std::size_t(first + j * inner)] *
               std::polar(1.0, sign * 2 * std::numbers::pi * double(j * k % length) / double(length));
      x[std::size_t(i)] = sum;
    }
  }
  return x;
}

const lengths_list all_lengths[] = {{1}, {2}, {12}, {97}, {256}, {3, 5}, {8, 4}, {6, 1, 10}, {4, 3, 2}};

template <class R>
constexpr dft::precision precision_of = std::is_same_v<R, float> ? dft::precision::SINGLE : dft::precision::DOUBLE;
template <class R> double bound_of(int64_t n) { return (std::is_same_v<R, float> ? 2e-6 : 4e-15) * double(n + 8); }

template <class R> class mkl_dft : public ::testing::Test {};
TYPED_TEST_SUITE(mkl_dft, real_numbers);

TYPED_TEST(mkl_dft, complex_transforms_in_both_directions) {
  using R = TypeParam;
  using T = std::complex<R>;
  for (const form how : all_forms)
    for (const lengths_list &n : all_lengths)
      for (const bool forward : {true, false})
        for (const bool in_place : {true, false}) {
          const int64_t all = product_of(n);
          std::vector<T> x = random_numbers<T>(all), y(x.size());
          const std::vector<complex> expected = transformed({x.begin(), x.end()}, n, forward ? -1 : 1);
          dft::descriptor<precision_of<R>, dft::domain::COMPLEX> d(n);
          d.set_value(config_param::PLACEMENT, in_place ? config_value::INPLACE : config_value::NOT_INPLACE);
          call(
              how,
              [&](sycl::queue &q, auto &px, auto &py) {
                d.commit(q);
                if (in_place)
                  forward ? void(dft::compute_forward(d, px)) : void(dft::compute_backward(d, px));
                else
                  forward ? void(dft::compute_forward(d, px, py)) : void(dft::compute_backward(d, px, py));
              },
              x, y);
          const std::vector<T> &result = in_place ? x : y;
          for (std::size_t i = 0; i < result.size(); ++i)
            ASSERT_LE(std::abs(complex(result[i]) - expected[i]), bound_of<R>(all))
                << name_of(how) << ", " << all << " numbers in " << n.size() << " dimensions";
        }
}

TYPED_TEST(mkl_dft, real_transforms_have_half_of_the_numbers) {
  using R = TypeParam;
  using T = std::complex<R>;
  for (const form how : all_forms)
    for (const lengths_list &n : all_lengths)
      for (const bool in_place : {true, false}) {
        const int64_t all = product_of(n), last = n.back(), half = last / 2 + 1, rows = all / last;
        const int64_t row = in_place || n.size() > 1 ? 2 * half : last;  // in memory
        std::vector<R> x(std::size_t(2 * rows * half)), back(x.size());
        std::vector<complex> numbers;
        for (int64_t i = 0; i < all; ++i) {
          x[std::size_t(i / last * row + i % last)] = random_number<R>();
          numbers.push_back(x[std::size_t(i / last * row + i % last)]);
        }
        const std::vector<R> original = x;
        const std::vector<complex> expected = transformed(numbers, n, -1);
        std::vector<T> y(std::size_t(rows * half));
        dft::descriptor<precision_of<R>, dft::domain::REAL> d(n);
        d.set_value(config_param::PLACEMENT, in_place ? config_value::INPLACE : config_value::NOT_INPLACE);
        d.set_value(config_param::BACKWARD_SCALE, R(1) / R(all));
        call(
            how,
            [&](sycl::queue &q, auto &px, auto &py, auto &pb) {
              d.commit(q);
              in_place ? void(dft::compute_forward(d, px)) : void(dft::compute_forward(d, px, py));
              q.wait();
              if (!in_place) dft::compute_backward(d, py, pb);
            },
            x, y, back);
        const T *const result = in_place ? reinterpret_cast<const T *>(x.data()) : y.data();
        for (int64_t i = 0; i < rows * half; ++i)
          ASSERT_LE(std::abs(complex(result[i]) - expected[std::size_t(i / half * last + i % half)]), bound_of<R>(all))
              << name_of(how) << ", " << all << " numbers in " << n.size() << " dimensions, " << in_place;
        if (in_place)
          call(
              how,
              [&](sycl::queue &q, auto &px) {
                d.commit(q);
                dft::compute_backward(d, px);
              },
              x);
        for (int64_t i = 0; i < all; ++i) {
          const std::size_t at = std::size_t(i / last * row + i % last);
          ASSERT_NEAR(double((in_place ? x : back)[at]), double(original[at]), bound_of<R>(all)) << name_of(how);
        }
      }
}

TYPED_TEST(mkl_dft, batches_strides_and_scales) {
  using R = TypeParam;
  using T = std::complex<R>;
  for (const form how : all_forms) {
    // three transforms of four numbers, which are the columns of a matrix of 5 columns, from element 1 on
    const int64_t length = 4, count = 3, columns = 5;
    std::vector<T> x = random_numbers<T>(length * columns + 1), y(std::size_t(length * count), T(9));
    dft::descriptor<precision_of<R>, dft::domain::COMPLEX> d(length);
    d.set_value(config_param::PLACEMENT, config_value::NOT_INPLACE);
    d.set_value(config_param::NUMBER_OF_TRANSFORMS, count);
    d.set_value(config_param::FWD_STRIDES, lengths_list{1, columns});
    d.set_value(config_param::FWD_DISTANCE, 1);
    d.set_value(config_param::BWD_DISTANCE, length);
    d.set_value(config_param::FORWARD_SCALE, 0.5);
    call(
        how,
        [&](sycl::queue &q, auto &px, auto &py) {
          d.commit(q);
          dft::compute_forward(d, px, py);
        },
        x, y);
    for (int64_t i = 0; i < count; ++i) {
      std::vector<complex> column;
      for (int64_t j = 0; j < length; ++j) column.push_back(complex(x[std::size_t(1 + i + j * columns)]));
      column = transformed(column, {length}, -1);
      for (int64_t j = 0; j < length; ++j)
        EXPECT_LE(std::abs(complex(y[std::size_t(i * length + j)]) - 0.5 * column[std::size_t(j)]), bound_of<R>(8))
            << name_of(how);
    }
  }
}

TEST(mkl_dft_descriptors, have_values) {
  sycl::queue q;
  dft::descriptor<dft::precision::DOUBLE, dft::domain::REAL> d({6, 10});
  int64_t number = 0, list[3]{};
  d.get_value(config_param::DIMENSION, &number);
  EXPECT_EQ(number, 2);
  d.get_value(config_param::LENGTHS, list);
  EXPECT_EQ(list[1], 10);
  d.get_value(config_param::FWD_STRIDES, list);
  EXPECT_EQ(lengths_list(list, list + 3), (lengths_list{0, 12, 1}));
  d.get_value(config_param::BWD_STRIDES, list);
  EXPECT_EQ(lengths_list(list, list + 3), (lengths_list{0, 6, 1}));
  d.get_value(config_param::BWD_DISTANCE, &number);
  EXPECT_EQ(number, 36);
  double scale = 0;
  d.set_value(config_param::BACKWARD_SCALE, 0.25);
  d.get_value(config_param::BACKWARD_SCALE, &scale);
  EXPECT_EQ(scale, 0.25);
  config_value status{};
  d.get_value(config_param::COMMIT_STATUS, &status);
  EXPECT_EQ(status, config_value::UNCOMMITTED);
  d.commit(q);
  d.get_value(config_param::COMMIT_STATUS, &status);
  EXPECT_EQ(status, config_value::COMMITTED);
  dft::domain domain{};
  d.get_value(config_param::FORWARD_DOMAIN, &domain);
  EXPECT_EQ(domain, dft::domain::REAL);
}

TEST(mkl_dft_calls, wait_for_their_dependencies) {
  sycl::queue q;
  std::complex<float> *const x = sycl::malloc_shared<std::complex<float>>(8, q);
  const sycl::event filled = q.submit([&](sycl::handler &h) { h.host_task([=] { std::fill_n(x, 8, 1.0f); }); });
  dft::descriptor<dft::precision::SINGLE, dft::domain::COMPLEX> d(8);
  d.commit(q);
  const sycl::event done = dft::compute_forward(d, x, {filled});
  q.submit([&](sycl::handler &h) {
     h.depends_on(done);
     h.parallel_for(8, [=](sycl::id<1> i) { x[i] += 1.0f; });
   }).wait();
  EXPECT_EQ(x[0], 9.0f);
  EXPECT_EQ(x[5], 1.0f);
  sycl::free(x, q);
}

TEST(mkl_dft_errors, name_the_function) {
  const auto message = [](auto make) -> std::string {
    try {
      make();
      return "no exception";
    } catch (const mkl::exception &e) {
      return e.what();
    }
  };
  using descriptor = dft::descriptor<dft::precision::DOUBLE, dft::domain::COMPLEX>;
  sycl::queue q;
  std::complex<double> *const none = nullptr;
  sycl::buffer<std::complex<double>, 1> small(3);
  descriptor d(4);
  EXPECT_EQ(message([&] { dft::compute_forward(d, none); }), "dft::compute_forward: commit the descriptor first");
  d.commit(q);
  EXPECT_EQ(message([&] { dft::compute_forward(d, none, none); }),
            "dft::compute_forward: the descriptor's PLACEMENT is INPLACE, but there are two arrays");
  EXPECT_EQ(message([&] { dft::compute_backward(d, none); }), "dft::compute_backward: a pointer is null");
  EXPECT_EQ(message([&] { dft::compute_backward(d, small); }),
            "dft::compute_backward: a buffer has 48 bytes, but 64 are needed");
  EXPECT_EQ(message([] { descriptor({4, 0}); }), "dft::descriptor: lengths must be positive, got 0");
  EXPECT_EQ(message([&] { d.set_value(config_param::NUMBER_OF_TRANSFORMS, 0); }),
            "dft::set_value: NUMBER_OF_TRANSFORMS must be positive, got 0");
}

}  // namespace
