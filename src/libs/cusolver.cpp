// Opens cuSOLVER and manages its handles.
#include "libs/cusolver.hpp"

#include <mutex>
#include <optional>

#include <fmt/format.h>

#include <dpep/exception.hpp>

namespace dpep::libs {
namespace {

constexpr cuda_library_name name{"cuSOLVER", "libcusolver.so", "nvidia-cusolver", "cusolver", {{{13, 12}, {12, 11}}}};

struct search {
  bool done = false;
  std::optional<cusolver_library> found;
  std::string why;
};

void resolve(cusolver_typed &to, const shared_library &library, char letter, bool is_complex, std::string &missing) {
#define DPEP_CUSOLVER_FIND(field, real, complex, parameters)                                                           \
  {                                                                                                                    \
    const std::string symbol = std::string("cusolverDn") + letter + (is_complex ? complex : real);                     \
    if (!library.resolve(to.field, symbol) && missing.empty()) missing = symbol;                                       \
  }
  DPEP_CUSOLVER_TYPED(DPEP_CUSOLVER_FIND)
#undef DPEP_CUSOLVER_FIND
}

void open(search &s, int cuda_version) {
  const shared_library library = open_cuda_library(name, cuda_version, s.why);
  if (!library) return;
  cusolver_library made;
  std::string missing;
#define DPEP_CUSOLVER_FIND(field, symbol, parameters)                                                                  \
  if (!library.resolve(made.field, #symbol) && missing.empty()) missing = #symbol;
  DPEP_CUSOLVER_FUNCTIONS(DPEP_CUSOLVER_FIND)
#undef DPEP_CUSOLVER_FIND
#define DPEP_CUSOLVER_FIND(field, symbol, parameters) library.resolve(made.field, #symbol);
  DPEP_CUSOLVER_OPTIONAL(DPEP_CUSOLVER_FIND)
#undef DPEP_CUSOLVER_FIND
  resolve(made.float32, library, 'S', false, missing);
  resolve(made.float64, library, 'D', false, missing);
  resolve(made.complex64, library, 'C', true, missing);
  resolve(made.complex128, library, 'Z', true, missing);
  made.path = shared_library::path_of(reinterpret_cast<const void *>(made.create));
  if (!missing.empty()) {
    s.why = fmt::format("{} has no {}: the library of CUDA 12 or later is needed", made.path, missing);
    return;
  }
  if (const status code = made.create_parameters(&made.defaults)) {
    s.why = fmt::format("{}: cusolverDnCreateParams failed with status {}", made.path, code);
    return;
  }
  s.found = std::move(made);
}

handle_pool &pool() {
  static auto &instance = *new handle_pool;  // never destroyed: the driver may be gone before static objects are
  return instance;
}

}  // namespace

const cusolver_typed &cusolver_library::of(dtype type) const noexcept {
  return type == dtype::float32     ? float32
         : type == dtype::float64   ? float64
         : type == dtype::complex64 ? complex64
                                    : complex128;
}

const cusolver_library *find_cusolver(int cuda_version, std::string &why) {
  static std::mutex mutex;
  static auto &searches = *new std::map<int, search>;
  const std::lock_guard lock(mutex);
  search &s = searches[cuda_version];
  if (!s.done) open(s, cuda_version);
  s.done = true;
  why = s.why;
  return s.found ? &*s.found : nullptr;
}

const cusolver_library &require_cusolver(const device &where, const char *operation) {
  std::string why;
  if (const cusolver_library *const found = find_cusolver(cuda_version_of(where.info()), why)) return *found;
  throw exception(errc::feature_not_supported,
                  fmt::format("{}: needs cuSOLVER on '{}', but {}", operation, where.info().name, why));
}

cusolver_session::cusolver_session(const cusolver_library &l, std::uintptr_t context, cuda_stream stream)
    : library_(l), context_(context), handle_(static_cast<cusolver_handle>(pool().take(context))) {
  if (!handle_) check(l.create(&handle_), name.title, "cusolverDnCreate");
  if (const status code = l.set_stream(handle_, stream)) {
    pool().give_back(context, handle_);
    check(code, name.title, "cusolverDnSetStream");
  }
}
cusolver_session::~cusolver_session() { pool().give_back(context_, handle_); }

}  // namespace dpep::libs
