// Compiled kernels by device and key.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "array/gpu/prepared_kernels.hpp"

namespace dpep::array::gpu {

/// Kernels that are generated and compiled at their first use and never released, for few keys. The number of
/// work-groups is that of the launch.
template <class Key> class kernel_list {
public:
  /// The kernel, with that many work-groups. `generate` returns it as a generated_kernel.
  template <class F> prepared_kernel find(const Key &key, backend::device &device, std::int64_t groups, F generate) {
    prepared_kernel kernel = *prepare(key, device, generate);
    kernel.groups = static_cast<std::size_t>(groups);
    return kernel;
  }

  /// If the kernel is not known, starts to compile it on another thread, for a call of find() that follows. Returns
  /// whether it did.
  template <class F> bool expect(const Key &key, backend::device &device, F generate) {
    if (known(key, device)) return false;
    compile_ahead(generate(), device);
    return true;
  }

private:
  struct entry {
    const backend::device *device;
    Key key;
    std::shared_ptr<const prepared_kernel> kernel;
  };

  std::shared_ptr<const prepared_kernel> known(const Key &key, const backend::device &device) {
    const std::lock_guard lock(mutex_);
    for (const entry &e : known_)
      if (e.device == &device && e.key == key) return e.kernel;
    return nullptr;
  }

  template <class F>
  std::shared_ptr<const prepared_kernel> prepare(const Key &key, backend::device &device, F generate) {
    if (auto kernel = known(key, device)) return kernel;
    generated_kernel generated = generate();
    ref<const backend::code> code = compile_kernel(generated, device);
    auto kernel = std::make_shared<const prepared_kernel>(
        prepared_kernel{std::move(code), std::move(generated.arguments), generated.local, 1});
    const std::lock_guard lock(mutex_);
    known_.push_back({&device, key, kernel});
    return kernel;
  }

  std::mutex mutex_;
  std::vector<entry> known_;
};

}  // namespace dpep::array::gpu
