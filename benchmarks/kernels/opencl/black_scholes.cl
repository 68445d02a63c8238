// European options.
float normal_distribution(float d) {
  const float k = 1 / (1 + 0.2316419f * fabs(d));
  const float polynomial =
      k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * exp(-0.5f * d * d) * polynomial;
  return d > 0 ? 1 - tail : tail;
}

kernel void black_scholes(global const float *spots, global const float *strikes, global const float *all_years,
                          global float *call, global float *put, long count) {
  const size_t i = get_global_id(0);
  const float spot = spots[i], strike = strikes[i], years = all_years[i];
  const float deviation = OPTION_VOLATILITY * sqrt(years);
  const float d1 =
      (log(spot / strike) + (OPTION_RATE + 0.5f * OPTION_VOLATILITY * OPTION_VOLATILITY) * years) / deviation;
  const float n1 = normal_distribution(d1), n2 = normal_distribution(d1 - deviation);
  const float discounted = strike * exp(-OPTION_RATE * years);
  call[i] = spot * n1 - discounted * n2;
  put[i] = discounted * (1 - n2) - spot * (1 - n1);
}
