// Searches for the functions of BLAS in cuBLAS.
#include "libs/cublas_levels.hpp"

#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace dpep::libs {
namespace {

struct letters {
  char upper, upper_real;
  char lower() const noexcept { return static_cast<char>(upper - 'A' + 'a'); }
  char lower_real() const noexcept { return static_cast<char>(upper_real - 'A' + 'a'); }
};

std::string symbol_for(std::string_view pattern, const letters &of) {
  std::string symbol = "cublas";
  for (const char c : pattern)
    symbol += c == '%' ? of.upper : c == '&' ? of.upper_real : c == '^' ? of.lower() : c == '~' ? of.lower_real() : c;
  return symbol;
}

void resolve(cublas_levels &to, const shared_library &library, const letters &of) {
  const bool complex_type = of.upper != of.upper_real;
#define DPEP_CUBLAS_FIND(field, real, complex, parameters)                                                             \
  if (const std::string_view pattern = complex_type ? complex : real; !pattern.empty())                                \
    library.resolve(to.field, symbol_for(pattern, of));
  DPEP_CUBLAS_LEVELS(DPEP_CUBLAS_FIND)
#undef DPEP_CUBLAS_FIND
}

all_cublas_levels search(const cublas_library &found) {
  const shared_library library(found.path);  // it is open already
  all_cublas_levels made;
  resolve(made.float32, library, {'S', 'S'});
  resolve(made.float64, library, {'D', 'D'});
  resolve(made.complex64, library, {'C', 'S'});
  resolve(made.complex128, library, {'Z', 'D'});
  library.resolve(made.set_pointer_mode, "cublasSetPointerMode_v2");
  return made;
}

}  // namespace

const all_cublas_levels &levels_of(const cublas_library &library) {
  static std::mutex mutex;
  static auto &known = *new std::map<const cublas_library *, all_cublas_levels>;  // never destroyed, as the libraries
  const std::lock_guard lock(mutex);
  const auto at = known.find(&library);
  return at != known.end() ? at->second : known.emplace(&library, search(library)).first->second;
}

}  // namespace dpep::libs
