// Programs made ready to be launched.
#include "array/gpu/prepared_kernels.hpp"

#include <bit>
#include <cctype>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "array/gpu/by_operation.hpp"
#include "array/fusion/program_cache.hpp"
#include "jit/launch/compiler.hpp"
#include "jit/launch/shared_work.hpp"

namespace dpep::array::gpu {
namespace {

/// The power of two that the address is a multiple of, up to 16.
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

/// Kernels' codes by their texts. Who wants one that another thread is compiling waits for that.
class code_table {
public:
  static code_table &get() {
    static auto &table = *new code_table;  // programs may run until the end
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
    return under_way_.share(wanted, find, [&] {
      ref<const backend::code> made = make();
      const std::lock_guard lock(mutex_);
      if (codes_.size() >= most) codes_.clear();  // what is prepared keeps its own
      codes_.emplace(wanted, made);
      return made;
    });
  }

private:
  using key = std::pair<const backend::device *, jit::digest>;
  static constexpr std::size_t most = 4096;
  std::mutex mutex_;
  std::map<key, ref<const backend::code>> codes_;
  jit::shared_work<key, ref<const backend::code>> under_way_;
};

program_cache<prepared_work> &all_prepared() {
  static auto &cache = *new program_cache<prepared_work>;
  return cache;
}

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
  return key;
}

}  // namespace

std::vector<made_kernel> make_kernels(const program &p, const program_arguments &arguments, bool aliased,
                                      std::size_t *workspace_bytes) {
  work w{kernel_name_for(p), simplify(p), {}, {}, {}, aliased};
  examine(w);
  w.kept_in.assign(w.code.code.size(), work::nowhere);
  for (const std::byte *m : arguments.memory) w.alignment.push_back(alignment_of(m));
  work before = w;  // what earlier kernels have made, as it grows
  std::vector<kernel_pass> passes = split_for_gpu(w);
  std::size_t at = 0;
  const auto place = [&](std::size_t bytes) {
    const std::size_t here = at;
    at += (bytes + 255) / 256 * 256;
    return here;
  };
  for (std::size_t &t : w.temporaries) t = place(t);
  before.code.memory = w.code.memory;
  before.temporaries = w.temporaries;
  before.alignment = w.alignment;
  std::vector<made_kernel> made;
  for (const kernel_pass &pass : passes) {
    if (!pass.stages.empty()) {
      made_kernel k = make_reduction_kernel(before, pass, at);
      place(k.workspace_bytes);
      made.push_back(std::move(k));
    } else if (const auto apart = find_disagreement(before, pass)) {
      made.push_back(make_tile_kernel(before, pass, *apart));
    } else {
      made.push_back(make_element_kernel(before, pass));
    }
    made.back().name = w.name;
    for (const auto &[value, operand] : pass.temporaries) before.kept_in[value] = operand;
  }
  if (workspace_bytes) *workspace_bytes = at;
  return made;
}

ref<const backend::code> compile_kernel(const made_kernel &kernel, backend::device &device,
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

bool is_prepared(const program &p, const program_arguments &arguments, bool aliased, const backend::device &device) {
  return all_prepared().find(key_of(p, arguments, aliased, device)) != nullptr;
}

std::shared_ptr<const prepared_work> prepare(const program &p, const program_arguments &arguments, bool aliased,
                                             backend::device &device) {
  const program_key &key = key_of(p, arguments, aliased, device);
  if (auto known = all_prepared().find(key)) return known;
  auto ready = std::make_shared<prepared_work>();
  ready->functions = p.functions;
  const auto refuse = [&](const std::exception &e) {
    if (!has_several_operations(p)) throw;
    ready->kernels.clear();
    ready->refused = e.what();
  };
  try {
    for (made_kernel &k : make_kernels(p, arguments, aliased, &ready->workspace_bytes)) {
      ref<const backend::code> code = compile_kernel(k, device, p.functions);
      ready->uses_counters |= k.uses_counters;
      ready->kernels.push_back({std::move(code), std::move(k.arguments), k.local, std::size_t(k.groups)});
    }
  } catch (const exception &e) {
    if (e.code() != errc::build) throw;
    refuse(e);
  } catch (const std::logic_error &e) {  // no text could be made
    refuse(e);
  }
  return all_prepared().add(key, std::move(ready));
}

}  // namespace dpep::array::gpu
