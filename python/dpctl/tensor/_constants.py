"""Constants, as the Array API names them."""

import math

__array_api_version__ = "2024.12"

newaxis = None
e = math.e
pi = math.pi
nan = math.nan
inf = math.inf
