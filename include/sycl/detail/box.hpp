// Boxes of bytes: the operands of copies and fills through accessors.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <dpep/queue.hpp>

#include <sycl/exception.hpp>
#include <sycl/id.hpp>

namespace sycl::detail {

/// Rows of contiguous bytes, in up to two further dimensions.
struct box {
  std::byte *first = nullptr;
  std::size_t row_bytes = 0;
  std::array<std::size_t, 2> count{1, 1};   // number of rows; [0] varies slowest
  std::array<std::size_t, 2> stride{0, 0};  // bytes

  std::byte *row(std::size_t i, std::size_t j) const { return first + i * stride[0] + j * stride[1]; }
  bool contiguous() const {
    return (count[1] == 1 || stride[1] == row_bytes) && (count[0] == 1 || stride[0] == row_bytes * count[1]);
  }
  std::size_t bytes() const { return row_bytes * count[0] * count[1]; }

  /// Shrinks this box to the size of `other`; returns false if this box is smaller.
  bool shrink_to(const box &other) {
    if (contiguous() && other.contiguous()) {
      if (bytes() < other.bytes()) return false;
      *this = {first, other.bytes()};
      return true;
    }
    if (row_bytes < other.row_bytes || count[0] < other.count[0] || count[1] < other.count[1]) return false;
    row_bytes = other.row_bytes;
    count = other.count;
    return true;
  }
};

/// Returns the box of `extent` elements in an array of `whole`.
template <int D> box make_box(const void *first, const range<D> &extent, const range<D> &whole, std::size_t element) {
  box b;
  b.first = const_cast<std::byte *>(static_cast<const std::byte *>(first));
  b.row_bytes = extent[D - 1] * element;
  std::size_t stride = element;
  for (int d = D - 2; d >= 0; d--) {
    stride *= whole[d + 1];
    b.count[d + 3 - D] = extent[d];  // the last dimension but one is count[1]
    b.stride[d + 3 - D] = stride;
  }
  return b;
}

/// Returns the box of `height` rows of `width` elements, whose first ones are `pitch` elements apart. Throws
/// errc::invalid if rows would overlap; `operation` and `name` are for the message.
inline box pitched_box(const char *operation, const char *name, const void *first, std::size_t pitch, std::size_t width,
                       std::size_t height, std::size_t element = 1) {
  if (width > pitch)
    throw exception(errc::invalid, std::string(operation) + ": rows of " + std::to_string(width) +
                                       " are wider than the pitch of the " + name + ", " + std::to_string(pitch));
  return {const_cast<std::byte *>(static_cast<const std::byte *>(first)),
          width * element,
          {1, height},
          {0, pitch * element}};
}

/// Calls `row(to, from, bytes)` for every row, or once if both boxes are contiguous. Returns an event for the
/// completion of all returned events.
template <class Row>
dpep::event for_rows(const dpep::queue &queue, dpep::dependencies after, const box &to, const box &from,
                     const Row &row) {
  if (to.bytes() == 0) return after.empty() ? dpep::event() : queue.barrier(after);
  if (to.contiguous() && from.contiguous()) return row(to.first, from.first, to.bytes());
  std::vector<dpep::event> done;
  for (std::size_t i = 0; i < to.count[0]; i++)
    for (std::size_t j = 0; j < to.count[1]; j++) done.push_back(row(to.row(i, j), from.row(i, j), to.row_bytes));
  std::erase_if(done, [](const dpep::event &e) { return !e; });
  return done.empty() ? dpep::event() : queue.barrier(done);
}

template <class A>
concept device_accessor = requires(const A &a) {
  { a.box() } -> std::same_as<box>;
};

/// Returns a contiguous box at `memory` of the size of the accessor.
template <class Accessor> box packed_box(const void *memory, [[maybe_unused]] const Accessor &like) {
  if constexpr (Accessor::dimensions == 0) {
    return make_box(memory, range<1>(1), range<1>(1), sizeof(typename Accessor::value_type));
  } else {
    const auto extent = like.get_range();
    return make_box(memory, extent, extent, sizeof(typename Accessor::value_type));
  }
}

}  // namespace sycl::detail
