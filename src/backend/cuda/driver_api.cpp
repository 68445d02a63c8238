// Opens libcuda.so.1 and resolves its functions.
#include "backend/cuda/driver_api.hpp"

#include <cstdlib>

#include <dlfcn.h>
#include <fmt/format.h>

#include "backend/common/forked_child.hpp"

namespace dpep::backend::cuda {
namespace {

struct loaded {
  driver_api api;
  std::string missing;

  loaded() {
    const char *const chosen = driver_override();
    const char *const library = chosen ? chosen : "libcuda.so.1";
    void *const driver =
        dlopen(library, RTLD_NOW | RTLD_LOCAL);  // never closed: its threads may run until the process ends
    if (!driver) {
      missing = fmt::format("{} was not found: it comes with the NVIDIA driver", library);
      return;
    }
    const auto find = [&](auto &field, const char *name) {
      field = reinterpret_cast<std::remove_reference_t<decltype(field)>>(dlsym(driver, name));
      if (!field && missing.empty())
        missing =
            fmt::format("{} has no {}: the NVIDIA driver is too old; CUDA 11.8 or later is required", library, name);
    };
#define DPEP_CUDA_FIND(field, symbol, parameters) find(api.field, #symbol);
    DPEP_CUDA_FUNCTIONS(DPEP_CUDA_FIND)
#undef DPEP_CUDA_FIND
  }
};

loaded &shared_driver() {
  static loaded driver;
  return driver;
}

template <class... P> result refuse(P...) { return results::not_initialized; }

}  // namespace

std::string driver_api::describe(result code) const {
  if (in_forked_child()) return forked_child_error;
  const char *name = nullptr, *text = nullptr;
  if (error_name(code, &name) != results::success || !name) return fmt::format("CUDA error {}", code);
  if (error_text(code, &text) != results::success || !text) return name;
  return fmt::format("{} ({})", text, name);
}

const char *driver_override() noexcept {
  const char *const chosen = std::getenv("DPEP_CUDA_DRIVER");
  return chosen && *chosen ? chosen : nullptr;
}

void disable_driver() noexcept {
  driver_api &api = shared_driver().api;
#define DPEP_CUDA_REFUSE(field, symbol, parameters) api.field = refuse;
  DPEP_CUDA_FUNCTIONS(DPEP_CUDA_REFUSE)
#undef DPEP_CUDA_REFUSE
}

const driver_api *load_driver(std::string &why) {
  const loaded &driver = shared_driver();
  why = driver.missing;
  return driver.missing.empty() ? &driver.api : nullptr;
}

}  // namespace dpep::backend::cuda
