"""dpnp's tests compare with NumPy by the same means as those of dpctl.tensor."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tensor"))
