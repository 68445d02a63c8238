// Loops whose iterations several work-items share: what their variables must be, and how many work-items share them.
//
// numba_dpex/core/dpjit/work_sharing.py makes the statements of the work-items under these conditions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels.hpp"

namespace dpep::python {

class sharing_rules {
public:
  /// Returns the variable of a name; null if the loop does not take it.
  using variables = std::function<PyObject *(std::string_view name)>;

  /// A variable, and one of its axes, or one of the values below.
  using extents = std::vector<std::pair<std::string, int>>;
  static constexpr int size = -1, value = -2, size_of_row = -3;  // of the array, of the number, of the array's rows

  /// Arrays and axes, each with a number.
  using limits = std::vector<std::tuple<std::string, int, std::int64_t>>;
  /// A loop of which each work-item executes one iteration at most. A variable and its axis, and a number that is added
  /// to its length: the sum is the number of iterations. Axes must be at least as long as the number of iterations plus
  /// the number of the first limits, and longer than the number of the second ones.
  using single_loop = std::tuple<std::string, int, std::int64_t, limits, limits>;

  /// `elements`: variables with the number of their dimensions, 0 for numbers. `stored`: the arrays that are stored to.
  /// `integers`: those of integers only. `summed`: those of which work-groups have copies. `shared`: what the numbers
  /// of iterations of shared loops are. `rows`: those of an outer loop that rows of work-items share.
  sharing_rules(std::vector<std::pair<std::string, int>> elements, std::vector<std::string> stored,
                std::vector<std::string> integers, std::vector<std::string> summed, extents shared, extents rows,
                std::vector<single_loop> single)
      : elements_(std::move(elements)),
        stored_(std::move(stored)),
        integers_(std::move(integers)),
        summed_(std::move(summed)),
        shared_(std::move(shared)),
        rows_(std::move(rows)),
        single_(std::move(single)) {}

  /// Whether the variables are as the statements require: arrays that are stored to overlap no other array, and
  /// their elements do not overlap each other. `all`: all variables.
  bool allow(std::span<PyObject *const> all, const variables &) const;

  /// An estimate of the number of iterations that the work-items share in each of `rows` iterations of the parallel
  /// loop.
  std::size_t iterations(std::size_t rows, const variables &) const;
  /// Whether work-items execute one iteration of the loops at most, and how many of them that takes; empty if they
  /// cannot for these variables.
  bool have_single() const noexcept { return !single_.empty(); }
  std::optional<std::size_t> single_iterations(const variables &) const;
  /// Whether rows of work-items share an outer loop, and an estimate of the number of its iterations.
  bool have_rows() const noexcept { return !rows_.empty(); }
  std::size_t rows(const variables &named) const { return longest(rows_, 1, named); }
  /// The elements of all arrays of which work-groups have copies.
  std::size_t summed_elements(const variables &) const;

private:
  bool can_be_copied(const ndarray &) const;
  static std::optional<std::int64_t> length(const std::string &name, int axis, const variables &);
  static std::size_t longest(const extents &, std::size_t rows, const variables &);

  std::vector<std::pair<std::string, int>> elements_;
  std::vector<std::string> stored_, integers_, summed_;
  extents shared_, rows_;
  std::vector<single_loop> single_;
};

/// Whether CPUs execute loops in the forms that GPUs get, for tests: as DPEP_LOOPS=gpu or the last call of the second
/// function says, which returns the former value.
bool loops_as_on_gpus() noexcept;
bool set_loops_as_on_gpus(bool) noexcept;

}  // namespace dpep::python
