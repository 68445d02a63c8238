// The price of an Asian option: payoffs of random paths, several for each thread.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::monte_carlo_problem;
using std::uint32_t;

/// The next number in (0, 1] of Marsaglia's xorshift generator.
__device__ float next(uint32_t &state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return ((state >> 8) + 1) * (1.0f / 16777216);
}

__global__ void simulate(float *payoffs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t state = 2654435761u * (i + 1);
  const float step = problem::years / problem::path_steps;
  const float drift = (problem::rate - 0.5f * problem::volatility * problem::volatility) * step;
  const float spread = problem::volatility * sqrtf(step);
  float payoff = 0;
  for (int path = 0; path < problem::paths; path++) {
    float price = problem::price, sum = 0;
    for (int k = 0; k < problem::path_steps; k++) {
      const float radius = sqrtf(-2 * logf(next(state)));
      const float normal = radius * cosf(6.2831853f * next(state));
      price *= expf(drift + spread * normal);
      sum += price;
    }
    payoff += fmaxf(sum / problem::path_steps - problem::strike, 0.0f);
  }
  payoffs[i] = expf(-problem::rate * problem::years) * payoff / problem::paths;
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  float *payoffs = allocate<float>(p.n);

  const auto run = [&] { simulate<<<p.n / problem::group_size, problem::group_size>>>(payoffs); };
  programs::report("monte_carlo", run, wait, [&] { return programs::checksum(to_host(payoffs, p.n)); });
}
