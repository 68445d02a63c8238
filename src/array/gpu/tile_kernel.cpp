// Element operations whose operands are contiguous along different axes: work-groups turn square tiles in local memory,
// so that both sides are read and written in whole lines.
#include "array/gpu/pass_kernels.hpp"

#include <algorithm>
#include <tuple>

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t group = 256, shortest_axis = 16, fewest_elements = 4096;
constexpr std::int64_t most_local_bytes = 40 * 1024;

bool is_contiguous(const memory_operand &m, int axis) {
  return m.strides[std::size_t(axis)] == std::int64_t(size_of(m.type));
}

class tile_kernel {
public:
  tile_kernel(const work &w, const kernel_pass &p, const disagreement &d)
      : work_(w), pass_(p), apart_(d), below_(values_below(w, p.kept_stores)), text_(needs_wide_indices(w, p.kept)) {
    std::int64_t bytes = 0;
    for (const std::uint16_t o : d.others) bytes += std::int64_t(size_of(w.code.memory[o].type));
    if ((side_ * (side_ + 1)) * bytes > most_local_bytes) side_ = 32;
    for (const std::uint16_t o : d.others) {
      offsets_.push_back(local_bytes_);
      local_bytes_ += std::size_t(side_ * (side_ + 1)) * size_of(w.code.memory[o].type);
      local_bytes_ = (local_bytes_ + 15) / 16 * 16;
    }
  }

  made_kernel make() {
    made_kernel made;
    made.local = std::uint32_t(group);
    const std::int64_t a = size(apart_.result_axis), b = size(apart_.other_axis);
    const std::int64_t tiles_a = (a + side_ - 1) / side_, tiles_b = (b + side_ - 1) / side_;
    const std::int64_t outer = work_.count(pass_.kept) / (a * b);
    made.groups = tiles_a * tiles_b * outer;

    const std::string number = text_.group_id(), item = text_.local_id();
    const std::string count_a = text_.number("tiles a", tiles_a), count_b = text_.number("tiles b", tiles_b);
    const std::string rest = divide(number, count_a), tile_a = remainder(number, rest, count_a);
    const std::string outside = divide(rest, count_b), tile_b = remainder(rest, outside, count_b);
    first_a_ = text_.mul(tile_a, std::to_string(side_));
    first_b_ = text_.mul(tile_b, std::to_string(side_));
    base_.index.resize(work_.code.sizes.size());
    const axis_set both = axis_set::of(apart_.result_axis) | axis_set::of(apart_.other_axis);
    split_index(text_, work_, axes_in(work_, pass_.kept - both, -1), outside, 1, base_);

    fast_ = text_.let("and {} {}, {}", type(), item, side_ - 1);
    slow_ = text_.let("udiv {} {}, {}", type(), item, side_);
    const std::string fits_a = fits(apart_.result_axis, first_a_), fits_b = fits(apart_.other_axis, first_b_);
    whole_ = text_.let("and i1 {}, {}", fits_a, fits_b);
    fill_tiles();
    text_.barrier();
    write_results();
    made.text = text_.finish(work_.name, "tiles");
    made.arguments = text_.take_arguments();
    return made;
  }

private:
  const work &work_;
  const kernel_pass &pass_;
  const disagreement &apart_;
  const std::vector<value_id> below_;
  kernel_text text_;
  std::int64_t side_ = 64;
  std::vector<std::size_t> offsets_;
  std::size_t local_bytes_ = 0;
  place base_;
  std::string first_a_, first_b_, fast_, slow_, whole_;

  const std::string &type() const { return text_.index_type(); }
  std::int64_t size(int axis) const { return work_.code.sizes[std::size_t(axis)]; }
  std::int64_t steps() const { return side_ * side_ / group; }
  std::int64_t rows() const { return group / side_; }  // of a tile, at once
  std::string divide(const std::string &x, const std::string &by) { return text_.let("udiv {} {}, {}", type(), x, by); }
  std::string remainder(const std::string &x, const std::string &quotient, const std::string &by) {
    return text_.let("sub {} {}, {}", type(), x, text_.mul(quotient, by));
  }

  std::string fits(int axis, const std::string &first) {
    const std::string most = text_.number(fmt::format("last whole {}", axis), size(axis) - side_);
    return text_.let("icmp sle {} {}, {}", type(), first, most);
  }

  /// The index, and whether it is there; else the last one, so that loads need no branch.
  std::pair<std::string, std::string> inside(int axis, const std::string &first, const std::string &step) {
    const std::string index = text_.add(first, step);
    const std::string last = text_.number(fmt::format("last {}", axis), size(axis) - 1);
    const std::string beyond = text_.let("icmp sgt {} {}, {}", type(), index, last);
    return {text_.let("select i1 {}, {} {}, {} {}", beyond, type(), last, type(), index),
            text_.let("xor i1 {}, true", beyond)};
  }

  std::string in_tile(std::size_t k, const std::string &a, const std::string &b) {
    const std::string element = text_.add(text_.mul(a, std::to_string(side_ + 1)), b);
    const std::string start =
        text_.let("getelementptr i8, ptr {}, i64 {}", text_.local_memory(local_bytes_), offsets_[k]);
    return text_.let("getelementptr {}, ptr {}, i64 {}", ir_type(work_.code.memory[apart_.others[k]].type), start,
                     text_.to_64(element));
  }

  /// The value that is the operand's elements.
  value_id load_of(std::uint16_t operand) const {
    return *std::ranges::find_if(
        below_, [&](value_id v) { return work_[v].what == step::load && work_[v].operand == operand; });
  }

  /// A row of the tile, of those that a work-item takes: a place in it.
  struct row {
    std::string number;
    values at;
    std::string is_there;
  };
  /// Rows of a whole tile, all at once: each address is found from the one before.
  std::vector<row> whole_rows(int axis, const std::string &first, int fast_axis, const std::string &fast_first) {
    std::vector<row> list;
    const std::string fast = text_.add(fast_first, fast_);
    for (std::int64_t k = 0; k < steps(); ++k) {
      const std::string number = text_.add(slow_, std::to_string(k * rows()));
      place p = base_;
      p.index[std::size_t(fast_axis)] = fast;
      p.index[std::size_t(axis)] = text_.add(first, number);
      if (list.empty())
        list.push_back({number, values(text_, work_, p), {}});
      else
        list.push_back({number, values(list.back().at, p, axis, rows()), {}});
      for (const value_id v : below_)
        if (work_[v].what == step::load || work_[v].what == step::store) list.back().at.find(work_[v].operand);
    }
    return list;
  }
  /// Rows of a tile at the space's end, one after the other; those beyond it are the last one again.
  template <class F>
  void each_row(int axis, const std::string &first, int fast_axis, const std::string &fast_first, F body) {
    const auto [fast, fast_is_there] = inside(fast_axis, fast_first, fast_);
    text_.short_loop(type(), slow_, std::to_string(side_), std::to_string(rows()), [&](const std::string &number) {
      const auto [index, is_there] = inside(axis, first, number);
      place p = base_;
      p.index[std::size_t(fast_axis)] = fast;
      p.index[std::size_t(axis)] = index;
      body(row{number, values(text_, work_, p), text_.let("and i1 {}, {}", is_there, fast_is_there)});
    });
  }

  std::vector<std::string> load_others(row &r) {
    std::vector<std::string> loaded;
    for (const std::uint16_t o : apart_.others) loaded.push_back(r.at.of(load_of(o), 0));
    return loaded;
  }
  void put_into_tiles(const row &r, const std::vector<std::string> &loaded) {
    for (std::size_t k = 0; k < apart_.others.size(); ++k)
      text_.line("store {} {}, ptr {}", ir_type(work_.code.memory[apart_.others[k]].type), loaded[k],
                 in_tile(k, r.number, fast_));
  }
  void fill_tiles() {
    text_.choose(
        whole_,
        [&] {
          std::vector<row> list = whole_rows(apart_.result_axis, first_a_, apart_.other_axis, first_b_);
          std::vector<std::vector<std::string>> loaded;
          for (row &r : list) loaded.push_back(load_others(r));
          for (std::size_t n = 0; n < list.size(); ++n) put_into_tiles(list[n], loaded[n]);
        },
        [&] {
          each_row(apart_.result_axis, first_a_, apart_.other_axis, first_b_,
                   [&](row r) { put_into_tiles(r, load_others(r)); });
        });
  }

  void take_from_tiles(row &r) {
    for (std::size_t o = 0; o < apart_.others.size(); ++o) {
      const dtype t = work_.code.memory[apart_.others[o]].type;
      const std::string name = text_.let("load {}, ptr {}", ir_type(t), in_tile(o, fast_, r.number));
      for (const value_id u : below_)
        if (work_[u].what == step::load && work_[u].operand == apart_.others[o]) r.at.bind(u, {name});
    }
    for (const value_id s : pass_.kept_stores) r.at.load_for(s);
  }
  void compute(row &r) {
    for (const value_id s : pass_.kept_stores) static_cast<void>(r.at.of(work_[s].inputs[0]));
  }
  void store(row &r) {
    for (const value_id s : pass_.kept_stores) r.at.store(s);
  }
  void write_results() {
    const auto one_by_one = [&] {
      each_row(apart_.other_axis, first_b_, apart_.result_axis, first_a_, [&](row r) {
        take_from_tiles(r);
        compute(r);
        text_.when(r.is_there, [&] { store(r); });
      });
    };
    if (double(steps()) * compile_milliseconds_of(work_, below_) > most_milliseconds) return one_by_one();
    text_.choose(
        whole_,
        [&] {
          std::vector<row> list = whole_rows(apart_.other_axis, first_b_, apart_.result_axis, first_a_);
          for (row &r : list) take_from_tiles(r);
          for (row &r : list) compute(r), store(r);
        },
        one_by_one);
  }
};

}  // namespace

std::optional<disagreement> find_disagreement(const work &w, const kernel_pass &p) {
  if (w.aliased || w.count(p.kept) < fewest_elements) return {};
  const std::vector<value_id> below = values_below(w, p.kept_stores);
  for (const value_id v : below)
    if (w[v].what == step::reduce && w.kept_in[v] == work::nowhere) return {};
  disagreement d{contiguous_axis(w, p.kept, p.kept_stores), -1, {}};
  if (d.result_axis < 0 || w.code.sizes[std::size_t(d.result_axis)] < shortest_axis) return {};
  double heaviest = 0;
  for (const value_id v : below) {
    if (w[v].what != step::load || !w[v].axes.has(d.result_axis)) continue;
    const memory_operand &m = w.code.memory[w[v].operand];
    if (is_contiguous(m, d.result_axis)) continue;
    for (int a = 0; a < w.code.axes(); ++a) {
      if (!w[v].axes.has(a) || !is_contiguous(m, a) || w.code.sizes[std::size_t(a)] < shortest_axis) continue;
      const double bytes = double(w.count(w[v].axes)) * double(size_of(m.type));
      if (bytes > heaviest) heaviest = bytes, d.other_axis = a;
    }
  }
  if (d.other_axis < 0) return {};
  for (const value_id v : below) {
    if (w[v].what != step::load || !w[v].axes.has(d.result_axis)) continue;
    const memory_operand &m = w.code.memory[w[v].operand];
    if (!is_contiguous(m, d.other_axis) || is_contiguous(m, d.result_axis)) continue;
    if (std::ranges::find(d.others, w[v].operand) == d.others.end() && d.others.size() < 4)
      d.others.push_back(w[v].operand);
  }
  return d;
}

made_kernel make_tile_kernel(const work &w, const kernel_pass &p, const disagreement &d) {
  return tile_kernel(w, p, d).make();
}

}  // namespace dpep::array::gpu
