// The cache of plans: the most recently used ones, within a bound on their memory.
#include <functional>
#include <list>
#include <mutex>
#include <tuple>

#include "array/cpu/fourier_split.hpp"

namespace dpep::array::cpu {
namespace {

constexpr std::size_t most_bytes = std::size_t{128} << 20;

template <class Plan> class plan_cache {
public:
  using key = std::tuple<dtype, std::size_t, std::size_t>;
  std::shared_ptr<const Plan> find(const key &k, const std::function<std::shared_ptr<const Plan>()> &make) {
    {
      const std::lock_guard lock(mutex_);
      for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
        if (entry->first != k) continue;
        if (entry != entries_.begin()) entries_.splice(entries_.begin(), entries_, entry);
        return entry->second;
      }
    }
    std::shared_ptr<const Plan> made = make();  // without the lock: takes milliseconds for a long line
    if (!made) return {};
    const std::lock_guard lock(mutex_);
    entries_.emplace_front(k, made);
    bytes_ += made->bytes();
    while ((bytes_ > most_bytes || entries_.size() > most_plans) && entries_.size() > 1) {
      bytes_ -= entries_.back().second->bytes();
      entries_.pop_back();
    }
    return made;
  }

private:
  static constexpr std::size_t most_plans = 64;  // the search is linear
  std::mutex mutex_;
  std::list<std::pair<key, std::shared_ptr<const Plan>>> entries_;
  std::size_t bytes_ = 0;
};

}  // namespace

std::shared_ptr<const fourier_plan> find_plan(dtype real, std::size_t length, std::size_t lanes) {
  // never destroyed: threads may compute until the process ends
  static auto &cache = *new plan_cache<fourier_plan>;
  return cache.find({real, length, lanes}, [&] { return std::make_shared<const fourier_plan>(real, length, lanes); });
}

std::shared_ptr<const pair_roots> find_pair_roots(dtype real, std::size_t half) {
  static auto &cache = *new plan_cache<pair_roots>;
  return cache.find({real, half, 1}, [&] { return std::make_shared<const pair_roots>(real, half); });
}

std::shared_ptr<const split_plan> find_split_plan(dtype real, std::size_t length) {
  static auto &cache = *new plan_cache<split_plan>;
  return cache.find({real, length, 1}, [&]() -> std::shared_ptr<const split_plan> {
    const std::size_t rows = split_rows(length);
    return rows == 1 ? nullptr : std::make_shared<const split_plan>(real, rows, length / rows);
  });
}

std::shared_ptr<const convolution_plan> find_convolution_plan(dtype real, std::size_t length) {
  static auto &cache = *new plan_cache<convolution_plan>;
  return cache.find({real, length, 1}, [&] { return std::make_shared<const convolution_plan>(real, length); });
}

}  // namespace dpep::array::cpu
