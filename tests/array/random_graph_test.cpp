// Random programs of deferred operations, views, writes and reads, compared with a naive evaluator.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <random>

#include <dpep/array_opcodes.hpp>

#include "expression.hpp"

namespace dpep::array::tests {
namespace {

/// An array of the naive evaluator: shared memory and strides.
struct naive {
  std::shared_ptr<std::vector<double>> memory;
  std::vector<std::int64_t> shape, strides;
  std::int64_t offset = 0;

  static naive of(std::vector<std::int64_t> shape) {
    naive made{std::make_shared<std::vector<double>>(), shape, std::vector<std::int64_t>(shape.size()), 0};
    std::int64_t stride = 1;
    for (std::size_t i = shape.size(); i-- > 0; stride *= shape[i]) made.strides[i] = stride;
    made.memory->resize(static_cast<std::size_t>(stride));
    return made;
  }
  double &at(const std::vector<std::int64_t> &index) const {
    std::int64_t place = offset;
    for (std::size_t i = 0; i < shape.size(); ++i) place += index[i] * strides[i];
    return (*memory)[static_cast<std::size_t>(place)];
  }
  /// The element at an index of the shape that the array is broadcast to.
  double &broadcast_at(const std::vector<std::int64_t> &index) const {
    std::vector<std::int64_t> mine(shape.size());
    const std::size_t missing = index.size() - shape.size();
    for (std::size_t i = 0; i < shape.size(); ++i) mine[i] = shape[i] == 1 ? 0 : index[missing + i];
    return at(mine);
  }
  void each(const std::function<void(const std::vector<std::int64_t> &)> &visit) const {
    std::vector<std::int64_t> index(shape.size(), 0);
    for (const std::int64_t length : shape)
      if (length == 0) return;
    for (;;) {
      visit(index);
      std::size_t axis = shape.size();
      while (axis > 0 && ++index[axis - 1] == shape[axis - 1]) index[--axis] = 0;
      if (axis == 0) return;
    }
  }
  std::vector<double> values() const {
    std::vector<double> all;
    each([&](const auto &index) { all.push_back(at(index)); });
    return all;
  }
};

struct both {
  ndarray real;
  naive model;
};

class random_program {
public:
  explicit random_program(unsigned seed) : random_(seed) {}

  void run(int steps) {
    for (int i = 0; i < 3; ++i) make();
    for (int step = 0; step < steps && !::testing::Test::HasFatalFailure(); ++step) {
      switch (pick(16)) {
      case 0:
        make();
        break;
      case 1:
      case 2:
        transpose();
        break;
      case 3:
        slice();
        break;
      case 4:
        assign_number();
        break;
      case 5:
        assign_array();
        break;
      case 6:
        update();
        break;
      case 7:
      case 8:
        reduce_some();
        break;
      case 10:
      case 11:
        roll_some();
        break;
      case 9:
        check(pick(arrays_.size()));
        break;
      default:
        combine();
        break;
      }
      while (arrays_.size() > 12) arrays_.erase(arrays_.begin() + static_cast<std::ptrdiff_t>(pick(arrays_.size())));
    }
    for (std::size_t i = 0; i < arrays_.size(); ++i) check(i);
  }

private:
  std::size_t pick(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_); }
  both &any() { return arrays_[pick(arrays_.size())]; }

  void make() {
    static const std::vector<std::int64_t> shapes[] = {{6, 5},    {6, 1},    {1, 5}, {5}, {5, 6},
                                                       {4, 6, 5}, {4, 1, 5}, {6, 6}, {}};
    const auto &shape = shapes[pick(std::size(shapes))];
    both made{{}, naive::of(shape)};
    *made.model.memory = numbers(made.model.memory->size(), static_cast<unsigned>(random_()));
    made.real = array_of(*made.model.memory, shape);
    arrays_.push_back(std::move(made));
  }

  static double value(opcode code, double a, double b) {
    switch (code) {
    case opcode::add:
      return a + b;
    case opcode::subtract:
      return a - b;
    case opcode::multiply:
      return a * b;
    case opcode::maximum:
      return std::max(a, b);
    default:
      return std::min(a, b);
    }
  }
  opcode binary() {
    static constexpr opcode codes[] = {opcode::add, opcode::subtract, opcode::multiply, opcode::maximum,
                                       opcode::minimum};
    return codes[pick(std::size(codes))];
  }
  /// The common shape, or nothing if there is none.
  static std::optional<std::vector<std::int64_t>> common(const naive &a, const naive &b) {
    const extents both[] = {a.shape, b.shape};
    try {
      return broadcast_shapes(both);
    } catch (const error &) {
      return std::nullopt;
    }
  }

  void combine() {
    const both a = any(), b = any();
    if (pick(3) == 0) {  // values stay in a range, and so do rounding errors
      both made{apply(opcode::tanh, a.real), naive::of(a.model.shape)};
      made.model.each([&](const auto &i) { made.model.at(i) = std::tanh(a.model.at(i)); });
      return arrays_.push_back(std::move(made));
    }
    const auto shape = common(a.model, b.model);
    if (!shape || shape->size() > 3) return;
    const opcode code = binary();
    both made{apply(code, a.real, b.real), naive::of(*shape)};
    made.model.each(
        [&](const auto &i) { made.model.at(i) = value(code, a.model.broadcast_at(i), b.model.broadcast_at(i)); });
    made.real = apply(opcode::multiply, made.real, 0.5);
    made.model.each([&](const auto &i) { made.model.at(i) *= 0.5; });
    arrays_.push_back(std::move(made));
  }

  void transpose() {
    both made = any();
    made.real = transposed(made.real);
    std::ranges::reverse(made.model.shape);
    std::ranges::reverse(made.model.strides);
    arrays_.push_back(std::move(made));
  }

  void slice() {
    both made = any();
    if (made.model.shape.empty() || made.model.shape[0] < 3) return;
    const std::int64_t from = static_cast<std::int64_t>(pick(2)), step = 1 + static_cast<std::int64_t>(pick(2));
    const std::int64_t count = (made.model.shape[0] - from + step - 1) / step;
    made.real = rows(made.real, from, count, step);
    made.model.offset += from * made.model.strides[0];
    made.model.shape[0] = count;
    made.model.strides[0] *= step;
    arrays_.push_back(std::move(made));
  }

  void roll_some() {
    const both from = any();
    std::vector<std::int64_t> shifts;
    std::vector<int> axes;
    for (std::size_t i = 0; i < from.model.shape.size(); ++i) {
      if (pick(2)) continue;
      axes.push_back(static_cast<int>(i));
      shifts.push_back(static_cast<std::int64_t>(pick(7)) - 3);
    }
    if (axes.empty()) return;
    both made{roll(from.real, shifts, axes), naive::of(from.model.shape)};
    made.model.each([&](std::vector<std::int64_t> i) {
      const double value = from.model.at(i);
      for (std::size_t k = 0; k < axes.size(); ++k) {
        const std::int64_t length = from.model.shape[static_cast<std::size_t>(axes[k])];
        std::int64_t &at = i[static_cast<std::size_t>(axes[k])];
        at = ((at + shifts[k]) % length + length) % length;
      }
      made.model.at(i) = value;
    });
    arrays_.push_back(std::move(made));
  }

  void assign_number() {
    const both &to = any();
    const double number = static_cast<double>(pick(100)) / 100;
    assign(to.real, scalar::of(number));
    to.model.each([&](const auto &i) { to.model.at(i) = number; });
  }

  void store_into(const naive &to, const std::function<double(const std::vector<std::int64_t> &)> &from) {
    std::vector<double> all;
    to.each([&](const auto &i) { all.push_back(from(i)); });
    std::size_t next = 0;
    to.each([&](const auto &i) { to.at(i) = all[next++]; });
  }

  void assign_array() {
    const both to = any(), from = any();
    if (const auto shape = common(to.model, from.model); !shape || *shape != to.model.shape) return;
    assign(to.real, from.real);
    store_into(to.model, [&](const auto &i) { return from.model.broadcast_at(i); });
  }

  void update() {
    const both to = any(), from = any();
    if (const auto shape = common(to.model, from.model); !shape || *shape != to.model.shape) return;
    const opcode code = binary();
    const ndarray halved = apply(opcode::multiply, from.real, 0.5);
    apply_in_place(code, to.real, halved);
    store_into(to.model, [&](const auto &i) { return value(code, to.model.at(i), 0.5 * from.model.broadcast_at(i)); });
  }

  void reduce_some() {
    const both from = any();
    std::vector<int> axes;
    for (std::size_t i = 0; i < from.model.shape.size(); ++i)
      if (pick(2)) axes.push_back(static_cast<int>(i));
    const bool keep = pick(2);
    static constexpr reduction hows[] = {reduction::mean, reduction::max, reduction::min, reduction::variance};
    const reduction how = hows[pick(std::size(hows))];
    const auto removed = [&](std::size_t i) { return std::ranges::find(axes, static_cast<int>(i)) != axes.end(); };
    std::vector<std::int64_t> shape;
    std::size_t count = 1;
    for (std::size_t i = 0; i < from.model.shape.size(); ++i) {
      if (removed(i)) count *= static_cast<std::size_t>(from.model.shape[i]);
      if (!removed(i) || keep) shape.push_back(removed(i) ? 1 : from.model.shape[i]);
    }
    both made{reduced(how, from.real, axes, keep), naive::of(shape)};
    std::vector<std::vector<double>> parts(made.model.memory->size());
    const auto place = [&](const std::vector<std::int64_t> &index) {
      std::vector<std::int64_t> to;
      for (std::size_t i = 0; i < index.size(); ++i)
        if (!removed(i) || keep) to.push_back(removed(i) ? 0 : index[i]);
      return static_cast<std::size_t>(&made.model.at(to) - made.model.memory->data());
    };
    from.model.each([&](const auto &i) { parts[place(i)].push_back(from.model.at(i)); });
    for (std::size_t p = 0; p < parts.size(); ++p) {
      double mean = 0, squares = 0;
      for (const double v : parts[p]) mean += v / static_cast<double>(count);
      for (const double v : parts[p]) squares += (v - mean) * (v - mean) / static_cast<double>(count);
      (*made.model.memory)[p] = how == reduction::mean       ? mean
                                : how == reduction::variance ? squares
                                : how == reduction::max      ? *std::ranges::max_element(parts[p])
                                                             : *std::ranges::min_element(parts[p]);
    }
    arrays_.push_back(std::move(made));
  }

  void check(std::size_t which) {
    const both &a = arrays_[which];
    ASSERT_TRUE(std::ranges::equal(a.real.shape(), a.model.shape));
    const auto got = values_of(a.real), wanted = a.model.values();
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_NEAR(got[i], wanted[i], 1e-9 * std::max(1.0, std::abs(wanted[i])));
  }

  std::mt19937 random_;
  std::vector<both> arrays_;
};

class deferring {
public:
  explicit deferring(std::int64_t above) : before_(defer_above(above)) {}
  ~deferring() { defer_above(before_); }

private:
  const std::int64_t before_;
};

TEST(random_graph, has_the_values_of_a_naive_evaluator) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    const deferring here(seed % 3 == 0 ? 10 : 0);  // deferring all operations, or only large ones
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_program(seed).run(60);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace dpep::array::tests
