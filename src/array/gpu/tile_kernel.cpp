// Generates kernels of element operations whose operands are contiguous along different axes: work-groups transpose
// square tiles in local memory, so that both sides are accessed in whole cache lines.
#include "array/gpu/pass_kernels.hpp"

#include <algorithm>
#include <tuple>

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t group = 256, min_axis = 16, min_elements = 4096;
constexpr std::int64_t max_local_bytes = 40 * 1024;

bool is_contiguous(const memory_operand &m, int axis) {
  return m.strides[std::size_t(axis)] == std::int64_t(size_of(m.type));
}

class tile_kernel {
public:
  tile_kernel(const kernel_program &w, const kernel_pass &p, const transposed_operands &d)
      : program_(w),
        pass_(p),
        transposed_(d),
        below_(values_below(w, p.kept_stores)),
        text_(needs_wide_indices(w, p.kept)) {
    std::int64_t bytes = 0;
    for (const std::uint16_t o : d.others) bytes += std::int64_t(size_of(w.code.memory[o].type));
    if ((side_ * (side_ + 1)) * bytes > max_local_bytes) side_ = 32;
    for (const std::uint16_t o : d.others) {
      offsets_.push_back(local_bytes_);
      local_bytes_ += std::size_t(side_ * (side_ + 1)) * size_of(w.code.memory[o].type);
      local_bytes_ = (local_bytes_ + 15) / 16 * 16;
    }
  }

  generated_kernel generate() {
    generated_kernel kernel;
    kernel.local = std::uint32_t(group);
    const std::int64_t a = size(transposed_.result_axis), b = size(transposed_.other_axis);
    const std::int64_t tiles_a = (a + side_ - 1) / side_, tiles_b = (b + side_ - 1) / side_;
    const std::int64_t outer = program_.count(pass_.kept) / (a * b);
    kernel.groups = tiles_a * tiles_b * outer;

    const std::string number = text_.group_id(), item = text_.local_id();
    const std::string count_a = text_.number("tiles a", tiles_a), count_b = text_.number("tiles b", tiles_b);
    const std::string rest = divide(number, count_a), tile_a = remainder(number, rest, count_a);
    const std::string outside = divide(rest, count_b), tile_b = remainder(rest, outside, count_b);
    first_a_ = text_.mul(tile_a, std::to_string(side_));
    first_b_ = text_.mul(tile_b, std::to_string(side_));
    base_.index.resize(program_.code.sizes.size());
    const axis_set both = axis_set::of(transposed_.result_axis) | axis_set::of(transposed_.other_axis);
    unravel_index(text_, program_, axes_in(program_, pass_.kept - both, -1), outside, 1, base_);

    fast_ = text_.let("and {} {}, {}", type(), item, side_ - 1);
    slow_ = text_.let("udiv {} {}, {}", type(), item, side_);
    const std::string fits_a = fits(transposed_.result_axis, first_a_), fits_b = fits(transposed_.other_axis, first_b_);
    whole_ = text_.let("and i1 {}, {}", fits_a, fits_b);
    fill_tiles();
    text_.barrier();
    write_results();
    kernel.text = text_.finish(program_.name, "tiles");
    kernel.arguments = text_.take_arguments();
    return kernel;
  }

private:
  const kernel_program &program_;
  const kernel_pass &pass_;
  const transposed_operands &transposed_;
  const std::vector<value_id> below_;
  kernel_text text_;
  std::int64_t side_ = 64;
  std::vector<std::size_t> offsets_;
  std::size_t local_bytes_ = 0;
  iteration_point base_;
  std::string first_a_, first_b_, fast_, slow_, whole_;

  const std::string &type() const { return text_.index_type(); }
  std::int64_t size(int axis) const { return program_.code.sizes[std::size_t(axis)]; }
  std::int64_t steps() const { return side_ * side_ / group; }
  std::int64_t rows() const { return group / side_; }  // rows of a tile that the work-group accesses at once
  std::string divide(const std::string &x, const std::string &by) { return text_.let("udiv {} {}, {}", type(), x, by); }
  std::string remainder(const std::string &x, const std::string &quotient, const std::string &by) {
    return text_.let("sub {} {}, {}", type(), x, text_.mul(quotient, by));
  }

  std::string fits(int axis, const std::string &first) {
    const std::string most = text_.number(fmt::format("last whole {}", axis), size(axis) - side_);
    return text_.let("icmp sle {} {}, {}", type(), first, most);
  }

  /// The index, and whether it is inside the array. Otherwise the last index, so that loads need no branch.
  std::pair<std::string, std::string> clamped(int axis, const std::string &first, const std::string &step) {
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
    return text_.let("getelementptr {}, ptr {}, i64 {}", ir_type(program_.code.memory[transposed_.others[k]].type),
                     start, text_.to_64(element));
  }

  /// The value that is loaded from the operand.
  value_id load_of(std::uint16_t operand) const {
    return *std::ranges::find_if(
        below_, [&](value_id v) { return program_[v].what == step::load && program_[v].operand == operand; });
  }

  /// The element of a work-item in one row of the tile.
  struct row {
    std::string number;
    item_values at;
    std::string is_inside;
  };
  /// Rows of a whole tile, unrolled: each address is computed from the one before.
  std::vector<row> whole_rows(int axis, const std::string &first, int fast_axis, const std::string &fast_first) {
    std::vector<row> list;
    const std::string fast = text_.add(fast_first, fast_);
    for (std::int64_t k = 0; k < steps(); ++k) {
      const std::string number = text_.add(slow_, std::to_string(k * rows()));
      iteration_point p = base_;
      p.index[std::size_t(fast_axis)] = fast;
      p.index[std::size_t(axis)] = text_.add(first, number);
      if (list.empty())
        list.push_back({number, item_values(text_, program_, p), {}});
      else
        list.push_back({number, item_values(list.back().at, p, axis, rows()), {}});
      for (const value_id v : below_)
        if (program_[v].what == step::load || program_[v].what == step::store)
          list.back().at.compute_address(program_[v].operand);
    }
    return list;
  }
  /// Rows of a tile at the edge, in a loop; indices outside are replaced by the last.
  template <class F>
  void each_row(int axis, const std::string &first, int fast_axis, const std::string &fast_first, F body) {
    const auto [fast, fast_is_inside] = clamped(fast_axis, fast_first, fast_);
    text_.rolled_loop(type(), slow_, std::to_string(side_), std::to_string(rows()), [&](const std::string &number) {
      const auto [index, is_inside] = clamped(axis, first, number);
      iteration_point p = base_;
      p.index[std::size_t(fast_axis)] = fast;
      p.index[std::size_t(axis)] = index;
      body(row{number, item_values(text_, program_, p), text_.let("and i1 {}, {}", is_inside, fast_is_inside)});
    });
  }

  std::vector<std::string> load_others(row &r) {
    std::vector<std::string> loaded;
    for (const std::uint16_t o : transposed_.others) loaded.push_back(r.at.of(load_of(o), 0));
    return loaded;
  }
  void store_to_tiles(const row &r, const std::vector<std::string> &loaded) {
    for (std::size_t k = 0; k < transposed_.others.size(); ++k)
      text_.line("store {} {}, ptr {}", ir_type(program_.code.memory[transposed_.others[k]].type), loaded[k],
                 in_tile(k, r.number, fast_));
  }
  void fill_tiles() {
    text_.if_else(
        whole_,
        [&] {
          std::vector<row> list = whole_rows(transposed_.result_axis, first_a_, transposed_.other_axis, first_b_);
          std::vector<std::vector<std::string>> loaded;
          for (row &r : list) loaded.push_back(load_others(r));
          for (std::size_t n = 0; n < list.size(); ++n) store_to_tiles(list[n], loaded[n]);
        },
        [&] {
          each_row(transposed_.result_axis, first_a_, transposed_.other_axis, first_b_,
                   [&](row r) { store_to_tiles(r, load_others(r)); });
        });
  }

  void load_from_tiles(row &r) {
    for (std::size_t o = 0; o < transposed_.others.size(); ++o) {
      const dtype t = program_.code.memory[transposed_.others[o]].type;
      const std::string name = text_.let("load {}, ptr {}", ir_type(t), in_tile(o, fast_, r.number));
      for (const value_id u : below_)
        if (program_[u].what == step::load && program_[u].operand == transposed_.others[o]) r.at.bind(u, {name});
    }
    for (const value_id s : pass_.kept_stores) r.at.emit_loads(s);
  }
  void compute(row &r) {
    for (const value_id s : pass_.kept_stores) static_cast<void>(r.at.of(program_[s].inputs[0]));
  }
  void store(row &r) {
    for (const value_id s : pass_.kept_stores) r.at.store(s);
  }
  void write_results() {
    const auto one_by_one = [&] {
      each_row(transposed_.other_axis, first_b_, transposed_.result_axis, first_a_, [&](row r) {
        load_from_tiles(r);
        compute(r);
        text_.if_then(r.is_inside, [&] { store(r); });
      });
    };
    if (double(steps()) * compile_milliseconds_of(program_, below_) > max_compile_milliseconds) return one_by_one();
    text_.if_else(
        whole_,
        [&] {
          std::vector<row> list = whole_rows(transposed_.other_axis, first_b_, transposed_.result_axis, first_a_);
          for (row &r : list) load_from_tiles(r);
          for (row &r : list) compute(r), store(r);
        },
        one_by_one);
  }
};

}  // namespace

std::optional<transposed_operands> find_transposed_operands(const kernel_program &w, const kernel_pass &p) {
  if (w.aliased || w.count(p.kept) < min_elements) return {};
  const std::vector<value_id> below = values_below(w, p.kept_stores);
  for (const value_id v : below)
    if (w[v].what == step::reduce && w.temporary_of[v] == kernel_program::no_operand) return {};
  transposed_operands d{contiguous_axis(w, p.kept, p.kept_stores), -1, {}};
  if (d.result_axis < 0 || w.code.sizes[std::size_t(d.result_axis)] < min_axis) return {};
  double heaviest = 0;
  for (const value_id v : below) {
    if (w[v].what != step::load || !w[v].axes.has(d.result_axis)) continue;
    const memory_operand &m = w.code.memory[w[v].operand];
    if (is_contiguous(m, d.result_axis)) continue;
    for (int a = 0; a < w.code.axes(); ++a) {
      if (!w[v].axes.has(a) || !is_contiguous(m, a) || w.code.sizes[std::size_t(a)] < min_axis) continue;
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

generated_kernel generate_tile_kernel(const kernel_program &w, const kernel_pass &p, const transposed_operands &d) {
  return tile_kernel(w, p, d).generate();
}

}  // namespace dpep::array::gpu
