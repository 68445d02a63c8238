"""American puts by the binomial tree of Cox, Ross and Rubinstein, for many strikes at once."""

import math

import dpnp as np


def american_put(spot, strikes, rate, volatility, years, steps):
    """Return the prices of puts. `strikes` is a vector."""
    dt = years / steps
    up = math.exp(volatility * math.sqrt(dt))
    probability = (math.exp(rate * dt) - 1.0 / up) / (up - 1.0 / up)
    discount = math.exp(-rate * dt)
    exponents = np.arange(steps, -steps - 1, -2)
    price = spot * up**exponents
    value = np.maximum(strikes[:, None] - price, 0.0)
    for step in range(steps - 1, -1, -1):
        price = price[: step + 1] / up
        held = discount * (probability * value[:, :-1] + (1.0 - probability) * value[:, 1:])
        exercised = strikes[:, None] - price
        value = np.maximum(held, exercised)
    return value[:, 0]


def main(options=50, steps=500):
    strikes = np.linspace(80.0, 120.0, options)
    price = american_put(100.0, strikes, 0.05, 0.3, 1.0, steps)
    delta = np.diff(price) / np.diff(strikes)
    return {"price": price, "delta": delta, "at_the_money": np.interp(100.0, strikes, price)}


SMALL = {"options": 5, "steps": 20}

if __name__ == "__main__":
    print(f"An American put at the money: {float(main()['at_the_money']):.4f}")
