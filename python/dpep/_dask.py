"""What Dask's workers need to know of arrays on devices. Dask finds `register_sizes` as an entry point of the wheel."""

from __future__ import annotations

__all__ = ["dask_setup", "register_sizes"]


def register_sizes(sizeof: object) -> None:
    """Register the bytes of arrays with `dask.sizeof.sizeof`, by which workers spill and balance chunks."""

    @sizeof.register_lazy("dpep")
    def register_arrays() -> None:
        from dpep._array import array_base

        @sizeof.register(array_base)
        def bytes_of(x: object) -> int:
            return x.nbytes


def dask_setup(worker: object) -> None:
    """Register sizes and counts in a worker that loads this module first (`preload`)."""
    import dask.array.dispatch  # noqa: F401  counts are registered there
    from dask.sizeof import sizeof
    from dpnp._dispatch import register_with_dask

    register_sizes(sizeof)
    register_with_dask()
