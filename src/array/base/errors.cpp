// The key function of array::error, so that its virtual table is emitted once.
#include <dpep/array.hpp>

namespace dpep::array {

error::~error() = default;

}  // namespace dpep::array
