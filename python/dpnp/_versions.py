"""Versions, devices and libraries of this installation."""

from __future__ import annotations

__all__ = ["show_config", "show_runtime"]


def show_config(mode: str = "stdout") -> dict[str, object] | None:
    """Print, or return, the versions, devices and libraries that dpnp computes with.

    Parameters
    ----------
    mode : {'stdout', 'dicts'}, optional
        Whether to print a report, as `python -m dpep doctor`, or to return a dict.

    Raises
    ------
    ValueError
        For another mode.

    Examples
    --------
    >>> import dpnp as np
    >>> sorted(np.show_config(mode="dicts"))
    ['Devices', 'Libraries', 'Versions']
    """
    if mode == "stdout":
        from dpep._doctor import doctor

        doctor()
        return None
    if mode != "dicts":
        raise ValueError(f"show_config: mode must be 'stdout' or 'dicts', got {mode!r}")
    import platform

    import dpep
    import numpy
    from dpep import _core

    return {
        "Versions": {"dpep": dpep.__version__, "numpy": numpy.__version__, "python": platform.python_version()},
        "Devices": {device.filter_string: device.name for device in _core.get_devices()},
        "Libraries": {
            name: {"found": available, "details": detail} for name, available, detail in _core.library_reports()
        },
    }


def show_runtime() -> None:
    """Print the versions, devices and libraries that dpnp computes with.

    >>> import dpnp as np
    >>> np.show_runtime()  # doctest: +ELLIPSIS
    Versions
    ...
    """
    show_config()
