// Checks of queues for dpctl.tensor's and dpnp's functions in Python, with the engine's error messages.
#include "functions.hpp"

namespace dpep::python {

void bind_placement(nb::module_ &m) {
  m.def(
      "check_same_queue",
      [](const queue &a, const queue &b, const std::string &function) {
        array::check_same_queue(a, b, function.c_str());
      },
      "queue1"_a, "queue2"_a, "function"_a,
      "Raise ExecutionPlacementError unless the queues of two arrays are the same.");
  m.def(
      "check_out_queue",
      [](const queue &out, const queue &operands, const std::string &function) {
        array::check_out_queue(out, operands, function.c_str());
      },
      "out_queue"_a, "queue"_a, "function"_a,
      "Raise ExecutionPlacementError unless an output array's queue is that of the operands.");
  m.def(
      "common_placement",
      [](const nb::sequence &arrays, const std::string &function) {
        std::vector<ndarray> list;
        for (nb::handle x : arrays) list.push_back(array_argument(x, function.c_str(), "arrays"));
        const array::placement common = array::common_placement(list, function.c_str());
        return nb::make_tuple(nb::cast(common.queue, nb::rv_policy::copy), name_of(common.kind));
      },
      "arrays"_a, "function"_a,
      nb::sig("def common_placement(arrays: list[object] | tuple[object, ...], function: str) -> "
              "tuple[dpctl.SyclQueue, str]"),
      "Return the queue of all arrays and the kind of memory of results computed from them.\n\n"
      "Raises ExecutionPlacementError when the arrays are on different queues, TypeError when there is no array.");
}

}  // namespace dpep::python
