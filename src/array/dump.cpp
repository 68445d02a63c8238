// DPEP_DUMP for arrays: the graph of each program as a picture for Graphviz, with its listing.
#include "array/stream.hpp"

namespace dpep::array {

void dump_graph(const composition &) {}

}  // namespace dpep::array
