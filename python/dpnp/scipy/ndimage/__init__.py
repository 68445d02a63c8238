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
    "dpnp.scipy.ndimage._derivatives": """
        gaussian_gradient_magnitude gaussian_laplace generic_gradient_magnitude generic_laplace laplace prewitt sobel
    """,
    "dpnp.scipy.ndimage._distances": "distance_transform_edt",
    "dpnp.scipy.ndimage._interpolation": """
        affine_transform map_coordinates rotate shift spline_filter spline_filter1d zoom
    """,
    "dpnp.scipy.ndimage._labels": "find_objects label",
    "dpnp.scipy.ndimage._linear_filters": """
        convolve convolve1d correlate correlate1d gaussian_filter gaussian_filter1d uniform_filter uniform_filter1d
    """,
    "dpnp.scipy.ndimage._measurements": """
        center_of_mass extrema maximum maximum_position mean median minimum minimum_position standard_deviation sum
        sum_labels variance
    """,
    "dpnp.scipy.ndimage._morphology": """
        binary_closing binary_dilation binary_erosion binary_fill_holes binary_hit_or_miss binary_opening
        binary_propagation black_tophat generate_binary_structure grey_closing grey_dilation grey_erosion grey_opening
        iterate_structure morphological_gradient morphological_laplace white_tophat
    """,
    "dpnp.scipy.ndimage._order_filters": """
        maximum_filter maximum_filter1d median_filter minimum_filter minimum_filter1d percentile_filter rank_filter
    """,
}

# Names of scipy.ndimage that there are none of, by the reason, which is the message of the AttributeError.
_UNAVAILABLE = {
    "it is not on devices yet; use SciPy on dpnp.asnumpy(x)": "value_indices watershed_ift",
    "only Euclidean distances are on devices: distance_transform_edt": "distance_transform_bf distance_transform_cdt",
    "a function of Python cannot be called for each element; compose the filters that there are": """
        generic_filter generic_filter1d geometric_transform labeled_comprehension vectorized_filter
    """,
    "multiply the transform of dpnp.fft by that of the filter": """
        fourier_ellipsoid fourier_gaussian fourier_shift fourier_uniform
    """,
    "use dpnp.histogram(x[labels == i], bins, (min, max))": "histogram",
    "it is an obsolete module of SciPy's": "filters fourier interpolation measurements morphology",
}

__all__, __getattr__, __dir__ = _lazy.found_when_used(globals(), _MODULES, None, _UNAVAILABLE)
