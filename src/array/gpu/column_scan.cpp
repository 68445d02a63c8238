// Generates scans along an axis that is not the last, for fewer columns than occupy a GPU with a work-item each.
#include <algorithm>
#include <bit>

#include "array/gpu/scan_text.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t max_group = 512;

std::int64_t power_of_two_above(std::int64_t n) { return std::int64_t(std::bit_ceil(std::uint64_t(n))); }

/// A work-group scans a few adjacent columns, as many as make whole cache lines, in turns. In a turn, the next elements
/// of each column are distributed over `pieces` work-items, which exchange their totals.
class column_scan : scan_text {
public:
  explicit column_scan(const scan_task &t)
      : scan_text(t),
        columns_(std::min(power_of_two_above(t.inner), std::max<std::int64_t>(32, 128 / item()))),
        each_(item() > 8 ? 4 : 8),
        blocks_(ceil_div(t.inner, columns_)),
        // merging totals takes longer than waiting for memory, unless no other work-group hides the wait
        pieces_(std::min({power_of_two_above(ceil_div(t.length, each_)), max_group / columns_,
                          std::int64_t(t.outer * blocks_ < t.device.compute_units ? 128 : 16)})) {}

  generated_kernel generate() {
    generated_kernel kernel;
    kernel.local = std::uint32_t(columns_ * pieces_);
    kernel.groups = task_.outer * blocks_;
    find_columns();
    carry_ = state();
    start(carry_);
    buffer_ = text_.variable(text_.index_type(), 8);
    text_.line("store {} 0, ptr {}", text_.index_type(), buffer_);
    text_.loop(text_.index_type(), "0", length_, std::to_string(pieces_ * each_),
               [&](const std::string &at) { write_turn(at); });
    kernel.name = "array_accumulate_" + std::string(name_of(task_.how));
    text_.set_resident_groups(bytes_ <= 8 ? 2 : 1);
    kernel.text = text_.finish(kernel.name, "scan of columns");
    kernel.arguments = text_.take_arguments();
    return kernel;
  }

private:
  const std::int64_t columns_, each_, blocks_, pieces_;
  std::string item_, column_, piece_, active_, length_, inner_, first_, carry_, buffer_;

  void find_columns() {
    item_ = text_.local_id();
    column_ = arithmetic("and", item_, columns_ - 1);
    piece_ = arithmetic("udiv", item_, columns_);
    length_ = text_.number("length", task_.length), inner_ = text_.number("inner", task_.inner);
    const std::string blocks = text_.number("blocks", blocks_);
    const std::string outside = arithmetic("udiv", text_.group_id(), blocks);
    const std::string block = arithmetic("sub", text_.group_id(), text_.mul(outside, blocks));
    const std::string requested = text_.add(text_.mul(block, std::to_string(columns_)), column_);
    active_ = text_.less(requested, inner_);
    // work-items without a column read the first one, and store nothing
    first_ = text_.add(text_.mul(text_.mul(outside, length_), inner_), select(active_, requested, "0"));
  }

  std::string element_index(const std::string &row) { return text_.add(first_, text_.mul(row, inner_)); }

  void write_turn(const std::string &at) {
    const std::string row = text_.add(at, text_.mul(piece_, std::to_string(each_)));
    const std::string whole = compare("sle", text_.add(at, std::to_string(pieces_ * each_)), length_);
    std::vector<std::string> elements;
    for (std::int64_t k = 0; k < each_; ++k) elements.push_back(text_.variable(type_, 16));
    const auto kept = [&](std::int64_t k) { return elements[std::size_t(k)]; };
    const auto row_of = [&](std::int64_t k) { return text_.add(row, std::to_string(k)); };

    const std::string total = state();
    start(total);
    text_.if_else(
        whole,
        [&] {
          for (std::int64_t k = 0; k < each_; ++k)
            text_.line("store {} {}, ptr {}", type_, load(0, element_index(row_of(k))), kept(k));
          for (std::int64_t k = 0; k < each_; ++k) take(total, kept(k));
        },
        [&] {
          for (std::int64_t k = 0; k < each_; ++k)
            text_.if_then(text_.less(row_of(k), length_), [&] {
              text_.line("store {} {}, ptr {}", type_, load(0, element_index(row_of(k))), kept(k));
              take(total, kept(k));
            });
        });

    const std::string before = exchange_totals(total);
    const std::string sum = text_.variable(type_, 16);
    const auto put = [&](std::int64_t k) {
      take(before, kept(k));
      result(sum, before);
      store(text_.let("load {}, ptr {}", type_, sum), element_index(row_of(k)));
    };
    text_.if_then(active_, [&] {
      text_.if_else(
          whole,
          [&] {
            for (std::int64_t k = 0; k < each_; ++k) put(k);
          },
          [&] {
            for (std::int64_t k = 0; k < each_; ++k) text_.if_then(text_.less(row_of(k), length_), [&] { put(k); });
          });
    });
  }

  std::string total_at(const std::string &number) {
    return at(text_.local_memory(2 * bytes_ * std::size_t(columns_ * pieces_)), number, bytes_);
  }
  /// The accumulation of all elements before those of this work-item. Totals are double-buffered, because those of one
  /// turn are still being read when those of the next are written.
  std::string exchange_totals(const std::string &total) {
    const std::string buffer = text_.let("load {}, ptr {}", text_.index_type(), buffer_);
    const std::string base = text_.mul(buffer, std::to_string(columns_ * pieces_));
    text_.line("store {} {}, ptr {}", text_.index_type(), arithmetic("xor", buffer, 1), buffer_);
    copy(total_at(text_.add(base, item_)), total);
    text_.barrier();
    const std::string before = state(), others = text_.add(base, column_);
    copy(before, carry_);
    text_.loop(text_.index_type(), "0", std::to_string(pieces_), "1", [&](const std::string &k) {
      const std::string other = total_at(text_.add(others, text_.mul(k, std::to_string(columns_))));
      text_.if_then(text_.less(k, piece_), [&] { merge(before, other); });
      merge(carry_, other);
    });
    return before;
  }
};

}  // namespace

generated_kernel generate_column_scan(const scan_task &t) { return column_scan(t).generate(); }

}  // namespace dpep::array::gpu
