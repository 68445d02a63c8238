// Products of sparse matrices with dense ones on devices that do not run host code.
#include "array/gpu/sparse.hpp"

#include <bit>
#include <tuple>

#include "array/gpu/kernel_list.hpp"
#include "array/gpu/launch.hpp"
#include "array/gpu/sparse_kernel.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array::gpu {
namespace {

/// Work-items for an element of the result: as many as have about two elements of a row of the mean length. Columns of
/// a dense matrix already give each row several work-items.
std::int64_t lanes_for(std::int64_t elements, std::int64_t rows, std::int64_t width) {
  if (width > 1 || rows == 0) return 1;
  const std::int64_t half = elements / rows / 2;
  return std::int64_t(std::bit_ceil(std::uint64_t(std::clamp<std::int64_t>(half, 1, sparse_group))));
}

}  // namespace

void apply(const sparse_work &w) {
  if (w.what != sparse_operation::multiply)
    throw exception(errc::feature_not_supported, "sparse matrices: the executor of GPUs has products only");
  if (w.rows * w.width == 0) return;
  static auto &kernels = *new kernel_list<std::tuple<dtype, dtype, bool>>;
  std::vector<std::byte *> memory;
  std::vector<std::shared_ptr<void>> owners;
  for (const ndarray *x : {&w.starts, &w.indices, &w.values, w.x ? &w.x : &w.values, &w.to_values}) {
    array_object &a = implementation_of(*x, "sparse");
    memory.push_back(a.first());
    owners.push_back(std::make_shared<ref<storage>>(a.memory()));
  }
  const queue &where = w.values.get_queue();
  runtime::queue_object &q = runtime::implementation_of(where, "sparse");
  const dtype type = w.values.type(), index = w.starts.type();
  const std::int64_t lanes = lanes_for(w.values.size(), w.rows, w.width), each = sparse_group / lanes;
  const bool sums = !w.x;
  const prepared_kernel kernel = kernels.find({type, index, sums}, q.code_target, (w.rows * w.width + each - 1) / each,
                                              [&] { return generate_sparse_multiply(type, index, sums); });
  const scalar numbers[] = {scalar::of(w.rows), scalar::of(w.width), scalar::of(lanes)};
  deferred_queue::of(where).in_turn([&](const ordered_dependencies &after) {
    const filled_arguments filled(kernel.arguments, {memory, numbers}, nullptr, nullptr);
    event done = launch(q, kernel, filled.bytes(), after);
    if (done)
      for (std::shared_ptr<void> &owner : owners) done.keep_alive(std::move(owner));
    return done;
  });
}

}  // namespace dpep::array::gpu
