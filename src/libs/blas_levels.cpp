// Searches for the functions of BLAS in a library.
#include "libs/blas_levels.hpp"

#include <string_view>

namespace dpep::libs {
namespace {

/// The name for a type: % and & replaced by letters.
template <class T> std::string name_for(std::string_view pattern) {
  std::string name;
  for (const char c : pattern) name += c == '%' ? type_letter(T()) : c == '&' ? type_letter(real_type<T>()) : c;
  return name;
}

template <class T> void resolve(blas_levels<T> &to, const cpu_library &from) {
  constexpr bool complex_type = is_complex<T>;
#define DPEP_BLAS_FIND(field, real, complex, result, parameters)                                                       \
  if (const std::string name = name_for<T>(complex_type ? complex : real); !name.empty())                              \
    from.resolve_cblas(to.field, name);
  DPEP_BLAS_LEVELS(DPEP_BLAS_FIND)
#undef DPEP_BLAS_FIND
  if constexpr (complex_type) {
    from.resolve_cblas(to.dotu_sub, name_for<T>("%dotu_sub"));
    from.resolve_cblas(to.dotc_sub, name_for<T>("%dotc_sub"));
  } else {
    from.resolve_cblas(to.dot, name_for<T>("%dot"));
  }
}

all_blas_levels search(const cpu_library &from) {
  all_blas_levels made;
  std::apply([&](auto &...table) { (resolve(table, from), ...); }, made.tables);
  return made;
}

}  // namespace

const all_blas_levels &levels_of(const cpu_library &library) {
  static const all_blas_levels all = search(library);
  return all;
}

}  // namespace dpep::libs
