// The error type of array functions: its virtual table lives here.
#include <dpep/array.hpp>

namespace dpep::array {

error::~error() = default;

}  // namespace dpep::array
