"""Selection of a device by its aspects."""

from collections.abc import Iterable

from dpep._core import SyclDevice, SyclDeviceCreationError, get_devices


def _names(aspects: str | Iterable[str], argument: str) -> list[str]:
    """Return an aspect, or a list of them, as a list. Raises AttributeError for unknown aspects."""
    if isinstance(aspects, str):
        aspects = [aspects]
    elif not isinstance(aspects, (list, tuple, set, frozenset)):
        raise TypeError(f"{argument}: expected a str or a list of str, got {type(aspects).__name__}")
    for name in aspects:
        if not isinstance(name, str):
            raise TypeError(f"{argument}: an aspect must be a str, got {type(name).__name__}")
        if not hasattr(SyclDevice, f"has_aspect_{name}"):
            known = sorted(n[len("has_aspect_") :] for n in dir(SyclDevice) if n.startswith("has_aspect_"))
            raise AttributeError(f"{argument}: {name!r} is not an aspect; the aspects are {', '.join(known)}")
    return list(aspects)


def select_device_with_aspects(
    required_aspects: str | Iterable[str], excluded_aspects: str | Iterable[str] = ()
) -> SyclDevice:
    """Return the device that the default selector prefers among those with the given aspects.

    Parameters
    ----------
    required_aspects : str or list of str
        Aspects that the device must have, as in the names of `SyclDevice.has_aspect_*`.
    excluded_aspects : str or list of str, optional
        Aspects that it must not have.

    Raises
    ------
    SyclDeviceCreationError
        When no device has these aspects.
    AttributeError
        For an unknown aspect.
    TypeError
        When an argument is not a str or a list of str.

    Examples
    --------
    >>> import dpctl
    >>> dpctl.select_device_with_aspects(["fp64", "usm_shared_allocations"]).has_aspect_fp64
    True
    """
    required = _names(required_aspects, "required_aspects")
    excluded = _names(excluded_aspects, "excluded_aspects")
    suitable = [
        d
        for d in get_devices()
        if d.default_selector_score >= 0
        and all(getattr(d, f"has_aspect_{a}") for a in required)
        and not any(getattr(d, f"has_aspect_{a}") for a in excluded)
    ]
    if not suitable:
        raise SyclDeviceCreationError(
            f"no device with aspects {required} and without {excluded}; available devices: "
            f"{[d.filter_string for d in get_devices()]}"
        )
    return max(suitable, key=lambda d: d.default_selector_score)
