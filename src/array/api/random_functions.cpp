// The random functions as element functions: dtypes from the C++ types in the list of functions.
#include "array/api/random_functions.hpp"

#include <array>

#include "array/base/errors.hpp"
#include "array/blocks/blocks.hpp"

namespace dpep::array {
namespace {

template <class T> constexpr dtype dtype_of() {
  if constexpr (std::is_same_v<T, double>) return dtype::float64;
  if constexpr (std::is_same_v<T, float>) return dtype::float32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return dtype::uint64;
  if constexpr (std::is_same_v<T, std::uint32_t>) return dtype::uint32;
  if constexpr (std::is_same_v<T, std::uint8_t>) return dtype::uint8;
  if constexpr (std::is_same_v<T, std::int64_t>) return dtype::int64;
}

template <class> struct signature_of;
template <class R, class... P> struct signature_of<R(P...)> {
  static ref<const user_function> make(const char *name, const char *symbol, random_function f, double nanoseconds,
                                       double milliseconds) {
    return make_object<user_function>(name, symbol, std::vector<dtype>{dtype_of<P>()...}, dtype_of<R>(),
                                      blocks::find_random(f), nanoseconds, milliseconds);
  }
};

using function_table = std::array<ref<const user_function>, random_function_count>;
#define DPEP_RANDOM_FUNCTION(name, result, parameters, arguments, nanoseconds, milliseconds)                           \
  signature_of<result parameters>::make(#name, "dpep_random_" #name, random_function::name, nanoseconds, milliseconds),
function_table make_functions() {
  return {
#include <dpep/array_random_functions.def>
  };
}

}  // namespace

const ref<const user_function> &element_function_of(random_function f) {
  static const auto *const table = new function_table(make_functions());  // never destroyed: nodes refer to them
  return (*table)[static_cast<std::size_t>(f)];
}

random_function stream_function(std::string_view name) {
  for (auto f = static_cast<std::size_t>(random_function::uniform); f < random_function_count; ++f)
    if (element_function_of(static_cast<random_function>(f))->name == name) return static_cast<random_function>(f);
  refuse(refusal::value, "random: there is no distribution {}", name);
}

}  // namespace dpep::array
