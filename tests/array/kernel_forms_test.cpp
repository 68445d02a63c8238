// The text of generated kernels is LLVM IR, whatever the program: thousands of random ones go through LLVM's verifier,
// and some through the whole compiler for NVIDIA GPUs and, where it is installed, NVIDIA's assembler. It needs no GPU.
//
//   DPEP_TEST_KERNEL_FORMS=5000   number of programs
//   DPEP_TEST_COMPILES=1          compile and assemble all of them; for nightly runs, with the former
//   DPEP_TEST_SEED=17             seed of the first program
#include <gtest/gtest.h>

#include <cstdlib>

#include <dpep/array_opcodes.hpp>

#include "../core/jit/fake_gpu.hpp"
#include "array/gpu/count_kernel.hpp"
#include "array/gpu/fourier_plan.hpp"
#include "array/gpu/prepared_kernels.hpp"
#include "array/gpu/scan_kernel.hpp"
#include "array/gpu/search_kernel.hpp"
#include "array/gpu/selection_kernel.hpp"
#include "array/gpu/sort_kernel.hpp"
#include "array/gpu/sparse_kernel.hpp"
#include "build_program.hpp"
#include "jit/compile/stages.hpp"
#include "jit/targets/target_for.hpp"
#include "random_form.hpp"

namespace dpep::array::testing {
namespace {

test::fake_gpu &gpu_device() {
  static test::fake_gpu gpu("sm_90");
  return gpu;
}

/// The sizes of an H100, or of a small GPU with the widest sub-groups of all GPUs.
gpu::device_sizes sizes_of_gpu(bool large) {
  device_info i;
  i.max_compute_units = large ? 132 : 8;
  i.sub_group_sizes = {std::size_t(large ? 32 : 64)};
  i.local_mem_size = std::uint64_t(large ? 227 : 64) * 1024;
  return gpu::device_sizes(i);
}

/// Errors in the kernel's text or in the functions that it calls; empty if there are none.
std::string faults_of(const gpu::generated_kernel &k) {
  const std::span<const unsigned char> bytes(reinterpret_cast<const unsigned char *>(k.text.data()), k.text.size());
  const jit::source source{bytes, k.name, jit::digest_of(bytes)};
  const jit::target &target = jit::target_for(gpu_device());
  try {
    jit::llvm_session session(k.name);
    jit::program read;
    session.guard([&] {
      read = jit::read(session, source, target);
      jit::link(session, read, source, target, gpu_device());
    });
    return "";
  } catch (const exception &e) {
    return e.what();
  }
}

std::string faults_of_compiling(const gpu::generated_kernel &k, bool assembles) {
  try {
    const auto code = gpu::compile_kernel(k, gpu_device());
    return assembles ? test::assembler_errors(static_cast<const test::ptx_code &>(*code).text) : "";
  } catch (const exception &e) {
    return e.what();
  }
}

struct kernel_forms : ::testing::Test {
  const test::environment no_cache{"DPEP_CACHE", "off"};
};

void check(std::uint32_t seed, bool compiles, bool assembles) {
  const random_form form = form_maker(seed).make();
  const auto what = [&] { return "seed " + std::to_string(seed) + "\n" + form.code.describe(); };
  std::vector<gpu::generated_kernel> kernels;
  try {
    kernels = gpu::generate_kernels(form.code, form.arguments, form.aliased, sizes_of_gpu(seed % 4));
  } catch (const std::exception &e) {
    FAIL() << e.what() << "\n" << what();
  }
  for (const gpu::generated_kernel &k : kernels) {
    ASSERT_EQ(faults_of(k), "") << what() << k.text;
    if (compiles) ASSERT_EQ(faults_of_compiling(k, assembles), "") << what() << k.text;
  }
}

TEST_F(kernel_forms, of_random_programs_are_valid) {
  const char *const chosen = std::getenv("DPEP_TEST_SEED");
  const char *const many = std::getenv("DPEP_TEST_KERNEL_FORMS");
  const std::uint32_t first = chosen ? std::uint32_t(std::atoi(chosen)) : 1;
  const std::uint32_t count = many ? std::uint32_t(std::atoi(many)) : chosen ? 1 : 300;
  const bool all = std::getenv("DPEP_TEST_COMPILES");
  for (std::uint32_t seed = first; seed < first + count; ++seed) {
    check(seed, all || seed % 3 == 0, all || seed % 6 == 0);
    if (HasFatalFailure()) return;
  }
}

/// Lengths of rows, and numbers of them, that bring out each shape of a work-group's tile.
std::vector<gpu::generated_kernel> scans_of(accumulation how, dtype type, bool aligned) {
  const gpu::device_sizes device = sizes_of_gpu(aligned);
  const auto task = [&](std::int64_t outer, std::int64_t length, std::int64_t inner) {
    return gpu::scan_task{how, type, outer, length, inner, aligned, device};
  };
  std::vector<gpu::generated_kernel> all{gpu::generate_row_scan(task(100, 20, 3)),
                                         gpu::generate_column_scan(task(1, 5000, 7)),
                                         gpu::generate_column_scan(task(2, std::int64_t(1) << 31, 7))};
  for (const std::int64_t length : {50, 100, 300, 500}) all.push_back(gpu::generate_tile_scan(task(1000, length, 1)));
  for (const std::int64_t length : {500, 1000, 1500, 2000, 3000, 5000, 7000, 8000, 70'001})
    all.push_back(gpu::generate_tile_scan(task(3, length, 1)));
  for (const std::int64_t length : {std::int64_t(1) << 20, std::int64_t(1) << 31})
    all.push_back(gpu::generate_tile_scan(task(length >> 20, length, 1)));
  return all;
}

TEST_F(kernel_forms, of_scans_are_valid) {
  const bool compiles = std::getenv("DPEP_TEST_COMPILES");
  for (int t = 0; t < dtype_count; ++t)
    for (const accumulation how :
         {accumulation::sum, accumulation::prod, accumulation::max, accumulation::min, accumulation::logsumexp}) {
      if (!blocks::find_scan(how, dtype(t))) continue;
      const auto what = [&] { return fmt::format("{} of {}\n", name_of(how), name_of(dtype(t))); };
      for (const bool aligned : {false, true})
        for (const gpu::generated_kernel &k : scans_of(how, dtype(t), aligned)) {
          ASSERT_EQ(faults_of(k), "") << what() << k.text;
          if (aligned && compiles) ASSERT_EQ(faults_of_compiling(k, true), "") << what() << k.text;
        }
    }
}

TEST_F(kernel_forms, of_selections_are_valid) {
  for (int step = 0; step <= int(selection_step::scatter); ++step)
    for (const std::int64_t word : {1, 2, 4, 8, 16}) {
      if (word == 16 && step != int(selection_step::scatter)) continue;
      const gpu::generated_kernel k = gpu::generate_selection(selection_step(step), word);
      ASSERT_EQ(faults_of(k), "") << k.text;
      ASSERT_EQ(faults_of_compiling(k, true), "") << k.text;
    }
}

TEST_F(kernel_forms, of_searches_and_counts_are_valid) {
  std::vector<gpu::generated_kernel> all{gpu::generate_count(false), gpu::generate_count(true)};
  for (const dtype t : {dtype::int64, dtype::float32, dtype::float64, dtype::complex64, dtype::complex128})
    all.push_back(gpu::generate_added_weights(t));
  for (int t = 0; t < dtype_count; ++t)
    for (const bool contiguous : {false, true})
      for (const bool right : {false, true})
        for (const std::int64_t sub_group : {8, 32})
          all.push_back(gpu::generate_search(dtype(t), contiguous, right, sub_group));
  for (const gpu::generated_kernel &k : all) {
    ASSERT_EQ(faults_of(k), "") << k.text;
    ASSERT_EQ(faults_of_compiling(k, true), "") << k.text;
  }
}

TEST_F(kernel_forms, of_products_of_sparse_matrices_are_valid) {
  for (const dtype t : {dtype::boolean, dtype::int32, dtype::int64, dtype::float32, dtype::float64, dtype::complex64,
                        dtype::complex128})
    for (const dtype index : {dtype::int32, dtype::int64})
      for (const bool sums : {false, true}) {
        const gpu::generated_kernel k = gpu::generate_sparse_multiply(t, index, sums);
        ASSERT_EQ(faults_of(k), "") << k.text;
        ASSERT_EQ(faults_of_compiling(k, true), "") << k.text;
      }
}

/// Lengths of rows that bring out each form, and indices of both sizes.
std::vector<gpu::generated_kernel> sorts_of(dtype type, bool descending, bool has_positions, bool large) {
  std::vector<gpu::generated_kernel> all;
  for (const std::int64_t length :
       {std::int64_t(20), std::int64_t(1000), std::int64_t(3000), std::int64_t(100'000), std::int64_t(1) << 33}) {
    const gpu::sort_task task{type, 3, length, descending, has_positions, sizes_of_gpu(large)};
    if (gpu::is_short_row(task)) {
      all.push_back(gpu::generate_row_sort(task));
    } else {
      for (const gpu::tile_kind tiles : {gpu::tile_kind::small, gpu::tile_kind::large}) {
        gpu::sort_passes passes = gpu::generate_sort_passes(task, tiles);
        for (gpu::generated_kernel *kernel : {&passes.clear, &passes.count, &passes.sweep})
          all.push_back(std::move(*kernel));
      }
    }
  }
  return all;
}

TEST_F(kernel_forms, of_sorts_are_valid) {
  const bool compiles_all = std::getenv("DPEP_TEST_COMPILES");
  for (int t = 0; t < dtype_count; ++t)
    for (const bool descending : {false, true})
      for (const bool has_positions : {false, true})
        for (const bool large : {false, true}) {
          const bool compiles = compiles_all || (large && descending != has_positions &&
                                                 (t == int(dtype::int32) || t == int(dtype::complex128)));
          for (const gpu::generated_kernel &k : sorts_of(dtype(t), descending, has_positions, large)) {
            ASSERT_EQ(faults_of(k), "") << name_of(dtype(t)) << "\n" << k.text;
            if (compiles) ASSERT_EQ(faults_of_compiling(k, true), "") << name_of(dtype(t)) << "\n" << k.text;
          }
        }
}

/// The kernels of all passes of transforms of short and long lines, with small prime factors and with others.
std::vector<gpu::fourier_kernel> kernels_of_transforms(dtype type) {
  std::vector<gpu::fourier_kernel> all;
  const std::int64_t tile = gpu::fourier_tile(type, sizes_of_gpu(true).local_bytes);
  const ndarray any = empty(std::array{std::int64_t(1)}, type, {queue(device()), usm_kind::device});
  for (int what = 0; what <= int(fourier_kind::complex_to_real); ++what)
    for (const std::int64_t length : {512, 1000, 1009, 1018, 1 << 18, 117'649, 100'003, 200'006})
      for (const gpu::fourier_pass &p :
           gpu::plan_of({fourier_kind(what), type, length, 1, 0, any, any}, {.tile = tile}).passes)
        if (std::ranges::find(all, p.kernel) == all.end()) all.push_back(p.kernel);
  return all;
}

TEST_F(kernel_forms, of_fourier_transforms_are_valid) {
  const bool compiles_all = std::getenv("DPEP_TEST_COMPILES");
  for (const dtype type : {dtype::complex64, dtype::complex128}) {
    EXPECT_EQ(faults_of_compiling(gpu::generate_untangle(type), true), "");
    int number = 0;
    for (const gpu::fourier_kernel &kernel : kernels_of_transforms(type)) {
      const gpu::generated_kernel k = gpu::generate_fourier(kernel);
      ASSERT_EQ(faults_of(k), "") << k.text;
      if (compiles_all || number++ % 8 == 0) ASSERT_EQ(faults_of_compiling(k, true), "") << k.text;
    }
  }
}

/// The assignment step of k-means: a reduction over few elements, which are results of another reduction over few
/// elements.
TEST_F(kernel_forms, of_reductions_inside_each_other_are_valid) {
  for (const std::int64_t clusters : {4, 8})
    for (const std::int64_t columns : {3, 4, 8}) {
      program_builder p({20'000, clusters, columns});
      auto *const memory = reinterpret_cast<std::byte *>(std::uintptr_t(1) << 32);
      const value_id x = p.load(dtype::float64, memory, {8 * columns, 0, 8});
      const value_id c = p.load(dtype::float64, memory + (1 << 24), {0, 8 * columns, 8});
      const value_id d =
          p.element(opcode::square, dtype::float64, {p.element(opcode::subtract, dtype::float64, {x, c})});
      const value_id sum = p.reduce(reduction::sum, dtype::float64, d, axis_set::of(2));
      p.store(p.reduce(reduction::argmin, dtype::int64, sum, axis_set::of(1)), memory + (1 << 25), {8, 0, 0});
      for (const gpu::generated_kernel &k : gpu::generate_kernels(p.code, p.arguments, false, sizes_of_gpu(true))) {
        EXPECT_EQ(faults_of(k), "") << k.text;
        EXPECT_EQ(faults_of_compiling(k, true), "") << k.text;
      }
    }
}

}  // namespace
}  // namespace dpep::array::testing
