// Kernels of scans.
#include "array/gpu/scan_kernel.hpp"

#include <algorithm>

#include "array/blocks.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t group = 256;

/// The reduction whose steps are those of the accumulation.
reduction reduction_like(accumulation how) {
  switch (how) {
  case accumulation::sum:
    return reduction::sum;
  case accumulation::prod:
    return reduction::prod;
  case accumulation::max:
    return reduction::max;
  case accumulation::min:
    return reduction::min;
  case accumulation::logsumexp:
    return reduction::logsumexp;
  }
  return reduction::sum;
}

/// Booleans are added as NumPy does it: or, and.
std::string functions_of(const scan_task &t) {
  accumulation how = t.how;
  if (t.type == dtype::boolean && how == accumulation::sum) how = accumulation::max;
  if (t.type == dtype::boolean && how == accumulation::prod) how = accumulation::min;
  return fmt::format("dpep_{}_{}", name_of(reduction_like(how)), name_of(t.type));
}
std::size_t state_bytes_of(const scan_task &t) {
  return t.type == dtype::boolean ? 1 : blocks::find_reducer(reduction_like(t.how), t.type)->state_bytes;
}

class scan_text {
public:
  explicit scan_text(const scan_task &t)
      : task_(t),
        text_(t.outer * t.length * t.inner > std::int64_t(0x7f000000)),
        name_(functions_of(t)),
        bytes_(state_bytes_of(t)),
        type_(ir_type(t.type)) {}

protected:
  const scan_task &task_;
  kernel_text text_;
  const std::string name_;
  const std::size_t bytes_;
  const std::string type_;

  std::int64_t item() const { return std::int64_t(size_of(task_.type)); }
  std::string state() { return text_.variable(fmt::format("[{} x i8]", bytes_), 16); }
  void start(const std::string &s) { text_.call(name_ + "_start", "ptr", "ptr " + s); }
  void take(const std::string &s, const std::string &element) {
    text_.call(name_ + "_take", "ptr, ptr, i64", fmt::format("ptr {}, ptr {}, i64 0", s, element));
  }
  void merge(const std::string &into, const std::string &from) {
    text_.call(name_ + "_merge", "ptr, ptr", fmt::format("ptr {}, ptr {}", into, from));
  }
  void result(const std::string &to, const std::string &s) {
    text_.call(name_ + "_result", "ptr, ptr", fmt::format("ptr {}, ptr {}", to, s));
  }
  void copy(const std::string &to, const std::string &from) { copy_state(text_, bytes_, to, from); }
  std::string arithmetic(const char *what, const std::string &a, const auto &b) {
    return text_.let("{} {} {}, {}", what, text_.index_type(), a, b);
  }
  std::string minus_one(const std::string &x) { return arithmetic("sub", x, 1); }
  std::string compare(const char *how, const std::string &a, const auto &b) {
    return text_.let("icmp {} {} {}, {}", how, text_.index_type(), a, b);
  }
  std::string choose(const std::string &condition, const std::string &a, const std::string &b) {
    return text_.let("select i1 {}, {} {}, {} {}", condition, text_.index_type(), a, text_.index_type(), b);
  }
  std::string element_at(std::size_t operand, const std::string &index) {
    return text_.let("getelementptr {}, ptr {}, i64 {}", type_, text_.memory(operand), text_.to_64(index));
  }
  std::string at(const std::string &base, const std::string &index, std::size_t bytes) {
    return text_.let("getelementptr i8, ptr {}, i64 {}", base, text_.let("mul i64 {}, {}", text_.to_64(index), bytes));
  }
  unsigned alignment() const { return unsigned(size_of(real_of(task_.type))); }
  std::string load(std::size_t operand, const std::string &index) {
    return text_.let("load {}, ptr {}, align {}", type_, element_at(operand, index), alignment());
  }
  void store(const std::string &value, const std::string &index) {
    text_.line("store {} {}, ptr {}, align {}", type_, value, element_at(1, index), alignment());
  }
};

class row_scan : scan_text {
public:
  using scan_text::scan_text;

  made_kernel make() {
    made_kernel made;
    made.local = std::uint32_t(group);
    const std::int64_t rows = task_.outer * task_.inner;
    made.groups = (rows + group - 1) / group;
    const std::string row = text_.add(text_.mul(text_.group_id(), std::to_string(group)), text_.local_id());
    text_.when(text_.less(row, text_.number("rows", rows)), [&] { write_row(row); });
    made.name = "array_accumulate_" + std::string(name_of(task_.how));
    made.text = text_.finish(made.name, "scan of rows");
    made.arguments = text_.take_arguments();
    return made;
  }

private:
  void write_row(const std::string &row) {
    const std::string inner = text_.number("inner", task_.inner), length = text_.number("length", task_.length);
    const std::string outside = arithmetic("udiv", row, inner);
    const std::string column = arithmetic("sub", row, text_.mul(outside, inner));
    const std::string first = text_.add(text_.mul(text_.mul(outside, length), inner), column);
    const std::string sum = state(), element = text_.variable(type_, 16),
                      position = text_.variable(text_.index_type(), 8);
    start(sum);
    text_.line("store {} 0, ptr {}", text_.index_type(), position);
    const auto step = [&](int count) {
      return [&, count](const std::string &i) {
        std::vector<std::string> places, elements;
        for (int k = 0; k < count; ++k) {
          places.push_back(text_.add(first, text_.mul(text_.add(i, std::to_string(k)), inner)));
          elements.push_back(load(0, places.back()));
        }
        for (std::size_t k = 0; k < places.size(); ++k) {
          text_.line("store {} {}, ptr {}", type_, elements[k], element);
          take(sum, element);
          result(element, sum);
          store(text_.let("load {}, ptr {}", type_, element), places[k]);
        }
      };
    };
    text_.loop_on(text_.index_type(), position, "7", length, "8", step(8));
    text_.loop_on(text_.index_type(), position, "0", length, "1", step(1));
  }
};

class tile_scan_text : protected scan_text {
public:
  explicit tile_scan_text(const scan_task &t)
      : scan_text(t), each_(std::clamp<std::int64_t>(64 / item(), 4, 16)), tile_(group * each_) {
    tiles_in_row_ = (t.length + tile_ - 1) / tile_;
    sums_in_row_ = (tiles_in_row_ + summed - 1) / summed;
    const auto up = [](std::int64_t n) { return (n + 255) / 256 * 256; };
    sums_ = up(8 * words() * t.outer * tiles_in_row_);
    workspace_ = sums_ + up(8 * words() * t.outer * sums_in_row_);
    elements_bytes_ = (tile_ + tile_ / padding() + 1) * item();
    elements_bytes_ = (elements_bytes_ + 15) / 16 * 16;
  }

  made_kernel make() {
    made_kernel made;
    made.local = std::uint32_t(group);
    made.groups = task_.outer * tiles_in_row_;
    item_ = text_.local_id();
    leader_ = compare("eq", item_, 0);
    find_tile();
    load_tile();
    scan_in_item();
    scan_totals();
    if (tiles_in_row_ > 1) {
      look_back();
      made.workspace_bytes = std::size_t(workspace_);
    }
    store_tile();
    made.name = "array_accumulate_" + std::string(name_of(task_.how));
    made.text = text_.finish(made.name, "scan of tiles");
    made.arguments = text_.take_arguments();
    return made;
  }

protected:
  const std::int64_t each_, tile_;  // elements of a work-item and of a work-group
  std::int64_t tiles_in_row_, sums_in_row_;
  std::int64_t sums_, workspace_;  // offsets: totals of tiles come first
  std::int64_t elements_bytes_;
  std::string item_, leader_, tile_number_, row_, tile_in_row_, first_, count_;
  std::vector<std::string> states_;  // of a work-item's elements, one after the other
  std::string before_;               // the state of all that precedes them
  std::string whole_, from_;
  std::string along_, own_;  // in local memory: the work-item's first among neighbours, and of its own

  static constexpr std::int64_t summed = 512;  // tiles of which the last one publishes what has come together

  std::int64_t slot() const { return std::int64_t(bytes_); }
  std::int64_t words() const { return (slot() + 3) / 4; }
  std::int64_t padding() const { return std::max<std::int64_t>(128 / item(), 1); }

  // -- Local memory: the tile's elements, then two rows of states and one more

  std::string local() { return text_.local_memory(std::size_t(elements_bytes_ + (2 * group + 1) * slot_room())); }
  std::int64_t slot_room() const { return slot() % 8 ? slot() : (slot() + 7) / 8 * 8; }
  /// Elements are spread out, so that neighbours in memory and those of one work-item lie in different banks.
  std::string local_element(const std::string &spread) {
    return text_.let("getelementptr {}, ptr {}, i64 {}", type_, local(), text_.to_64(spread));
  }
  std::string local_state(int row, const std::string &index) {
    const std::string base =
        text_.let("getelementptr i8, ptr {}, i64 {}", local(), elements_bytes_ + row * group * slot_room());
    return at(base, index, std::size_t(slot_room()));
  }

  /// Work-groups begin in the order of their numbers, so whoever waits for tiles before its own waits for those that
  /// run: what GPUs do, and queues of CPUs, whose threads take pieces in order.
  void find_tile() {
    tile_number_ = text_.group_id();
    const std::string tiles = text_.number("tiles in row", tiles_in_row_),
                      length = text_.number("length", task_.length);
    row_ = arithmetic("udiv", tile_number_, tiles);
    tile_in_row_ = arithmetic("sub", tile_number_, text_.mul(row_, tiles));
    const std::string offset = text_.mul(tile_in_row_, std::to_string(tile_));
    first_ = text_.add(text_.mul(row_, length), offset);
    const std::string left = arithmetic("sub", length, offset);
    const std::string fits = text_.less(left, std::to_string(tile_));
    count_ = choose(fits, left, std::to_string(tile_));
    whole_ = compare("eq", count_, tile_);
  }

  void load_tile() {
    // neighbours in memory lie beside each other; (item + k group) / padding is item / padding + k group / padding
    along_ = local_element(text_.add(item_, arithmetic("udiv", item_, padding())));
    const std::string mine = text_.mul(item_, std::to_string(each_));
    own_ = local_element(text_.add(mine, arithmetic("udiv", mine, padding())));
    from_ = element_at(0, text_.add(first_, item_));
    text_.choose(whole_, [&] { load_elements(true); }, [&] { load_elements(false); });
    text_.barrier();
  }
  std::string in_row_of_items(std::int64_t k) { return behind(along_, k * (group + group / padding())); }
  std::string behind(const std::string &element, std::int64_t k) {
    return k ? text_.let("getelementptr {}, ptr {}, i64 {}", type_, element, k) : element;
  }
  void load_elements(bool whole) {
    std::vector<std::string> loaded;
    const std::string last = whole ? "" : minus_one(count_);
    for (std::int64_t k = 0; k < each_; ++k) {
      if (whole) {
        loaded.push_back(text_.let("load {}, ptr {}, align {}", type_, behind(from_, k * group), alignment()));
        continue;
      }
      // behind the row's end its last element is taken again: nobody reads what comes of that
      const std::string index = text_.add(item_, std::to_string(k * group));
      const std::string inside = choose(compare("sgt", index, last), last, index);
      loaded.push_back(load(0, text_.add(first_, inside)));
    }
    for (std::int64_t k = 0; k < each_; ++k)
      text_.line("store {} {}, ptr {}", type_, loaded[std::size_t(k)], in_row_of_items(k));
  }

  void scan_in_item() {
    const std::string element = text_.variable(type_, 16);
    for (std::int64_t k = 0; k < each_; ++k) {
      states_.push_back(state());
      if (k)
        copy(states_.back(), states_[std::size_t(k - 1)]);
      else
        start(states_.back());
      text_.line("store {} {}, ptr {}", type_, text_.let("load {}, ptr {}", type_, behind(own_, k)), element);
      take(states_.back(), element);
    }
  }

  /// Totals of the work-items before, for each.
  void scan_totals() {
    const std::string total = state();
    copy(total, states_.back());
    copy(local_state(0, item_), total);
    int row = 0;
    for (std::int64_t step = 1; step < group; step *= 2, row = 1 - row) {
      text_.barrier();
      const std::string has = compare("sge", item_, step);
      text_.when(has, [&] {
        const std::string other = state();
        copy(other, local_state(row, arithmetic("sub", item_, step)));
        merge(other, total);
        copy(total, other);
      });
      copy(local_state(1 - row, item_), total);
    }
    text_.barrier();
    before_ = state();
    start(before_);
    const std::string has = compare("sgt", item_, 0);
    text_.when(has, [&] { copy(before_, local_state(row, minus_one(item_))); });
    last_row_ = row;
  }
  int last_row_ = 0;

  // A state is published as words of 64 bits: 32 of the state and a mark that they are there. A word is seen as a
  // whole, so nothing else needs an order.

  std::string published(std::int64_t offset, const std::string &index) {
    return at(text_.workspace(std::size_t(offset)), index, std::size_t(8 * words()));
  }
  std::string part(const std::string &state, std::int64_t k) {
    return k ? text_.let("getelementptr i8, ptr {}, i64 {}", state, 4 * k) : state;
  }
  std::string part_type() const { return slot() < 4 ? fmt::format("i{}", 8 * slot()) : "i32"; }
  void publish(const std::string &to, const std::string &state) {
    for (std::int64_t k = 0; k < words(); ++k) {
      const std::string bits =
          text_.let("load {}, ptr {}, align {}", part_type(), part(state, k), std::min<std::int64_t>(slot(), 4));
      const std::string marked =
          text_.let("or i64 {}, {}", text_.let("zext {} to i64", part_type() + " " + bits), 1LL << 32);
      const std::string place = k ? text_.let("getelementptr i8, ptr {}, i64 {}", to, 8 * k) : to;
      text_.line("store atomic i64 {}, ptr {} syncscope(\"device\") monotonic, align 8", marked, place);
    }
  }
  void await(const std::string &state, const std::string &from) {
    for (std::int64_t k = 0; k < words(); ++k) {
      const std::string place = k ? text_.let("getelementptr i8, ptr {}, i64 {}", from, 8 * k) : from;
      std::string word;
      text_.wait_while([&] {
        word = text_.let("load atomic i64, ptr {} syncscope(\"device\") monotonic, align 8", place);
        return text_.let("icmp ult i64 {}, {}", word, 1LL << 32);
      });
      const std::string bits = text_.let("trunc i64 {} to {}", word, part_type());
      text_.line("store {} {}, ptr {}, align {}", part_type(), bits, part(state, k), std::min<std::int64_t>(slot(), 4));
    }
  }

  /// Adds what precedes the tile to `before_`.
  void look_back() {
    const std::string total = state();
    copy(total, local_state(last_row_, std::to_string(group - 1)));
    text_.when(leader_, [&] { publish(published(0, tile_number_), total); });
    const std::string behind = arithmetic("and", tile_in_row_, summed - 1);
    const std::string sum_number =
        text_.add(text_.mul(row_, text_.number("sums in row", sums_in_row_)), arithmetic("udiv", tile_in_row_, summed));
    const std::string first = arithmetic("sub", tile_number_, behind);
    const std::string sum = state();
    start(sum);
    text_.loop(text_.index_type(), item_, behind, std::to_string(group), [&](const std::string &k) {
      const std::string other = state();
      await(other, published(0, text_.add(first, k)));
      merge(sum, other);
    });
    // what precedes them all is looked for at the same time, by a work-item of another sub-group
    const std::string rest = state();
    start(rest);
    const std::string follows = compare("sge", tile_in_row_, summed);
    const std::string seeker = compare("eq", item_, group - 1);
    const int row = 1 - last_row_;
    text_.when(text_.let("and i1 {}, {}", follows, seeker), [&] { await(rest, published(sums_, sum_number)); });
    text_.when(seeker, [&] { copy(local_state(2, "0"), rest); });
    copy(local_state(row, item_), sum);
    for (std::int64_t step = group / 2; step > 0; step /= 2) {
      text_.barrier();
      text_.when(text_.less(item_, std::to_string(step)), [&] {
        merge(sum, local_state(row, text_.add(item_, std::to_string(step))));
        copy(local_state(row, item_), sum);
      });
    }
    text_.barrier();
    const std::string all = state();
    copy(all, local_state(2, "0"));
    merge(all, local_state(row, "0"));
    const std::string is_last = compare("eq", behind, summed - 1);
    const std::string last_of_row = minus_one(text_.number("tiles in row", tiles_in_row_));
    const std::string more = text_.less(tile_in_row_, last_of_row);
    const std::string publishes = text_.let("and i1 {}, {}", is_last, text_.let("and i1 {}, {}", more, leader_));
    text_.when(publishes, [&] {
      const std::string next = state();
      copy(next, all);
      merge(next, total);
      publish(published(sums_, text_.add(sum_number, "1")), next);
    });
    merge(all, before_);
    copy(before_, all);
  }

  void store_tile() {
    const std::string element = text_.variable(type_, 16);
    for (std::int64_t k = 0; k < each_; ++k) {
      const std::string all = state();
      copy(all, before_);
      merge(all, states_[std::size_t(k)]);
      result(element, all);
      text_.line("store {} {}, ptr {}", type_, text_.let("load {}, ptr {}", type_, element), behind(own_, k));
    }
    text_.barrier();
    const std::string to = element_at(1, text_.add(first_, item_));
    const auto store_elements = [&](bool whole) {
      for (std::int64_t k = 0; k < each_; ++k) {
        const std::string value = text_.let("load {}, ptr {}", type_, in_row_of_items(k));
        const auto store = [&] {
          text_.line("store {} {}, ptr {}, align {}", type_, value, behind(to, k * group), alignment());
        };
        if (whole)
          store();
        else
          text_.when(text_.less(text_.add(item_, std::to_string(k * group)), count_), store);
      }
    };
    text_.choose(whole_, [&] { store_elements(true); }, [&] { store_elements(false); });
  }
};

/// Long rows in two kernels: totals of chunks, and a scan of each chunk behind those before it. Memory is read twice,
/// but nobody waits for anybody.
class chunk_scan_text : tile_scan_text {
public:
  explicit chunk_scan_text(const scan_task &t) : tile_scan_text(t) {
    tiles_in_chunk_ = (tiles_in_row_ + wanted_chunks - 1) / wanted_chunks;
    chunks_in_row_ = (tiles_in_row_ + tiles_in_chunk_ - 1) / tiles_in_chunk_;
  }

  made_kernel make_totals() {
    find_chunk();
    const std::string from = element_at(0, first_), sum = state(), element = text_.variable(type_, 16);
    const std::string position = text_.variable(text_.index_type(), 8);
    start(sum);
    text_.line("store {} {}, ptr {}", text_.index_type(), item_, position);
    const auto step = [&](int count) {
      return [&, count](const std::string &i) {
        const std::string place = text_.let("getelementptr {}, ptr {}, i64 {}", type_, from, text_.to_64(i));
        std::vector<std::string> elements;
        for (int k = 0; k < count; ++k)
          elements.push_back(text_.let("load {}, ptr {}, align {}", type_, behind(place, k * group), alignment()));
        for (const std::string &e : elements) {
          text_.line("store {} {}, ptr {}", type_, e, element);
          take(sum, element);
        }
      };
    };
    text_.loop_on(text_.index_type(), position, std::to_string(7 * group), count_, std::to_string(8 * group), step(8));
    text_.loop_on(text_.index_type(), position, "0", count_, std::to_string(group), step(1));
    put_together(sum);
    text_.when(leader_, [&] { copy(total_of(chunk_), sum); });
    return finish("totals of chunks", std::size_t(task_.outer * chunks_in_row_ * room_of_total()));
  }

  made_kernel make_scan() {
    find_chunk();
    const std::string sum = state();
    start(sum);
    const std::string first_chunk = arithmetic("sub", chunk_, chunk_in_row_);
    text_.loop(text_.index_type(), item_, chunk_in_row_, std::to_string(group),
               [&](const std::string &k) { merge(sum, total_of(text_.add(first_chunk, k))); });
    put_together(sum);
    text_.barrier();
    copy(sum, local_state(0, "0"));
    const std::string chunk_first = first_, chunk_count = count_;
    text_.loop(text_.index_type(), "0", chunk_count, std::to_string(tile_), [&](const std::string &offset) {
      first_ = text_.add(chunk_first, offset);
      const std::string left = arithmetic("sub", chunk_count, offset);
      count_ = choose(text_.less(left, std::to_string(tile_)), left, std::to_string(tile_));
      whole_ = compare("eq", count_, tile_);
      load_tile();
      scan_in_item();
      scan_totals();
      const std::string all = state();
      copy(all, sum);
      merge(all, before_);
      copy(before_, all);
      merge(sum, local_state(last_row_, std::to_string(group - 1)));
      store_tile();
    });
    return finish("scan of chunks", 0);
  }

private:
  static constexpr std::int64_t wanted_chunks = 2112;  // two for each work-group that a large GPU has room for
  std::int64_t tiles_in_chunk_, chunks_in_row_;
  std::string chunk_, chunk_in_row_;

  void find_chunk() {
    item_ = text_.local_id();
    leader_ = compare("eq", item_, 0);
    chunk_ = text_.group_id();
    const std::string chunks = text_.number("chunks in row", chunks_in_row_);
    const std::string length = text_.number("length", task_.length);
    const std::string elements = text_.number("elements of a chunk", tiles_in_chunk_ * tile_);
    row_ = arithmetic("udiv", chunk_, chunks);
    chunk_in_row_ = arithmetic("sub", chunk_, text_.mul(row_, chunks));
    const std::string offset = text_.mul(chunk_in_row_, elements);
    first_ = text_.add(text_.mul(row_, length), offset);
    const std::string left = arithmetic("sub", length, offset);
    count_ = choose(text_.less(left, elements), left, elements);
  }
  std::int64_t room_of_total() const { return (slot() + 7) / 8 * 8; }
  std::string total_of(const std::string &chunk) { return at(text_.workspace(0), chunk, std::size_t(room_of_total())); }
  /// Afterwards the leader has the whole, in its state and in local memory.
  void put_together(const std::string &sum) {
    copy(local_state(0, item_), sum);
    text_.halving(group / 2, [&](const std::string &step) {
      text_.barrier();
      text_.when(text_.less(item_, step), [&] {
        merge(sum, local_state(0, text_.add(item_, step)));
        copy(local_state(0, item_), sum);
      });
    });
  }
  made_kernel finish(const char *comment, std::size_t workspace_bytes) {
    made_kernel made;
    made.local = std::uint32_t(group);
    made.groups = task_.outer * chunks_in_row_;
    made.workspace_bytes = workspace_bytes;
    made.name = "array_accumulate_" + std::string(name_of(task_.how));
    made.text = text_.finish(made.name, comment);
    made.arguments = text_.take_arguments();
    return made;
  }
};

}  // namespace

made_kernel make_row_scan(const scan_task &t) { return row_scan(t).make(); }
made_kernel make_tile_scan(const scan_task &t) { return tile_scan_text(t).make(); }
std::array<made_kernel, 2> make_chunk_scan(const scan_task &t) {
  return {chunk_scan_text(t).make_totals(), chunk_scan_text(t).make_scan()};
}

}  // namespace dpep::array::gpu
