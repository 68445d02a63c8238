"""Prices of a European and an Asian call by simulated paths with antithetic numbers, beside Black-Scholes' formula."""

import math

import dpnp as np


def paths(rng, count, steps, spot, rate, volatility, years):
    """Return prices of shape (count, steps): half of the paths have the other half's numbers, negated."""
    dt = years / steps
    half = rng.standard_normal((count // 2, steps))
    normal = np.concatenate([half, -half])
    log_return = (rate - 0.5 * volatility**2) * dt + volatility * math.sqrt(dt) * normal
    return spot * np.exp(np.cumsum(log_return, axis=1))


def estimate(payoff, rate, years):
    discounted = math.exp(-rate * years) * payoff
    return discounted.mean(), discounted.std(ddof=1) / math.sqrt(discounted.size)


def black_scholes(spot, strike, rate, volatility, years):
    d1 = (math.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / (volatility * math.sqrt(years))
    d2 = d1 - volatility * math.sqrt(years)
    cdf = [0.5 * math.erfc(-d / math.sqrt(2.0)) for d in (d1, d2)]
    return spot * cdf[0] - strike * math.exp(-rate * years) * cdf[1]


def main(count=40_000, steps=64, spot=100.0, strike=105.0, rate=0.03, volatility=0.2, years=1.0, seed=5):
    rng = np.random.default_rng(seed)
    price = paths(rng, count, steps, spot, rate, volatility, years)
    european, european_error = estimate(np.maximum(price[:, -1] - strike, 0.0), rate, years)
    asian, asian_error = estimate(np.maximum(price.mean(axis=1) - strike, 0.0), rate, years)
    knocked_out = np.any(price > 1.3 * spot, axis=1)
    barrier, _ = estimate(np.where(knocked_out, 0.0, np.maximum(price[:, -1] - strike, 0.0)), rate, years)
    return {
        "european": european,
        "asian": asian,
        "barrier": barrier,
        "errors": np.array([float(european_error), float(asian_error)]),
        "formula": black_scholes(spot, strike, rate, volatility, years),
    }


SMALL = {"count": 4000, "steps": 8}
RANDOM = {"european": 0.8, "asian": 0.5, "barrier": 0.5, "errors": 0.05}

if __name__ == "__main__":
    results = main()
    print(f"European call: {float(results['european']):.3f}, by the formula {results['formula']:.3f}")
