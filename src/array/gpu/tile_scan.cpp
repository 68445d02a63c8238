// Scans of contiguous rows, a tile for each work-group.
#include <algorithm>

#include "array/gpu/scan_text.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t sub_group = 32, most_sub_groups = 16;
constexpr std::int64_t many_rows = 64;          // short ones, so that each is a sub-group's
constexpr std::int64_t block = 64;              // tiles whose totals are added up once more, for those behind them
constexpr std::int64_t ahead_bytes = 13 << 20;  // that totals are ahead of scans: what a large GPU's cache holds

class tile_scan : scan_text {
public:
  explicit tile_scan(const scan_task &t)
      : scan_text(t),
        group_(bytes_ > 4 ? 256 : 512),
        by_sub_groups_(t.outer >= many_rows && 2 * t.length <= group_ * most_lanes() * most_steps(t)),
        lanes_(by_sub_groups_ && t.length <= 2 * sub_group ? std::min<std::int64_t>(most_lanes(), 2) : most_lanes()),
        steps_(by_sub_groups_ ? std::min(most_steps(t), over(t.length, sub_group * lanes_)) : most_steps(t)),
        tile_((by_sub_groups_ ? sub_group : group_) * lanes_ * steps_),
        tiles_in_row_(over(t.length, tile_)),
        blocks_in_row_(over(tiles_in_row_, block)) {}

  made_kernel make() {
    made_kernel made;
    made.local = std::uint32_t(group_);
    made.sub_group = std::uint32_t(sub_group);
    item_ = text_.local_id();
    leader_ = compare("eq", item_, 0);
    lane_ = arithmetic("and", item_, sub_group - 1);
    sub_group_ = arithmetic("udiv", item_, sub_group);
    const std::int64_t tiles = task_.outer * tiles_in_row_;
    if (by_sub_groups_) {
      made.groups = over(task_.outer, group_ / sub_group);
      scan_rows();
    } else if (tiles_in_row_ == 1) {
      made.groups = tiles;
      find_tile(text_.group_id());
      scan_tile();
    } else {
      const std::int64_t ahead = std::min(ahead_bytes / (tile_ * item()), tiles);
      made.groups = 2 * (tiles + ahead);
      made.workspace_bytes = std::size_t(8 * words() * (tiles + 2 * task_.outer * blocks_in_row_));
      const std::string number = arithmetic("udiv", text_.group_id(), 2), all = text_.number("tiles", tiles);
      const std::string totals = compare("eq", arithmetic("and", text_.group_id(), 1), 0);
      text_.choose(
          totals,
          [&] {
            text_.when(text_.less(number, all), [&] {
              find_tile(number);
              // nobody asks for the last one's
              text_.when(text_.less(tile_in_row_, minus_one(text_.number("tiles in row", tiles_in_row_))),
                         [&] { publish_total(); });
            });
          },
          [&] {
            const std::string mine = arithmetic("sub", number, text_.number("ahead", ahead));
            text_.when(compare("ult", mine, all), [&] {
              find_tile(mine);
              scan_tile();
            });
          });
    }
    made.name = "array_accumulate_" + std::string(name_of(task_.how));
    // 40 or 64 registers for a work-item, with which scans of numbers get along
    text_.leave_room_for(bytes_ <= 4 ? 3 : bytes_ <= 8 ? 4 : 2);
    made.text = text_.finish(made.name, "scan of tiles");
    made.arguments = text_.take_arguments();
    return made;
  }

private:
  std::int64_t most_lanes() const { return std::clamp<std::int64_t>(16 / item(), 1, 4); }
  // code is as long as they are many
  static std::int64_t most_steps(const scan_task &t) { return t.how == accumulation::logsumexp ? 1 : 4; }

  const std::int64_t group_;          // work-items of a work-group
  const bool by_sub_groups_;          // each sub-group has rows of its own
  const std::int64_t lanes_, steps_;  // neighbours that a work-item takes at once, and how often
  const std::int64_t tile_;           // elements that a work-group takes, or a sub-group at a time
  const std::int64_t tiles_in_row_, blocks_in_row_;
  std::string item_, leader_, lane_, sub_group_;
  std::string tile_number_, row_, tile_in_row_, first_, count_, whole_, offset_;

  using states = std::vector<std::vector<std::string>>;  // of a work-item's elements: for each step, each lane

  // -- Tiles

  /// What is left of a row, or as much of it as is taken at once. Afterwards elements can be loaded and stored.
  void take_from(const std::string &row, const std::string &at) {
    const std::string length = text_.number("length", task_.length);
    first_ = text_.add(text_.mul(row, length), at);
    const std::string left = arithmetic("sub", length, at);
    count_ = choose(text_.less(left, std::to_string(tile_)), left, std::to_string(tile_));
    whole_ = compare("eq", count_, tile_);
    // a sub-group's elements lie together
    offset_ = text_.mul(lane_, std::to_string(lanes_));
    if (!by_sub_groups_)
      offset_ = text_.add(offset_, text_.mul(sub_group_, std::to_string(steps_ * sub_group * lanes_)));
  }
  void find_tile(const std::string &number) {
    tile_number_ = number;
    const std::string tiles = text_.number("tiles in row", tiles_in_row_);
    row_ = arithmetic("udiv", tile_number_, tiles);
    tile_in_row_ = arithmetic("sub", tile_number_, text_.mul(row_, tiles));
    take_from(row_, text_.mul(tile_in_row_, std::to_string(tile_)));
  }
  std::string vector() const { return fmt::format("<{} x {}>", lanes_, type_); }
  std::string in_tile(std::int64_t step, std::int64_t lane) {
    return text_.add(offset_, std::to_string(step * sub_group * lanes_ + lane));
  }

  /// Elements as variables. Behind the row's end its last element is taken again: nobody reads what comes of that.
  std::vector<std::vector<std::string>> load_tile(bool surely_whole = false) {
    std::vector<std::vector<std::string>> elements;
    for (std::int64_t k = 0; k < steps_; ++k) {
      elements.emplace_back();
      for (std::int64_t l = 0; l < lanes_; ++l) elements.back().push_back(text_.variable(type_, 16));
    }
    const auto keep = [&](std::int64_t k, std::int64_t l, const std::string &value) {
      text_.line("store {} {}, ptr {}", type_, value, elements[std::size_t(k)][std::size_t(l)]);
    };
    const auto neighbours = [&] {
      const std::string from = element_at(0, text_.add(first_, offset_));
      for (std::int64_t k = 0; k < steps_; ++k) {
        const std::string at = behind(from, k * sub_group * lanes_);
        if (task_.aligned && lanes_ > 1) {
          const std::string all = text_.let("load {}, ptr {}, align {}", vector(), at, lanes_ * item());
          for (std::int64_t l = 0; l < lanes_; ++l)
            keep(k, l, text_.let("extractelement {} {}, i32 {}", vector(), all, l));
        } else {
          for (std::int64_t l = 0; l < lanes_; ++l)
            keep(k, l, text_.let("load {}, ptr {}, align {}", type_, behind(at, l), alignment()));
        }
      }
    };
    if (surely_whole)
      neighbours();
    else
      text_.choose(whole_, neighbours, [&] {
        const std::string last = minus_one(count_);
        for (std::int64_t k = 0; k < steps_; ++k)
          for (std::int64_t l = 0; l < lanes_; ++l) {
            const std::string i = in_tile(k, l);
            keep(k, l, load(0, text_.add(first_, choose(compare("sgt", i, last), last, i))));
          }
      });
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
              // what is written is not to take the place of what is read again
              text_.line("store {} {}, ptr {}, align {}, !nontemporal !1", vector(), values, at, lanes_ * item());
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

  // -- Sub-groups and the work-group

  /// The state of another work-item of the sub-group.
  std::string moved(const std::string &from, const std::string &lane) {
    const std::string to = state();
    const state_words words = words_of(bytes_);
    for (std::size_t k = 0; k < words.count; ++k) {
      const auto word = [&](const std::string &p) {
        return k ? text_.let("getelementptr i8, ptr {}, i64 {}", p, k * words.bytes) : p;
      };
      const std::string value = text_.let("load {}, ptr {}, align {}", words.type, word(from), words.bytes);
      text_.line("store {} {}, ptr {}, align {}", words.type, text_.shuffle(words.bytes, value, lane), word(to),
                 words.bytes);
    }
    return to;
  }
  /// Adds up what the sub-group has, for its first work-item.
  void reduce(const std::string &sum) {
    for (std::int64_t step = sub_group / 2; step > 0; step /= 2) merge(sum, moved(sum, arithmetic("add", lane_, step)));
  }

  enum slots : std::int64_t {
    totals = 0,
    before_tile = most_sub_groups,
    of_blocks = 2 * most_sub_groups,
    all_slots = 3 * most_sub_groups
  };
  static_assert(block == 2 * sub_group);
  std::int64_t slot_room() const { return (std::int64_t(bytes_) + 7) / 8 * 8; }
  std::string local(std::int64_t slot, const std::string &index = "0") {
    const std::string base = text_.let("getelementptr i8, ptr {}, i64 {}",
                                       text_.local_memory(std::size_t(all_slots * slot_room())), slot * slot_room());
    return index == "0" ? base : at(base, index, std::size_t(slot_room()));
  }
  void put(std::int64_t slot, const std::string &sum) {
    const std::string first = compare("eq", lane_, 0);
    text_.when(first, [&] { copy(local(slot, sub_group_), sum); });
  }
  /// Adds what sub-groups have put there, in order: all of them, or as many as come before.
  void add(const std::string &to, std::int64_t slot, const std::string &before = {}) {
    text_.loop(text_.index_type(), "0", std::to_string(group_ / sub_group), "1", [&](const std::string &k) {
      const std::string other = local(slot, k);
      if (before.empty())
        merge(to, other);
      else
        text_.when(text_.less(k, before), [&] { merge(to, other); });
    });
  }

  // -- Words that work-groups tell each other: 32 bits of a state, below the launch's mark. A word is seen as a whole,
  // so nothing else needs an order.

  std::int64_t words() const { return (std::int64_t(bytes_) + 3) / 4; }
  std::string published(std::int64_t first, const std::string &index) {
    const std::string place = text_.add(index, std::to_string(first));
    return at(text_.memory(2), place, std::size_t(8 * words()));
  }
  std::string total_of(const std::string &tile) { return published(0, tile); }
  std::string block_number(const std::string &in_row) {
    return text_.add(text_.mul(row_, text_.number("blocks in row", blocks_in_row_)), in_row);
  }
  std::string block_at(const char *what, std::int64_t first, const std::string &in_row) {
    // behind all tiles: their number is an argument, so that the code stays the same
    const std::string place = text_.add(text_.number(what, first), block_number(in_row));
    return at(text_.memory(2), place, std::size_t(8 * words()));
  }
  std::string sum_of(const std::string &b) { return block_at("sums", task_.outer * tiles_in_row_, b); }
  std::string before_block(const std::string &b) {
    return block_at("sums before", task_.outer * (tiles_in_row_ + blocks_in_row_), b);
  }

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
  std::vector<std::string> ask(const std::string &from) {
    std::vector<std::string> asked;
    for (std::int64_t k = 0; k < words(); ++k) {
      asked.push_back(text_.variable("i64", 8));
      read(asked.back(), word(from, k));
    }
    return asked;
  }
  void read(const std::string &to, const std::string &from) {
    text_.line("store i64 {}, ptr {}",
               text_.let("load atomic i64, ptr {} syncscope(\"device\") monotonic, align 8", from), to);
  }
  void await(const std::string &state, const std::string &from, const std::vector<std::string> &asked) {
    for (std::int64_t k = 0; k < words(); ++k) {
      const std::string &kept = asked[std::size_t(k)], place = word(from, k);
      text_.wait_while([&] {
        const std::string has = text_.let("lshr i64 {}, 32", text_.let("load i64, ptr {}", kept));
        const std::string again = text_.let("icmp ne i64 {}, {}", has, mark());
        text_.when(again, [&] { read(kept, place); });
        return again;
      });
      const std::string bits = text_.let("trunc i64 {} to {}", text_.let("load i64, ptr {}", kept), part_type());
      text_.line("store {} {}, ptr {}, align {}", part_type(), bits, part(state, k), part_bytes());
    }
  }
  void await(const std::string &state, const std::string &from) { await(state, from, ask(from)); }

  // -- What is done with tiles

  void publish_total() {
    const auto elements = load_tile(true);  // all but a row's last are
    const std::string sum = state();
    start(sum);
    for (const auto &step : elements)
      for (const std::string &e : step) take(sum, e);
    reduce(sum);
    put(totals, sum);
    text_.barrier();
    const std::string total = state();
    start(total);
    add(total, totals);
    text_.when(leader_, [&] { publish(total_of(tile_number_), total); });
    const std::string in_block = arithmetic("and", tile_in_row_, block - 1);
    text_.when(compare("eq", in_block, block - 1), [&] { publish_block(total); });
  }
  /// The last tile of a block adds up the block's, and all blocks'.
  void publish_block(const std::string &total) {
    const std::string others = state(), number = arithmetic("udiv", tile_in_row_, block);
    start(others);
    text_.when(compare("slt", item_, block - 1), [&] {
      const std::string other = state();
      await(other, total_of(text_.add(arithmetic("sub", tile_number_, block - 1), item_)));
      merge(others, other);
    });
    reduce(others);
    put(before_tile, others);
    text_.barrier();
    const std::string sum = state();
    start(sum);
    add(sum, before_tile);
    merge(sum, total);
    text_.when(leader_, [&] { publish(sum_of(number), sum); });
    const std::string before = state();
    start(before);
    text_.loop(text_.index_type(), item_, number, std::to_string(group_), [&](const std::string &k) {
      const std::string other = state();
      await(other, sum_of(k));
      merge(before, other);
    });
    reduce(before);
    put(of_blocks, before);
    text_.barrier();
    const std::string all = state();
    start(all);
    add(all, of_blocks);
    merge(all, sum);
    text_.when(leader_, [&] { publish(before_block(text_.add(number, "1")), all); });
  }

  /// Sums of a sub-group's elements from its first one on, behind those of `run`, which goes on to the last one's.
  states scan_in_sub_groups(const std::vector<std::vector<std::string>> &elements, const std::string &run) {
    states all;
    const std::string last = std::to_string(sub_group - 1);
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
      const std::string whole = state(), before = state();
      copy(whole, mine.back());
      for (std::int64_t distance = 1; distance < sub_group; distance *= 2) {
        const std::string other = moved(whole, arithmetic("sub", lane_, distance));
        text_.when(compare("sge", lane_, distance), [&] {
          merge(other, whole);
          copy(whole, other);
        });
      }
      copy(before, run);
      const std::string other = moved(whole, minus_one(lane_));
      text_.when(compare("sgt", lane_, 0), [&] { merge(before, other); });
      put_before(before, mine);
      merge(run, moved(whole, last));
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

  void scan_tile() {
    const bool alone = tiles_in_row_ == 1;
    // What is known of the tiles before: a work-item asks for each of the block, one for all blocks before. The tile's
    // own total is waited for as well, since scanning may overwrite what is added up there; the last one has none.
    const std::string in_block = arithmetic("and", tile_in_row_, block - 1),
                      number = arithmetic("udiv", tile_in_row_, block);
    std::string asks, adds, from;
    std::vector<std::string> asked;
    if (!alone) {
      const std::string is_far = compare("eq", item_, block);
      const std::string far = text_.let("and i1 {}, {}", is_far, compare("sgt", number, 0));
      const std::string last = compare("eq", tile_in_row_, minus_one(text_.number("tiles in row", tiles_in_row_)));
      const std::string has_own = text_.let("xor i1 {}, true", last);
      const std::string own = text_.let("and i1 {}, {}", compare("eq", item_, in_block), has_own);
      adds = text_.let("or i1 {}, {}", text_.less(item_, in_block), far);
      asks = text_.let("or i1 {}, {}", adds, own);
      from = text_.let("select i1 {}, ptr {}, ptr {}", is_far, before_block(number),
                       total_of(text_.add(arithmetic("sub", tile_number_, in_block), item_)));
      text_.when(asks, [&] { asked = ask(from); });
    }
    const std::string run = state();
    start(run);
    states all = scan_in_sub_groups(load_tile(), run);
    put(totals, run);
    const std::string before = state();
    start(before);
    if (!alone) {
      const std::string sum = state();
      start(sum);
      text_.when(asks, [&] {
        const std::string other = state();
        await(other, from, asked);
        text_.when(adds, [&] { merge(sum, other); });
      });
      reduce(sum);
      put(before_tile, sum);
    }
    text_.barrier();
    if (!alone)
      for (const std::int64_t k : {block / sub_group, std::int64_t(0), std::int64_t(1)})
        merge(before, local(before_tile + k));
    add(before, totals, sub_group_);
    for (auto &step : all) put_before(before, step);
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
