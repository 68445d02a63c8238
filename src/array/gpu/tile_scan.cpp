// Generates scans of contiguous rows in tiles.
#include <algorithm>

#include "array/gpu/sub_group_text.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t many_rows = 64;  // the number of short rows from which each sub-group scans a row of its own
constexpr std::int64_t long_row = std::int64_t(1) << 22;  // the length from which more code is worth its compile time
constexpr std::int64_t block = 64;                        // tiles whose totals are summed together
constexpr std::int64_t slots = 2;                         // tiles that a work-group keeps in local memory
constexpr std::int64_t resident_groups_each = 2;          // work-groups on a compute unit for long rows

class tile_scan : sub_group_text {
public:
  explicit tile_scan(const scan_task &t)
      : sub_group_text(t),
        by_sub_groups_(t.outer >= many_rows && 2 * t.length <= usual_group() * max_lanes() * max_steps()),
        group_(bytes_ <= 8 && t.length > usual_group() * max_lanes() * max_steps() ? limited(512) : usual_group()),
        sub_groups_(group_ / sub_group_size_),
        lanes_(by_sub_groups_ && t.length <= 2 * sub_group_size_ ? std::min<std::int64_t>(max_lanes(), 2)
                                                                 : max_lanes()),
        steps_(by_sub_groups_ ? std::min(max_steps(), ceil_div(t.length, sub_group_size_ * lanes_)) : steps_that_fit()),
        tile_((by_sub_groups_ ? sub_group_size_ : group_) * lanes_ * steps_),
        tiles_in_row_(ceil_div(t.length, tile_)) {}

  generated_kernel generate() {
    generated_kernel kernel;
    kernel.local = std::uint32_t(group_);
    kernel.sub_group = std::uint32_t(sub_group_size_);
    item_ = text_.local_id();
    leader_ = compare("eq", item_, 0);
    find_lane();
    sub_group_ = arithmetic("udiv", item_, sub_group_size_);
    find_offset();
    if (by_sub_groups_) {
      kernel.groups = ceil_div(task_.outer, sub_groups_);
      scan_rows();
    } else if (tiles_in_row_ == 1) {
      kernel.groups = task_.outer;
      find_tile(text_.group_id());
      scan_tile();
    } else {
      const std::int64_t tiles = task_.outer * tiles_in_row_;
      kernel.groups = std::min(tiles, resident_groups());
      kernel.workspace_bytes = std::size_t(8 * words() * tiles);
      kernel.uses_counters = true;
      scan_tiles(tiles, kernel.groups);
    }
    kernel.name = "array_accumulate_" + std::string(name_of(task_.how));
    // limits registers to 64 for each work-item, or to 40 for small types if nothing is kept between tiles
    text_.set_resident_groups(kernel.uses_counters ? int(resident_groups_each)
                              : bytes_ <= 4        ? 3
                              : bytes_ <= 8        ? int(1024 / group_)
                                                   : 2);
    kernel.text = text_.finish(kernel.name, "scan of tiles");
    kernel.arguments = text_.take_arguments();
    return kernel;
  }

private:
  std::int64_t max_lanes() const {
    return std::clamp<std::int64_t>((has_long_steps() && task_.length < long_row ? 8 : 16) / item(), 1, 4);
  }
  // the code grows with the number of steps
  std::int64_t max_steps() const { return has_long_steps() ? 1 : 4; }
  std::int64_t usual_group() const { return limited(bytes_ > 4 ? 256 : 512); }
  // the totals of a work-group's sub-groups are summed by one sub-group, each by a work-item
  std::int64_t limited(std::int64_t group) const { return std::min(group, sub_group_size_ * sub_group_size_); }
  std::int64_t resident_groups() const { return task_.device.compute_units * resident_groups_each; }
  /// The number of steps. One step if more would leave work-groups without a tile: tiles of several steps need more
  /// code, which is compiled on first use. Tiles in local memory must leave room for another work-group.
  std::int64_t steps_that_fit() const {
    const std::int64_t at_once = group_ * max_lanes();
    std::int64_t steps = max_steps();
    if (task_.length <= at_once * steps) return ceil_div(task_.length, at_once);  // the row is one tile
    while (steps > 1 && (std::size_t(resident_groups_each * local_bytes(steps)) > task_.device.local_bytes ||
                         task_.outer * ceil_div(task_.length, at_once * steps) < resident_groups()))
      steps /= 2;
    return steps;
  }

  const bool by_sub_groups_;          // each sub-group scans rows of its own
  const std::int64_t group_;          // the work-group size
  const std::int64_t sub_groups_;     // of a work-group
  const std::int64_t lanes_, steps_;  // adjacent elements that a work-item accesses at once, and how many times
  const std::int64_t tile_;           // elements of a tile: of a work-group, or of a sub-group in one step
  const std::int64_t tiles_in_row_;
  std::string item_, leader_, sub_group_;
  std::string tile_number_, row_, tile_in_row_, first_, count_, whole_, offset_;

  // Variables of a work-item, by step and lane.
  using elements_of_item = std::vector<std::vector<std::string>>;
  using states = elements_of_item;

  // -- Tiles

  void find_offset() {
    // the elements of a sub-group are contiguous
    offset_ = text_.mul(lane_, std::to_string(lanes_));
    if (!by_sub_groups_)
      offset_ = text_.add(offset_, text_.mul(sub_group_, std::to_string(steps_ * sub_group_size_ * lanes_)));
  }
  /// Selects the elements from index `at` of the row to its end, at most a tile, for loads and stores.
  void select_elements(const std::string &row, const std::string &at) {
    const std::string length = text_.number("length", task_.length);
    first_ = text_.add(text_.mul(row, length), at);
    const std::string left = arithmetic("sub", length, at);
    count_ = select(text_.less(left, std::to_string(tile_)), left, std::to_string(tile_));
    whole_ = compare("eq", count_, tile_);
  }
  void find_tile(const std::string &number) {
    tile_number_ = number;
    if (task_.outer == 1) {
      row_ = "0", tile_in_row_ = number;
      return select_elements(row_, text_.mul(tile_in_row_, std::to_string(tile_)));
    }
    const std::string tiles = text_.number("tiles in row", tiles_in_row_);
    row_ = arithmetic("udiv", tile_number_, tiles);
    tile_in_row_ = arithmetic("sub", tile_number_, text_.mul(row_, tiles));
    select_elements(row_, text_.mul(tile_in_row_, std::to_string(tile_)));
  }
  std::string vector() const { return fmt::format("<{} x {}>", lanes_, type_); }
  std::int64_t vector_bytes() const { return lanes_ * item(); }
  std::string in_tile(std::int64_t step, std::int64_t lane) {
    return text_.add(offset_, std::to_string(step * sub_group_size_ * lanes_ + lane));
  }

  /// Sets a variable to zero to end the lifetime of its old value, which would occupy registers otherwise. LLVM's
  /// lifetime intrinsics do not suffice, because they do not reach the driver's assembler.
  void set_zero(const std::string &type, const std::string &variable) {
    text_.line("store {} zeroinitializer, ptr {}", type, variable);
  }
  elements_of_item variables() {
    elements_of_item elements;
    for (std::int64_t k = 0; k < steps_; ++k) {
      elements.emplace_back();
      for (std::int64_t l = 0; l < lanes_; ++l) {
        elements.back().push_back(text_.variable(type_, 16));
        set_zero(type_, elements.back().back());
      }
    }
    return elements;
  }
  /// Loads the elements into variables. After the end of the row, the last element is loaded again; results for these
  /// are not stored.
  void load_tile(const elements_of_item &elements) {
    const auto keep = [&](std::int64_t k, std::int64_t l, const std::string &value) {
      text_.line("store {} {}, ptr {}", type_, value, elements[std::size_t(k)][std::size_t(l)]);
    };
    const auto neighbours = [&] {
      const std::string from = element_at(0, text_.add(first_, offset_));
      for (std::int64_t k = 0; k < steps_; ++k) {
        const std::string at = element_after(from, k * sub_group_size_ * lanes_);
        if (task_.aligned && lanes_ > 1) {
          const std::string all = text_.let("load {}, ptr {}, align {}", vector(), at, vector_bytes());
          for (std::int64_t l = 0; l < lanes_; ++l)
            keep(k, l, text_.let("extractelement {} {}, i32 {}", vector(), all, l));
        } else {
          for (std::int64_t l = 0; l < lanes_; ++l)
            keep(k, l, text_.let("load {}, ptr {}, align {}", type_, element_after(at, l), alignment()));
        }
      }
    };
    text_.if_else(whole_, neighbours, [&] {
      const std::string last = minus_one(count_);
      for (std::int64_t k = 0; k < steps_; ++k)
        for (std::int64_t l = 0; l < lanes_; ++l) {
          const std::string i = in_tile(k, l);
          keep(k, l, load(0, text_.add(first_, select(compare("sgt", i, last), last, i))));
        }
    });
  }
  elements_of_item load_tile() {
    elements_of_item elements = variables();
    load_tile(elements);
    return elements;
  }
  std::string element_after(const std::string &element, std::int64_t k) {
    return k ? text_.let("getelementptr {}, ptr {}, i64 {}", type_, element, k) : element;
  }

  void store_tile(const states &all) {
    const std::string element = text_.variable(type_, 16);
    const auto value = [&](std::int64_t k, std::int64_t l) {
      result(element, all[std::size_t(k)][std::size_t(l)]);
      return text_.let("load {}, ptr {}", type_, element);
    };
    text_.if_else(
        whole_,
        [&] {
          const std::string to = element_at(1, text_.add(first_, offset_));
          for (std::int64_t k = 0; k < steps_; ++k) {
            const std::string at = element_after(to, k * sub_group_size_ * lanes_);
            if (task_.aligned && lanes_ > 1) {
              std::string values = "poison";
              for (std::int64_t l = 0; l < lanes_; ++l)
                values = text_.let("insertelement {} {}, {} {}, i32 {}", vector(), values, type_, value(k, l), l);
              text_.line("store {} {}, ptr {}, align {}, !nontemporal !1", vector(), values, at, vector_bytes());
            } else {
              for (std::int64_t l = 0; l < lanes_; ++l)
                text_.line("store {} {}, ptr {}, align {}", type_, value(k, l), element_after(at, l), alignment());
            }
          }
        },
        [&] {
          for (std::int64_t k = 0; k < steps_; ++k)
            for (std::int64_t l = 0; l < lanes_; ++l) {
              const std::string i = in_tile(k, l);
              text_.if_then(text_.less(i, count_), [&] { store(value(k, l), text_.add(first_, i)); });
            }
        });
  }

  // -- The work-group

  // Local memory: a state for each sub-group, of the tiles in both slots and of blocks of totals;
  static constexpr std::int64_t totals = 0;
  std::int64_t of_blocks() const { return slots * sub_groups_; }
  std::int64_t local_states() const { return of_blocks() + sub_groups_; }
  std::int64_t state_stride() const { return (std::int64_t(bytes_) + 7) / 8 * 8; }
  std::string local(std::int64_t slot, const std::string &index = "0") {
    const std::string base = text_.let("getelementptr i8, ptr {}, i64 {}", all_local(), slot * state_stride());
    return index == "0" ? base : at(base, index, std::size_t(state_stride()));
  }
  // then the tickets of two rounds, then the tiles that are kept.
  static constexpr std::int64_t ticket_bytes = 16;
  std::int64_t local_bytes(std::int64_t steps) const {
    return local_states() * state_stride() + ticket_bytes + slots * group_ * max_lanes() * steps * std::int64_t(bytes_);
  }
  std::string all_local() {
    return text_.local_memory(
        std::size_t(tiles_in_row_ > 1 && !by_sub_groups_ ? local_bytes(steps_) : local_states() * state_stride()));
  }
  std::string ticket_address(const std::string &slot) {
    return at(text_.let("getelementptr i8, ptr {}, i64 {}", all_local(), local_states() * state_stride()), slot, 4);
  }
  /// The part of the work-item in the tile in that slot: for each step, the states of its lanes as one vector.
  std::string slot_states(const std::string &slot) {
    const std::string tiles =
        text_.let("getelementptr i8, ptr {}, i64 {}", all_local(), local_states() * state_stride() + ticket_bytes);
    return at(tiles, text_.add(text_.mul(slot, std::to_string(tile_)), offset_), bytes_);
  }
  std::string slot_step(const std::string &kept, std::int64_t step) {
    return text_.let("getelementptr i8, ptr {}, i64 {}", kept, step * sub_group_size_ * kept_bytes());
  }
  std::int64_t kept_bytes() const { return lanes_ * std::int64_t(bytes_); }
  std::string kept_type() const {
    const state_words words = words_of(bytes_);
    return fmt::format("<{} x {}>", std::size_t(lanes_) * words.count, words.type);
  }
  void store_sum(std::int64_t first, const std::string &sum, const std::string &slot = "0") {
    const std::string number =
        slot == "0" ? sub_group_ : text_.add(text_.mul(slot, std::to_string(sub_groups_)), sub_group_);
    text_.if_then(compare("eq", lane_, 0), [&] { copy(local(first, number), sum); });
  }
  /// Adds the states that sub-groups have stored, in order: all, or those before sub-group `before`.
  void add_sums(const std::string &to, std::int64_t slot, const std::string &before = {}) {
    const std::string count = std::to_string(sub_groups_);
    const auto add_one = [&](const std::string &k) { merge(to, local(slot, k)); };
    if (before.empty()) return text_.rolled_loop(text_.index_type(), "0", count, "1", add_one);
    text_.loop(text_.index_type(), "0", count, "1",
               [&](const std::string &k) { text_.if_then(text_.less(k, before), [&] { add_one(k); }); });
  }

  // -- Words that work-groups publish: 32 bits of a state, with the tag of the launch in the upper half. A word is read
  // and written atomically, so that no other ordering is needed.

  std::int64_t words() const { return (std::int64_t(bytes_) + 3) / 4; }
  std::string total_of(const std::string &tile) { return at(text_.memory(2), tile, std::size_t(8 * words())); }

  std::string tag() { return text_.let("zext i32 {} to i64", text_.scalar(0, dtype::uint32)); }
  std::string part(const std::string &state, std::int64_t k) {
    return k ? text_.let("getelementptr i8, ptr {}, i64 {}", state, 4 * k) : state;
  }
  std::string part_type() const { return bytes_ < 4 ? fmt::format("i{}", 8 * bytes_) : "i32"; }
  std::size_t part_bytes() const { return std::min<std::size_t>(bytes_, 4); }
  std::string word(const std::string &of, std::int64_t k) {
    return k ? text_.let("getelementptr i8, ptr {}, i64 {}", of, 8 * k) : of;
  }
  void publish(const std::string &to, const std::string &state) {
    const std::string tagged = text_.let("shl i64 {}, 32", tag());
    for (std::int64_t k = 0; k < words(); ++k) {
      const std::string bits = text_.let("load {}, ptr {}, align {}", part_type(), part(state, k), part_bytes());
      const std::string value =
          text_.let("or i64 {}, {}", text_.let("zext {} to i64", part_type() + " " + bits), tagged);
      text_.line("store atomic i64 {}, ptr {} syncscope(\"device\") monotonic, align 8", value, word(to, k));
    }
  }
  /// Loads the words without checking their tags, so that they are in flight while other work is done.
  void begin_load(const std::vector<std::string> &words_of_tile, const std::string &from) {
    for (std::int64_t k = 0; k < words(); ++k) read(words_of_tile[std::size_t(k)], word(from, k));
  }
  void read(const std::string &to, const std::string &from) {
    text_.line("store i64 {}, ptr {}",
               text_.let("load atomic i64, ptr {} syncscope(\"device\") monotonic, align 8", from), to);
  }
  void await(const std::string &state, const std::string &from, const std::vector<std::string> &words_of_tile) {
    for (std::int64_t k = 0; k < words(); ++k) {
      const std::string &kept = words_of_tile[std::size_t(k)], address = word(from, k);
      text_.do_while([&] {
        const std::string has = text_.let("lshr i64 {}, 32", text_.let("load i64, ptr {}", kept));
        const std::string again = text_.let("icmp ne i64 {}, {}", has, tag());
        text_.if_then(again, [&] { read(kept, address); });
        return again;
      });
      const std::string bits = text_.let("trunc i64 {} to {}", text_.let("load i64, ptr {}", kept), part_type());
      text_.line("store {} {}, ptr {}, align {}", part_type(), bits, part(state, k), part_bytes());
    }
  }

  // -- Scanning tiles

  /// Scans the elements of a sub-group, continuing from `run`, which is advanced to the last element. Steps are
  /// interleaved where they are independent, so that shuffles do not stall.
  states scan_in_sub_groups(const elements_of_item &elements, const std::string &run) {
    states all;
    std::vector<std::string> totals_of_steps;
    for (const auto &step : elements) {
      std::vector<std::string> &mine = all.emplace_back();
      for (const std::string &e : step) {
        mine.push_back(state());
        if (mine.size() > 1)
          copy(mine.back(), mine[mine.size() - 2]);
        else
          start(mine.back());
        take(mine.back(), e);
      }
      totals_of_steps.push_back(state());
      copy(totals_of_steps.back(), mine.back());
    }
    inclusive_scan(totals_of_steps);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::string before = state(), sum = state(), other = shuffled(totals_of_steps[k], lane_before(1));
      copy(before, run);
      copy(sum, run);
      merge(sum, other);
      copy_where(compare("sgt", lane_, 0), before, sum);
      prepend(before, all[k]);
      merge(run, shuffled(totals_of_steps[k], std::to_string(sub_group_size_ - 1)));
    }
    return all;
  }

  /// A row for each sub-group, which scans it in a loop.
  void scan_rows() {
    const std::string row = text_.add(text_.mul(text_.group_id(), std::to_string(sub_groups_)), sub_group_);
    text_.if_then(text_.less(row, text_.number("rows", task_.outer)), [&] {
      const std::string run = state();
      start(run);
      text_.loop(text_.index_type(), "0", text_.number("length", task_.length), std::to_string(tile_),
                 [&](const std::string &at) {
                   select_elements(row, at);
                   store_tile(scan_in_sub_groups(load_tile(), run));
                 });
    });
  }

  /// A row for each work-group.
  void scan_tile() {
    const std::string run = state();
    start(run);
    states all = scan_in_sub_groups(load_tile(), run);
    store_sum(totals, run);
    text_.barrier();
    const std::string before = state();
    start(before);
    add_sums(before, totals, sub_group_);
    for (auto &step : all) prepend(before, step);
    store_tile(all);
  }

  // -- Long rows: a work-group takes tiles by tickets. In each round it loads another tile, completes the oldest tile
  // that it keeps, which hides the latency of the load, and then scans and keeps the new tile and publishes its total.
  // Once the sum before a tile is known, only additions are left.

  // the sum of the first blocks of a row, their number, and the row
  std::string sum_before_, blocks_before_, row_before_;
  std::vector<std::vector<std::string>> loaded_words_;  // of the totals after those blocks

  void scan_tiles(std::int64_t tiles, std::int64_t groups) {
    const std::string index = text_.index_type(), counter = text_.counters(), all = text_.number("tiles", tiles);
    const auto take_ticket = [&] {
      return text_.let("atomicrmw add ptr {}, i32 1 syncscope(\"device\") monotonic", counter);
    };
    const auto make_variable = [&](const std::string &type, const std::string &first) {
      const std::string v = text_.variable(type, 8);
      text_.line("store {} {}, ptr {}", type, first, v);
      return v;
    };
    sum_before_ = state();
    blocks_before_ = make_variable(index, "0"), row_before_ = make_variable(index, "-1");
    loaded_words_.resize(std::size_t(block / sub_group_size_));
    for (auto &words_of_one : loaded_words_)
      for (std::int64_t k = 0; k < words(); ++k) words_of_one.push_back(make_variable("i64", "0"));
    const std::string slot = make_variable(index, "0"), ticket = make_variable("i32", "0");
    const std::string oldest = make_variable(index, "-1"), newer = make_variable(index, "-1");
    text_.if_then(leader_, [&] {
      text_.line("store i32 {}, ptr {}", take_ticket(), ticket_address("0"));
      text_.line("store i32 {}, ptr {}", take_ticket(), ticket);
    });
    text_.barrier();

    text_.do_while([&] {
      const std::string here = text_.let("load {}, ptr {}", index, slot), other = arithmetic("xor", here, 1);
      const std::string taken = text_.let("load i32, ptr {}", ticket_address(here));
      const std::string fresh = text_.wide() ? text_.let("zext i32 {} to i64", taken) : taken;
      const std::string more = text_.less(fresh, all);
      text_.if_then(leader_, [&] {
        text_.line("store i32 {}, ptr {}", text_.let("load i32, ptr {}", ticket), ticket_address(other));
        text_.line("store i32 {}, ptr {}", take_ticket(), ticket);  // in flight until the next round
      });
      // other work-groups wait for totals, so these are published before the tile is loaded
      const std::string last = text_.let("load {}, ptr {}", index, newer), was_tile = compare("ult", last, all);
      text_.if_then(text_.let("and i1 {}, {}", was_tile, compare("eq", sub_group_, sub_groups_ - 1)),
                    [&] { publish_total(last, other); });
      const elements_of_item elements = variables();
      text_.if_then(more, [&] {
        find_tile(fresh);
        load_tile(elements);
      });
      const std::string known = text_.let("load {}, ptr {}", index, oldest), is_known = compare("sge", known, 0);
      text_.if_then(is_known, [&] {
        find_tile(known);
        finish_slot(here, sum_before_tile());
      });
      text_.if_then(more, [&] { store_in_slot(elements, here); });
      text_.barrier();
      text_.line("store {} {}, ptr {}", index, last, oldest);
      text_.line("store {} {}, ptr {}", index, fresh, newer);
      text_.line("store {} {}, ptr {}", index, other, slot);
      return text_.less(last, all);
    });

    // besides one ticket for each tile, each work-group took the first ones of the slots and the two that ended its
    // loop
    const std::string last = text_.number("last ticket", tiles + (slots + 2) * groups - 1);
    const std::string mine = text_.let("load i32, ptr {}", ticket);
    const std::string is_last = compare("eq", text_.wide() ? text_.let("zext i32 {} to i64", mine) : mine, last);
    text_.if_then(text_.let("and i1 {}, {}", leader_, is_last),
                  [&] { text_.line("store i32 0, ptr {}, align 4", counter); });  // reset for the next kernel
  }
  /// Scans the tile within sub-groups, and stores the states in the slot.
  void store_in_slot(const elements_of_item &elements, const std::string &slot) {
    const std::string to = slot_states(slot), run = state();
    start(run);
    const states all = scan_in_sub_groups(elements, run);
    for (std::int64_t k = 0; k < steps_; ++k) {
      std::string words = "poison";
      int number = 0;
      for (const std::string &one : all[std::size_t(k)])
        each_state_word([&](const std::string &type, std::size_t bytes, auto word) {
          words = text_.let("insertelement {} {}, {} {}, i32 {}", kept_type(), words, type,
                            text_.let("load {}, ptr {}, align {}", type, word(one), bytes), number++);
        });
      text_.line("store {} {}, ptr {}, align {}", kept_type(), words, slot_step(to, k), kept_bytes());
    }
    store_sum(totals, run, slot);
  }
  /// Publishes the total of a tile; executed by one sub-group. Afterwards each sub-group finds the sum of all
  /// sub-groups before it in local memory.
  void publish_total(const std::string &tile, const std::string &slot) {
    const std::string mine = state(), before = state();
    const std::string is_one = compare("slt", lane_, sub_groups_);
    const auto local_total = [&] {
      return local(totals, text_.add(text_.mul(slot, std::to_string(sub_groups_)), lane_));
    };
    start(mine);
    text_.if_then(is_one, [&] { copy(mine, local_total()); });
    inclusive_scan({mine});
    const std::string other = shuffled(mine, lane_before(1));
    start(before);
    copy_where(compare("sgt", lane_, 0), before, other);
    text_.if_then(compare("eq", lane_, sub_group_size_ - 1), [&] { publish(total_of(tile), mine); });
    text_.if_then(is_one, [&] { copy(local_total(), before); });
  }
  // The sum of the row before a tile: each sub-group sums a block of totals, and all blocks are added in order, so that
  // the result does not depend on timing.

  /// Calls the body for the adjacent totals of a block that a work-item sums: with the number, whether the total is
  /// before the tile, and the address of its words.
  template <class F> void each_total(F body) {
    const std::string in_block = arithmetic("and", tile_in_row_, block - 1),
                      number = arithmetic("udiv", tile_in_row_, block),
                      mine = text_.add(text_.let("load {}, ptr {}", text_.index_type(), blocks_before_), sub_group_),
                      count = select(text_.less(mine, number), std::to_string(block),
                                     select(compare("eq", mine, number), in_block, "0")),
                      tile = text_.add(arithmetic("sub", tile_number_, tile_in_row_),
                                       text_.mul(mine, std::to_string(block)));
    for (std::size_t k = 0; k < loaded_words_.size(); ++k) {
      const std::string in = text_.add(text_.mul(lane_, std::to_string(loaded_words_.size())), std::to_string(k));
      body(k, text_.less(in, count), total_of(text_.add(tile, in)));
    }
  }
  void begin_load_totals() {
    const std::string index = text_.index_type();
    text_.if_then(compare("ne", text_.let("load {}, ptr {}", index, row_before_), row_), [&] {
      start(sum_before_);
      text_.line("store {} 0, ptr {}", index, blocks_before_);
      text_.line("store {} {}, ptr {}", index, row_, row_before_);
    });
    each_total([&](std::size_t k, const std::string &is_one, const std::string &words) {
      for (const std::string &word : loaded_words_[k]) set_zero("i64", word);
      text_.if_then(is_one, [&] { begin_load(loaded_words_[k], words); });
    });
  }
  /// Sums the requested blocks.
  void add_totals() {
    const std::string sum = state(), other = state();
    start(sum);
    each_total([&](std::size_t k, const std::string &is_one, const std::string &words) {
      text_.if_then(is_one, [&] {
        await(other, words, loaded_words_[k]);
        merge(sum, other);
      });
    });
    text_.sub_group_barrier();  // reconverges after waiting: divergent work-items execute the following code slowly
    reduce(sum);
    store_sum(of_blocks(), sum);
    text_.barrier();
  }
  std::string sum_before_tile() {
    const std::string index = text_.index_type(), number = arithmetic("udiv", tile_in_row_, block);
    const std::int64_t at_once = sub_groups_;
    text_.do_while([&] {
      begin_load_totals();
      add_totals();
      const std::string next = text_.add(text_.let("load {}, ptr {}", index, blocks_before_), std::to_string(at_once));
      const std::string again = compare("sle", next, number);
      text_.if_then(again, [&] {
        add_sums(sum_before_, of_blocks());
        text_.line("store {} {}, ptr {}", index, next, blocks_before_);
        text_.barrier();
      });
      return again;
    });
    const std::string count = arithmetic("sub", number, text_.let("load {}, ptr {}", index, blocks_before_));
    text_.rolled_loop(index, "0", count, "1", [&](const std::string &k) { merge(sum_before_, local(of_blocks(), k)); });
    text_.line("store {} {}, ptr {}", index, number, blocks_before_);
    const std::string before = state();
    copy(before, sum_before_);
    merge(before, local(of_blocks(), count));
    return before;
  }
  /// Adds the sum before the tile to the states in the slot, and stores the results.
  void finish_slot(const std::string &slot, const std::string &before) {
    const std::string from = slot_states(slot);
    merge(before, local(totals, text_.add(text_.mul(slot, std::to_string(sub_groups_)), sub_group_)));
    states all;
    for (std::int64_t k = 0; k < steps_; ++k) {
      std::vector<std::string> &mine = all.emplace_back();
      for (std::int64_t l = 0; l < lanes_; ++l) mine.push_back(state());
      const std::string words = text_.let("load {}, ptr {}, align {}", kept_type(), slot_step(from, k), kept_bytes());
      int number = 0;
      for (const std::string &one : mine)
        each_state_word([&](const std::string &type, std::size_t bytes, auto word) {
          text_.line("store {} {}, ptr {}, align {}", type,
                     text_.let("extractelement {} {}, i32 {}", kept_type(), words, number++), word(one), bytes);
        });
      prepend(before, mine);
    }
    store_tile(all);
  }
  void prepend(const std::string &before, const std::vector<std::string> &list) {
    for (const std::string &s : list) {
      const std::string sum = state();
      copy(sum, before);
      merge(sum, s);
      copy(s, sum);
    }
  }
};

}  // namespace

generated_kernel generate_tile_scan(const scan_task &t) { return tile_scan(t).generate(); }

}  // namespace dpep::array::gpu
