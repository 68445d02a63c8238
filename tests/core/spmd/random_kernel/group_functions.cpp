// The functions for each type, from their common text.
#include "spmd/random_kernel/group_functions.hpp"

#include <array>
#include <utility>

namespace dpep::test::random_program {
namespace {

using words = std::array<std::pair<const char *, const char *>, 5>;

std::string with(std::string text, const words &meanings) {
  for (const auto &[word, meaning] : meanings)
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;)
      text.replace(at, std::string(word).size(), meaning);
  return text;
}

}  // namespace

std::string group_functions() {
  const words ints{{{"TYPE", "i32"}, {"ZERO", "0"}, {"ONE", "1"}, {"MUL", "mul"}, {"ADD", "add"}}};
  const words floats{{{"TYPE", "float"}, {"ZERO", "0.0"}, {"ONE", "1.0"}, {"MUL", "fmul"}, {"ADD", "fadd"}}};
  return int_functions + with(tile_function, ints) + with(tile_function, floats);
}

}  // namespace dpep::test::random_program
