// Sub-group operations on states of scans, by shuffles.
#pragma once

#include <string>
#include <vector>

#include "array/gpu/item_values.hpp"
#include "array/gpu/scan_text.hpp"

namespace dpep::array::gpu {

class sub_group_text : public scan_text {
public:
  explicit sub_group_text(const scan_task &t) : scan_text(t), sub_group_size_(t.device.sub_group) {}

protected:
  const std::int64_t sub_group_size_;
  std::string local_id_, lane_;  // the sub-group local id: as an i32, and as an index

  void find_lane() {
    local_id_ = text_.sub_group_local_id();
    lane_ = text_.wide() ? text_.let("zext i32 {} to i64", local_id_) : local_id_;
  }
  std::string lane_before(std::int64_t distance) { return text_.let("sub i32 {}, {}", local_id_, distance); }
  std::string lane_after(std::int64_t distance) { return text_.let("add i32 {}, {}", local_id_, distance); }
  /// Calls the body for each word of a state, with its type, its size in bytes, and a function that computes its
  /// address.
  template <class F> void each_state_word(F body) {
    const state_words words = words_of(bytes_);
    for (std::size_t k = 0; k < words.count; ++k)
      body(words.type, words.bytes, [&, k](const std::string &state) {
        return k ? text_.let("getelementptr i8, ptr {}, i64 {}", state, k * words.bytes) : state;
      });
  }
  /// The state of another work-item of the sub-group.
  std::string shuffled(const std::string &from, const std::string &lane) {
    const std::string to = state();
    each_state_word([&](const std::string &type, std::size_t bytes, auto word) {
      const std::string value = text_.let("load {}, ptr {}, align {}", type, word(from), bytes);
      text_.line("store {} {}, ptr {}, align {}", type, text_.shuffle(bytes, value, lane), word(to), bytes);
    });
    return to;
  }
  /// Copies the state if the condition holds, without a branch.
  void copy_where(const std::string &condition, const std::string &to, const std::string &from) {
    each_state_word([&](const std::string &type, std::size_t bytes, auto word) {
      const std::string was = text_.let("load {}, ptr {}, align {}", type, word(to), bytes);
      const std::string is = text_.let("load {}, ptr {}, align {}", type, word(from), bytes);
      text_.line("store {} {}, ptr {}, align {}", type,
                 text_.let("select i1 {}, {} {}, {} {}", condition, type, is, type, was), word(to), bytes);
    });
  }
  // Distances grow from 1, so that states of adjacent elements are merged first: the values of distant elements may
  // differ so much that one is lost if they are combined directly.
  template <class F> void each_distance(F body) {
    for (std::int64_t distance = 1; distance < sub_group_size_; distance *= 2) body(distance);
  }
  /// Merges the states of all work-items of the sub-group; the result is valid in the first work-item.
  void reduce(const std::string &sum) {
    each_distance([&](std::int64_t distance) { merge(sum, shuffled(sum, lane_after(distance))); });
  }
  /// An inclusive scan of states over the sub-group, of several states at once.
  void inclusive_scan(const std::vector<std::string> &lists) {
    each_distance([&](std::int64_t distance) {
      const std::string from = lane_before(distance), has = compare("sge", lane_, distance);
      std::vector<std::string> others;
      for (const std::string &mine : lists) others.push_back(shuffled(mine, from));
      for (std::size_t k = 0; k < lists.size(); ++k) {
        merge(others[k], lists[k]);
        copy_where(has, lists[k], others[k]);
      }
    });
  }
};

}  // namespace dpep::array::gpu
