"""Distances between points, with the functions and keywords of scipy.spatial.distance.

>>> import dpnp as np
>>> from dpnp.scipy.spatial import distance
>>> distance.cdist(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]]))
array([[5.]])
"""

from dpep import _lazy

# Public names by the module that defines them.
_MODULES = {".": "distance"}

# Names of scipy.spatial that there are none of, by the reason, which is the message of the AttributeError.
_UNAVAILABLE = {
    "use dpnp.scipy.spatial.distance.cdist": "distance_matrix minkowski_distance minkowski_distance_p",
    "trees, hulls and diagrams are not on devices; use SciPy on dpnp.asnumpy(x)": """
        ConvexHull Delaunay HalfspaceIntersection KDTree QhullError Rectangle SphericalVoronoi Voronoi cKDTree
        convex_hull_plot_2d delaunay_plot_2d tsearch voronoi_plot_2d
    """,
    "it is not on devices yet; use SciPy on dpnp.asnumpy(x)": "geometric_slerp procrustes transform",
    "it is an obsolete module of SciPy's": "ckdtree kdtree qhull",
}

__all__, __getattr__, __dir__ = _lazy.found_when_used(globals(), _MODULES, None, _UNAVAILABLE)
