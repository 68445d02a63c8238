// The price of an Asian option: payoffs of random paths, several for each price.
#include "../problems.hpp"

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
  std::vector<float> payoffs(p.n);

  const auto run = [&] {
#pragma omp parallel for
    for (int i = 0; i < p.n; i++) {
      uint32_t state = 2654435761u * (i + 1);
      const float step = problem::years / problem::path_steps;
      const float drift = (problem::rate - 0.5f * problem::volatility * problem::volatility) * step;
      const float spread = problem::volatility * std::sqrt(step);
      float payoff = 0;
      for (int path = 0; path < problem::paths; path++) {
        float price = problem::price, sum = 0;
        for (int k = 0; k < problem::path_steps; k++) {
          const float radius = std::sqrt(-2 * std::log(next(state)));
          const float normal = radius * std::cos(6.2831853f * next(state));
          price *= std::exp(drift + spread * normal);
          sum += price;
        }
        payoff += std::max(sum / problem::path_steps - problem::strike, 0.0f);
      }
      payoffs[i] = std::exp(-problem::rate * problem::years) * payoff / problem::paths;
    }
  };
  programs::report("monte_carlo", run, [] {}, [&] { return programs::checksum(payoffs); });
}
