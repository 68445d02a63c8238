// A cache of objects that are prepared for programs, such as compiled code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "array/fusion/program.hpp"

namespace dpep::array {

/// A cache key of a program with its sizes and strides, and a device.
class program_key {
public:
  void clear() { words_.clear(); }
  void write(const program &p, bool aliased, const void *device) {
    clear();
    add(std::uint64_t(p.sizes.size()) | std::uint64_t(p.memory.size()) << 16 | std::uint64_t(p.code.size()) << 32 |
        std::uint64_t(aliased) << 63);
    add(reinterpret_cast<std::uintptr_t>(device));
    for (const std::int64_t s : p.sizes) add(std::uint64_t(s));
    for (const memory_operand &m : p.memory) {
      add(std::uint64_t(m.type) | std::uint64_t(m.written) << 8);
      for (const std::int64_t s : m.strides) add(std::uint64_t(s));
    }
    for (const instruction &i : p.code) {
      add(std::uint64_t(i.what) | std::uint64_t(i.type) << 8 | std::uint64_t(i.code) << 16 |
          std::uint64_t(i.how) << 24 | std::uint64_t(i.operand) << 32);
      add(i.inputs[0] | std::uint64_t(i.inputs[1]) << 16 | std::uint64_t(i.inputs[2]) << 32);
      if (i.function) {
        add(reinterpret_cast<std::uintptr_t>(i.function));
        for (std::size_t k = 3; k < i.inputs.size(); ++k) add(i.inputs[k]);
      }
      add(i.axes.bits());
      add(i.over.bits());
    }
  }
  /// Adds a word that the preparation depends on.
  void add(std::uint64_t word) { words_.push_back(word); }

  std::uint64_t hash() const noexcept {
    std::uint64_t h = 0x9e3779b97f4a7c15;
    for (const std::uint64_t word : words_) {
      const auto product = static_cast<unsigned __int128>(h ^ word) * 0xff51afd7ed558ccdu;
      h = std::uint64_t(product) ^ std::uint64_t(product >> 64) ^ (h << 1);
    }
    return h;
  }
  friend bool operator==(const program_key &, const program_key &) = default;

private:
  std::vector<std::uint64_t> words_;
};

/// A cache of the most recently used entries. Those of programs have about 1.5 KB each: a loop over the steps of a
/// triangular scheme has a program or more for each step.
template <class Code, std::size_t max_entries = 4096> class program_cache {
public:
  std::shared_ptr<const Code> find(const program_key &key) {
    const std::uint64_t hash = key.hash();
    const std::lock_guard lock(mutex_);
    return find(hash, key);
  }
  /// Adds an entry and returns its value. An entry that another thread has added meanwhile is kept, and its value is
  /// returned: so there is one cost estimate for both threads.
  std::shared_ptr<const Code> add(const program_key &key, std::shared_ptr<const Code> code) {
    const std::uint64_t hash = key.hash();
    const std::lock_guard lock(mutex_);
    if (auto known = find(hash, key)) return known;
    evict();
    entries_.emplace(hash, entry{key, code, ++clock_});
    return code;
  }

private:
  struct entry {
    program_key key;
    std::shared_ptr<const Code> code;
    std::uint64_t used = 0;
  };
  std::mutex mutex_;
  std::unordered_multimap<std::uint64_t, entry> entries_;
  std::uint64_t clock_ = 0;

  std::shared_ptr<const Code> find(std::uint64_t hash, const program_key &key) {
    const auto [first, last] = entries_.equal_range(hash);
    for (auto e = first; e != last; ++e)
      if (e->second.key == key) {
        e->second.used = ++clock_;
        return e->second.code;
      }
    return nullptr;
  }
  // Removes the least recently used quarter at once, so that this is rare.
  void evict() {
    if (entries_.size() < max_entries) return;
    std::vector<std::uint64_t> times;
    for (const auto &[hash, e] : entries_) times.push_back(e.used);
    std::ranges::nth_element(times, times.begin() + max_entries / 4);
    const std::uint64_t oldest = times[max_entries / 4];
    std::erase_if(entries_, [&](const auto &e) { return e.second.used < oldest; });
  }
};

}  // namespace dpep::array
