// Docstrings of the functions that move elements or views of them.
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
    For each axis of the result, which of `x` it is.
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
    Where the new axes are in the result.
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
    Which axes to leave out; all of length 1 when None.

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

inline constexpr char broadcast_to[] = R"(Return a view of another shape, in which elements appear repeatedly.

Parameters
----------
x : usm_ndarray
    The array.
shape : tuple of int
    The result's shape. From the last axis on, lengths must be those of `x`, or those of `x` be 1.

Raises
------
ValueError
    When the shapes do not fit.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.broadcast_to(dpt.arange(2), (2, 2))
usm_ndarray([[0, 1],
             [0, 1]])
)";

inline constexpr char broadcast_arrays[] = R"(Return views of arrays that all have the same shape.

Parameters
----------
*arrays : usm_ndarray
    At least one array.

Returns
-------
list of usm_ndarray
    One for each array.

Raises
------
ValueError
    When the shapes do not fit each other.

Examples
--------
>>> import dpctl.tensor as dpt
>>> [a.shape for a in dpt.broadcast_arrays(dpt.ones((3, 1)), dpt.ones(4))]
[(3, 4), (3, 4)]
)";

inline constexpr char flip[] = R"(Return a view in which axes run backwards.

Parameters
----------
x : usm_ndarray
    The array.
axis : int or tuple of int, optional
    Which axes; all when None.
)" DPEP_AXIS_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.flip(dpt.arange(3))
usm_ndarray([2, 1, 0])
)";

inline constexpr char moveaxis[] = R"(Return a view in which some axes are elsewhere; the others keep their order.

Parameters
----------
x : usm_ndarray
    The array.
source : int or tuple of int
    Which axes of `x` move.
destination : int or tuple of int
    Where they are in the result.
)" DPEP_AXIS_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.moveaxis(dpt.ones((2, 3, 4)), 0, -1).shape
(3, 4, 2)
)";

inline constexpr char swapaxes[] = R"(Return a view in which two axes have changed places.

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

inline constexpr char matrix_transpose[] = R"(Return a view in which the last two axes have changed places.

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

inline constexpr char unstack[] = R"(Return views of the parts of an array along an axis.

Parameters
----------
x : usm_ndarray
    The array.
axis : int, optional
    The axis, which the parts do not have.

Returns
-------
tuple of usm_ndarray
    As many as the axis is long.
)" DPEP_AXIS_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.unstack(dpt.ones((2, 3)))[1].shape
(3,)
)";

inline constexpr char reshape[] = R"(Return the elements in another shape: a view where that is possible, else a copy.

Parameters
----------
x : usm_ndarray
    The array.
shape : int or tuple of int
    Of as many elements as `x`. One length may be -1: what is left.
order : str, optional
    In which order elements are taken and placed: 'C' with the last axis fastest, 'F' with the first.
copy : bool, optional
    True: always copy. False: never.

Raises
------
ValueError
    When the number of elements differs, or a view is impossible and `copy` is False.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.reshape(dpt.arange(4), (2, -1))
usm_ndarray([[0, 1],
             [2, 3]])
)";

inline constexpr char concat[] = R"(Join arrays along an axis that they have.

Parameters
----------
arrays : list or tuple of usm_ndarray
    Arrays on one queue, whose shapes differ at most along the axis. The result's dtype holds them all.
axis : int or None, optional
    The axis; None joins the elements of all in one axis.

Raises
------
ValueError
    When shapes do not fit, or the arrays are on different queues.
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
    Arrays of one shape, on one queue. The result's dtype holds them all.
axis : int, optional
    Where the new axis is in the result.

Raises
------
ValueError
    When shapes differ, or the arrays are on different queues.
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

inline constexpr char roll[] = R"(Return the elements moved along axes; what leaves at one end enters at the other.

Parameters
----------
x : usm_ndarray
    The array.
shift : int or tuple of int
    By how many places; one number for all axes, or one for each.
axis : int or tuple of int, optional
    Along which axes; when None, over all elements as if they were in one axis.

Raises
------
numpy.exceptions.AxisError
    For an axis that `x` does not have.
ValueError
    When there are more shifts than axes.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.roll(dpt.arange(4), 1)
usm_ndarray([3, 0, 1, 2])
)";

inline constexpr char repeat[] = R"(Return an array in which each element comes several times in a row.

Parameters
----------
x : usm_ndarray
    The array.
repeats : int, sequence of int, or usm_ndarray
    How often: one number for all, or one for each element along the axis.
axis : int, optional
    Along which axis; when None, over all elements as if they were in one axis.

Raises
------
ValueError
    For negative repeats, and when there are not as many as elements along the axis.
TypeError
    For repeats that are no integers.
numpy.exceptions.AxisError
    For an axis that `x` does not have.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.repeat(dpt.arange(3), (2, 0, 1))
usm_ndarray([0, 0, 2])
)";

inline constexpr char tile[] = R"(Return an array that consists of copies of `x` side by side.

Parameters
----------
x : usm_ndarray
    The array.
repetitions : int or tuple of int
    How many copies along each axis, from the last one on.

Raises
------
TypeError
    When `repetitions` is neither an int nor a tuple.
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
