"""Printed lists of platforms and devices."""

import warnings

from dpep._core import get_platforms


def lsplatform(verbosity: int = 0) -> None:
    """Print all platforms.

    Parameters
    ----------
    verbosity : int, optional
        0: one line for each platform; 1: all properties; 2: also their devices.

    Examples
    --------
    >>> import dpctl
    >>> dpctl.lsplatform(verbosity=1)  # doctest: +ELLIPSIS
    Platform 0::
        Name        ...
    """
    if verbosity not in (0, 1, 2):
        warnings.warn(
            f"lsplatform: verbosity must be 0, 1 or 2, got {verbosity!r}; 0 is used", UserWarning, stacklevel=2
        )
        verbosity = 0
    for position, platform in enumerate(get_platforms()):
        text = platform._describe(verbosity)
        print(text.replace("Platform:", f"Platform {position}::", 1), end="")
