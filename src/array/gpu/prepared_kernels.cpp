// Prepares programs: generates and compiles their kernels, and caches them.
#include "array/gpu/prepared_kernels.hpp"

#include <atomic>
#include <bit>
#include <cctype>
#include <map>
#include <mutex>
#include <optional>
#include <ranges>
#include <stdexcept>

#include "array/base/background.hpp"
#include "array/fusion/program_cache.hpp"
#include "array/graph/deferred_queue.hpp"
#include "jit/launch/compiler.hpp"
#include "jit/launch/shared_work.hpp"

namespace dpep::array::gpu {
namespace {

/// The largest power of two, up to 16, that divides the address.
unsigned alignment_of(const std::byte *p) {
  const auto address = reinterpret_cast<std::uintptr_t>(p) | 16;
  return unsigned(address & -address);
}

/// The program's readable name as an identifier.
std::string kernel_name_for(const program &p) {
  std::string name;
  for (const char c : readable_name(p))
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += c;
    else if (c == ' ')
      name += '_';
  return name;
}

/// Compiled kernels by their texts. A thread that requests code that another thread is compiling waits for it.
class code_table {
public:
  static code_table &get() {
    static auto &table = *new code_table;  // never destroyed: programs may be executed while the process exits
    return table;
  }
  template <class Make>
  ref<const backend::code> find_or_make(const backend::device &device, const jit::digest &text, Make make) {
    const key wanted{&device, text};
    const auto find = [&]() -> std::optional<ref<const backend::code>> {
      const std::lock_guard lock(mutex_);
      const auto known = codes_.find(wanted);
      return known == codes_.end() ? std::nullopt : std::optional(known->second);
    };
    return in_progress_.share(wanted, find, [&] {
      ref<const backend::code> code = make();
      const std::lock_guard lock(mutex_);
      if (codes_.size() >= most) codes_.clear();  // prepared programs keep references
      codes_.emplace(wanted, code);
      return code;
    });
  }

private:
  using key = std::pair<const backend::device *, jit::digest>;
  static constexpr std::size_t most = 4096;
  std::mutex mutex_;
  std::map<key, ref<const backend::code>> codes_;
  jit::shared_work<key, ref<const backend::code>> in_progress_;
};

program_cache<prepared_kernels> &all_prepared() {
  static auto &cache = *new program_cache<prepared_kernels>;
  return cache;
}

/// Returns the key, which is valid until the thread's next call.
const program_key &key_of(const program &p, const program_arguments &arguments, bool aliased,
                          const backend::device &device) {
  static thread_local program_key key;
  key.write(p, aliased, &device);
  std::uint64_t alignments = 1;
  for (const std::byte *m : arguments.memory) {
    alignments = alignments << 3 | unsigned(std::countr_zero(alignment_of(m)));
    if (alignments >> 60) key.add(alignments), alignments = 1;
  }
  key.add(alignments);
  for (const interleaved_operands &group : find_interleaved(p, arguments.memory)) {
    std::uint64_t all = group.size();
    for (const std::uint16_t operand : group) all = all << 12 | operand;
    key.add(all);
  }
  return key;
}

/// How often a program of few elements was executed before its kernels were compiled.
struct small_program {
  mutable std::atomic<std::uint32_t> requests{0};
};

/// Whether the program can be cut into programs of fewer operations.
bool has_several_operations(const program &p) noexcept {
  int count = 0;
  for (const instruction &i : p.code)
    count += i.what == step::gather || i.what == step::element || i.what == step::reduce || i.what == step::store;
  return count > 2;
}

/// Whether the program is one of the user's, of several functions, on so few elements that its first executions would
/// take far less time than its compilation. Programs of one function are met again.
bool is_small(const program &p) noexcept {
  const std::int64_t most = few_elements();
  std::int64_t elements = 1;
  for (const std::int64_t s : p.sizes)
    if ((elements *= std::max<std::int64_t>(s, 1)) > most) return false;
  return p.results > 1 && has_several_operations(p) && p.functions.empty();
}

}  // namespace

std::vector<generated_kernel> generate_kernels(const program &p, const program_arguments &arguments, bool aliased,
                                               const device_sizes &device, std::size_t *workspace_bytes) {
  kernel_program w{kernel_name_for(p), simplify(p), {}, {}, {}, aliased, device};
  w.interleaved = find_interleaved(w.code, arguments.memory);
  classify_reductions(w);
  w.temporary_of.assign(w.code.code.size(), kernel_program::no_operand);
  for (const std::byte *m : arguments.memory) w.alignment.push_back(alignment_of(m));
  kernel_program before = w;  // with the temporaries that earlier kernels have written
  std::vector<kernel_pass> passes = split_into_passes(w);
  std::size_t at = 0;
  const auto reserve = [&](std::size_t bytes) {
    const std::size_t here = at;
    at += (bytes + 255) / 256 * 256;
    return here;
  };
  for (std::size_t &t : w.temporaries) t = reserve(t);
  before.code.memory = w.code.memory;
  before.temporaries = w.temporaries;
  before.alignment = w.alignment;
  std::vector<generated_kernel> kernels;
  for (const kernel_pass &pass : passes) {
    if (!pass.stages.empty()) {
      generated_kernel k = generate_reduction_kernel(before, pass, at);
      reserve(k.workspace_bytes);
      kernels.push_back(std::move(k));
    } else if (const auto transposed = find_transposed_operands(before, pass)) {
      kernels.push_back(generate_tile_kernel(before, pass, *transposed));
    } else {
      kernels.push_back(generate_element_kernel(before, pass));
    }
    kernels.back().name = w.name;
    for (const auto &[value, operand] : pass.temporaries) before.temporary_of[value] = operand;
  }
  if (workspace_bytes) *workspace_bytes = at;
  return kernels;
}

ref<const backend::code> compile_kernel(const generated_kernel &kernel, backend::device &device,
                                        const function_list &functions) {
  const std::span<const unsigned char> bytes(reinterpret_cast<const unsigned char *>(kernel.text.data()),
                                             kernel.text.size());
  const jit::digest hash = jit::digest_of(bytes);
  return code_table::get().find_or_make(device, hash, [&] {
    jit::specialisation shape;
    shape.grouped = true;
    shape.local = {kernel.local, 0, 0};
    shape.sub_group_size = kernel.sub_group;
    jit::source source{bytes, kernel.name, hash};
    if (!functions.empty()) source.make = [&] { return with_definitions(bytes, functions); };
    return jit::compile(source, shape, device).code;
  });
}

void compile_ahead(generated_kernel kernel, backend::device &device, function_list functions) {
  ahead_of_use([kernel = std::move(kernel), &device, functions = std::move(functions)] {
    compile_kernel(kernel, device, functions);
  });
}

bool is_prepared(const program &p, const program_arguments &arguments, bool aliased, const backend::device &device) {
  return all_prepared().find(key_of(p, arguments, aliased, device)) || is_small(p);
}

std::shared_ptr<const prepared_kernels> prepare_unless_small(const program &p, const program_arguments &arguments,
                                                             bool aliased, backend::device &device) {
  if (!is_small(p) || composes()) return prepare(p, arguments, aliased, device);
  const program_key &key = key_of(p, arguments, aliased, device);
  if (auto known = all_prepared().find(key)) return known;
  static auto &all_requests = *new program_cache<small_program>;
  std::shared_ptr<const small_program> requested = all_requests.find(key);
  if (!requested) requested = all_requests.add(key, std::make_shared<const small_program>());
  if (requested->requests.fetch_add(1, std::memory_order_relaxed) == 1)
    ahead_of_use([p, arguments, aliased, &device] { prepare(p, arguments, aliased, device); });
  return nullptr;
}

std::shared_ptr<const prepared_kernels> prepare(const program &p, const program_arguments &arguments, bool aliased,
                                                backend::device &device) {
  const program_key &key_of_thread = key_of(p, arguments, aliased, device);
  if (auto known = all_prepared().find(key_of_thread)) return known;
  // A copy, since a signal handler of the interpreter may prepare another program during the compilation.
  const program_key key = key_of_thread;
  auto prepared = std::make_shared<prepared_kernels>();
  prepared->functions = p.functions;
  const auto record_build_error = [&](const std::exception &e) {
    if (!has_several_operations(p)) throw;
    prepared->kernels.clear();
    prepared->build_error = e.what();
  };
  try {
    std::vector<generated_kernel> kernels =
        generate_kernels(p, arguments, aliased, device_sizes(device.info()), &prepared->workspace_bytes);
    for (const generated_kernel &later : kernels | std::views::drop(1)) compile_ahead(later, device, p.functions);
    for (generated_kernel &k : kernels) {
      ref<const backend::code> code = compile_kernel(k, device, p.functions);
      prepared->uses_counters |= k.uses_counters;
      prepared->kernels.push_back({std::move(code), std::move(k.arguments), k.local, std::size_t(k.groups)});
    }
  } catch (const exception &e) {
    if (e.code() != errc::build) throw;
    record_build_error(e);
  } catch (const std::logic_error &e) {  // the generator failed
    record_build_error(e);
  }
  return all_prepared().add(key, std::move(prepared));
}

}  // namespace dpep::array::gpu
