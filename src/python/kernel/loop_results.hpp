// The outputs of a compiled loop: combined from those of its work-items, and converted to Python objects.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "kernels.hpp"

namespace dpep::python {

/// The number of words of one work-item's outputs: one, of 8 bytes, for each machine scalar.
std::size_t output_words(std::span<const pykernel::type>);
/// Combines the outputs of all work-items into those of the first. `operations`: the reduction of each output; empty
/// for an output that only the first work-item has.
void combine_outputs(std::span<const pykernel::type>, std::span<const std::string> operations,
                     std::span<std::uint64_t> words);
/// A tuple of the outputs of the first work-item. Numbers that have a dtype are NumPy scalars. For an
/// output that is an array, `input` returns the array that the call passed. `optional`: the positions of outputs that
/// are None where the word that follows the outputs is 0.
nb::object outputs_to_python(std::span<const pykernel::type>, std::span<const std::uint32_t> optional,
                             std::span<const std::uint64_t> words,
                             const std::function<nb::object(std::size_t output)> &input);
/// A NumPy scalar, or a Python number if it is weak.
nb::object number_to_python(dtype, bool weak, const array::scalar &);

/// The result of a function, with Python's numbers in place of NumPy's, also in tuples.
nb::object as_result(nb::handle);

}  // namespace dpep::python
