"""The Mandelbrot set as a picture: python mandelbrot.py picture.png"""

import struct
import sys
import zlib

import dpnp
import numba_dpex as ndx
import numpy
from numba_dpex import kernel_api as kapi


@ndx.kernel
def escape_times(item: kapi.Item, left, top, step, times, limit):
    row, column = item.get_id(0), item.get_id(1)
    c = complex(left + step * column, top - step * row)
    z = 0j
    n = 0
    while n < limit and z.real * z.real + z.imag * z.imag <= 4.0:
        z = z * z + c
        n += 1
    times[row, column] = n


def mandelbrot(left: float, top: float, step: float, shape: tuple[int, int], limit: int = 200) -> dpnp.ndarray:
    """Return the number of iterations of z -> z * z + c for which |z| <= 2, up to `limit`, for each point c.

    Points are `step` apart, from `left` to the right and from `top` down.
    """
    times = dpnp.empty(shape, dtype="i4")
    ndx.call_kernel(escape_times, ndx.Range(*shape), left, top, step, times, limit)
    return times


def write_png(path: str, grey: numpy.ndarray) -> None:
    """Write an array of bytes, of shape (rows, columns), as a greyscale PNG file."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows, columns = grey.shape
    lines = b"".join(b"\0" + line.tobytes() for line in grey)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 0, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(
            b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")
        )


def main(path: str) -> None:
    times = dpnp.asnumpy(mandelbrot(-2.2, 1.2, 0.004, (600, 800)))
    grey = (255 * numpy.sqrt(times / times.max())).astype("u1")
    grey[times == times.max()] = 0
    write_png(path, grey)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "mandelbrot.png")
