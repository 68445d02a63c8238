// The address of arrays that are kernel arguments.
#include <dpep/kernel_arguments.hpp>

#include "array/graph/array_object.hpp"

namespace dpep::array {

void *first_element(const ndarray &a) { return implementation_of(a, "first_element").first(); }

}  // namespace dpep::array
