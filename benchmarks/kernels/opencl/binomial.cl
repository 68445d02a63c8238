// American put options by a binomial tree: a work-group for each option, a work-item for each node of the current
// level.
kernel void binomial(global const float *spots, global const float *strikes, global const float *years,
                     global float *puts, long count) {
  local float values[BINOMIAL_STEPS + 2];
  const size_t option = get_group_id(0);
  const int me = (int)get_local_id(0);
  const float time = years[option] / BINOMIAL_STEPS, strike = strikes[option];
  const float deviation = OPTION_VOLATILITY * sqrt(time), ratio = exp(deviation);
  const float growth = exp(OPTION_RATE * time), fall = 1 / ratio;
  const float probability = (growth - fall) / (ratio - fall);
  const float up = probability / growth, down = (1 - probability) / growth;
  float price = spots[option] * exp(deviation * (float)(2 * me - BINOMIAL_STEPS)), value = fmax(strike - price, 0.0f);
  for (int level = BINOMIAL_STEPS; level > 0; level--) {
    values[me] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < level) {
      price *= ratio;
      value = fmax(up * values[me + 1] + down * value, strike - price);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (me == 0) puts[option] = value;
}
