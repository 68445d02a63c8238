"""dpep: the Data Parallel Extensions for Python. Devices are controlled through `dpctl`.

`python -m dpep doctor` says what was found on this machine.
"""

from dpep._core import Error, __version__, release_finished

__all__ = ["Error", "__version__", "release_finished"]
