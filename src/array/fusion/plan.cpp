// Plans of fusions: their keys, and the fusion of a graph by a plan.
#include "array/fusion/plan.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "array/fusion/iteration_space.hpp"
#include "array/fusion/program_cache.hpp"
#include "array/graph/array_object.hpp"

namespace dpep::array {
namespace {

// Of graphs that have plans, so that an index fits in a byte. Larger ones are rarely evaluated again.
constexpr std::size_t max_nodes = 250;
constexpr std::size_t max_plans = 1024;

template <class List> void add_list(program_key &key, const List &list) {
  for (const auto x : list) key.add(static_cast<std::uint64_t>(x));
}

bool overlap(const storage &a, const storage &b) {
  return a.base() < b.base() + b.bytes && b.base() < a.base() + a.bytes;
}

}  // namespace

bool fusion::describe(program_key &key) const {
  if (visit_order_.size() > max_nodes) return false;
  std::array<std::uint32_t, max_nodes> consumers{};
  for (const node_state &v : visit_order_)
    if (!v.leaf)
      for (const ref<node> &input : v.n->inputs) ++consumers[static_cast<std::size_t>(input->visit_index_)];
  std::array<const storage *, max_nodes> memory;
  std::size_t memories = 0;
  key.clear();
  key.add(std::uint64_t(options_.same_indices) | std::uint64_t(options_.same_space) << 1 |
          std::uint64_t(options_.limit_compile_time) << 2 | std::uint64_t(options_.store_pending) << 3 |
          std::uint64_t(targets_.size()) << 8 | std::uint64_t(visit_order_.size()) << 32);
  for (const target &t : targets_) {
    key.add(static_cast<std::uint64_t>(t.value->visit_index_));
    add_list(key, t.to.strides);
  }
  for (const node_state &v : visit_order_) {
    const node &n = *v.n;
    const bool in_memory = n.in_memory(), is_array = n.result_array;
    // as in store_pending()
    const bool has_others =
        n.reference_count() - consumers[static_cast<std::size_t>(n.visit_index_)] - (is_array ? 1 : 0) > 0;
    key.add(std::uint64_t(n.what) | std::uint64_t(n.type) << 8 | std::uint64_t(n.code) << 16 |
            std::uint64_t(n.how) << 24 | std::uint64_t(v.leaf) << 32 | std::uint64_t(in_memory) << 33 |
            std::uint64_t(n.keep_dimensions) << 34 | std::uint64_t(n.is_result) << 35 | std::uint64_t(is_array) << 36 |
            std::uint64_t(is_pending_write(n)) << 37 | std::uint64_t(n.computed_) << 38 |
            std::uint64_t(!v.leaf && has_others) << 39 | std::uint64_t(std::uint8_t(n.axis)) << 40 |
            std::uint64_t(n.shape.size()) << 48);
    add_list(key, n.shape);
    if (in_memory) {
      const auto known = std::find(memory.begin(), memory.begin() + std::ptrdiff_t(memories), n.memory.get());
      if (known == memory.begin() + std::ptrdiff_t(memories)) {
        // equal addresses are one operand, of which storage it may be
        if (std::any_of(memory.begin(), known, [&](const storage *s) { return overlap(*s, *n.memory); })) return false;
        memory[memories++] = n.memory.get();
      }
      key.add(static_cast<std::uint64_t>(known - memory.begin()));
      key.add(static_cast<std::uint64_t>(n.layout.offset));
      add_list(key, n.layout.strides);
    }
    if (v.leaf) continue;
    key.add(n.inputs.size() | n.axes.size() << 8 | n.source_axis.size() << 16 | n.shifts.size() << 24 |
            std::uint64_t(n.recomputed_ != 0) << 32 | std::uint64_t(bool(n.function)) << 33 |
            std::uint64_t(n.is_product) << 34);
    for (std::size_t k = 0; k < n.inputs.size(); k += 4) {
      std::uint64_t inputs = 0;
      for (std::size_t i = k; i < std::min(k + 4, n.inputs.size()); ++i)
        inputs = inputs << 16 | static_cast<std::uint64_t>(n.inputs[i]->visit_index_) << 8 | std::uint64_t(n.from[i]);
      key.add(inputs);
    }
    if (n.recomputed_ != 0) key.add(std::bit_cast<std::uint64_t>(n.recomputed_));
    if (n.function) key.add(reinterpret_cast<std::uintptr_t>(n.function.get()));
    add_list(key, n.axes);
    add_list(key, n.source_axis);
    add_list(key, n.shifts);
    if (is_array) add_list(key, n.result_array->layout.strides);
  }
  return true;
}

fusion_plan fusion::plan_of(const fusion_result &made) const {
  const auto index_of = [](const node *n) { return n ? n->visit_index_ : fusion_plan::none; };
  fusion_plan plan;
  for (const ref<node> &n : made.prerequisites) plan.prerequisites.push_back(n->visit_index_);
  if (!plan.prerequisites.empty()) return plan;
  const fused_program &fused = made.fused;
  plan.code = fused.code;
  for (std::size_t k = 0; k < operand_nodes_.size(); ++k) {
    const node *const from = operand_nodes_[k];
    plan.operands.push_back({index_of(from), from ? fused.arguments.memory[k] - from->memory->base() : 0});
  }
  for (std::size_t k = 0; k < scalar_nodes_.size(); ++k)
    plan.scalars.push_back({index_of(scalar_nodes_[k]), fused.arguments.scalars[k]});
  for (const node *from : ramp_nodes_) plan.ramps.push_back(from->visit_index_);
  for (std::size_t k = targets_.size(); k < fused.stores.size(); ++k)
    plan.stores.push_back(fused.stores[k].value->visit_index_);
  plan.store_operands = fused.store_operands;
  for (const fused_program::unstored &u : fused.recomputed_later)
    plan.recomputed_later.push_back({u.value->visit_index_, u.nanoseconds, u.spent});
  return plan;
}

fusion_result fusion::apply(const fusion_plan &plan) const {
  fusion_result made;
  const auto node_at = [&](std::int32_t k) { return visit_order_[static_cast<std::size_t>(k)].n; };
  made.prerequisites.reserve(plan.prerequisites.size());
  for (const std::int32_t k : plan.prerequisites) made.prerequisites.push_back(ref<node>::share(node_at(k)));
  if (!plan.prerequisites.empty()) return made;
  fused_program &fused = made.fused;
  fused.code = plan.code;
  fused.arguments.memory.reserve(plan.operands.size());
  fused.operand_memory.reserve(plan.operands.size());
  for (const fusion_plan::operand_source &o : plan.operands) {
    const node *const from = o.node == fusion_plan::none ? nullptr : node_at(o.node);
    fused.arguments.memory.push_back(from ? from->memory->base() + o.distance : nullptr);
    if (from) fused.operand_memory.push_back(from->memory);
  }
  fused.arguments.scalars.reserve(plan.scalars.size());
  for (const fusion_plan::scalar_source &s : plan.scalars)
    fused.arguments.scalars.push_back(s.node == fusion_plan::none ? s.constant : node_at(s.node)->start);
  for (const std::int32_t k : plan.ramps) fused.arguments.ramps.emplace_back(node_at(k)->start, node_at(k)->step);
  fused.stores.reserve(targets_.size() + plan.stores.size());
  fused.stores.assign(targets_.begin(), targets_.end());
  for (const std::int32_t k : plan.stores) fused.stores.push_back(target_of(*node_at(k)));
  fused.store_operands = plan.store_operands;
  fused.recomputed_later.reserve(plan.recomputed_later.size());
  for (const fusion_plan::unstored &u : plan.recomputed_later)
    fused.recomputed_later.push_back({ref<node>::share(node_at(u.node)), u.nanoseconds, u.spent});
  return made;
}

namespace {
std::atomic<std::uint64_t> found{0};
}  // namespace

std::uint64_t plans_found() noexcept { return found.load(std::memory_order_relaxed); }

fusion_result fuse(std::span<const target> targets, fuse_options options) {
  static auto &plans = *new program_cache<fusion_plan, max_plans>;  // never destroyed, as that of prepared programs
  static thread_local program_key key;
  fusion attempt(targets, options);
  if (!attempt.describe(key)) return attempt.complete();
  if (const std::shared_ptr<const fusion_plan> plan = plans.find(key)) {
    found.fetch_add(1, std::memory_order_relaxed);
    return attempt.apply(*plan);
  }
  fusion_result made = attempt.complete();
  plans.add(key, std::make_shared<const fusion_plan>(attempt.plan_of(made)));
  return made;
}

}  // namespace dpep::array
