"""Filters and measurements of images with any number of axes, with the functions and keywords of scipy.ndimage.

Results have the dtype of the array, or the one that `output` gives; sums are computed in float64. The engine computes
each element from a window of elements around it (dpep/array_filters.hpp).

>>> import dpnp as np
>>> from dpnp.scipy import ndimage
>>> ndimage.median_filter(np.array([1.0, 9.0, 2.0, 3.0]), size=3)
array([1., 2., 3., 3.])
"""

from dpep import _lazy

# Public names by the module that defines them.
_MODULES = {
    "dpnp.scipy.ndimage._interpolation": """
        affine_transform map_coordinates rotate shift spline_filter spline_filter1d zoom
    """,
    "dpnp.scipy.ndimage._linear_filters": """
        convolve convolve1d correlate correlate1d gaussian_filter gaussian_filter1d gaussian_gradient_magnitude
        gaussian_laplace generic_gradient_magnitude generic_laplace laplace prewitt sobel uniform_filter
        uniform_filter1d
    """,
    "dpnp.scipy.ndimage._order_filters": """
        maximum_filter maximum_filter1d median_filter minimum_filter minimum_filter1d percentile_filter rank_filter
    """,
}

# Names of scipy.ndimage that there are none of, by the reason, which is the message of the AttributeError.
_UNAVAILABLE = {}

__all__, __getattr__, __dir__ = _lazy.found_when_used(globals(), _MODULES, None, _UNAVAILABLE)
