// Finds the library of BLAS and LAPACK: the one that DPEP_BLAS names, else oneMKL, else OpenBLAS.
#include "libs/cpu_library.hpp"

#include <array>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include <dpep/exception.hpp>

#include "backend/common/fork_guard.hpp"

namespace dpep::libs {
namespace {

namespace fs = std::filesystem;

/// How a library names its functions with 64-bit integers: prefix and suffix of CBLAS, LAPACK, and its own functions.
struct naming {
  const char *title;
  const char *prefix, *cblas_suffix, *fortran_suffix, *own_suffix;
  bool checked_by_configuration;  // names of 32-bit libraries, too: the configuration tells them apart
};
constexpr std::array<naming, 4> namings{{
    {"OpenBLAS", "scipy_", "64_", "_64_", "64_", false},  // packages for NumPy and SciPy
    {"oneMKL", "", "_64", "_64_", "", false},
    {"OpenBLAS", "", "64_", "_64_", "64_", false},  // distributions: libopenblas64_
    {"OpenBLAS", "", "", "_", "", true},            // distributions: libopenblas64
}};

/// Resolves functions by the naming and remembers the first missing one.
class resolver {
public:
  resolver(const shared_library &from, const naming &names) : from_(from), names_(names) {}
  const std::string &missing() const noexcept { return missing_; }

  template <class T> void resolve(blas_table<T> &to) {
    const std::string letter(1, type_letter(T()));
#define DPEP_BLAS_FIND(field, parameters) cblas(to.field, letter + #field);
    DPEP_BLAS_FUNCTIONS(DPEP_BLAS_FIND)
#undef DPEP_BLAS_FIND
    if constexpr (is_complex<T>) {
      cblas(to.dotu_sub, letter + "dotu_sub");
      cblas(to.dotc_sub, letter + "dotc_sub");
    } else {
      cblas(to.dot, letter + "dot");
    }
  }
  template <class T> void resolve(lapack_table<T> &to) {
    const std::string letter(1, type_letter(T()));
#define DPEP_LAPACK_FIND(field, real, complex, parameters) fortran(to.field, letter + (is_complex<T> ? complex : real));
    DPEP_LAPACK_COMMON(DPEP_LAPACK_FIND)
    DPEP_LAPACK_REAL(DPEP_LAPACK_FIND)
#undef DPEP_LAPACK_FIND
  }
  template <class Function> bool own(Function *&to, const std::string &name) {
    return from_.resolve(to, names_.prefix + name + names_.own_suffix);
  }

private:
  template <class Function> void cblas(Function *&to, const std::string &name) {
    find(to, names_.prefix + ("cblas_" + name) + names_.cblas_suffix);
  }
  template <class Function> void fortran(Function *&to, const std::string &name) {
    find(to, names_.prefix + name + names_.fortran_suffix);
  }
  template <class Function> void find(Function *&to, const std::string &symbol) {
    if (!from_.resolve(to, symbol) && missing_.empty()) missing_ = symbol;
  }

  const shared_library &from_;
  const naming &names_;
  std::string missing_;
};

/// The naming of an open library, by its dgemm. Null if it has none with 64-bit integers.
const naming *naming_of(const shared_library &library) {
  for (const naming &n : namings)
    if (library.find(std::string(n.prefix) + "cblas_dgemm" + n.cblas_suffix)) return &n;
  return nullptr;
}

/// A candidate, opened and resolved; nothing, with the reason in `why`, if it cannot be used.
std::optional<cpu_library> open_candidate(const std::string &name, std::string &why) {
  const shared_library library(name);
  if (!library) {
    why = library.error();
    return {};
  }
  const naming *const names = naming_of(library);
  if (!names) {
    why = name + " has no BLAS (cblas_dgemm)";
    return {};
  }
  resolver find(library, *names);
  cpu_library made;
  made.library = library;
  made.cblas_prefix = names->prefix + std::string("cblas_");
  made.cblas_suffix = names->cblas_suffix;
  made.lapack_prefix = names->prefix;
  made.lapack_suffix = names->fortran_suffix;
  const char *(*configuration)() = nullptr;
  if (find.own(configuration, "openblas_get_config")) made.title = configuration();
  if (names->checked_by_configuration && made.title.find("USE64BITINT") == std::string::npos) {
    why = name + " has 32-bit integers; a library with 64-bit integers (ILP64) is needed";
    return {};
  }
  if (made.title.empty()) made.title = names->title;
  std::apply([&](auto &...table) { (find.resolve(table), ...); }, made.blas_tables);
  std::apply([&](auto &...table) { (find.resolve(table), ...); }, made.lapack_tables);
  if (!find.missing().empty()) {
    why = fmt::format("{} has no {}", name, find.missing());
    return {};
  }
  find.own(made.get_threads, "openblas_get_num_threads");
  find.own(made.set_threads, "openblas_set_num_threads");
  library.resolve(made.set_threads_of_caller, "MKL_Set_Num_Threads_Local");
  made.path = shared_library::path_of(reinterpret_cast<const void *>(made.blas<double>().gemm));
  if (made.path.empty()) made.path = name;
  return made;
}

/// The names and files to try, best first.
std::vector<std::string> candidates() {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<fs::path> &files) {
    for (const fs::path &file : files) names.push_back(file.string());
  };
  const std::vector<fs::path> folders = package_folders();
  for (const char *const mkl : {"libmkl_rt.so.3", "libmkl_rt.so.2"}) {
    names.emplace_back(mkl);
    for (const fs::path &f : folders) add(files_in(f.parent_path().parent_path(), mkl));  // <environment>/lib
  }
  add(loaded_libraries("libscipy_openblas64_"));
  for (const fs::path &f : folders) {
    add(files_in(f / "numpy.libs", "libscipy_openblas64_"));
    add(files_in(f / "scipy_openblas64" / "lib", "libscipy_openblas64_"));
  }
  names.emplace_back("libopenblas64_.so.0");
  names.emplace_back("libopenblas64.so.0");
  return names;
}

struct search {
  std::optional<cpu_library> library;
  std::string reason;  // without a library

  search() {
    const char *const chosen = std::getenv("DPEP_BLAS");
    if (chosen && *chosen) {
      library = open_candidate(chosen, reason);
      if (!library) reason = fmt::format("DPEP_BLAS={}: {}", chosen, reason);
    } else {
      search_all();
    }
    // OpenBLAS stops its threads before a fork. If it was loaded just now, that would be before tasks are waited for.
    if (library) backend::fork_guard::precede_registered_handlers();
  }

private:
  void search_all() {
    std::string refused;
    for (const std::string &name : candidates()) {
      std::string why;
      if ((library = open_candidate(name, why))) return;
      if (name.find('/') != std::string::npos || why.find("32-bit") != std::string::npos) refused += "; " + why;
    }
    reason = "no oneMKL, NumPy's OpenBLAS, scipy_openblas64 or libopenblas64 was found" + refused;
  }
};

const search &result() {
  static const search found;
  return found;
}

constexpr const char *remedy = "install one with 'pip install scipy-openblas64', or set DPEP_BLAS to the path of one";

}  // namespace

const cpu_library *find_cpu_library() { return result().library ? &*result().library : nullptr; }

const cpu_library &require_cpu_library(const char *operation) {
  if (const cpu_library *const found = find_cpu_library()) return *found;
  throw exception(errc::feature_not_supported, fmt::format("{}: needs a library of BLAS and LAPACK, but {}; {}",
                                                           operation, result().reason, remedy));
}

std::string describe_cpu_library() {
  if (const cpu_library *const found = find_cpu_library()) return fmt::format("{} ({})", found->title, found->path);
  return fmt::format("{}; {}", result().reason, remedy);
}

}  // namespace dpep::libs
