"""The Mandelbrot set with smooth colours: points that have escaped are left out by a mask."""

import dpnp as np


def main(width=600, height=400, iterations=60):
    x = np.linspace(-2.2, 0.8, width)
    y = np.linspace(-1.0, 1.0, height)
    c = x + 1j * y[:, np.newaxis]
    z = np.zeros_like(c)
    escaped_at = np.full(c.shape, iterations)
    inside = np.ones(c.shape, dtype=bool)
    for i in range(iterations):
        z[inside] = z[inside] ** 2 + c[inside]
        escapes = inside & (np.abs(z) > 4.0)
        escaped_at[escapes] = i
        inside &= ~escapes
    smooth = escaped_at - np.log2(np.maximum(np.log2(np.maximum(np.abs(z), 1.5)), 1e-3))
    picture = np.clip(255.0 * smooth / iterations, 0, 255).astype(np.uint8)
    return {"picture": picture, "area": 6.0 * inside.mean()}


SMALL = {"width": 30, "height": 20, "iterations": 20}
DIFFER = {"picture": 0.01}  # iterations amplify differences of rounding

if __name__ == "__main__":
    print(f"Area of the set: {float(main()['area']):.3f}")
