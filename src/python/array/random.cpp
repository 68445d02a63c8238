// The generator behind dpnp.random.
#include <dpep/array_random.hpp>

#include "functions.hpp"

namespace dpep::python {
namespace {

using array::philox_state;
using array::random_generator;
using array::random_streams;

extents_argument size_argument(nb::handle size, const char *function) {
  return size.is_none() ? extents_argument() : shape_from(size, function, "size");
}

std::int64_t count_of(array::extents shape) {
  std::int64_t n = 1;
  for (const std::int64_t length : shape) n *= length;
  return n;
}

/// Calls a member without the GIL if it makes many numbers.
template <class F> nb::object made(array::extents shape, F &&f) {
  return to_python(computing(count_of(shape), std::forward<F>(f)), package::dpnp);
}

nb::object random(random_generator &g, const char *function, nb::handle size, nb::handle type, nb::handle device,
                  nb::handle kind, nb::handle queue) {
  const extents_argument shape = size_argument(size, function);
  const dtype t = dtype_from(type);
  const array::placement where = placement_from(device, kind, queue);
  return made(shape, [&] { return g.random(shape, t, where); });
}

nb::object words(random_generator &g, nb::handle size, nb::handle type, nb::handle device, nb::handle kind,
                 nb::handle queue) {
  const extents_argument shape = size_argument(size, "random_raw");
  const dtype t = dtype_from(type);
  const array::placement where = placement_from(device, kind, queue);
  return made(shape, [&] { return g.words(shape, t, where); });
}

nb::object integers(random_generator &g, const char *function, nb::handle size, nb::int_ least, std::uint64_t range,
                    nb::handle type, nb::handle device, nb::handle kind, nb::handle queue) {
  const extents_argument shape = size_argument(size, function);
  const auto bits = std::int64_t(PyLong_AsUnsignedLongLongMask(least.ptr()));
  const dtype t = dtype_from(type);
  const array::placement where = placement_from(device, kind, queue);
  return made(shape, [&] { return g.integers(shape, bits, range, t, where); });
}

nb::object permutation(random_generator &g, std::int64_t count, nb::handle rows, nb::handle device, nb::handle kind,
                       nb::handle queue) {
  const array::placement where = placement_from(device, kind, queue);
  const std::int64_t n = rows.is_none() ? 1 : nb::cast<std::int64_t>(rows), all[] = {n, count};
  return made(all, [&] { return rows.is_none() ? g.permutation(count, where) : g.permutations(n, count, where); });
}

nb::object sample(random_generator &g, std::int64_t size, std::int64_t count, bool shuffle, nb::handle device,
                  nb::handle kind, nb::handle queue) {
  const array::placement where = placement_from(device, kind, queue);
  const std::int64_t all[] = {size};
  return made(all, [&] { return g.sample(size, count, shuffle, where); });
}

nb::object draw(const random_streams &s, const char *function, unsigned tag, nb::handle size,
                const nb::tuple &parameters, nb::handle device, nb::handle kind, nb::handle queue) {
  const extents_argument shape = size_argument(size, function);
  std::array<array::operand, 8> operands;
  std::array<array::scalar, 8> numbers;
  std::array<ndarray, 8> arrays;
  if (parameters.size() > operands.size()) throw type_error("draw: expected at most 8 parameters");
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const nb::handle p = parameters[k];
    if (is_array(p.ptr())) {
      arrays[k] = array_of(p.ptr());
      operands[k].array = &arrays[k];
    } else {
      numbers[k] = scalar_argument(p, function, "a parameter");
      operands[k].number = &numbers[k];
    }
  }
  const std::span<const array::operand> given(operands.data(), parameters.size());
  const array::placement where = placement_from(device, kind, queue);
  return made(shape, [&] { return s.draw(function, tag, shape, given, where); });
}

template <std::size_t n> std::array<std::uint64_t, n> words_from(nb::handle list, const char *name) {
  const auto values = nb::cast<std::vector<std::uint64_t>>(list);
  if (values.size() != n) throw value_error(std::string(name) + " must have " + std::to_string(n) + " words");
  std::array<std::uint64_t, n> words;
  std::ranges::copy(values, words.begin());
  return words;
}

/// (key, counter, buffer, buffer_position, has_half, half)
nb::tuple get_state(const random_generator &g) {
  const philox_state s = g.state();
  const auto list = [](const auto &words) { return std::vector<std::uint64_t>(words.begin(), words.end()); };
  return nb::make_tuple(list(s.key), list(s.counter), list(s.buffer), s.buffer_position, s.has_half, s.half);
}

void set_state(random_generator &g, const nb::tuple &state) {
  philox_state s;
  s.key = words_from<2>(state[0], "key");
  s.counter = words_from<4>(state[1], "counter");
  s.buffer = words_from<4>(state[2], "buffer");
  s.buffer_position = nb::cast<int>(state[3]);
  if (s.buffer_position < 0 || s.buffer_position > 4) throw value_error("buffer_pos must be from 0 to 4");
  s.has_half = nb::cast<bool>(state[4]);
  s.half = nb::cast<std::uint32_t>(state[5]);
  g.set_state(s);
}

}  // namespace

void bind_random(nb::module_ &m) {
#define DPEP_SIZE "size: int | tuple[int, ...] | None"
#define DPEP_RANDOM_PLACE "device: object, usm_type: str | None, sycl_queue: dpctl.SyclQueue | None) -> object"
#define DPEP_PLACE_ARGUMENTS "device"_a.none(), "usm_type"_a.none(), "sycl_queue"_a.none()
  nb::class_<random_streams>(m, "RandomStreams",
                             "Streams of random numbers, one for each element of arrays of one size.")
      .def("draw", draw, "function"_a, "tag"_a, "size"_a.none(), "parameters"_a, DPEP_PLACE_ARGUMENTS,
           nb::sig("def draw(self, function: str, tag: int, " DPEP_SIZE ", parameters: tuple, " DPEP_RANDOM_PLACE),
           "Return numbers of a distribution. Those with different tags are independent.");
  nb::class_<random_generator>(m, "RandomGenerator", "NumPy's Philox generator. `function` names the caller in errors.")
      .def(
          "__init__",
          [](random_generator *g, nb::handle key, nb::handle counter) {
            philox_state s;
            s.key = words_from<2>(key, "key");
            s.counter = words_from<4>(counter, "counter");
            new (g) random_generator(s);
          },
          "key"_a, "counter"_a, nb::sig("def __init__(self, key: list[int], counter: list[int]) -> None"))
      .def("get_state", get_state, nb::sig("def get_state(self) -> tuple"),
           "Return the key, the counter, the buffer, the position in it, and the half of a word that is left.")
      .def("set_state", set_state, "state"_a, nb::sig("def set_state(self, state: tuple) -> None"),
           "Set what get_state returns.")
      .def(
          "advance", [](random_generator &g, nb::handle blocks) { g.advance(words_from<4>(blocks, "blocks")); },
          "blocks"_a, nb::sig("def advance(self, blocks: list[int]) -> None"),
          "Add a number of 256 bits to the counter.")
      .def("random", random, "function"_a, "size"_a.none(), "dtype"_a, DPEP_PLACE_ARGUMENTS,
           nb::sig("def random(self, function: str, " DPEP_SIZE ", dtype: object, " DPEP_RANDOM_PLACE),
           "Return uniformly distributed numbers in [0, 1).")
      .def("words", words, "size"_a.none(), "dtype"_a, DPEP_PLACE_ARGUMENTS,
           nb::sig("def words(self, " DPEP_SIZE ", dtype: object, " DPEP_RANDOM_PLACE), "Return random words.")
      .def("integers", integers, "function"_a, "size"_a.none(), "least"_a, "range"_a, "dtype"_a, DPEP_PLACE_ARGUMENTS,
           nb::sig("def integers(self, function: str, " DPEP_SIZE
                   ", least: int, range: int, dtype: object, " DPEP_RANDOM_PLACE),
           "Return integers that are uniformly distributed from `least` to `least` + `range`.")
      .def("permutation", permutation, "count"_a, "rows"_a.none(), DPEP_PLACE_ARGUMENTS,
           nb::sig("def permutation(self, count: int, rows: int | None, " DPEP_RANDOM_PLACE),
           "Return the numbers below `count` in random order, or a matrix of such rows.")
      .def("sample", sample, "size"_a, "count"_a, "shuffle"_a, DPEP_PLACE_ARGUMENTS,
           nb::sig("def sample(self, size: int, count: int, shuffle: bool, " DPEP_RANDOM_PLACE),
           "Return `count` different numbers below `size`.")
      .def("streams", &random_generator::streams, "elements"_a,
           "Return the streams of the next elements, of which each takes a block of the sequence.");
}

}  // namespace dpep::python
