// Selections by masks, and scatters, on devices that do not run host code.
#include "array/gpu/selection.hpp"

#include <bit>
#include <mutex>

#include "array/gpu/launch.hpp"
#include "array/gpu/selection_kernel.hpp"

namespace dpep::array::gpu {
namespace {

/// Never released: there are few.
std::shared_ptr<const prepared_kernel> prepare(selection_step step, std::int64_t word, backend::device &device) {
  struct entry {
    const backend::device *device;
    selection_step step;
    std::int64_t word;
    std::shared_ptr<const prepared_kernel> kernel;
  };
  static std::mutex mutex;
  static auto &known = *new std::vector<entry>;
  {
    const std::lock_guard lock(mutex);
    for (const entry &e : known)
      if (e.device == &device && e.step == step && e.word == word) return e.kernel;
  }
  generated_kernel generated = generate_selection(step, word);
  ref<const backend::code> code = compile_kernel(generated, device);
  auto kernel = std::make_shared<const prepared_kernel>(
      prepared_kernel{std::move(code), std::move(generated.arguments), generated.local, 1});
  const std::lock_guard lock(mutex);
  known.push_back({&device, step, word, kernel});
  return kernel;
}

}  // namespace

event select(const queue &where, selection_step step, const selection_arguments &s, const ordered_dependencies &after) {
  runtime::queue_object &q = runtime::implementation_of(where, "selection");
  std::int64_t word = 8;
  if (step >= selection_step::extract) {
    const auto all = reinterpret_cast<std::uintptr_t>(s.from) | reinterpret_cast<std::uintptr_t>(s.to) |
                     static_cast<std::uintptr_t>(s.row) | 8;
    word = std::int64_t(1) << std::countr_zero(all);
  }
  prepared_kernel kernel = *prepare(step, word, q.code_target);
  const std::int64_t each = step == selection_step::scatter ? std::int64_t(kernel.local) : selection_block;
  kernel.groups = static_cast<std::size_t>((s.count + each - 1) / each);
  std::byte *const memory[] = {const_cast<std::byte *>(s.mask), reinterpret_cast<std::byte *>(s.sums),
                               const_cast<std::byte *>(s.from), s.to};
  const scalar numbers[] = {scalar::of(s.count), scalar::of(s.row / word), scalar::of(s.period)};
  const filled_arguments filled(kernel.arguments, {memory, numbers}, nullptr, nullptr);
  return launch(q, kernel, filled.bytes(), after);
}

}  // namespace dpep::array::gpu
