// Searches for functions of LAPACK in a library.
#include "libs/lapack_more.hpp"

#include <string>

namespace dpep::libs {
namespace {

template <class T> void resolve(lapack_more<T> &to, const cpu_library &from) {
  const std::string letter(1, type_letter(T()));
#define DPEP_LAPACK_FIND(field, parameters) from.resolve_lapack(to.field, letter + #field);
  DPEP_LAPACK_MORE(DPEP_LAPACK_FIND)
#undef DPEP_LAPACK_FIND
  from.resolve_lapack(to.gesvd, letter + "gesvd");
}

all_lapack_more search(const cpu_library &from) {
  all_lapack_more made;
  std::apply([&](auto &...table) { (resolve(table, from), ...); }, made.tables);
  return made;
}

}  // namespace

const all_lapack_more &lapack_more_of(const cpu_library &library) {
  static const all_lapack_more all = search(library);
  return all;
}

}  // namespace dpep::libs
