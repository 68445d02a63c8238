// A launch's arguments on their way from Python objects to a kernel.
#pragma once

#include <algorithm>

#include "kernels.hpp"

namespace dpep::python {

/// A vector of words that is on the stack while it is short.
class words {
public:
  words() = default;
  words(const words &) = delete;
  void push_back(std::uint64_t x) { append(&x, 1); }
  void append(const std::uint64_t *from, std::size_t count) {
    if (size_ + count > room_) grow(count);
    std::copy_n(from, count, data_ + size_);
    size_ += count;
  }
  std::span<const std::uint64_t> get() const noexcept { return {data_, size_}; }

private:
  static constexpr std::size_t on_stack = 64;
  std::uint64_t first_[on_stack];
  std::vector<std::uint64_t> more_;
  std::uint64_t *data_ = first_;
  std::size_t size_ = 0, room_ = on_stack;

  void grow(std::size_t count) {
    std::vector<std::uint64_t> larger(2 * (room_ + count));
    std::copy_n(data_, size_, larger.data());
    more_ = std::move(larger);
    data_ = more_.data();
    room_ = more_.size();
  }
};

class packed_arguments {
public:
  /// Says what form of launch it is: a key's first word.
  explicit packed_arguments(const launch_form &form) { key_.push_back(form.word()); }
  /// The item, which takes no bytes.
  void add_item(std::uint64_t word) { key_.push_back(word); }
  void add(PyObject *, std::size_t position);

  std::span<const std::uint64_t> key() const noexcept { return key_.get(); }
  std::span<const std::byte> bytes() const noexcept { return std::as_bytes(words_.get()); }
  std::size_t local_bytes() const noexcept { return local_bytes_; }
  /// Of the arrays; null when there is none.
  const dpep::queue *queue() const noexcept { return queue_; }

  /// Of an object that `add` took.
  static pykernel::type type_of_argument(PyObject *);

private:
  words key_, words_;
  std::size_t local_bytes_ = 0;
  const dpep::queue *queue_ = nullptr;

  void add_scalar(PyObject *, dtype, bool weak, const array::scalar &);
  void add_queue(const dpep::queue &, std::size_t position);
};

}  // namespace dpep::python
