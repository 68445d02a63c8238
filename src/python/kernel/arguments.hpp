// Conversion of a launch's arguments from Python objects to bytes.
#pragma once

#include <algorithm>

#include "kernels.hpp"

namespace dpep::python {

/// Whether the length of the array's last axis is part of its type in kernels.
bool has_short_rows(const ndarray &);

/// A vector of words with inline storage for short lists.
class words {
public:
  words() = default;
  words(const words &) = delete;
  void push_back(std::uint64_t x) { append(&x, 1); }
  void append(const std::uint64_t *from, std::size_t count) {
    if (size_ + count > capacity_) grow(count);
    std::copy_n(from, count, data_ + size_);
    size_ += count;
  }
  std::span<const std::uint64_t> get() const noexcept { return {data_, size_}; }

private:
  static constexpr std::size_t inline_size = 64;
  std::uint64_t inline_[inline_size];
  std::vector<std::uint64_t> heap_;
  std::uint64_t *data_ = inline_;
  std::size_t size_ = 0, capacity_ = inline_size;

  void grow(std::size_t count) {
    std::vector<std::uint64_t> larger(2 * (capacity_ + count));
    std::copy_n(data_, size_, larger.data());
    heap_ = std::move(larger);
    data_ = heap_.data();
    capacity_ = heap_.size();
  }
};

/// The arguments of a launch, as a key of their types and as bytes.
class packed_arguments {
public:
  /// Starts the key with the form of the launch. `names`: of a loop's variables, for error messages.
  explicit packed_arguments(const launch_form &form, std::span<const pykernel::parameter> names = {}) : names_(names) {
    key_.push_back(form.word());
  }
  /// Adds the work-item, which occupies no bytes.
  void add_item(std::uint64_t word) { key_.push_back(word); }
  void add(PyObject *, std::size_t position);
  /// Adds a reduction, whose work-items or work-groups store their results in `parts`.
  void add_reduction(const ndarray &parts, pykernel::type reduction, std::size_t position);
  /// Adds an integer, as `add` does a Python int.
  void add_integer(std::int64_t);

  /// Adds a word that the types do not determine, and that is not part of the key.
  void add_word(std::uint64_t word) { words_.push_back(word); }

  std::span<const std::uint64_t> key() const noexcept { return key_.get(); }
  std::span<const std::byte> bytes() const noexcept { return std::as_bytes(words_.get()); }
  std::size_t local_bytes() const noexcept { return local_bytes_; }
  /// The queue of the arrays; null if there are none.
  const dpep::queue *queue() const noexcept { return queue_; }

  /// The type of an object that `add` accepted.
  static pykernel::type type_of_argument(PyObject *);

private:
  words key_, words_;
  std::size_t local_bytes_ = 0;
  const dpep::queue *queue_ = nullptr;
  std::span<const pykernel::parameter> names_;

  /// "argument 2 of the kernel", or the name of a loop's variable.
  std::string describe(std::size_t position) const;
  void add_scalar(PyObject *, dtype, bool weak, const array::scalar &);
  void add_queue(const dpep::queue &, std::size_t position);
};

}  // namespace dpep::python
