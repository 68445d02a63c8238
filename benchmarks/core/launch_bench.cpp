// Cost of launches: ns for a prepared short kernel, ms for a cold compilation, ms from the disk cache in a new process.
//
// Run without arguments. The compiled kernel has the size of the KDE demo: two nested loops, exp, an atomic addition.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <dpep/kernel.hpp>

namespace {

constexpr std::string_view nothing_ir = R"(
  define spir_kernel void @nothing(ptr %arguments) {
    ret void
  })";

constexpr std::string_view scale_ir = R"(
  declare i64 @__dpep_global_id(i32)
  define spir_kernel void @scale(ptr %arguments) {
    %i = call i64 @__dpep_global_id(i32 0)
    %a = load ptr, ptr %arguments
    %e = getelementptr float, ptr %a, i64 %i
    %v = load float, ptr %e
    %r = fmul float %v, 1.5
    store float %r, ptr %e
    ret void
  })";

// for each of 17 points: density[p] += exp(-|sample - point|^2 / (2 h^2)), over 7 dimensions.
constexpr std::string_view kde_ir = R"(
  declare i64 @__dpep_global_id(i32)
  declare double @llvm.exp.f64(double)
  define spir_kernel void @kde(ptr %arguments) {
  entry:
    %item = call i64 @__dpep_global_id(i32 0)
    %samples = load ptr, ptr %arguments
    %points_at = getelementptr i8, ptr %arguments, i64 8
    %points = load ptr, ptr %points_at
    %density_at = getelementptr i8, ptr %arguments, i64 16
    %density = load ptr, ptr %density_at
    %count_at = getelementptr i8, ptr %arguments, i64 24
    %count = load i64, ptr %count_at
    %dimensions_at = getelementptr i8, ptr %arguments, i64 32
    %dimensions = load i64, ptr %dimensions_at
    %scale_at = getelementptr i8, ptr %arguments, i64 40
    %scale = load double, ptr %scale_at
    %sample_row = mul i64 %item, %dimensions
    %sample = getelementptr double, ptr %samples, i64 %sample_row
    br label %each_point
  each_point:
    %p = phi i64 [ 0, %entry ], [ %p_next, %point_done ]
    %point_row = mul i64 %p, %dimensions
    %point = getelementptr double, ptr %points, i64 %point_row
    br label %each_dimension
  each_dimension:
    %d = phi i64 [ 0, %each_point ], [ %d_next, %each_dimension ]
    %sum = phi double [ 0.0, %each_point ], [ %sum_next, %each_dimension ]
    %x_at = getelementptr double, ptr %sample, i64 %d
    %x = load double, ptr %x_at
    %y_at = getelementptr double, ptr %point, i64 %d
    %y = load double, ptr %y_at
    %difference = fsub double %x, %y
    %square = fmul contract double %difference, %difference
    %sum_next = fadd contract double %sum, %square
    %d_next = add nuw i64 %d, 1
    %more_dimensions = icmp ult i64 %d_next, %dimensions
    br i1 %more_dimensions, label %each_dimension, label %point_done
  point_done:
    %scaled = fmul double %sum_next, %scale
    %kernel = call double @llvm.exp.f64(double %scaled)
    %density_p = getelementptr double, ptr %density, i64 %p
    %old = atomicrmw fadd ptr %density_p, double %kernel monotonic
    %p_next = add nuw i64 %p, 1
    %more_points = icmp ult i64 %p_next, %count
    br i1 %more_points, label %each_point, label %done
  done:
    ret void
  })";

using seconds = std::chrono::duration<double>;

double time_of(auto &&action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return seconds(std::chrono::steady_clock::now() - start).count();
}

struct spread {
  double median, low, high;  // low, high: the quartiles
};
spread spread_of(std::vector<double> times) {
  std::ranges::sort(times);
  const std::size_t n = times.size();
  return {times[n / 2], times[n / 4], times[n * 3 / 4]};
}
void print(const char *title, const spread &s, double unit, const char *name) {
  std::printf("%-58s %9.2f %s  (quartiles %.2f to %.2f)\n", title, s.median * unit, name, s.low * unit, s.high * unit);
}

dpep::kernel kernel_of(std::string_view ir, std::string_view name) {
  return dpep::kernel::from_bitcode({reinterpret_cast<const unsigned char *>(ir.data()), ir.size()}, name);
}

spread prepared_launch(const dpep::queue &q, std::string_view ir, std::string_view name, const dpep::geometry &work) {
  const dpep::kernel k = kernel_of(ir, name);
  std::vector<float> a(work.global[0], 1);
  float *const pointer = a.data();
  const auto arguments = std::as_bytes(std::span(&pointer, 1));
  constexpr int batch = 1000;
  std::vector<double> times;
  for (int i = 0; i < 201; ++i)
    times.push_back(time_of([&] {
                      for (int j = 0; j < batch; ++j) dpep::launch(q, k, work, arguments);
                    }) /
                    batch);
  q.wait();
  return spread_of(times);
}

// Time from launch to completion of the KDE kernel over few samples, which is mostly its compilation.
double first_launch(const dpep::queue &q) {
  std::vector<double> samples(64 * 7, 0.5), points(17 * 7, 0.4), density(17);
  struct {
    const double *samples, *points;
    double *density;
    std::size_t count, dimensions;
    double scale;
  } const arguments{samples.data(), points.data(), density.data(), 17, 7, -200};
  const double seconds = time_of([&] {
    dpep::launch(q, kernel_of(kde_ir, "kde"), {1, {64, 1, 1}, {}, {}}, std::as_bytes(std::span(&arguments, 1)));
    q.wait();
  });
  if (density[0] <= 0) std::fprintf(stderr, "launch_bench: the KDE kernel left its result at zero\n"), std::exit(1);
  return seconds;
}

// The same time in new processes, in which it is the first launch.
spread first_launch_in_new_processes(const char *self, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    std::FILE *const child = ::popen((std::string("'") + self + "' --first-launch").c_str(), "r");
    double seconds = 0;
    if (!child || std::fscanf(child, "%lf", &seconds) != 1 || ::pclose(child) != 0) {
      std::fprintf(stderr, "launch_bench: cannot run %s --first-launch\n", self);
      std::exit(1);
    }
    times.push_back(seconds);
  }
  return spread_of(times);
}

}  // namespace

int main(int argc, char **argv) {
  const dpep::queue q{dpep::device("cpu")};
  if (argc > 1 && std::strcmp(argv[1], "--first-launch") == 0) {
    std::printf("%.9f\n", first_launch(q));
    return 0;
  }
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();

  std::printf("%s\n", q.get_device().info().name.c_str());
  const dpep::queue in_order(dpep::device("cpu"), {.in_order = true});
  print("prepared launch of nothing, 1 work-item", prepared_launch(q, nothing_ir, "nothing", {}), 1e9, "ns");
  print("prepared launch of nothing, in-order queue", prepared_launch(in_order, nothing_ir, "nothing", {}), 1e9, "ns");
  print("prepared launch of scale, 10 floats", prepared_launch(q, scale_ir, "scale", {1, {10, 1, 1}, {}, {}}), 1e9,
        "ns");
  print("prepared launch of scale, 1,000 floats", prepared_launch(q, scale_ir, "scale", {1, {1000, 1, 1}, {}, {}}), 1e9,
        "ns");
  print("prepared launch of scale, 64 floats in work-groups of 8",
        prepared_launch(q, scale_ir, "scale", {1, {64, 1, 1}, {8, 0, 0}, {}}), 1e9, "ns");

  ::setenv("DPEP_CACHE", "off", 1);
  print("KDE kernel, cold, first kernel of a process", first_launch_in_new_processes(self.c_str(), 11), 1e3, "ms");
  std::vector<double> cold;
  for (int i = 0; i < 21; ++i) cold.push_back(first_launch(q));
  print("KDE kernel, cold, later kernel of a process", spread_of(cold), 1e3, "ms");

  std::string folder = (std::filesystem::temp_directory_path() / "dpep-bench-XXXXXX").string();
  if (!::mkdtemp(folder.data())) return 1;
  ::setenv("DPEP_CACHE", folder.c_str(), 1);
  first_launch_in_new_processes(self.c_str(), 1);
  print("KDE kernel, from disk, first kernel of a process", first_launch_in_new_processes(self.c_str(), 21), 1e3, "ms");
  first_launch(q);
  std::vector<double> warm;
  for (int i = 0; i < 101; ++i) warm.push_back(first_launch(q));
  print("KDE kernel, from disk, later kernel of a process", spread_of(warm), 1e3, "ms");
  std::filesystem::remove_all(folder);
}
