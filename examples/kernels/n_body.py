"""Bodies that attract each other: a work-group reads the positions of all bodies in tiles of local memory."""

import math

import dpnp
import numba_dpex as ndx
from numba_dpex import kernel_api as kapi

TILE = 64
SOFTENING = 1e-3  # keeps the force finite at distance 0


@ndx.device_func
def add_pull(x, y, z, px, py, pz, mass, ax, ay, az):
    dx, dy, dz = px - x, py - y, pz - z
    distance2 = dx * dx + dy * dy + dz * dz + SOFTENING
    pull = mass / (distance2 * math.sqrt(distance2))
    return ax + dx * pull, ay + dy * pull, az + dz * pull


@ndx.kernel
def accelerate(item: kapi.NdItem, position, mass, velocity, dt, tile):
    i, local = item.get_global_id(0), item.get_local_id(0)
    n = mass.size
    me = min(i, n - 1)  # work-items beyond the last body take part in loading tiles
    x, y, z = position[me, 0], position[me, 1], position[me, 2]
    ax = ay = az = position.dtype.type(0)
    for start in range(0, n, TILE):
        other = start + local
        if other < n:
            for k in range(3):
                tile[local, k] = position[other, k]
            tile[local, 3] = mass[other]
        kapi.group_barrier(item.get_group())
        for k in range(min(TILE, n - start)):
            ax, ay, az = add_pull(x, y, z, tile[k, 0], tile[k, 1], tile[k, 2], tile[k, 3], ax, ay, az)
        kapi.group_barrier(item.get_group())
    if i < n:
        velocity[i, 0] += dt * ax
        velocity[i, 1] += dt * ay
        velocity[i, 2] += dt * az


@ndx.kernel
def move(item: kapi.Item, position, velocity, dt):
    i, k = item.get_id(0), item.get_id(1)
    position[i, k] += dt * velocity[i, k]


def n_body(position: dpnp.ndarray, velocity: dpnp.ndarray, mass: dpnp.ndarray, dt: float, steps: int) -> None:
    """Advance the bodies by `steps` time steps of length `dt`, in place.

    Positions and velocities have the shape (n, 3), masses (n,); the gravitational constant is 1.
    """
    n = mass.size
    groups = ndx.NdRange((-(-n // TILE) * TILE,), (TILE,))
    tile = kapi.LocalAccessor((TILE, 4), position.dtype)
    for _ in range(steps):
        ndx.call_kernel(accelerate, groups, position, mass, velocity, dt, tile)
        ndx.call_kernel(move, ndx.Range(n, 3), position, velocity, dt)


if __name__ == "__main__":
    position = dpnp.asarray([[0.0, 0, 0], [1.0, 0, 0]])
    velocity = dpnp.asarray([[0.0, 0, 0], [0, 1.0, 0]])
    mass = dpnp.asarray([1.0, 1e-6])
    for quarter in range(1, 5):
        n_body(position, velocity, mass, math.pi / 2 / 1000, 1000)
        print(f"after {quarter} quarters of a year the planet is at {dpnp.asnumpy(position)[1].round(2)}")
