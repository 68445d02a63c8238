// What the work-items of a sub-group do together with their states in a scan, by shuffles.
#pragma once

#include <string>
#include <vector>

#include "array/gpu/scan_text.hpp"
#include "array/gpu/item_values.hpp"

namespace dpep::array::gpu {

class sub_group_text : public scan_text {
public:
  using scan_text::scan_text;

protected:
  static constexpr std::int64_t sub_group = 32;
  std::string own_lane_, lane_;  // the work-item's number in its sub-group: an i32, and an index

  void find_lane() {
    own_lane_ = text_.lane();
    lane_ = text_.wide() ? text_.let("zext i32 {} to i64", own_lane_) : own_lane_;
  }
  std::string lane_before(std::int64_t distance) { return text_.let("sub i32 {}, {}", own_lane_, distance); }
  std::string lane_after(std::int64_t distance) { return text_.let("add i32 {}, {}", own_lane_, distance); }
  /// For each word of a state: its type, its bytes, and a function that finds it in a state.
  template <class F> void each_state_word(F body) {
    const state_words words = words_of(bytes_);
    for (std::size_t k = 0; k < words.count; ++k)
      body(words.type, words.bytes, [&, k](const std::string &state) {
        return k ? text_.let("getelementptr i8, ptr {}, i64 {}", state, k * words.bytes) : state;
      });
  }
  /// The state of another work-item of the sub-group.
  std::string moved(const std::string &from, const std::string &lane) {
    const std::string to = state();
    each_state_word([&](const std::string &type, std::size_t bytes, auto word) {
      const std::string value = text_.let("load {}, ptr {}, align {}", type, word(from), bytes);
      text_.line("store {} {}, ptr {}, align {}", type, text_.shuffle(bytes, value, lane), word(to), bytes);
    });
    return to;
  }
  /// Without a branch.
  void copy_where(const std::string &condition, const std::string &to, const std::string &from) {
    each_state_word([&](const std::string &type, std::size_t bytes, auto word) {
      const std::string was = text_.let("load {}, ptr {}, align {}", type, word(to), bytes);
      const std::string is = text_.let("load {}, ptr {}, align {}", type, word(from), bytes);
      text_.line("store {} {}, ptr {}, align {}", type,
                 text_.let("select i1 {}, {} {}, {} {}", condition, type, is, type, was), word(to), bytes);
    });
  }
  // Sums grow from neighbours to neighbours, as far as others' do: elements far from each other may only be within
  // reach of a number by what lies between them.
  template <class F> void each_distance(F body) {
    for (std::int64_t distance = 1; distance < sub_group; distance *= 2) body(distance);
  }
  /// Adds up what the sub-group's work-items have; for the first one.
  void reduce(const std::string &sum) {
    each_distance([&](std::int64_t distance) { merge(sum, moved(sum, lane_after(distance))); });
  }
  /// What the sub-group's work-items have, each with all before it; of several lists.
  void add_along(const std::vector<std::string> &lists) {
    each_distance([&](std::int64_t distance) {
      const std::string from = lane_before(distance), has = compare("sge", lane_, distance);
      std::vector<std::string> others;
      for (const std::string &mine : lists) others.push_back(moved(mine, from));
      for (std::size_t k = 0; k < lists.size(); ++k) {
        merge(others[k], lists[k]);
        copy_where(has, lists[k], others[k]);
      }
    });
  }
};

}  // namespace dpep::array::gpu
