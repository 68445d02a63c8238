// A chain of short kernels: launched one by one, and as a command graph that is run again. Prints the time of a kernel
// in both forms, in microseconds, for each turn.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <sycl/sycl.hpp>

namespace ext = sycl::ext::oneapi::experimental;

int main(int argc, char **argv) {
  const std::size_t elements = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
  const int turns = argc > 2 ? std::atoi(argv[2]) : 9;
  constexpr int kernels = 100, runs = 100;
  sycl::queue q{sycl::property::queue::in_order()};
  float *const x = sycl::malloc_device<float>(elements, q);
  q.fill(x, 0.0f, elements).wait();
  const auto launch_all = [&] {
    for (int k = 0; k < kernels; ++k) q.parallel_for(elements, [=](sycl::id<1> i) { x[i] = x[i] * 0.5f + 1.0f; });
  };
  ext::command_graph<ext::graph_state::modifiable> graph(q);
  graph.begin_recording(q);
  launch_all();
  graph.end_recording();
  const auto executable = graph.finalize();
  const auto time_of = [&](const auto &run) {
    run();
    q.wait();
    const auto begin = std::chrono::steady_clock::now();
    for (int r = 0; r < runs; ++r) run();
    q.wait();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / runs / kernels;
  };
  std::printf("%s\n", q.get_device().get_info<sycl::info::device::name>().c_str());
  for (int turn = 0; turn < turns; ++turn)
    std::printf("%.4f %.4f\n", time_of(launch_all), time_of([&] { q.ext_oneapi_graph(executable); }));
  sycl::free(x, q);
}
