// The library of BLAS and LAPACK on CPUs: oneMKL or OpenBLAS, whichever is installed.
#pragma once

#include <string>
#include <tuple>

#include "libs/lapack.hpp"
#include "libs/shared_library.hpp"

namespace dpep::libs {

struct cpu_library {
  std::string title;  // "OpenBLAS 0.3.31 …"
  std::string path;
  // the library, and what surrounds the names of CBLAS and LAPACK in it
  shared_library library;
  std::string cblas_prefix, cblas_suffix, lapack_prefix, lapack_suffix;
  /// Sets a function pointer to the function of CBLAS with this name, such as "dgemm". Returns whether there is one.
  template <class Function> bool resolve_cblas(Function *&to, const std::string &name) const {
    return library.resolve(to, cblas_prefix + name + cblas_suffix);
  }
  /// The same for the Fortran interface of LAPACK.
  template <class Function> bool resolve_lapack(Function *&to, const std::string &name) const {
    return library.resolve(to, lapack_prefix + name + lapack_suffix);
  }

  template <class T> const blas_table<T> &blas() const noexcept { return std::get<blas_table<T>>(blas_tables); }
  template <class T> const lapack_table<T> &lapack() const noexcept { return std::get<lapack_table<T>>(lapack_tables); }

  template <template <class> class Table>
  using for_each_type =
      std::tuple<Table<float>, Table<double>, Table<std::complex<float>>, Table<std::complex<double>>>;
  for_each_type<blas_table> blas_tables;
  for_each_type<lapack_table> lapack_tables;

  // Control of threads: either both of the process, or one of the calling thread.
  int (*get_threads)() = nullptr;
  void (*set_threads)(int) = nullptr;
  int (*set_threads_of_caller)(int) = nullptr;  // returns the former value; 0: the value of the process
};

/// The library, which is opened at the first call: call it before submitting a task that uses it, so that no fork
/// happens meanwhile. Null if there is none.
const cpu_library *find_cpu_library();
/// The same, but throws errc::feature_not_supported, with the reason and a remedy, if there is none.
const cpu_library &require_cpu_library(const char *operation);
/// What was found, or where it was searched for and why nothing was found.
std::string describe_cpu_library();

/// While it lives, calls of the library's functions in this thread use at most `most` threads. The libraries that have
/// one setting for the process keep to the smallest limit meanwhile, and get their former setting back afterwards.
class thread_limit {
public:
  thread_limit(const cpu_library &, unsigned most) noexcept;
  thread_limit(const thread_limit &) = delete;
  ~thread_limit();

private:
  const cpu_library &library_;
  const unsigned most_;
  int before_ = 0;  // of the calling thread
};

}  // namespace dpep::libs
