"""Heat in a plate: each step computes a point from itself and its four neighbours. The edges keep their temperature."""

import dpnp
import numba_dpex as ndx
from numba_dpex import kernel_api as kapi


@ndx.kernel
def step(item: kapi.Item, old, new, rate):
    i, j = item.get_id(0), item.get_id(1)
    here = old[i, j]
    if 0 < i < old.shape[0] - 1 and 0 < j < old.shape[1] - 1:
        around = old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1]
        here += rate * (around - 4 * here)
    new[i, j] = here


def stencil(heat: dpnp.ndarray, steps: int, rate: float = 0.2) -> dpnp.ndarray:
    """Return the temperatures after `steps` steps; `rate` is the fraction of a difference that flows in a step."""
    if not 0 <= rate <= 0.25:
        raise ValueError(f"stencil: the rate {rate} is not stable; it must be between 0 and 0.25")
    old, new = heat.copy(), dpnp.empty_like(heat)
    for _ in range(steps):
        ndx.call_kernel(step, ndx.Range(*heat.shape), old, new, rate)
        old, new = new, old
    return old


if __name__ == "__main__":
    plate = dpnp.zeros((9, 32))
    plate[0, :] = 1.0
    for row in dpnp.asnumpy(stencil(plate, 200)):
        print("".join(" .:-=+*#%@"[int(9 * heat)] for heat in row))
