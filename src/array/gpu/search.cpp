// Binary searches in sorted elements on devices that do not run host code: a work-item for each needle.
#include "array/gpu/search.hpp"

#include <mutex>

#include "array/gpu/launch.hpp"
#include "array/gpu/template_call.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t group = 256;

/// A call of a function of device/array/searches.cpp. Operands 0 to 2 are the sorted elements, the needles and the
/// positions; scalars 0 to 2 are the number of sorted elements, their stride, and the number of needles.
generated_kernel generate_search(dtype type, bool right) {
  template_call call(true);
  call.function(fmt::format("dpep_sort_key_{}", name_of(type)), {"ptr", "ptr"});
  for (std::size_t k = 0; k < 3; ++k) call.memory(k);
  for (std::uint16_t k = 0; k < 3; ++k) call.scalar_64(k);
  call.constant("i1", right);
  return call.finish("array_search", fmt::format("dpep_search_{}_{}", size_of(type), size_of(real_of(type))), group, 1,
                     4);
}

/// Never released: there are few.
std::shared_ptr<const prepared_kernel> prepare(dtype type, bool right, backend::device &device) {
  struct entry {
    const backend::device *device;
    dtype type;
    bool right;
    std::shared_ptr<const prepared_kernel> kernel;
  };
  static std::mutex mutex;
  static auto &known = *new std::vector<entry>;
  {
    const std::lock_guard lock(mutex);
    for (const entry &e : known)
      if (e.device == &device && e.type == type && e.right == right) return e.kernel;
  }
  generated_kernel generated = generate_search(type, right);
  ref<const backend::code> code = compile_kernel(generated, device);
  auto kernel = std::make_shared<const prepared_kernel>(
      prepared_kernel{std::move(code), std::move(generated.arguments), generated.local, 1});
  const std::lock_guard lock(mutex);
  known.push_back({&device, type, right, kernel});
  return kernel;
}

}  // namespace

event search(const queue &where, const search_arguments &s, const ordered_dependencies &after) {
  runtime::queue_object &q = runtime::implementation_of(where, "search");
  prepared_kernel kernel = *prepare(s.type, s.right, q.code_target);
  kernel.groups = std::size_t((s.count + group - 1) / group);
  std::byte *const memory[] = {const_cast<std::byte *>(s.sorted), const_cast<std::byte *>(s.needles),
                               reinterpret_cast<std::byte *>(s.positions)};
  const scalar numbers[] = {scalar::of(s.length), scalar::of(s.stride), scalar::of(s.count)};
  const filled_arguments filled(kernel.arguments, {memory, numbers}, nullptr, nullptr);
  return launch(q, kernel, filled.bytes(), after);
}

}  // namespace dpep::array::gpu
