// The price of an Asian option: payoffs of random paths, several for each work-item.
#include "../problems.hpp"
#include "memory.hpp"

using problem = programs::monte_carlo_problem;
using std::uint32_t;

/// The next number in (0, 1] of Marsaglia's xorshift generator.
static float next(uint32_t &state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return ((state >> 8) + 1) * (1.0f / 16777216);
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q{sycl::property::queue::in_order()};
  float *payoffs = sycl::malloc_device<float>(p.n, q);

  const auto run = [&] {
    q.parallel_for(sycl::nd_range<1>(p.n, problem::group_size), [=](sycl::nd_item<1> item) {
      const int i = item.get_global_id(0);
      uint32_t state = 2654435761u * (i + 1);
      const float step = problem::years / problem::path_steps;
      const float drift = (problem::rate - 0.5f * problem::volatility * problem::volatility) * step;
      const float spread = problem::volatility * sycl::sqrt(step);
      float payoff = 0;
      for (int path = 0; path < problem::paths; path++) {
        float price = problem::price, sum = 0;
        for (int k = 0; k < problem::path_steps; k++) {
          const float radius = sycl::sqrt(-2 * sycl::log(next(state)));
          const float normal = radius * sycl::cos(6.2831853f * next(state));
          price *= sycl::exp(drift + spread * normal);
          sum += price;
        }
        payoff += sycl::fmax(sum / problem::path_steps - problem::strike, 0.0f);
      }
      payoffs[i] = sycl::exp(-problem::rate * problem::years) * payoff / problem::paths;
    });
  };
  programs::report("monte_carlo", run, [&] { q.wait(); }, [&] { return programs::checksum(to_host(q, payoffs, p.n)); });
}
