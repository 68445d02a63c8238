"""Constants, as the Array API names them."""

import math

newaxis = None
e = math.e
pi = math.pi
nan = math.nan
inf = math.inf
