// Preparing programs, and the cache of those.
#include "array/prepared.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include "array/cells.hpp"
#include "array/run_arguments.hpp"

namespace dpep::array {
namespace {

constexpr double short_nanoseconds = 25'000, tail_nanoseconds = 10'000;
constexpr std::size_t most_workspace_in_scratch = 64 * 1024;
constexpr std::size_t most_prepared = 1024;

std::string name_for(const program &p) {
  std::string name = "array:";
  for (const instruction &i : p.code) {
    if (name.size() > 60) return name + "…";
    if (i.what == step::element)
      name += i.code == opcode::cast    ? " cast"
              : i.code == opcode::where ? " where"
              : i.code == opcode::clip  ? " clip"
                                        : " " + std::string(info(i.code).name);
    if (i.what == step::reduce) name += " " + std::string(name_of(i.how));
  }
  return name.back() == ':' ? "array: copy" : name;
}

void ask_for_compiled(const prepared_program &p) noexcept {
  for (const std::shared_ptr<fused_run> &run : p.runs) run->ask();
}

/// Of programs that take longer than their launch: the compiled form of their runs. Those that other programs have
/// are compiled now.
void find_compiled(prepared_program &p, backend::device &device) {
  for (lowered &l : p.passes)
    for (cell_code &variant : l.variants)
      for (fused_call &f : variant.fused) {
        f.run = fused_run::find(f.description, device);
        if (std::ranges::find(p.runs, f.run) == p.runs.end()) p.runs.push_back(f.run);
      }
  ask_for_compiled(p);
}

// Merging the states of all segments takes less time than another launch.
bool finishes_quickly(const lowered &l) {
  double nanoseconds = 0;
  for (const outer_reduction &o : l.outers) nanoseconds += double(o.results) * double(o.copies + 1);
  return nanoseconds < tail_nanoseconds;
}
bool is_quick(const lowered &l) { return l.plan.nanoseconds < tail_nanoseconds && finishes_quickly(l); }

std::shared_ptr<const prepared_program> make(const program &p, bool aliased, backend::device &device) {
  auto made = std::make_shared<prepared_program>();
  made->operands = p.memory.size();
  made->name = name_for(p);
  for (const instruction &i : p.code)
    if (i.what == step::scalar) made->scalars.emplace_back(i.operand, i.type);
  const auto place = [&](std::int64_t bytes) {
    const auto at = std::int64_t(made->workspace_bytes);
    made->workspace_bytes += std::size_t((bytes + 63) & ~std::int64_t{63});
    return at;
  };
  for (pass &work : split(simplify(p), aliased)) {
    const lowered &l = made->passes.emplace_back(lower(plan(std::move(work), aliased)));
    std::vector<std::int64_t> states;
    for (std::size_t o = 0; o < l.outers.size(); ++o) {
      states.push_back(place(l.bases.states_of_chunk[o] * std::max<std::int64_t>(l.outers[o].copies, 1)));
      made->temporary_offsets.push_back(place(l.outers[o].results * std::int64_t(l.outers[o].reducer->result_bytes)));
    }
    made->states_offsets.push_back(std::move(states));
    made->scratch_bytes = std::max(made->scratch_bytes, scratch_bytes_of(l));
    made->nanoseconds += l.plan.nanoseconds;
  }
  using stage = prepared_program::stage;
  if (made->nanoseconds < short_nanoseconds && made->workspace_bytes <= most_workspace_in_scratch) {
    made->stages.push_back({stage::kind::whole, 0, 1, true});
    return made;
  }
  find_compiled(*made, device);
  for (std::uint32_t k = 0; k < made->passes.size();) {
    const lowered &l = made->passes[k];
    stage segments{stage::kind::segments, k, k, std::size_t(l.plan.segments), l.plan.nanoseconds < short_nanoseconds};
    const std::int64_t blocks = finishing_blocks(l);
    std::uint32_t next = k + 1;
    if (l.plan.segments && finishes_quickly(l)) {
      while (next < made->passes.size() && is_quick(made->passes[next])) ++next;
      if (blocks)
        segments.next = next;
      else
        next = k + 1;
    }
    if (l.plan.segments) made->stages.push_back(segments);
    if (blocks && segments.next == k)
      made->stages.push_back({stage::kind::finishing, k, k, std::size_t(blocks), blocks <= 2});
    k = next;
  }
  if (made->workspace_bytes) made->counters_offset = place(std::int64_t(made->stages.size() * sizeof(std::uint64_t)));
  return made;
}

std::shared_ptr<const program_code> load(std::shared_ptr<const prepared_program> p, backend::device &device) {
  auto code = std::make_shared<program_code>();
  const std::size_t scratch =
      p->scratch_bytes + (p->stages.front().what == prepared_program::stage::kind::whole ? p->workspace_bytes : 0);
  for (const auto &stage : p->stages) {
    backend::code_object object;
    object.loaded = std::const_pointer_cast<prepared_program>(p);  // tasks keep what they run
    object.entry = reinterpret_cast<void *>(entry_of(stage.what));
    object.name = p->name;
    code->stages.push_back(device.load(object, {.grouped = true, .static_local_bytes = scratch}));
  }
  code->program = std::move(p);
  return code;
}

// -- The cache

/// All that a schedule depends on, as words.
void write_key(const program &p, bool aliased, const backend::device &device, std::vector<std::uint64_t> &key) {
  key.clear();
  key.push_back(std::uint64_t(p.sizes.size()) | std::uint64_t(p.memory.size()) << 16 |
                std::uint64_t(p.code.size()) << 32 | std::uint64_t(aliased) << 63);
  key.push_back(reinterpret_cast<std::uintptr_t>(&device));
  for (const std::int64_t s : p.sizes) key.push_back(std::uint64_t(s));
  for (const memory_operand &m : p.memory) {
    key.push_back(std::uint64_t(m.type) | std::uint64_t(m.written) << 8);
    for (const std::int64_t s : m.strides) key.push_back(std::uint64_t(s));
  }
  for (const instruction &i : p.code) {
    key.push_back(std::uint64_t(i.what) | std::uint64_t(i.type) << 8 | std::uint64_t(i.code) << 16 |
                  std::uint64_t(i.how) << 24 | std::uint64_t(i.operand) << 32);
    key.push_back(i.inputs[0] | std::uint64_t(i.inputs[1]) << 16 | std::uint64_t(i.inputs[2]) << 32);
    key.push_back(i.axes.bits());
    key.push_back(i.over.bits());
  }
}

std::uint64_t hash_of(const std::vector<std::uint64_t> &key) {
  std::uint64_t h = 0x9e3779b97f4a7c15;
  for (const std::uint64_t word : key) {
    const auto product = static_cast<unsigned __int128>(h ^ word) * 0xff51afd7ed558ccdu;
    h = std::uint64_t(product) ^ std::uint64_t(product >> 64) ^ (h << 1);
  }
  return h;
}

struct entry {
  std::vector<std::uint64_t> key;
  std::shared_ptr<const program_code> code;
  std::uint64_t used = 0;
};

struct cache {
  std::mutex mutex;
  std::unordered_multimap<std::uint64_t, entry> entries;
  std::uint64_t clock = 0;

  std::shared_ptr<const program_code> find(std::uint64_t hash, const std::vector<std::uint64_t> &key) {
    const auto [first, last] = entries.equal_range(hash);
    for (auto e = first; e != last; ++e)
      if (e->second.key == key) {
        e->second.used = ++clock;
        return e->second.code;
      }
    return nullptr;
  }

  // The quarter that was not used for longest goes at once, so that this is rare.
  void make_room() {
    if (entries.size() < most_prepared) return;
    std::vector<std::uint64_t> times;
    for (const auto &[hash, e] : entries) times.push_back(e.used);
    std::ranges::nth_element(times, times.begin() + most_prepared / 4);
    const std::uint64_t oldest = times[most_prepared / 4];
    std::erase_if(entries, [&](const auto &e) { return e.second.used < oldest; });
  }
};

cache &all_prepared() {
  static cache &c = *new cache;  // programs may run until the end
  return c;
}

}  // namespace

std::shared_ptr<const program_code> prepare(const program &p, bool aliased, backend::device &device) {
  static thread_local std::vector<std::uint64_t> key;
  write_key(p, aliased, device, key);
  const std::uint64_t hash = hash_of(key);
  cache &c = all_prepared();
  {
    const std::lock_guard lock(c.mutex);
    if (auto known = c.find(hash, key)) {
      if (!known->program->met_again.exchange(true, std::memory_order_relaxed)) ask_for_compiled(*known->program);
      return known;
    }
  }
  auto code = load(make(p, aliased, device), device);
  const std::lock_guard lock(c.mutex);
  if (auto known = c.find(hash, key)) return known;  // another thread was faster: one cost estimate for both
  c.make_room();
  c.entries.emplace(hash, entry{key, code, ++c.clock});
  return code;
}

}  // namespace dpep::array
