"""Prints every polynomial of src/device/math: run it with mpmath installed."""

import sys

import mpmath as mp
from minimax import literal, minimax, round_to

SQRT2 = mp.sqrt(2)
S = (SQRT2 - 1) / (SQRT2 + 1)  # log: the largest (m - 1) / (m + 1)


def log_rest(z):
    """(log((1 + s) / (1 - s)) - 2 s) / s^3 for z = s^2."""
    s = mp.sqrt(z)
    return (2 * mp.atanh(s) - 2 * s) / s**3


def log2_rest(z):
    """(log2((1 + s) / (1 - s)) - 2 s / ln 2) / s^3 for z = s^2."""
    s = mp.sqrt(z)
    return (2 * mp.atanh(s) / mp.log(2) - 2 * s / mp.log(2)) / s**3


def pow_rest(z):
    """(3 atanh(s)/s - 3 - z) / z^2 for z = s^2."""
    s = mp.sqrt(z)
    return (3 * mp.atanh(s) / s - 3 - z) / z**2


def sin_rest(z):
    """sin(pi/2 r) = r (pi/2 + z rest(z)) for z = r^2."""
    r = mp.sqrt(z)
    return (mp.sin(mp.pi / 2 * r) / r - mp.pi / 2) / z


def cos_rest(z):
    """cos(pi/2 r) = 1 + z rest(z)."""
    return (mp.cos(mp.pi / 2 * mp.sqrt(z)) - 1) / z


def atan_rest(z):
    """(atan(t) / t - 1) / z for z = t^2."""
    t = mp.sqrt(z)
    return (mp.atan(t) / t - 1) / z


def i0_factor(u):
    """I0(x) sqrt(x) e^-x for u = 16 / x - 1, which is from -1 to 1 for x above 8."""
    if u == -1:
        return 1 / mp.sqrt(2 * mp.pi)
    x = 16 / (u + 1)
    return mp.besseli(0, x) * mp.sqrt(x) * mp.exp(-x)


def sine_rest(z):
    """(sin(t) / t - 1) / z for z = t^2."""
    t = mp.sqrt(z)
    return (mp.sin(t) / t - 1) / z


def cosine_rest(z):
    """(cos(t) - 1 + z / 2) / z^2."""
    return (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2


def tangent_rest(z):
    """(tan(t) / t - 1) / z for z = t^2."""
    t = mp.sqrt(z)
    return (mp.tan(t) / t - 1) / z


def asin_rest(z):
    """(asin(t) / t - 1) / z for z = t^2."""
    t = mp.sqrt(z)
    return (mp.asin(t) / t - 1) / z


def sinh_rest(z):
    """(sinh(r) / r - 1) / z for z = r^2."""
    r = mp.sqrt(z)
    return (mp.sinh(r) / r - 1) / z


def cosh_rest(z):
    """(cosh(r) - 1) / z."""
    return (mp.cosh(mp.sqrt(z)) - 1) / z


def erf_rest(z):
    """erf(x) / x - 1 for z = x^2."""
    x = mp.sqrt(z)
    return mp.erf(x) / x - 1


def erf_decay(x):
    """-log(erfc(x)) = x (2 / sqrt(pi) + x erf_decay(x))."""
    return (-mp.log(mp.erfc(x)) / x - 2 / mp.sqrt(mp.pi)) / x


def erf_by_decay(x):
    """The factor from an error of erf_decay(x) to the relative error of erf(x)."""
    return x * x * mp.erfc(x) / mp.erf(x)


def erfcx_rest(t):
    """(1 + 2 x) exp(x^2) erfc(x) - 1 for t = (x - 4) / (x + 4)."""
    x = 4 * (1 + t) / (1 - t)
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x) - 1


def erfc_factor(b):
    """(x + 1/2) exp(x^2) erfc(x) for t = (x - b) / (x + b) / 2, and the weight of its error."""

    def factor(t):
        x = b * (1 + 2 * t) / (1 - 2 * t)
        return (x + mp.mpf("0.5")) * mp.exp(x * x) * mp.erfc(x)

    return factor, lambda t: 1 / factor(t)


def erfc_range(b, most):
    return mp.mpf("-0.5"), (mp.mpf(most) - b) / (mp.mpf(most) + b) / 2


def erfcx_t(x):
    return (mp.mpf(x) - 4) / (mp.mpf(x) + 4)


def gamma_factor(t):
    """Gamma(1 + y) / ((1 + y)^(y + 1/2) e^-(1 + y)) - 5/2 for t = (y - 3/2) / (y + 3/2)."""
    y = mp.mpf("1.5") * (1 + t) / (1 - t)
    return mp.exp(mp.loggamma(1 + y) - (y + mp.mpf("0.5")) * mp.log(1 + y) + 1 + y) - mp.mpf("2.5")


def gamma_t(y):
    return (mp.mpf(y) - mp.mpf("1.5")) / (mp.mpf(y) + mp.mpf("1.5"))


def lgamma_near(t):
    """(R(t) - R(0)) / t for R = lgamma(x) / ((x - 1) (x - 2)), t = (x - 5/4) / (x + 5/4)."""
    x = mp.mpf("1.25") * (1 + t) / (1 - t)
    at_0 = mp.loggamma(mp.mpf("1.25")) / mp.mpf("-0.1875")
    return (mp.loggamma(x) / ((x - 1) * (x - 2)) - at_0) / t


def lgamma_t(x):
    return (mp.mpf(x) - mp.mpf("1.25")) / (mp.mpf(x) + mp.mpf("1.25"))


def lgamma_rest(z):
    """v (lgamma(v + 1/2) - v (log(v) - 1) - log(2 pi) / 2) for z = 1 / v^2."""
    v = 1 / mp.sqrt(z)
    return v * (mp.loggamma(v + mp.mpf("0.5")) - v * (mp.log(v) - 1) - mp.log(2 * mp.pi) / 2)


def lgamma_ratio(t):
    """lgamma(x) / ((x - 1) (x - 2)) for t = (x - 3/2) / (x + 3/2)."""
    x = mp.mpf("1.5") * (1 + t) / (1 - t)
    return mp.loggamma(x) / ((x - 1) * (x - 2))


def lgamma_ratio_t(x):
    return (mp.mpf(x) - mp.mpf("1.5")) / (mp.mpf(x) + mp.mpf("1.5"))


def stirling_rest(z):
    """x (lgamma(x) - (x - 1/2) log(x) + x - log(2 pi) / 2) for z = 1 / x^2."""
    x = 1 / mp.sqrt(z)
    return x * (mp.loggamma(x) - (x - mp.mpf("0.5")) * mp.log(x) + x - mp.log(2 * mp.pi) / 2)


def stirling_weight(z):
    """The factor from an error of stirling_rest to the relative error of lgamma(x)."""
    return mp.sqrt(z) / mp.loggamma(1 / mp.sqrt(z))


def sine_of_pi(z):
    """(sin(pi r) / r - pi) / z for z = r^2."""
    r = mp.sqrt(z)
    return (mp.sin(mp.pi * r) / r - mp.pi) / z


def gamma_by_power(u):
    """2 Gamma(x) / (x / e)^(x - 1/2) for u = 1 / x."""
    x = 1 / u
    return 2 * mp.exp(mp.loggamma(x) - (x - mp.mpf("0.5")) * (mp.log(x) - 1))


def gamma_by_power_of(s):
    """gamma_by_power for s = 1/3 - 1 / (x + 1/2)."""
    return gamma_by_power(1 / (1 / (mp.mpf(1) / 3 - s) - mp.mpf("0.5")))


TAN_EIGHTH = ((SQRT2 - 1) * mp.mpf("1.0001")) ** 2
HALF_LN2 = mp.log(2) / 2 * mp.mpf("1.0001")
FLOAT, DOUBLE = 24, 53
ERFC_FLOAT, ERFC_DOUBLE = mp.mpf(731) / 256, mp.mpf(849) / 256
exp_rest = (lambda r: (mp.exp(r) - 1 - r) / r**2, lambda r: r**2 / mp.exp(r))

POLYNOMIALS = {
    # name: target, weight of the error, number of coefficients, interval, bits, number of coefficients with 21 bits
    "exp float": (*exp_rest, 5, -HALF_LN2, HALF_LN2, FLOAT),
    "exp double": (*exp_rest, 10, -HALF_LN2, HALF_LN2, DOUBLE, 3),
    "log float": (
        lambda f: (mp.log(1 + f) - f) / f**2,
        lambda f: f**2 / abs(mp.log(1 + f)),
        9,
        1 / SQRT2 - 1,
        SQRT2 - 1,
        FLOAT,
    ),
    "log double": (log_rest, lambda z: z / 2, 7, "1e-12", S**2, DOUBLE, 3),
    "powf log2": (log2_rest, lambda z: z, 4, "1e-12", S**2, DOUBLE),
    "pow log2": (pow_rest, lambda z: z**2 / 3, 7, "1e-12", S**2, DOUBLE),
    "powf exp2": (lambda r: (2**r - 1) / r, lambda r: r, 6, -0.5001, 0.5001, DOUBLE),
    "atan float": (atan_rest, lambda z: z, 6, "1e-12", TAN_EIGHTH, FLOAT),
    "atan double": (atan_rest, lambda z: z, 11, "1e-12", TAN_EIGHTH, DOUBLE),
    "sin float": (sin_rest, lambda z: z, 3, "1e-10", 0.2501, DOUBLE),
    "cos float": (cos_rest, lambda z: z, 4, "1e-10", 0.2501, DOUBLE),
    "sin double": (sin_rest, lambda z: z, 6, "1e-12", 0.2501, DOUBLE),
    "cos double": (cos_rest, lambda z: z, 7, "1e-12", 0.2501, DOUBLE),
    "single sine": (sine_rest, lambda z: z, 4, "1e-12", "0.6201", FLOAT),
    "single cosine": (cosine_rest, lambda z: z**2, 3, "1e-12", "0.6201", FLOAT),
    "single tangent": (tangent_rest, lambda z: z, 7, "1e-12", "0.6201", FLOAT),
    "single asin": (asin_rest, lambda z: z, 5, "1e-12", "0.2501", FLOAT),
    "single atan": (atan_rest, lambda z: z, 9, "1e-12", "1.0001", FLOAT),
    "circular sine": (sine_rest, lambda z: z, 6, "1e-12", "0.6201", DOUBLE, 2),
    "circular cosine": (cosine_rest, lambda z: z**2, 6, "1e-12", "0.6201", DOUBLE, 2),
    "circular tangent": (tangent_rest, lambda z: z, 14, "1e-12", "0.6201", DOUBLE, 5),
    "circular asin": (asin_rest, lambda z: z, 12, "1e-12", "0.2501", DOUBLE, 5),
    "circular atan": (atan_rest, lambda z: z, 19, "1e-12", "1.0001", DOUBLE, 5),
    "gpu erf float": (erf_decay, erf_by_decay, 8, "1e-6", 4, FLOAT),
    "gpu erf double": (erf_decay, erf_by_decay, 24, "1e-6", 6, DOUBLE, 8),
    "gpu erfc float": (*erfc_factor(ERFC_FLOAT), 11, *erfc_range(ERFC_FLOAT, "10.2"), FLOAT),
    "gpu erfc double": (*erfc_factor(ERFC_DOUBLE), 24, *erfc_range(ERFC_DOUBLE, "27.4"), DOUBLE, 9),
    "gpu lgamma float": (
        lgamma_ratio,
        lambda t: 1 / lgamma_ratio(t),
        8,
        lgamma_ratio_t("0.999"),
        lgamma_ratio_t("3.001"),
        FLOAT,
    ),
    "gpu lgamma double": (
        lgamma_ratio,
        lambda t: 1 / lgamma_ratio(t),
        19,
        lgamma_ratio_t("0.999"),
        lgamma_ratio_t("3.001"),
        DOUBLE,
        7,
    ),
    "gpu stirling float": (stirling_rest, stirling_weight, 3, "1e-10", mp.mpf(1) / 9, FLOAT),
    "gpu stirling double": (stirling_rest, stirling_weight, 9, "1e-10", mp.mpf(1) / 9, DOUBLE, 4),
    "gpu pow log2": (log2_rest, lambda z: z * mp.sqrt(z), 4, "1e-12", S**2, FLOAT),
    "gpu gamma sine": (
        sine_of_pi,
        lambda z: z * mp.sqrt(z) / mp.sin(mp.pi * mp.sqrt(z)),
        5,
        "1e-12",
        "0.2501",
        FLOAT,
    ),
    "gpu gamma float": (gamma_by_power, lambda u: 1 / gamma_by_power(u), 8, mp.mpf(1) / 36, 1, FLOAT),
    "gpu gamma double": (
        gamma_by_power_of,
        lambda s: 1 / gamma_by_power_of(s),
        18,
        mp.mpf(1) / 3 - 1 / mp.mpf("1.5"),
        mp.mpf(1) / 3 - 1 / mp.mpf("172.3"),
        DOUBLE,
        6,
    ),
    "sinh float": (sinh_rest, lambda z: z, 3, "1e-12", HALF_LN2**2, FLOAT),
    "cosh float": (cosh_rest, lambda z: z, 3, "1e-12", HALF_LN2**2, FLOAT),
    "sinh double": (sinh_rest, lambda z: z, 5, "1e-16", HALF_LN2**2, DOUBLE),
    "cosh double": (cosh_rest, lambda z: z, 6, "1e-16", HALF_LN2**2, DOUBLE),
    "cbrt start": (lambda m: 1 / mp.cbrt(m), mp.cbrt, 5, 1, 2, FLOAT),
    "erf float": (erf_rest, lambda z: 1, 5, "1e-12", 0.2501, FLOAT),
    "erf double": (erf_rest, lambda z: 1, 10, "1e-16", 0.2501, DOUBLE),
    "erfcx float": (erfcx_rest, lambda t: 1, 10, erfcx_t("0.499"), erfcx_t("10.2"), FLOAT),
    "tgamma float": (gamma_factor, lambda t: mp.mpf("0.4"), 9, -1, gamma_t(44), DOUBLE),
    "tgamma double": (gamma_factor, lambda t: mp.mpf("0.4"), 18, -1, gamma_t(186), DOUBLE),
    "lgamma near double": (lgamma_near, lambda t: 2 * t, 25, lgamma_t("0.4999"), lgamma_t("3.001"), DOUBLE),
    "lgamma rest double": (lgamma_rest, lambda z: 1, 12, "1e-10", "0.16001", DOUBLE),
    "i0 float": (i0_factor, lambda u: 2.5, 7, -1, 1, FLOAT),
    "i0 double": (i0_factor, lambda u: 2.5, 24, -1, 1, DOUBLE),
    "erfcx double": (erfcx_rest, lambda t: 1, 22, erfcx_t("0.499"), erfcx_t("27.4"), DOUBLE),
}


def parts_of_two_over_pi():
    """Prints 2/pi in parts of 29, 29 and 53 bits, for floats with exponents from 51, 77, 103 without multiples of 4."""
    for exponent in (None, 51, 77, 103):
        rest = 2 / mp.pi
        if exponent:
            last_bit = mp.mpf(2) ** (exponent - 23)
            rest = rest - 4 * mp.nint(rest * last_bit / 4) / last_bit
        parts = []
        for bits in (29, 29, 53):
            parts.append(round_to(rest, bits))
            rest -= parts[-1]
        print(f"2/pi from 2^{exponent or '-149'}: " + ", ".join(literal(p, DOUBLE) for p in parts))


def least_large_angles():
    """Prints the least arguments that number.hpp's rounding takes for 2^30 quarter turns, and of floats, for 2^15."""
    for two_over_pi, exponent, bits in (("0x1.45f306dc9c883p-1", 30, DOUBLE), ("0x1.45f306p-1", 15, FLOAT)):
        bound = (mp.mpf(2) ** exponent - mp.mpf("0.5")) / mp.mpf(float.fromhex(two_over_pi))
        least = round_to(bound, bits)
        if least < bound:
            least += mp.mpf(2) ** (exponent + 1 - bits)
        print(f"2^{exponent} quarter turns from " + literal(least, bits))


if __name__ == "__main__":
    for name, (target, weight, count, low, high, bits, *short) in POLYNOMIALS.items():
        if len(sys.argv) > 1 and sys.argv[1] not in name:
            continue
        coefficients, error = minimax(target, weight, range(count), low, high, bits, *short)
        print(f"{name}: error 2^{float(mp.log(error, 2)):.1f}\n  " + ", ".join(literal(c, bits) for c in coefficients))
    parts_of_two_over_pi()
    least_large_angles()
