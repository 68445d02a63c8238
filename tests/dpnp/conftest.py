"""Makes the helper modules of the tests of dpctl.tensor importable for dpnp's tests."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tensor"))
