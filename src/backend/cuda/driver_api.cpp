// Opens libcuda.so.1 and finds its functions.
#include "backend/cuda/driver_api.hpp"

#include <cstdlib>

#include <dlfcn.h>
#include <fmt/format.h>

#include "backend/cuda/forked.hpp"

namespace dpep::backend::cuda {
namespace {

struct loaded {
  driver_api api;
  std::string missing;

  loaded() {
    const char *const chosen = chosen_driver();
    const char *const library = chosen ? chosen : "libcuda.so.1";
    void *const driver = dlopen(library, RTLD_NOW | RTLD_LOCAL);  // never closed: its threads may run until the end
    if (!driver) {
      missing = fmt::format("{} was not found: it comes with the NVIDIA driver", library);
      return;
    }
    const auto find = [&](auto &field, const char *name) {
      field = reinterpret_cast<std::remove_reference_t<decltype(field)>>(dlsym(driver, name));
      if (!field && missing.empty())
        missing =
            fmt::format("{} has no {}: the NVIDIA driver is too old; wanted that of CUDA 11.8 or later", library, name);
    };
#define DPEP_CUDA_FIND(field, symbol, parameters) find(api.field, #symbol);
    DPEP_CUDA_FUNCTIONS(DPEP_CUDA_FIND)
#undef DPEP_CUDA_FIND
  }
};

loaded &the_driver() {
  static loaded the;
  return the;
}

template <class... P> result refuse(P...) { return results::not_initialized; }

}  // namespace

std::string driver_api::describe(result code) const {
  if (in_forked_child()) return why_not_in_forked_children;
  const char *name = nullptr, *text = nullptr;
  if (error_name(code, &name) != results::success || !name) return fmt::format("CUDA error {}", code);
  if (error_text(code, &text) != results::success || !text) return name;
  return fmt::format("{} ({})", text, name);
}

const char *chosen_driver() noexcept {
  const char *const chosen = std::getenv("DPEP_CUDA_DRIVER");
  return chosen && *chosen ? chosen : nullptr;
}

void refuse_everything() noexcept {
  driver_api &api = the_driver().api;
#define DPEP_CUDA_REFUSE(field, symbol, parameters) api.field = refuse;
  DPEP_CUDA_FUNCTIONS(DPEP_CUDA_REFUSE)
#undef DPEP_CUDA_REFUSE
}

const driver_api *load_driver(std::string &why) {
  const loaded &the = the_driver();
  why = the.missing;
  return the.missing.empty() ? &the.api : nullptr;
}

}  // namespace dpep::backend::cuda
