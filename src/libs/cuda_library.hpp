// NVIDIA's libraries on GPUs: where they are found, and handles of them.
//
// The libraries use the current CUDA context, which is the one of dpep's queues, and put their work into a stream.
// Call them in a backend::native_command: it has a stream in which the work is ordered, and the context is current.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dpep/device.hpp>
#include <dpep/dtype.hpp>
#include <dpep/exception.hpp>

#include "libs/shared_library.hpp"

namespace dpep::libs {

using cuda_stream = std::uintptr_t;
using status = int;  // cublasStatus_t, cusolverStatus_t, cufftResult; 0: success
/// cudaDataType
enum class cuda_type : int { float16 = 2, float32 = 0, float64 = 1, complex64 = 4, complex128 = 5 };
enum class cuda_transposition : int { none = 0, plain = 1, conjugate = 2 };  // cublasOperation_t
enum class cuda_triangle : int { lower = 0, upper = 1 };                     // cublasFillMode_t

/// The functions of a library for one element type each.
template <class Functions> struct typed_functions {
  Functions float32, float64, complex64, complex128;
  const Functions &of(dtype type) const noexcept {
    return type == dtype::float32     ? float32
           : type == dtype::float64   ? float64
           : type == dtype::complex64 ? complex64
                                      : complex128;
  }
};

/// A library of the CUDA toolkit, and its version for each supported version of CUDA, newest first.
struct cuda_library_name {
  const char *title;    // "cuBLAS"
  const char *stem;     // "libcublas.so"
  const char *package;  // on PyPI: "nvidia-cublas"
  const char *folder;   // of the package for CUDA 12: "cublas"
  struct version {
    int cuda, library;
  };
  std::array<version, 2> versions;
};

/// Opens the newest version of the library that a driver for this version of CUDA can run; 0: any. `why`: where it was
/// searched for, and what to install, if it is not found.
shared_library open_cuda_library(const cuda_library_name &, int cuda_version, std::string &why);
/// The major version of CUDA that the device's driver supports; 0 without a driver.
int cuda_version_of(const device_info &);

/// The tables of one library, each for a version of CUDA and opened at the first request.
template <class Library> class cuda_library_tables {
public:
  /// Opens the library. Nothing, with the reason and a remedy in `why`, if there is none.
  using opener = std::optional<Library> (*)(int cuda_version, std::string &why);
  explicit cuda_library_tables(opener open) : open_(open) {}

  /// Null, with the reason and a remedy in `why`, if there is none.
  const Library *find(int cuda_version, std::string &why) {
    const std::lock_guard lock(mutex_);
    const auto [at, is_new] = searches_.try_emplace(cuda_version);
    search &s = at->second;
    if (is_new) s.found = open_(cuda_version, s.why);
    why = s.why;
    return s.found ? &*s.found : nullptr;
  }
  /// The library for a device. Throws errc::feature_not_supported if there is none.
  const Library &require(const device &where, const cuda_library_name &name, const char *operation) {
    std::string why;
    if (const Library *const found = find(cuda_version_of(where.info()), why)) return *found;
    throw exception(errc::feature_not_supported,
                    fmt::format("{}: needs {} on '{}', but {}", operation, name.title, where.info().name, why));
  }

private:
  struct search {
    std::optional<Library> found;
    std::string why;
  };
  const opener open_;
  std::mutex mutex_;
  std::map<int, search> searches_;
};

/// Handles of a library, which belong to a CUDA context and are used by one thread at a time.
class handle_pool {
public:
  /// An unused handle of the context; null if there is none.
  void *take(std::uintptr_t context);
  void give_back(std::uintptr_t context, void *handle);

private:
  std::mutex mutex_;
  std::map<std::uintptr_t, std::vector<void *>> unused_;
};

/// Throws errc::runtime that names the library, the function and the status, unless it is 0.
void check(status, const char *library, const char *function);

}  // namespace dpep::libs
