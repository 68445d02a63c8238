// Docstrings of the functions in manipulation.cpp.
#pragma once

namespace dpep::python::docs {

#define DPEP_AXIS_ERRORS                                                                                               \
  R"(
Raises
------
numpy.exceptions.AxisError
    For an axis that `x` does not have.
ValueError
    For an axis that is named twice.
TypeError
    When `x` is not an array.
)"

inline constexpr char permute_dims[] = R"(Return a view with the axes in another order.

Parameters
----------
x : usm_ndarray
    The array.
axes : tuple of int
    A permutation of the axes: axis i of the result is axis axes[i] of `x`.
)" DPEP_AXIS_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.permute_dims(dpt.ones((2, 3, 4)), (2, 0, 1)).shape
(4, 2, 3)
)";

inline constexpr char expand_dims[] = R"(Return a view with additional axes of length 1.

Parameters
----------
x : usm_ndarray
    The array.
axis : int or tuple of int, optional
    Positions of the new axes in the result.
)" DPEP_AXIS_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.expand_dims(dpt.ones((2, 3)), axis=(0, -1)).shape
(1, 2, 3, 1)
)";

inline constexpr char squeeze[] = R"(Return a view without axes of length 1.

Parameters
----------
x : usm_ndarray
    The array.
axis : int or tuple of int, optional
    The axes to remove; all axes of length 1 when None.

Raises
------
ValueError
    When an axis is not of length 1, or named twice.
numpy.exceptions.AxisError
    For an axis that `x` does not have.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.squeeze(dpt.ones((1, 3, 1)), axis=0).shape
(3, 1)
)";

inline constexpr char broadcast_to[] = R"(Return a view of another shape, which repeats elements along axes of length 1.

Parameters
----------
x : usm_ndarray
    The array.
shape : tuple of int
    Shape of the result. Counted from the last axis, each axis of `x` must have the same length or length 1.

Raises
------
ValueError
    When `x` cannot be broadcast to the shape.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.broadcast_to(dpt.arange(2), (2, 2))
usm_ndarray([[0, 1],
             [0, 1]])
)";

inline constexpr char broadcast_arrays[] = R"(Return views of arrays, broadcast to a common shape.

Parameters
----------
*arrays : usm_ndarray
    At least one array.

Returns
-------
list of usm_ndarray
    One view for each array.

Raises
------
ValueError
    When the shapes cannot be broadcast, or no array is given.

Examples
--------
>>> import dpctl.tensor as dpt
>>> [a.shape for a in dpt.broadcast_arrays(dpt.ones((3, 1)), dpt.ones(4))]
[(3, 4), (3, 4)]
)";

inline constexpr char flip[] = R"(Return a view with the elements in reverse order along axes.

Parameters
----------
x : usm_ndarray
    The array.
axis : int or tuple of int, optional
    The axes; all when None.
)" DPEP_AXIS_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.flip(dpt.arange(3))
usm_ndarray([2, 1, 0])
)";

inline constexpr char moveaxis[] = R"(Return a view with axes at other positions. The other axes keep their order.

Parameters
----------
x : usm_ndarray
    The array.
source : int or tuple of int
    The axes of `x` to move.
destination : int or tuple of int
    Their positions in the result.
)" DPEP_AXIS_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.moveaxis(dpt.ones((2, 3, 4)), 0, -1).shape
(3, 4, 2)
)";

inline constexpr char swapaxes[] = R"(Return a view with two axes swapped.

Parameters
----------
x : usm_ndarray
    The array.
axis1, axis2 : int
    The axes.
)" DPEP_AXIS_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.swapaxes(dpt.ones((2, 3, 4)), 0, 2).shape
(4, 3, 2)
)";

inline constexpr char matrix_transpose[] = R"(Return a view with the last two axes swapped.

Parameters
----------
x : usm_ndarray
    Matrices in the last two axes.

Raises
------
ValueError
    When `x` has less than two axes.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.matrix_transpose(dpt.ones((5, 2, 3))).shape
(5, 3, 2)
)";

inline constexpr char unstack[] = R"(Return a view for each index along an axis.

Parameters
----------
x : usm_ndarray
    The array.
axis : int, optional
    The axis.

Returns
-------
tuple of usm_ndarray
    As many views as the axis is long, without that axis.
)" DPEP_AXIS_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.unstack(dpt.ones((2, 3)))[1].shape
(3,)
)";

inline constexpr char reshape[] = R"(Return the elements in another shape: a view if possible, else a copy.

Parameters
----------
x : usm_ndarray
    The array.
shape : int or tuple of int
    The new shape, of as many elements as `x`. One length may be -1; it is computed from the others.
order : str, optional
    The order in which elements are read and written: 'C' row-major, 'F' column-major.
copy : bool, optional
    True: always copy. False: never copy. None: copy when needed.

Raises
------
ValueError
    When the number of elements differs, or a copy is needed and `copy` is False.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.reshape(dpt.arange(4), (2, -1))
usm_ndarray([[0, 1],
             [2, 3]])
)";

inline constexpr char concat[] = R"(Join arrays along an existing axis.

Parameters
----------
arrays : list or tuple of usm_ndarray
    Arrays on one queue, with equal lengths of all other axes.
axis : int or None, optional
    The axis. None joins the flattened arrays.

Returns
-------
usm_ndarray
    An array of the dtype that the arrays' dtypes promote to.

Raises
------
ValueError
    When the shapes do not match.
ExecutionPlacementError
    When the arrays are on different queues.
TypeError
    When `arrays` is not a list or tuple of arrays, or empty.
numpy.exceptions.AxisError
    For an axis that the arrays do not have.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.concat([dpt.arange(2), dpt.zeros(1)])
usm_ndarray([0., 1., 0.])
)";

inline constexpr char stack[] = R"(Join arrays along a new axis.

Parameters
----------
arrays : list or tuple of usm_ndarray
    Arrays of the same shape on one queue.
axis : int, optional
    Position of the new axis in the result.

Returns
-------
usm_ndarray
    An array of the dtype that the arrays' dtypes promote to.

Raises
------
ValueError
    When the shapes differ.
ExecutionPlacementError
    When the arrays are on different queues.
TypeError
    When `arrays` is not a list or tuple of arrays, or empty.
numpy.exceptions.AxisError
    For an axis that the result does not have.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.stack([dpt.arange(2), dpt.arange(2)], axis=1)
usm_ndarray([[0, 0],
             [1, 1]])
)";

inline constexpr char roll[] = R"(Return an array with elements shifted along axes, cyclically.

Parameters
----------
x : usm_ndarray
    The array.
shift : int or tuple of int
    Number of positions; one number for all axes, or one for each.
axis : int or tuple of int, optional
    The axes. When None, the flattened array is shifted and returned in the shape of `x`.

Raises
------
numpy.exceptions.AxisError
    For an axis that `x` does not have.
ValueError
    When `shift` and `axis` are sequences of different lengths.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.roll(dpt.arange(4), 1)
usm_ndarray([3, 0, 1, 2])
)";

inline constexpr char repeat[] = R"(Return an array with each element repeated along an axis.

Parameters
----------
x : usm_ndarray
    The array.
repeats : int, sequence of int, or usm_ndarray
    Number of repetitions: one number for all elements, or one for each index along the axis.
axis : int, optional
    The axis. When None, the flattened array is repeated.

Raises
------
ValueError
    When `repeats` is negative, or a sequence whose length is not 1 or the axis' length.
TypeError
    When `repeats` is not an int or ints.
ExecutionPlacementError
    When `repeats` is an array on another queue.
numpy.exceptions.AxisError
    For an axis that `x` does not have.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.repeat(dpt.arange(3), (2, 0, 1))
usm_ndarray([0, 0, 2])
)";

inline constexpr char tile[] = R"(Return an array of repeated copies of `x`.

Parameters
----------
x : usm_ndarray
    The array.
repetitions : int or tuple of int
    Number of copies along each axis, counted from the last axis.

Raises
------
TypeError
    When `repetitions` is neither an int nor a tuple of ints.
ValueError
    For negative repetitions.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.tile(dpt.arange(2), (2, 2))
usm_ndarray([[0, 1, 0, 1],
             [0, 1, 0, 1]])
)";

}  // namespace dpep::python::docs
