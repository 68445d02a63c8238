// Executes programs operation by operation.
#include "array/gpu/single_operations.hpp"

#include "array/gpu/launch.hpp"

namespace dpep::array::gpu {
namespace {

/// The memory operand of a temporary: row-major.
memory_operand memory_for(const program &p, const instruction &value) {
  memory_operand m{value.type, false, std::vector<std::int64_t>(p.sizes.size(), 0)};
  auto stride = std::int64_t(size_of(value.type));
  for (int a = p.axes(); a-- > 0;) {
    if (!value.axes.has(a)) continue;
    m.strides[std::size_t(a)] = stride;
    stride *= p.sizes[std::size_t(a)];
  }
  return m;
}
std::size_t bytes_of(const program &p, const instruction &value) {
  std::size_t bytes = size_of(value.type);
  for (int a = 0; a < p.axes(); ++a)
    if (value.axes.has(a)) bytes *= std::size_t(p.sizes[std::size_t(a)]);
  return bytes;
}

class operation_executor {
public:
  operation_executor(const queue &q, const program &p, const program_arguments &arguments, bool aliased,
                     const ordered_dependencies &after)
      : queue_(q),
        code_target_(runtime::implementation_of(q, "array program").code_target),
        program_(p),
        arguments_(arguments),
        after_(after),
        kept_(p.code.size()),
        needs_memory_(p.code.size()),
        last_use_(p.code.size()),
        stored_by_(p.code.size(), none) {
    for (std::size_t v = 0; v < p.code.size(); ++v) {
      const instruction &i = p.code[v];
      needs_memory_[v] = i.what == step::gather || i.what == step::element || i.what == step::reduce;
      for (const value_id input : i.inputs) {
        last_use_[input] = v;
        // copied unchanged, possibly from memory that another store overwrites
        if (i.what == step::store && aliased && p.code[input].what == step::load) needs_memory_[input] = true;
      }
    }
    if (aliased) return;
    std::vector<std::size_t> uses(p.code.size());
    for (const instruction &i : p.code)
      for (const value_id input : i.inputs) ++uses[input];
    for (std::size_t v = 0; v < p.code.size(); ++v) {
      const value_id input = p.code[v].what == step::store ? p.code[v].inputs[0] : value_id{};
      if (p.code[v].what == step::store && needs_memory_[input] && uses[input] == 1 &&
          p.code[v].axes == p.code[input].axes && p.memory[p.code[v].operand].type == p.code[input].type)
        stored_by_[input] = v;
    }
  }

  event run() {
    try {
      // stores come last, because they may overwrite memory that is still to be read
      for (std::size_t v = 0; v < kept_.size(); ++v)
        if (needs_memory_[v]) keep(value_id(v));
      for (std::size_t v = 0; v < kept_.size(); ++v)
        if (program_.code[v].what == step::store && stored_by_[program_.code[v].inputs[0]] != v) store(value_id(v));
      if (last_)
        for (std::shared_ptr<void> &owner : owners_) last_.keep_alive(std::move(owner));
      return last_;
    } catch (...) {
      if (last_) last_.wait();  // submitted kernels use memory that is released now
      throw;
    }
  }

private:
  const queue &queue_;
  backend::device &code_target_;
  const program &program_;
  const program_arguments &arguments_;
  const ordered_dependencies after_;
  std::vector<ref<storage>> kept_;     // the memory of values that are temporaries
  std::vector<bool> needs_memory_;     // the values that become temporaries
  std::vector<std::size_t> last_use_;  // for each value: the last instruction that reads it
  static constexpr auto none = std::size_t(-1);
  std::vector<std::size_t> stored_by_;  // for each value: the store that is its only use, where it is computed
  owner_list owners_;                   // of temporaries that the queue does not reuse in its order
  event last_;

  /// A program of one operation.
  struct single {
    program code;
    program_arguments arguments;
    std::uint16_t operand(memory_operand m, std::byte *at) {
      code.memory.push_back(std::move(m));
      arguments.memory.push_back(at);
      return std::uint16_t(code.memory.size() - 1);
    }
    value_id append(const instruction &i) {
      code.code.push_back(i);
      return value_id(code.code.size() - 1);
    }
  };

  value_id input_of(single &s, value_id v) {
    instruction i = program_.code[v];
    if (kept_[v]) {
      instruction load{};
      load.what = step::load;
      load.type = i.type;
      load.axes = i.axes;
      load.operand = s.operand(memory_for(program_, i), kept_[v]->base());
      return s.append(load);
    }
    switch (i.what) {
    case step::load:
      i.operand = s.operand(program_.memory[i.operand], arguments_.memory[i.operand]);
      break;
    case step::scalar:
      s.arguments.scalars.push_back(arguments_.scalars[i.operand]);
      i.operand = s.code.scalars++;
      break;
    case step::iota:
      s.arguments.ramps.push_back(arguments_.ramps[i.operand]);
      i.operand = s.code.ramps++;
      break;
    default:
      break;
    }
    return s.append(i);
  }

  void finish(single s, value_id result, axis_set axes, memory_operand to, std::byte *at) {
    instruction store{};
    store.what = step::store;
    store.type = to.type;
    store.axes = axes;
    store.inputs = {result};
    to.written = true;
    store.operand = s.operand(std::move(to), at);
    s.append(store);
    last_ = run_kernels(queue_, *prepare(s.code, s.arguments, false, code_target_), s.arguments,
                        last_ ? ordered_dependencies({&last_, 1}, &last_) : after_, {});
  }

  void keep(value_id v) {
    instruction i = program_.code[v];
    single s;
    s.code.sizes = program_.sizes;
    value_id result;
    if (i.what == step::load) {
      result = input_of(s, v);
    } else {
      for (std::size_t k = 0; k < i.inputs.size(); ++k) i.inputs[k] = input_of(s, i.inputs[k]);
      if (i.what == step::gather) i.operand = s.operand(program_.memory[i.operand], arguments_.memory[i.operand]);
      if (i.function) s.code.functions.push_back(ref<const user_function>::share(i.function));
      result = s.append(i);
    }
    if (const std::size_t by = stored_by_[v]; by != none) {
      const instruction &store = program_.code[by];
      finish(std::move(s), result, store.axes, program_.memory[store.operand], arguments_.memory[store.operand]);
    } else {
      kept_[v] = allocate_workspace(queue_, bytes_of(program_, i), owners_);
      finish(std::move(s), result, program_.code[v].axes, memory_for(program_, i), kept_[v]->base());
    }
    release_inputs(v);
  }

  void store(value_id v) {
    const instruction &i = program_.code[v];
    single s;
    s.code.sizes = program_.sizes;
    const value_id from = input_of(s, i.inputs[0]);
    finish(std::move(s), from, i.axes, program_.memory[i.operand], arguments_.memory[i.operand]);
    release_inputs(v);
  }

  /// Releases the memory of inputs after their last use.
  void release_inputs(value_id v) {
    for (const value_id input : program_.code[v].inputs)
      if (last_use_[input] == v) kept_[input] = nullptr;
  }
};

}  // namespace

event run_single_operations(const queue &q, const program &p, const program_arguments &arguments, bool aliased,
                            const ordered_dependencies &after, std::vector<std::shared_ptr<void>> owners) {
  event last = operation_executor(q, p, arguments, aliased, after).run();
  if (last)
    for (std::shared_ptr<void> &owner : owners) last.keep_alive(std::move(owner));
  return last;
}

}  // namespace dpep::array::gpu
