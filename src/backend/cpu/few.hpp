// A list that rarely has more than a few elements: those live inside it.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace dpep::backend::cpu {

template <class T, std::size_t inside> class few {
public:
  few() = default;
  few(few &&other) noexcept : size_(std::exchange(other.size_, 0)), more_(std::move(other.more_)) {
    first_ = std::move(other.first_);
    other.more_.clear();
  }
  few &operator=(few &&) = delete;

  void push_back(T value) {
    if (size_ < inside)
      first_[size_] = std::move(value);
    else
      more_.push_back(std::move(value));
    ++size_;
  }
  std::size_t size() const noexcept { return size_; }
  T &operator[](std::size_t i) noexcept { return i < inside ? first_[i] : more_[i - inside]; }
  const T &operator[](std::size_t i) const noexcept { return i < inside ? first_[i] : more_[i - inside]; }

private:
  std::size_t size_ = 0;
  std::array<T, inside> first_{};
  std::vector<T> more_;
};

}  // namespace dpep::backend::cpu
