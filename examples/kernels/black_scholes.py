"""Prices of European options by the Black-Scholes formula: one work-item for each option."""

import math

import dpnp
import numba_dpex as ndx
from numba_dpex import kernel_api as kapi


@ndx.device_func
def normal_cdf(x):
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


@ndx.kernel
def price(item: kapi.Item, spot, strike, years, rate, volatility, call, put):
    i = item.get_id(0)
    s, k, t = spot[i], strike[i], years[i]
    deviation = volatility * math.sqrt(t)
    d1 = (math.log(s / k) + (rate + 0.5 * volatility * volatility) * t) / deviation
    d2 = d1 - deviation
    discounted = k * math.exp(-rate * t)
    value = s * normal_cdf(d1) - discounted * normal_cdf(d2)
    call[i] = value
    put[i] = value - s + discounted


def black_scholes(spot, strike, years, rate: float, volatility: float) -> tuple[dpnp.ndarray, dpnp.ndarray]:
    """Return prices of calls and puts. `spot`, `strike` and `years` to expiry are vectors of one length and dtype."""
    call, put = dpnp.empty_like(spot), dpnp.empty_like(spot)
    ndx.call_kernel(price, ndx.Range(spot.size), spot, strike, years, rate, volatility, call, put)
    return call, put


if __name__ == "__main__":
    strikes = dpnp.asarray([90.0, 100.0, 110.0])
    call, put = black_scholes(dpnp.full(3, 100.0), strikes, dpnp.ones(3), 0.03, 0.2)
    print(f"strike {strikes}\ncall   {call}\nput    {put}")
