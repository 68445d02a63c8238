// The enumerations that oneMKL's functions have in common.
#pragma once

#include <concepts>
#include <cstdint>

namespace oneapi::mkl {

enum class transpose : char { nontrans = 0, trans = 1, conjtrans = 3, N = 0, T = 1, C = 3 };
enum class uplo : char { upper = 0, lower = 1, U = 0, L = 1 };
enum class diag : char { nonunit = 0, unit = 1, N = 0, U = 1 };
enum class side : char { left = 0, right = 1, L = 0, R = 1 };
enum class offset : char { row = 0, column = 1, fix = 2, R = 0, C = 1, F = 2 };
enum class layout : char { column_major = 0, row_major = 1, C = 0, R = 1 };
enum class job : char {
  novec = 0,
  vec = 1,
  updatevec = 2,
  allvec = 3,
  somevec = 4,
  overwritevec = 5,
  N = 0,
  V = 1,
  U = 2,
  A = 3,
  S = 4,
  O = 5
};
enum class jobsvd : char { novec = 0, vectors = 1, vectorsina = 2, somevec = 3, N = 0, A = 1, O = 2, S = 3 };
enum class index_base : char { zero = 0, one = 1 };

/// A coefficient of a function on USM memory: a value, or a pointer to one that is read when the function runs.
template <class T> class value_or_pointer {
public:
  template <std::convertible_to<T> U> value_or_pointer(const U &value) : value_(value) {}
  value_or_pointer(const T *pointer) : pointer_(pointer) {}
  T get_value() const { return value_; }
  const T *get_pointer() const noexcept { return pointer_; }
  bool is_pointer() const noexcept { return pointer_ != nullptr; }

private:
  T value_{};
  const T *pointer_ = nullptr;
};

}  // namespace oneapi::mkl
