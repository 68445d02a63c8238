// Opens cuBLAS and manages its handles.
#include "libs/cublas.hpp"

#include <optional>

#include <fmt/format.h>

namespace dpep::libs {
namespace {

constexpr cuda_library_name name{"cuBLAS", "libcublas.so", "nvidia-cublas", "cublas", {{{13, 13}, {12, 12}}}};

void resolve(cublas_typed &to, const shared_library &library, char letter, std::string &missing) {
#define DPEP_CUBLAS_FIND(field, name, parameters)                                                                      \
  if (const std::string symbol = std::string("cublas") + letter + name;                                                \
      !library.resolve(to.field, symbol) && missing.empty())                                                           \
    missing = symbol;
  DPEP_CUBLAS_TYPED(DPEP_CUBLAS_FIND)
#undef DPEP_CUBLAS_FIND
}

std::optional<cublas_library> open(int cuda_version, std::string &why) {
  const shared_library library = open_cuda_library(name, cuda_version, why);
  if (!library) return std::nullopt;
  cublas_library made;
  std::string missing;
#define DPEP_CUBLAS_FIND(field, symbol, parameters)                                                                    \
  if (!library.resolve(made.field, #symbol) && missing.empty()) missing = #symbol;
  DPEP_CUBLAS_FUNCTIONS(DPEP_CUBLAS_FIND)
#undef DPEP_CUBLAS_FIND
  resolve(made.float32, library, 'S', missing);
  resolve(made.float64, library, 'D', missing);
  resolve(made.complex64, library, 'C', missing);
  resolve(made.complex128, library, 'Z', missing);
  made.path = shared_library::path_of(reinterpret_cast<const void *>(made.create));
  if (missing.empty()) return made;
  why = fmt::format("{} has no {}: version 12 or later is needed", made.path, missing);
  return std::nullopt;
}

cuda_library_tables<cublas_library> &tables() {
  static auto &instance = *new cuda_library_tables<cublas_library>(open);
  return instance;
}
handle_pool &pool() {
  static auto &instance = *new handle_pool;  // never destroyed: the driver may be gone before static objects are
  return instance;
}

}  // namespace

const cublas_library *find_cublas(int cuda_version, std::string &why) { return tables().find(cuda_version, why); }
const cublas_library &require_cublas(const device &where, const char *operation) {
  return tables().require(where, name, operation);
}

cublas_session::cublas_session(const cublas_library &l, std::uintptr_t context, cuda_stream stream, void *scratch,
                               std::size_t scratch_bytes)
    : library_(l), context_(context), handle_(static_cast<cublas_handle>(pool().take(context))) {
  if (!handle_) check(l.create(&handle_), name.title, "cublasCreate");
  try {
    check(l.set_stream(handle_, stream), name.title, "cublasSetStream");
    if (scratch) check(l.set_workspace(handle_, scratch, scratch_bytes), name.title, "cublasSetWorkspace");
  } catch (...) {
    pool().give_back(context, handle_);
    throw;
  }
}
cublas_session::~cublas_session() { pool().give_back(context_, handle_); }

cuda_type cuda_type_of(dtype type) noexcept {
  switch (type) {
  case dtype::float16:
    return cuda_type::float16;
  case dtype::float32:
    return cuda_type::float32;
  case dtype::complex64:
    return cuda_type::complex64;
  case dtype::complex128:
    return cuda_type::complex128;
  default:
    return cuda_type::float64;
  }
}

}  // namespace dpep::libs
