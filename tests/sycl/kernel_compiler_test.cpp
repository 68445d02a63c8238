// Kernels in OpenCL C and SYCL that the program compiles, and their arguments (sycl_ext_oneapi_kernel_compiler).
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

namespace syclex = sycl::ext::oneapi::experimental;
using executable_bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;

constexpr const char *source = R"(
  typedef struct { float scale, offset; } line;
  kernel void scaled(global const float *x, global float *y, line l) {
    const size_t i = get_global_id(0);
    y[i] = l.scale * x[i] + l.offset;
  }
  kernel void sums(global const int *x, global int *y, local int *t) {
    const size_t l = get_local_id(0);
    t[l] = x[get_global_id(0)];
    for (size_t n = get_local_size(0) / 2; n > 0; n /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < n) t[l] += t[l + n];
    }
    if (l == 0) y[get_group_id(0)] = t[0];
  }
  kernel void places(global int *out) {
    const size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[at] = (int)(100 * get_global_id(1) + get_global_id(0));
  }
)";

struct line {
  float scale, offset;
};

executable_bundle built(const sycl::queue &q, const std::string &text = source) {
  return syclex::build(
      syclex::create_kernel_bundle_from_source(q.get_context(), syclex::source_language::opencl, text));
}

// Machines that only run programs need not have clang 22.
bool has_compiler(const sycl::queue &q) {
  return !test::error_of([&] { built(q); }).mentions("clang 22 was not found");
}

TEST(kernel_compiler, runs_kernels_on_memory_and_values) {
  const sycl::queue q;
  if (!has_compiler(q)) GTEST_SKIP() << "needs clang 22";
  const executable_bundle bundle = built(q);
  EXPECT_TRUE(bundle.ext_oneapi_has_kernel("scaled"));
  EXPECT_TRUE(bundle.ext_oneapi_has_kernel("sums", q.get_device()));
  EXPECT_FALSE(bundle.ext_oneapi_has_kernel("other"));
  EXPECT_FALSE(bundle.empty());
  const sycl::kernel k = bundle.ext_oneapi_get_kernel("scaled");
  EXPECT_EQ(k.get_info<sycl::info::kernel::function_name>(), "scaled");
  EXPECT_EQ(k.get_info<sycl::info::kernel::num_args>(), 3u);
  EXPECT_EQ(k.get_kernel_bundle(), bundle);
  constexpr std::size_t n = 1000;
  const shared_array<float> x(n, q), y(n, q);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i);
  q.submit([&](sycl::handler &h) {
     h.set_args(x.get(), y.get(), line{2, 1});
     h.parallel_for(n, k);
   }).wait();
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(y[i], 2 * static_cast<float>(i) + 1) << i;
}

TEST(kernel_compiler, runs_kernels_on_accessors_and_local_memory) {
  sycl::queue q;
  if (!has_compiler(q)) GTEST_SKIP() << "needs clang 22";
  const sycl::kernel k = built(q).ext_oneapi_get_kernel("sums");
  constexpr std::size_t groups = 9, size = 64;
  std::vector<int> values(groups * size);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i % 7);
  sycl::buffer<int> x(values.data(), values.size()), y{sycl::range<1>(groups)};
  for (const bool of_extension : {false, true}) {
    q.submit([&](sycl::handler &h) {
      h.set_arg(1, sycl::accessor(y, h, sycl::write_only, sycl::no_init));
      h.set_arg(0, sycl::accessor(x, h, sycl::read_only));
      if (of_extension)
        h.set_arg(2, syclex::work_group_memory<int[]>(size, h));
      else
        h.set_arg(2, sycl::local_accessor<int>(size, h));
      h.parallel_for(sycl::nd_range<1>(groups * size, size), k);
    });
    const sycl::host_accessor sums(y, sycl::read_only);
    for (std::size_t g = 0; g < groups; ++g) {
      int expected = 0;
      for (std::size_t i = 0; i < size; ++i) expected += values[g * size + i];
      EXPECT_EQ(sums[g], expected) << g;
    }
  }
}

TEST(kernel_compiler, has_the_last_dimension_of_ranges_as_dimension_0) {
  sycl::queue q;
  if (!has_compiler(q)) GTEST_SKIP() << "needs clang 22";
  const sycl::kernel k = built(q).ext_oneapi_get_kernel("places");
  const shared_array<int> out(6, q);
  q.submit([&](sycl::handler &h) {
     h.set_arg(0, out.get());
     h.parallel_for(sycl::range<2>(2, 3), k);
   }).wait();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_EQ(out[static_cast<std::size_t>(3 * i + j)], 100 * i + j);
}

TEST(kernel_compiler, takes_options_and_saves_messages) {
  const sycl::queue q;
  if (!has_compiler(q)) GTEST_SKIP() << "needs clang 22";
  const auto of = [&](const std::string &text) {
    return syclex::create_kernel_bundle_from_source(q.get_context(), syclex::source_language::opencl, text);
  };
  const auto factor = of("kernel void k(global int *x) { x[0] = FACTOR; }");
  std::string log = "old";
  const executable_bundle bundle =
      syclex::build(factor, syclex::properties{syclex::build_options{"-DFACTOR=42"}, syclex::save_log{&log}});
  EXPECT_TRUE(log.empty());
  const shared_array<int> x(1, q);
  q.submit([&](sycl::handler &h) {
     h.set_arg(0, x.get());
     h.single_task(bundle.ext_oneapi_get_kernel("k"));
   }).wait();
  EXPECT_EQ(x[0], 42);
  const test::caught_error error =
      test::error_of([&] { syclex::build(factor, syclex::properties{syclex::save_log{&log}}); });
  EXPECT_EQ(error.code, sycl::errc::build);
  EXPECT_NE(log.find("FACTOR"), log.npos) << log;
}

TEST(kernel_compiler, refuses_what_it_cannot_compile_or_launch) {
  const sycl::queue q;
  const sycl::context c = q.get_context();
  const auto refused = [](auto f, sycl::errc code, const char *what) {
    const test::caught_error error = test::error_of(f);
    EXPECT_EQ(error.code, code) << error.message;
    EXPECT_TRUE(error.mentions(what)) << error.message;
  };
  const auto create = [&](syclex::source_language l, const auto &text) {
    return [=] { syclex::create_kernel_bundle_from_source(c, l, text); };
  };
  refused(create(syclex::source_language::sycl, std::vector<std::byte>()), sycl::errc::invalid, "'sycl'");
  refused(create(syclex::source_language::spirv, std::string()), sycl::errc::invalid, "std::vector<std::byte>");
  refused(create(syclex::source_language::opencl, std::vector<std::byte>()), sycl::errc::invalid, "std::string");
  const auto damaged =
      syclex::create_kernel_bundle_from_source(c, syclex::source_language::spirv, std::vector<std::byte>(20));
  refused([&] { syclex::build(damaged); }, sycl::errc::build, "");
  refused([&] { syclex::build(damaged, std::vector<sycl::device>()); }, sycl::errc::invalid, "empty");
  if (!has_compiler(q)) GTEST_SKIP() << "the rest needs clang 22";

  const executable_bundle bundle = built(q);
  refused([&] { bundle.ext_oneapi_get_kernel("other"); }, sycl::errc::invalid, "other");
  const sycl::kernel k = bundle.ext_oneapi_get_kernel("scaled");
  const shared_array<float> x(1, q);
  const auto launch = [&](auto... arguments) {
    return [&, arguments...] {
      const_cast<sycl::queue &>(q).submit([&](sycl::handler &h) {
        h.set_args(arguments...);
        h.parallel_for(1, k);
      });
    };
  };
  refused(launch(x.get(), x.get()), sycl::errc::kernel_argument, "argument 3 ('line l') is missing");
  refused(launch(x.get(), x.get(), 1.0f), sycl::errc::kernel_argument, "expected 8 bytes");
  refused(launch(x.get(), 1, line()), sycl::errc::kernel_argument, "expected USM memory, got a value");
  refused(launch(x.get(), x.get(), line(), 1), sycl::errc::kernel_argument, "has 3 arguments");
}

constexpr const char *sycl_source = R"(
  #include <sycl/sycl.hpp>
  #include "line.hpp"
  namespace syclex = sycl::ext::oneapi::experimental;
  using sycl::ext::oneapi::this_work_item::get_nd_item;

  extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
  void scaled(const float *x, float *y, line l) {
    const std::size_t i = get_nd_item<1>().get_global_id(0);
    y[i] = l.scale * x[i] + l.offset;
  }
  namespace space {
  SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
  void sums(const int *x, int *y, syclex::work_group_memory<int[]> t, sycl::local_accessor<int, 2> u) {
    const auto item = get_nd_item<1>();
    const std::size_t l = item.get_local_id(0);
    t[l] = u[1][l] = x[item.get_global_id(0)];
    sycl::group_barrier(item.get_group());
    if (l > 0) return;
    int sum = 0;
    for (std::size_t i = 0; i < item.get_local_range(0); ++i) sum += t[i] + u[1][i];
    y[item.get_group(0)] = sum;
  }
  template <class T> SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<2>)) void places(T *out) {
    const auto item = get_nd_item<2>();
    out[item.get_global_linear_id()] = static_cast<T>(100 * item.get_global_id(0) + item.get_global_id(1));
  }
  }
)";

executable_bundle built_sycl(const sycl::queue &q) {
  const auto source = syclex::create_kernel_bundle_from_source(
      q.get_context(), syclex::source_language::sycl, sycl_source,
      syclex::properties{syclex::include_files{"line.hpp", "#pragma once\nstruct line { float scale, offset; };"}});
  return syclex::build(source, syclex::properties{syclex::registered_names{"space::places<short>"},
                                                  syclex::build_options{"-Wno-unused"}});
}

TEST(kernel_compiler, runs_kernels_in_sycl) {
  sycl::queue q;
  if (!has_compiler(q)) GTEST_SKIP() << "needs clang 22";
  const executable_bundle bundle = built_sycl(q);
  EXPECT_TRUE(bundle.ext_oneapi_has_kernel("scaled"));
  EXPECT_TRUE(bundle.ext_oneapi_has_kernel("space::sums"));
  EXPECT_FALSE(bundle.ext_oneapi_has_kernel("sums"));
  EXPECT_EQ(bundle.ext_oneapi_get_raw_kernel_name("scaled"), "scaled");
  EXPECT_EQ(bundle.ext_oneapi_get_raw_kernel_name("space::places<short>"), "_ZN5space6placesIsEEvPT_");
  constexpr std::size_t n = 1024;
  const shared_array<float> x(n, q), y(n, q);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i);
  q.submit([&](sycl::handler &h) {
     h.set_args(x.get(), y.get(), line{2, 1});
     h.parallel_for(sycl::nd_range<1>(n, 64), bundle.ext_oneapi_get_kernel("scaled"));
   }).wait();
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(y[i], 2 * static_cast<float>(i) + 1) << i;
}

TEST(kernel_compiler, runs_kernels_in_sycl_with_local_memory) {
  sycl::queue q;
  if (!has_compiler(q)) GTEST_SKIP() << "needs clang 22";
  constexpr std::size_t groups = 9, size = 64;
  const shared_array<int> x(groups * size, q), y(groups, q);
  for (std::size_t i = 0; i < groups * size; ++i) x[i] = static_cast<int>(i % 7);
  q.submit([&](sycl::handler &h) {
     h.set_args(x.get(), y.get(), syclex::work_group_memory<int[]>(size, h),
                sycl::local_accessor<int, 2>(sycl::range<2>(2, size), h));
     h.parallel_for(sycl::nd_range<1>(groups * size, size), built_sycl(q).ext_oneapi_get_kernel("space::sums"));
   }).wait();
  for (std::size_t g = 0; g < groups; ++g) {
    int expected = 0;
    for (std::size_t i = 0; i < size; ++i) expected += 2 * x[g * size + i];
    EXPECT_EQ(y[g], expected) << g;
  }
}

TEST(kernel_compiler, finds_kernels_in_sycl_by_registered_names) {
  sycl::queue q;
  if (!has_compiler(q)) GTEST_SKIP() << "needs clang 22";
  const shared_array<short> out(6, q);
  q.submit([&](sycl::handler &h) {
     h.set_arg(0, out.get());
     h.parallel_for(sycl::nd_range<2>({2, 3}, {1, 3}), built_sycl(q).ext_oneapi_get_kernel("space::places<short>"));
   }).wait();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_EQ(out[static_cast<std::size_t>(3 * i + j)], 100 * i + j);
}

TEST(kernel_compiler, tells_what_devices_can_compile) {
  const sycl::device d;
  EXPECT_TRUE(d.ext_oneapi_can_build(syclex::source_language::opencl));
  EXPECT_TRUE(d.ext_oneapi_can_build(syclex::source_language::spirv));
  EXPECT_TRUE(d.ext_oneapi_can_build(syclex::source_language::sycl));
  EXPECT_TRUE(d.ext_oneapi_supports_cl_c_version(syclex::opencl::opencl_c_3_0));
  EXPECT_FALSE(d.ext_oneapi_supports_cl_c_version(syclex::opencl::opencl_c_2_0));
  EXPECT_TRUE(d.ext_oneapi_supports_cl_c_feature("__opencl_c_int64"));
  syclex::opencl::cl_version version{};
  EXPECT_TRUE(d.ext_oneapi_supports_cl_extension("cl_khr_fp64", &version));
  EXPECT_EQ(version.major, 1u);
  EXPECT_FALSE(d.ext_oneapi_supports_cl_extension("cl_khr_other"));
  EXPECT_TRUE(syclex::is_source_kernel_bundle_supported(d.get_backend(), syclex::source_language::opencl));
}

}  // namespace
