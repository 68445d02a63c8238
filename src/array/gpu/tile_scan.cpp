// Scans of contiguous rows in tiles.
#include <algorithm>
#include <array>

#include "array/gpu/sub_group_text.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t most_sub_groups = 16;
constexpr std::int64_t many_rows = 64;                     // short ones, so that each is a sub-group's
constexpr std::int64_t long_row = std::int64_t(1) << 22;   // worth compiling more code for
constexpr std::int64_t block = 64;                         // tiles whose totals are added up together
constexpr std::int64_t slots = 2;                          // tiles that a work-group keeps at once
constexpr std::int64_t processors = 132, groups_each = 2;  // of a large GPU, and long rows' work-groups on each

class tile_scan : sub_group_text {
public:
  explicit tile_scan(const scan_task &t)
      : sub_group_text(t),
        by_sub_groups_(t.outer >= many_rows && 2 * t.length <= usual_group() * most_lanes() * most_steps()),
        group_(bytes_ <= 8 && t.length > usual_group() * most_lanes() * most_steps() ? 512 : usual_group()),
        lanes_(by_sub_groups_ && t.length <= 2 * sub_group ? std::min<std::int64_t>(most_lanes(), 2) : most_lanes()),
        steps_(by_sub_groups_ ? std::min(most_steps(), over(t.length, sub_group * lanes_)) : steps_that_fit()),
        tile_((by_sub_groups_ ? sub_group : group_) * lanes_ * steps_),
        tiles_in_row_(over(t.length, tile_)) {}

  made_kernel make() {
    made_kernel made;
    made.local = std::uint32_t(group_);
    made.sub_group = std::uint32_t(sub_group);
    item_ = text_.local_id();
    leader_ = compare("eq", item_, 0);
    find_lane();
    sub_group_ = arithmetic("udiv", item_, sub_group);
    find_offset();
    if (by_sub_groups_) {
      made.groups = over(task_.outer, group_ / sub_group);
      scan_rows();
    } else if (tiles_in_row_ == 1) {
      made.groups = task_.outer;
      find_tile(text_.group_id());
      scan_tile();
    } else {
      const std::int64_t tiles = task_.outer * tiles_in_row_;
      made.groups = std::min(tiles, processors * groups_each);
      made.workspace_bytes = std::size_t(8 * words() * tiles);
      made.uses_counters = true;
      scan_tiles(tiles, made.groups);
    }
    made.name = "array_accumulate_" + std::string(name_of(task_.how));
    // 64 registers for a work-item, or 40 for small numbers where it keeps nothing from one tile to the next
    text_.leave_room_for(made.uses_counters ? int(groups_each)
                         : bytes_ <= 4      ? 3
                         : bytes_ <= 8      ? int(1024 / group_)
                                            : 2);
    made.text = text_.finish(made.name, "scan of tiles");
    made.arguments = text_.take_arguments();
    return made;
  }

private:
  std::int64_t most_lanes() const {
    return std::clamp<std::int64_t>((apart() && task_.length < long_row ? 8 : 16) / item(), 1, 4);
  }
  // code is as long as they are many
  std::int64_t most_steps() const { return apart() ? 1 : 4; }
  std::int64_t usual_group() const { return bytes_ > 4 ? 256 : 512; }
  /// One step as long as work-groups would have no tile otherwise: tiles of several need more code, which is compiled
  /// when a program first wants it. And tiles that are kept have to leave room for another work-group.
  std::int64_t steps_that_fit() const {
    const std::int64_t at_once = group_ * most_lanes();
    std::int64_t steps = most_steps();
    if (task_.length <= at_once * steps) return over(task_.length, at_once);  // a row is one tile
    while (steps > 1 && (std::size_t(groups_each * local_bytes(steps)) > task_.local_bytes ||
                         task_.outer * over(task_.length, at_once * steps) < processors * groups_each))
      steps /= 2;
    return steps;
  }

  const bool by_sub_groups_;          // each sub-group has rows of its own
  const std::int64_t group_;          // work-items of a work-group
  const std::int64_t lanes_, steps_;  // neighbours that a work-item takes at once, and how often
  const std::int64_t tile_;           // elements that a work-group takes, or a sub-group at a time
  const std::int64_t tiles_in_row_;
  std::string item_, leader_, sub_group_;
  std::string tile_number_, row_, tile_in_row_, first_, count_, whole_, offset_;

  // Variables of a work-item: for each step, each lane.
  using elements_of_item = std::vector<std::vector<std::string>>;
  using states = elements_of_item;

  // -- Tiles

  void find_offset() {
    // a sub-group's elements lie together
    offset_ = text_.mul(lane_, std::to_string(lanes_));
    if (!by_sub_groups_)
      offset_ = text_.add(offset_, text_.mul(sub_group_, std::to_string(steps_ * sub_group * lanes_)));
  }
  /// What is left of a row, or as much of it as is taken at once. Afterwards elements can be loaded and stored.
  void take_from(const std::string &row, const std::string &at) {
    const std::string length = text_.number("length", task_.length);
    first_ = text_.add(text_.mul(row, length), at);
    const std::string left = arithmetic("sub", length, at);
    count_ = choose(text_.less(left, std::to_string(tile_)), left, std::to_string(tile_));
    whole_ = compare("eq", count_, tile_);
  }
  void find_tile(const std::string &number) {
    tile_number_ = number;
    if (task_.outer == 1) {
      row_ = "0", tile_in_row_ = number;
      return take_from(row_, text_.mul(tile_in_row_, std::to_string(tile_)));
    }
    const std::string tiles = text_.number("tiles in row", tiles_in_row_);
    row_ = arithmetic("udiv", tile_number_, tiles);
    tile_in_row_ = arithmetic("sub", tile_number_, text_.mul(row_, tiles));
    take_from(row_, text_.mul(tile_in_row_, std::to_string(tile_)));
  }
  std::string vector() const { return fmt::format("<{} x {}>", lanes_, type_); }
  std::int64_t vector_bytes() const { return lanes_ * item(); }
  std::string in_tile(std::int64_t step, std::int64_t lane) {
    return text_.add(offset_, std::to_string(step * sub_group * lanes_ + lane));
  }

  /// Sets a variable, since nobody wants what it had: what is kept for nobody costs registers all the same, also where
  /// LLVM is told so, as the driver's assembler is not.
  void forget(const std::string &type, const std::string &variable) {
    text_.line("store {} zeroinitializer, ptr {}", type, variable);
  }
  elements_of_item variables() {
    elements_of_item elements;
    for (std::int64_t k = 0; k < steps_; ++k) {
      elements.emplace_back();
      for (std::int64_t l = 0; l < lanes_; ++l) {
        elements.back().push_back(text_.variable(type_, 16));
        forget(type_, elements.back().back());
      }
    }
    return elements;
  }
  /// Elements as variables. Behind the row's end its last element is taken again: nobody reads what comes of that.
  void load_tile(const elements_of_item &elements) {
    const auto keep = [&](std::int64_t k, std::int64_t l, const std::string &value) {
      text_.line("store {} {}, ptr {}", type_, value, elements[std::size_t(k)][std::size_t(l)]);
    };
    const auto neighbours = [&] {
      const std::string from = element_at(0, text_.add(first_, offset_));
      for (std::int64_t k = 0; k < steps_; ++k) {
        const std::string at = behind(from, k * sub_group * lanes_);
        if (task_.aligned && lanes_ > 1) {
          const std::string all = text_.let("load {}, ptr {}, align {}", vector(), at, vector_bytes());
          for (std::int64_t l = 0; l < lanes_; ++l)
            keep(k, l, text_.let("extractelement {} {}, i32 {}", vector(), all, l));
        } else {
          for (std::int64_t l = 0; l < lanes_; ++l)
            keep(k, l, text_.let("load {}, ptr {}, align {}", type_, behind(at, l), alignment()));
        }
      }
    };
    text_.choose(whole_, neighbours, [&] {
      const std::string last = minus_one(count_);
      for (std::int64_t k = 0; k < steps_; ++k)
        for (std::int64_t l = 0; l < lanes_; ++l) {
          const std::string i = in_tile(k, l);
          keep(k, l, load(0, text_.add(first_, choose(compare("sgt", i, last), last, i))));
        }
    });
  }
  elements_of_item load_tile() {
    elements_of_item elements = variables();
    load_tile(elements);
    return elements;
  }
  std::string behind(const std::string &element, std::int64_t k) {
    return k ? text_.let("getelementptr {}, ptr {}, i64 {}", type_, element, k) : element;
  }

  void store_tile(const states &all) {
    const std::string element = text_.variable(type_, 16);
    const auto value = [&](std::int64_t k, std::int64_t l) {
      result(element, all[std::size_t(k)][std::size_t(l)]);
      return text_.let("load {}, ptr {}", type_, element);
    };
    text_.choose(
        whole_,
        [&] {
          const std::string to = element_at(1, text_.add(first_, offset_));
          for (std::int64_t k = 0; k < steps_; ++k) {
            const std::string at = behind(to, k * sub_group * lanes_);
            if (task_.aligned && lanes_ > 1) {
              std::string values = "poison";
              for (std::int64_t l = 0; l < lanes_; ++l)
                values = text_.let("insertelement {} {}, {} {}, i32 {}", vector(), values, type_, value(k, l), l);
              text_.line("store {} {}, ptr {}, align {}, !nontemporal !1", vector(), values, at, vector_bytes());
            } else {
              for (std::int64_t l = 0; l < lanes_; ++l)
                text_.line("store {} {}, ptr {}, align {}", type_, value(k, l), behind(at, l), alignment());
            }
          }
        },
        [&] {
          for (std::int64_t k = 0; k < steps_; ++k)
            for (std::int64_t l = 0; l < lanes_; ++l) {
              const std::string i = in_tile(k, l);
              text_.when(text_.less(i, count_), [&] { store(value(k, l), text_.add(first_, i)); });
            }
        });
  }

  // -- The work-group

  // Places in local memory for a state of each sub-group: of the tiles in both slots, and of blocks of totals.
  static constexpr std::int64_t totals = 0, of_blocks = slots * most_sub_groups, places = of_blocks + most_sub_groups;
  std::int64_t slot_room() const { return (std::int64_t(bytes_) + 7) / 8 * 8; }
  std::string local(std::int64_t slot, const std::string &index = "0") {
    const std::string base = text_.let("getelementptr i8, ptr {}, i64 {}", all_local(), slot * slot_room());
    return index == "0" ? base : at(base, index, std::size_t(slot_room()));
  }
  // Behind them: two rounds' tickets, and the tiles that are kept.
  static constexpr std::int64_t ticket_room = 16;
  std::int64_t local_bytes(std::int64_t steps) const {
    return places * slot_room() + ticket_room + slots * group_ * most_lanes() * steps * std::int64_t(bytes_);
  }
  std::string all_local() {
    return text_.local_memory(
        std::size_t(tiles_in_row_ > 1 && !by_sub_groups_ ? local_bytes(steps_) : places * slot_room()));
  }
  std::string ticket_place(const std::string &slot) {
    return at(text_.let("getelementptr i8, ptr {}, i64 {}", all_local(), places * slot_room()), slot, 4);
  }
  /// The work-item's part of the tile in that slot: for each step, the states of its lanes as one vector.
  std::string kept_states(const std::string &slot) {
    const std::string tiles =
        text_.let("getelementptr i8, ptr {}, i64 {}", all_local(), places * slot_room() + ticket_room);
    return at(tiles, text_.add(text_.mul(slot, std::to_string(tile_)), offset_), bytes_);
  }
  std::string kept_step(const std::string &kept, std::int64_t step) {
    return text_.let("getelementptr i8, ptr {}, i64 {}", kept, step * sub_group * kept_bytes());
  }
  std::int64_t kept_bytes() const { return lanes_ * std::int64_t(bytes_); }
  std::string kept_type() const {
    const state_words words = words_of(bytes_);
    return fmt::format("<{} x {}>", std::size_t(lanes_) * words.count, words.type);
  }
  void put(std::int64_t first, const std::string &sum, const std::string &slot = "0") {
    const std::string number =
        slot == "0" ? sub_group_ : text_.add(text_.mul(slot, std::to_string(most_sub_groups)), sub_group_);
    text_.when(compare("eq", lane_, 0), [&] { copy(local(first, number), sum); });
  }
  /// Adds what sub-groups have put there, in order: all of them, or as many as come before.
  void add(const std::string &to, std::int64_t slot, const std::string &before = {}) {
    const std::string count = std::to_string(group_ / sub_group);
    const auto add_one = [&](const std::string &k) { merge(to, local(slot, k)); };
    if (before.empty()) return text_.short_loop(text_.index_type(), "0", count, "1", add_one);
    text_.loop(text_.index_type(), "0", count, "1",
               [&](const std::string &k) { text_.when(text_.less(k, before), [&] { add_one(k); }); });
  }

  // -- Words that work-groups tell each other: 32 bits of a state, below the launch's mark. A word is seen as a whole,
  // so nothing else needs an order.

  std::int64_t words() const { return (std::int64_t(bytes_) + 3) / 4; }
  std::string total_of(const std::string &tile) { return at(text_.memory(2), tile, std::size_t(8 * words())); }

  std::string mark() { return text_.let("zext i32 {} to i64", text_.scalar(0, dtype::uint32)); }
  std::string part(const std::string &state, std::int64_t k) {
    return k ? text_.let("getelementptr i8, ptr {}, i64 {}", state, 4 * k) : state;
  }
  std::string part_type() const { return bytes_ < 4 ? fmt::format("i{}", 8 * bytes_) : "i32"; }
  std::size_t part_bytes() const { return std::min<std::size_t>(bytes_, 4); }
  std::string word(const std::string &of, std::int64_t k) {
    return k ? text_.let("getelementptr i8, ptr {}, i64 {}", of, 8 * k) : of;
  }
  void publish(const std::string &to, const std::string &state) {
    const std::string marked = text_.let("shl i64 {}, 32", mark());
    for (std::int64_t k = 0; k < words(); ++k) {
      const std::string bits = text_.let("load {}, ptr {}, align {}", part_type(), part(state, k), part_bytes());
      const std::string value =
          text_.let("or i64 {}, {}", text_.let("zext {} to i64", part_type() + " " + bits), marked);
      text_.line("store atomic i64 {}, ptr {} syncscope(\"device\") monotonic, align 8", value, word(to, k));
    }
  }
  /// Asks for the words, so that they are on their way while something else is done.
  void ask(const std::vector<std::string> &asked, const std::string &from) {
    for (std::int64_t k = 0; k < words(); ++k) read(asked[std::size_t(k)], word(from, k));
  }
  void read(const std::string &to, const std::string &from) {
    text_.line("store i64 {}, ptr {}",
               text_.let("load atomic i64, ptr {} syncscope(\"device\") monotonic, align 8", from), to);
  }
  void await(const std::string &state, const std::string &from, const std::vector<std::string> &asked) {
    for (std::int64_t k = 0; k < words(); ++k) {
      const std::string &kept = asked[std::size_t(k)], place = word(from, k);
      text_.repeat_while([&] {
        const std::string has = text_.let("lshr i64 {}, 32", text_.let("load i64, ptr {}", kept));
        const std::string again = text_.let("icmp ne i64 {}, {}", has, mark());
        text_.when(again, [&] { read(kept, place); });
        return again;
      });
      const std::string bits = text_.let("trunc i64 {} to {}", text_.let("load i64, ptr {}", kept), part_type());
      text_.line("store {} {}, ptr {}, align {}", part_type(), bits, part(state, k), part_bytes());
    }
  }

  // -- What is done with tiles

  /// Sums of a sub-group's elements from its first one on, behind those of `run`, which goes on to the last one's.
  /// Steps take turns as long as they don't need each other, so that none waits for its own shuffles.
  states scan_in_sub_groups(const elements_of_item &elements, const std::string &run) {
    states all;
    std::vector<std::string> wholes;
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
      wholes.push_back(state());
      copy(wholes.back(), mine.back());
    }
    add_along(wholes);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::string before = state(), sum = state(), other = moved(wholes[k], lane_before(1));
      copy(before, run);
      copy(sum, run);
      merge(sum, other);
      copy_where(compare("sgt", lane_, 0), before, sum);
      put_before(before, all[k]);
      merge(run, moved(wholes[k], std::to_string(sub_group - 1)));
    }
    return all;
  }

  /// A row for each sub-group, which goes along it.
  void scan_rows() {
    const std::string row = text_.add(text_.mul(text_.group_id(), std::to_string(group_ / sub_group)), sub_group_);
    text_.when(text_.less(row, text_.number("rows", task_.outer)), [&] {
      const std::string run = state();
      start(run);
      text_.loop(text_.index_type(), "0", text_.number("length", task_.length), std::to_string(tile_),
                 [&](const std::string &at) {
                   take_from(row, at);
                   store_tile(scan_in_sub_groups(load_tile(), run));
                 });
    });
  }

  /// A row for each work-group.
  void scan_tile() {
    const std::string run = state();
    start(run);
    states all = scan_in_sub_groups(load_tile(), run);
    put(totals, run);
    text_.barrier();
    const std::string before = state();
    start(before);
    add(before, totals, sub_group_);
    for (auto &step : all) put_before(before, step);
    store_tile(all);
  }

  // -- Long rows: a work-group takes tiles by tickets. In each round it asks for another tile, finishes the one that it
  // has kept for longest, which hides the time that memory takes, and scans and keeps the new one and tells its total.
  // Only additions are left to do then once it is known what comes before a tile.

  std::string sum_before_, blocks_before_, row_before_;            // what is known of a row: of its first blocks
  std::array<std::vector<std::string>, block / sub_group> asked_;  // words of totals behind those

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
    for (auto &words_of_one : asked_)
      for (std::int64_t k = 0; k < words(); ++k) words_of_one.push_back(make_variable("i64", "0"));
    const std::string slot = make_variable(index, "0"), ticket = make_variable("i32", "0");
    const std::string oldest = make_variable(index, "-1"), newer = make_variable(index, "-1");
    text_.when(leader_, [&] {
      text_.line("store i32 {}, ptr {}", take_ticket(), ticket_place("0"));
      text_.line("store i32 {}, ptr {}", take_ticket(), ticket);
    });
    text_.barrier();

    text_.repeat_while([&] {
      const std::string here = text_.let("load {}, ptr {}", index, slot), other = arithmetic("xor", here, 1);
      const std::string taken = text_.let("load i32, ptr {}", ticket_place(here));
      const std::string fresh = text_.wide() ? text_.let("zext i32 {} to i64", taken) : taken;
      const std::string more = text_.less(fresh, all);
      text_.when(leader_, [&] {
        text_.line("store i32 {}, ptr {}", text_.let("load i32, ptr {}", ticket), ticket_place(other));
        text_.line("store i32 {}, ptr {}", take_ticket(), ticket);  // on its way until the next round
      });
      // others wait for totals, so they come before the tile that is asked for
      const std::string last = text_.let("load {}, ptr {}", index, newer), was_one = compare("ult", last, all);
      text_.when(text_.let("and i1 {}, {}", was_one, compare("eq", sub_group_, group_ / sub_group - 1)),
                 [&] { tell_total(last, other); });
      const elements_of_item elements = variables();
      text_.when(more, [&] {
        find_tile(fresh);
        load_tile(elements);
      });
      const std::string known = text_.let("load {}, ptr {}", index, oldest), is_known = compare("sge", known, 0);
      text_.when(is_known, [&] {
        find_tile(known);
        finish_kept(here, find_before());
      });
      text_.when(more, [&] { keep(elements, here); });
      text_.barrier();
      text_.line("store {} {}, ptr {}", index, last, oldest);
      text_.line("store {} {}, ptr {}", index, fresh, newer);
      text_.line("store {} {}, ptr {}", index, other, slot);
      return text_.less(last, all);
    });

    // each work-group took one beside those of its tiles, the slots' first ones and the two that it ended with
    const std::string last = text_.number("last ticket", tiles + (slots + 2) * groups - 1);
    const std::string mine = text_.let("load i32, ptr {}", ticket);
    const std::string is_last = compare("eq", text_.wide() ? text_.let("zext i32 {} to i64", mine) : mine, last);
    text_.when(text_.let("and i1 {}, {}", leader_, is_last),
               [&] { text_.line("store i32 0, ptr {}, align 4", counter); });  // for the next kernel
  }
  /// Scans what there is of the tile within sub-groups and puts that into the slot.
  void keep(const elements_of_item &elements, const std::string &slot) {
    const std::string to = kept_states(slot), run = state();
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
      text_.line("store {} {}, ptr {}, align {}", kept_type(), words, kept_step(to, k), kept_bytes());
    }
    put(totals, run, slot);
  }
  /// By one sub-group; afterwards each sub-group finds what comes before it in the tile.
  void tell_total(const std::string &tile, const std::string &slot) {
    const std::string mine = state(), before = state();
    const std::string is_one = compare("slt", lane_, group_ / sub_group);
    const auto place = [&] {
      return local(totals, text_.add(text_.mul(slot, std::to_string(most_sub_groups)), lane_));
    };
    start(mine);
    text_.when(is_one, [&] { copy(mine, place()); });
    add_along({mine});
    const std::string other = moved(mine, lane_before(1));
    start(before);
    copy_where(compare("sgt", lane_, 0), before, other);
    text_.when(compare("eq", lane_, sub_group - 1), [&] { publish(total_of(tile), mine); });
    text_.when(is_one, [&] { copy(place(), before); });
  }
  // What comes before the tile in its row: sub-groups add up a block of totals each, and all blocks before are added in
  // order, so that sums are the same whoever comes first.

  /// For each total of a block that a work-item takes, neighbours: its number, whether it comes before the tile, and
  /// its words.
  template <class F> void each_total(F body) {
    const std::string in_block = arithmetic("and", tile_in_row_, block - 1),
                      number = arithmetic("udiv", tile_in_row_, block),
                      mine = text_.add(text_.let("load {}, ptr {}", text_.index_type(), blocks_before_), sub_group_),
                      count = choose(text_.less(mine, number), std::to_string(block),
                                     choose(compare("eq", mine, number), in_block, "0")),
                      tile = text_.add(arithmetic("sub", tile_number_, tile_in_row_),
                                       text_.mul(mine, std::to_string(block)));
    for (std::size_t k = 0; k < asked_.size(); ++k) {
      const std::string in = text_.add(text_.mul(lane_, std::to_string(asked_.size())), std::to_string(k));
      body(k, text_.less(in, count), total_of(text_.add(tile, in)));
    }
  }
  void ask_for_totals() {
    const std::string index = text_.index_type();
    text_.when(compare("ne", text_.let("load {}, ptr {}", index, row_before_), row_), [&] {
      start(sum_before_);
      text_.line("store {} 0, ptr {}", index, blocks_before_);
      text_.line("store {} {}, ptr {}", index, row_, row_before_);
    });
    each_total([&](std::size_t k, const std::string &is_one, const std::string &words) {
      for (const std::string &word : asked_[k]) forget("i64", word);
      text_.when(is_one, [&] { ask(asked_[k], words); });
    });
  }
  /// Sums of the blocks that were asked for.
  void add_totals() {
    const std::string sum = state(), other = state();
    start(sum);
    each_total([&](std::size_t k, const std::string &is_one, const std::string &words) {
      text_.when(is_one, [&] {
        await(other, words, asked_[k]);
        merge(sum, other);
      });
    });
    text_.sub_group_barrier();  // who waited catches up: work-items apart from each other are slow at what follows
    reduce(sum);
    put(of_blocks, sum);
    text_.barrier();
  }
  std::string find_before() {
    const std::string index = text_.index_type(), number = arithmetic("udiv", tile_in_row_, block);
    const std::int64_t at_once = group_ / sub_group;
    text_.repeat_while([&] {
      ask_for_totals();
      add_totals();
      const std::string next = text_.add(text_.let("load {}, ptr {}", index, blocks_before_), std::to_string(at_once));
      const std::string again = compare("sle", next, number);
      text_.when(again, [&] {
        add(sum_before_, of_blocks);
        text_.line("store {} {}, ptr {}", index, next, blocks_before_);
        text_.barrier();
      });
      return again;
    });
    const std::string count = arithmetic("sub", number, text_.let("load {}, ptr {}", index, blocks_before_));
    text_.short_loop(index, "0", count, "1", [&](const std::string &k) { merge(sum_before_, local(of_blocks, k)); });
    text_.line("store {} {}, ptr {}", index, number, blocks_before_);
    const std::string before = state();
    copy(before, sum_before_);
    merge(before, local(of_blocks, count));
    return before;
  }
  /// The states in the slot, each with all that comes before the tile.
  void finish_kept(const std::string &slot, const std::string &before) {
    const std::string from = kept_states(slot);
    merge(before, local(totals, text_.add(text_.mul(slot, std::to_string(most_sub_groups)), sub_group_)));
    states all;
    for (std::int64_t k = 0; k < steps_; ++k) {
      std::vector<std::string> &mine = all.emplace_back();
      for (std::int64_t l = 0; l < lanes_; ++l) mine.push_back(state());
      const std::string words = text_.let("load {}, ptr {}, align {}", kept_type(), kept_step(from, k), kept_bytes());
      int number = 0;
      for (const std::string &one : mine)
        each_state_word([&](const std::string &type, std::size_t bytes, auto word) {
          text_.line("store {} {}, ptr {}, align {}", type,
                     text_.let("extractelement {} {}, i32 {}", kept_type(), words, number++), word(one), bytes);
        });
      put_before(before, mine);
    }
    store_tile(all);
  }
  void put_before(const std::string &before, const std::vector<std::string> &list) {
    for (const std::string &s : list) {
      const std::string sum = state();
      copy(sum, before);
      merge(sum, s);
      copy(s, sum);
    }
  }
};

}  // namespace

made_kernel make_tile_scan(const scan_task &t) { return tile_scan(t).make(); }

}  // namespace dpep::array::gpu
