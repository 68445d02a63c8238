// Opens cuFFT and manages its plans.
#include "libs/cufft.hpp"

#include <algorithm>
#include <list>

namespace dpep::libs {
namespace {

constexpr cuda_library_name name{"cuFFT", "libcufft.so", "nvidia-cufft", "cufft", {{{13, 12}, {12, 11}}}};

std::optional<cufft_library> open(int cuda_version, std::string &why) {
  const shared_library library = open_cuda_library(name, cuda_version, why);
  if (!library) return std::nullopt;
  cufft_library made;
  std::string missing;
#define DPEP_CUFFT_FIND(field, symbol, parameters)                                                                     \
  if (!library.resolve(made.field, #symbol) && missing.empty()) missing = #symbol;
  DPEP_CUFFT_FUNCTIONS(DPEP_CUFFT_FIND)
#undef DPEP_CUFFT_FIND
  made.path = shared_library::path_of(reinterpret_cast<const void *>(made.create));
  if (missing.empty()) return made;
  why = fmt::format("{} has no {}: the library of CUDA 12 or later is needed", made.path, missing);
  return std::nullopt;
}

/// Plans that are not in use, the most recent ones first.
class plan_cache {
public:
  struct plan {
    const cufft_library *library;
    std::uintptr_t context;
    cufft_layout layout;
    cufft_handle handle;
    std::size_t scratch_bytes;
  };
  static plan_cache &get() {
    static auto &instance = *new plan_cache;  // never destroyed: the driver may be gone before static objects are
    return instance;
  }
  std::optional<plan> take(const cufft_library &library, std::uintptr_t context, const cufft_layout &layout) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(
        unused_, [&](const plan &p) { return p.library == &library && p.context == context && p.layout == layout; });
    if (found == unused_.end()) return std::nullopt;
    const plan taken = *found;
    unused_.erase(found);
    return taken;
  }
  void give_back(const plan &p) {
    const std::lock_guard lock(mutex_);
    unused_.push_front(p);
  }
  /// Destroys the oldest plans of the context, which must be current. cuFFT does not say that it waits for work that
  /// uses them.
  void remove_excess(std::uintptr_t context, const std::function<void()> &wait_for_device) {
    std::list<plan> removed;
    {
      const std::lock_guard lock(mutex_);
      std::size_t count = 0;
      for (auto p = unused_.begin(); p != unused_.end();) {
        const auto next = std::next(p);
        if (p->context == context && ++count > most_plans) removed.splice(removed.end(), unused_, p);
        p = next;
      }
    }
    if (!removed.empty()) wait_for_device();
    for (const plan &p : removed) p.library->destroy(p.handle);
  }

private:
  static constexpr std::size_t most_plans = 32;  // of a context
  std::mutex mutex_;
  std::list<plan> unused_;
};

}  // namespace

const cufft_library *find_cufft(int cuda_version, std::string &why) {
  static auto &tables = *new cuda_library_tables<cufft_library>(open);
  return tables.find(cuda_version, why);
}

cufft_plan::cufft_plan(const cufft_library &l, std::uintptr_t context, const cufft_layout &layout,
                       const std::function<void()> &wait_for_device)
    : library_(l), context_(context), layout_(layout) {
  if (const auto known = plan_cache::get().take(l, context, layout)) {
    handle_ = known->handle;
    scratch_bytes_ = known->scratch_bytes;
    return;
  }
  plan_cache::get().remove_excess(context, wait_for_device);
  check(l.create(&handle_), name.title, "cufftCreate");
  try {
    check(l.set_auto_allocation(handle_, 0), name.title, "cufftSetAutoAllocation");
    // For one axis, the library reads whether there are embeddings, not their lengths.
    long long length = layout.length, from_embedding = length, to_embedding = length;
    check(l.make_plan(handle_, 1, &length, &from_embedding, layout.from_step, layout.from_distance, &to_embedding,
                      layout.to_step, layout.to_distance, layout.type, layout.batch, &scratch_bytes_),
          name.title, "cufftMakePlanMany64");
    // The library may fill the plan's tables in the default stream, which our streams do not wait for.
    wait_for_device();
  } catch (...) {
    l.destroy(handle_);
    throw;
  }
}
cufft_plan::~cufft_plan() { plan_cache::get().give_back({&library_, context_, layout_, handle_, scratch_bytes_}); }

void cufft_plan::use(cuda_stream stream, void *scratch) const {
  check(library_.set_stream(handle_, stream), name.title, "cufftSetStream");
  check(library_.set_work_area(handle_, scratch), name.title, "cufftSetWorkArea");
}

void cufft_plan::execute(void *from, void *to, int sign) const {
  switch (layout_.type) {
  case cufft_type::complex64:
    return check(library_.complex64(handle_, from, to, sign), name.title, "cufftExecC2C");
  case cufft_type::complex128:
    return check(library_.complex128(handle_, from, to, sign), name.title, "cufftExecZ2Z");
  case cufft_type::real_to_complex64:
    return check(library_.real_to_complex64(handle_, from, to), name.title, "cufftExecR2C");
  case cufft_type::real_to_complex128:
    return check(library_.real_to_complex128(handle_, from, to), name.title, "cufftExecD2Z");
  case cufft_type::complex64_to_real:
    return check(library_.complex64_to_real(handle_, from, to), name.title, "cufftExecC2R");
  case cufft_type::complex128_to_real:
    return check(library_.complex128_to_real(handle_, from, to), name.title, "cufftExecZ2D");
  }
}

}  // namespace dpep::libs
