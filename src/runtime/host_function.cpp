// Loads functions of dpep's own as code.
#include "runtime/host_function.hpp"

#include <functional>
#include <mutex>
#include <unordered_map>

#include "runtime/device.hpp"

namespace dpep::runtime {
namespace {

struct key {
  const backend::device *device;
  const host_function *function;
  int variant;
  bool operator==(const key &) const = default;
};
struct key_hash {
  std::size_t operator()(const key &k) const noexcept {
    const std::hash<const void *> of_pointer;
    return (of_pointer(k.device) * 31 + of_pointer(k.function)) * 31 + static_cast<std::size_t>(k.variant);
  }
};

}  // namespace

const backend::code *code_of(const host_function &f, int variant, const device &where) {
  static std::mutex mutex;
  // never released: there are few
  static auto &known = *new std::unordered_map<key, ref<const backend::code>, key_hash>;
  auto &target = code_device_of(where);
  const std::lock_guard lock(mutex);
  ref<const backend::code> &code = known[{&target, &f, variant}];
  if (!code) {
    backend::code_object object;
    object.entry = reinterpret_cast<void *>(f.function);
    object.name = f.name;
    code = target.load(object, {.grouped = f.grouped});
  }
  return code.get();
}

}  // namespace dpep::runtime
