// N-dimensional arrays in USM memory, the C++ core of dpctl.tensor and dpnp.
//
// Evaluation is deferred: operations on large arrays are recorded, and several run as one fused pass when their values
// are needed. Errors in the caller's arguments are thrown by the call.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dpep/dtype.hpp>
#include <dpep/exception.hpp>
#include <dpep/memory.hpp>
#include <dpep/queue.hpp>

namespace dpep {

inline constexpr int max_dimensions = 64;

DPEP_API std::size_t size_of(dtype) noexcept;  // bytes
DPEP_API dtype_kind kind_of(dtype) noexcept;
DPEP_API std::string_view name_of(dtype) noexcept;  // NumPy's name: "bool", "int8", …
DPEP_API char code_of(dtype) noexcept;              // NumPy's character on Linux: "?bBhHiIlLefdFD"
DPEP_API std::optional<dtype> dtype_from_code(char) noexcept;
DPEP_API dtype real_of(dtype) noexcept;  // the dtype of the real part: float32 for complex64; itself if not complex

namespace array {

/// The kind of an array error, which decides the Python exception: TypeError, ValueError, …
enum class refusal { type, value, index, axis, placement, overflow, zero_division, buffer, linear_algebra };
/// Thrown for invalid arguments of array functions.
class DPEP_API error : public exception {
public:
  error(refusal why, std::string message) : exception(errc::invalid, std::move(message)), why_(why) {}
  ~error() override;
  refusal why() const noexcept { return why_; }

private:
  refusal why_;
};

/// The order of a new array in memory. `keep` orders the axes as the operands do, and an axis along which all operands
/// run backwards runs backwards in the result, as in dpctl; with `keep_forward` it runs forwards, as in NumPy.
enum class order : char { row_major = 'C', column_major = 'F', any = 'A', keep = 'K', keep_forward = 'N' };
constexpr bool keeps_axes(order o) noexcept { return o == order::keep || o == order::keep_forward; }

enum class casting : std::uint8_t { no, equiv, safe, same_kind, unsafe };

/// Whether NumPy's casting rule allows the cast. Types that a device lacks are not considered here but by resolve.
DPEP_API bool can_cast(dtype from, dtype to, casting = casting::safe) noexcept;
/// The array API standard's type promotion. Mixed signed and unsigned 64-bit integers, and integers with floats, are
/// promoted as by NumPy.
DPEP_API dtype promote(dtype, dtype) noexcept;

/// A weakly typed number (Python's bool, int, float, complex), which takes the array's dtype if that can represent it.
struct scalar {
  enum class kind : std::uint8_t { boolean, integer, real, complex };
  kind what = kind::boolean;
  bool beyond_int64 = false;      // `integer` holds the bits of a std::uint64_t
  std::int64_t integer = 0;       // boolean, integer
  std::complex<double> number{};  // real, complex

  static scalar of(bool x) noexcept { return {kind::boolean, false, x, {}}; }
  static scalar of(std::int64_t x) noexcept { return {kind::integer, false, x, {}}; }
  static scalar of(std::uint64_t x) noexcept { return {kind::integer, x > INT64_MAX, std::int64_t(x), {}}; }
  static scalar of(double x) noexcept { return {kind::real, false, 0, {x, 0.0}}; }
  static scalar of(std::complex<double> x) noexcept { return {kind::complex, false, 0, x}; }
};

}  // namespace array

/// A view of typed elements in USM memory. A handle: copies refer to the same array. Strides and offsets are in
/// elements.
class DPEP_API ndarray : public handle {
public:
  using handle::handle;

  dtype type() const noexcept;
  std::span<const std::int64_t> shape() const noexcept;
  std::span<const std::int64_t> strides() const noexcept;
  int dimensions() const noexcept { return static_cast<int>(shape().size()); }
  std::int64_t size() const noexcept;  // elements
  usm_kind memory_kind() const noexcept;
  const queue &get_queue() const noexcept;
  bool writable() const noexcept;
  void set_writable(bool) const;
  bool row_major() const noexcept;     // C-contiguous; also true for arrays with at most one element
  bool column_major() const noexcept;  // F-contiguous

  /// The memory that contains the array, for code outside the array library.
  struct memory_view {
    void *base;
    std::size_t bytes;
    std::int64_t offset;  // of the first element, in elements
    std::shared_ptr<void> owner;
  };
  /// Evaluates the array, waits, and returns its memory. Other code may write to the memory at any later time, so later
  /// operations read it during their call instead of deferred.
  memory_view expose() const;
  /// Submits the array's pending operations; returns without waiting for the device.
  void evaluate() const;
  /// Evaluates the array and blocks until its values are computed. Throws the errors of the computation.
  void wait() const;
};

}  // namespace dpep

DPEP_HASH_BY_IDENTITY(dpep::ndarray);
