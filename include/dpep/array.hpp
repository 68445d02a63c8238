// N-dimensional arrays on USM memory: what dpctl.tensor and dpnp are made of.
//
// Deferred by design, eager in manner: operations on large arrays only note what is to be computed, and groups of them
// run as one pass when someone needs the values. Everything that can fail for what the caller gave fails at the call.
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
DPEP_API std::string_view name_of(dtype) noexcept;  // "bool", "int8", …, as NumPy says it
DPEP_API char code_of(dtype) noexcept;              // NumPy's character on Linux: "?bBhHiIlLefdFD"
DPEP_API std::optional<dtype> dtype_from_code(char) noexcept;
DPEP_API dtype real_of(dtype) noexcept;  // complex64: float32; others: themselves

namespace array {

/// What an array call was refused for: Python raises TypeError, ValueError, … for these.
enum class refusal { type, value, index, axis, placement, overflow, buffer };
class DPEP_API error : public exception {
public:
  error(refusal why, std::string message) : exception(errc::invalid, std::move(message)), why_(why) {}
  ~error() override;
  refusal why() const noexcept { return why_; }

private:
  refusal why_;
};

enum class order : char { row_major = 'C', column_major = 'F', any = 'A', keep = 'K' };
enum class casting : std::uint8_t { no, equiv, safe, same_kind, unsafe };

/// Whether values of one type may become another's, as NumPy has it; what a device lacks is resolve's to know.
DPEP_API bool can_cast(dtype from, dtype to, casting = casting::safe) noexcept;
/// The standard's promotion; mixed signed and unsigned 64-bit integers, and integers with floats, as NumPy has them.
DPEP_API dtype promote(dtype, dtype) noexcept;

/// A number without a dtype of its own (Python's bool, int, float, complex): it takes the array's where it fits.
struct scalar {
  enum class kind : std::uint8_t { boolean, integer, real, complex };
  kind what = kind::boolean;
  bool beyond_int64 = false;      // `integer` holds the bits of an unsigned number of 64 bits
  std::int64_t integer = 0;       // boolean, integer
  std::complex<double> number{};  // real, complex

  static scalar of(bool x) noexcept { return {kind::boolean, false, x, {}}; }
  static scalar of(std::int64_t x) noexcept { return {kind::integer, false, x, {}}; }
  static scalar of(std::uint64_t x) noexcept { return {kind::integer, x > INT64_MAX, std::int64_t(x), {}}; }
  static scalar of(double x) noexcept { return {kind::real, false, 0, {x, 0.0}}; }
  static scalar of(std::complex<double> x) noexcept { return {kind::complex, false, 0, x}; }
};

}  // namespace array

/// A view of typed elements in USM memory. A handle: copies are the same array. Strides and offset count elements.
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
  bool row_major() const noexcept;     // C-contiguous; so are arrays of one element and of none
  bool column_major() const noexcept;  // F-contiguous

  /// Where the memory begins that the array lies in, and the array's first element in it: what the outside world gets.
  /// Computes what is pending first, and waits. From then on, others may write there at any time, so operations read
  /// the memory when they are called, not later.
  struct memory_view {
    void *base;
    std::size_t bytes;
    std::int64_t offset;  // of the first element, in elements
    std::shared_ptr<void> owner;
  };
  memory_view expose() const;
  /// Computes what is pending for this array; returns without waiting for the device.
  void evaluate() const;
  /// Computes, and blocks until the values are there. Raises what failed.
  void wait() const;
};

}  // namespace dpep

DPEP_HASH_BY_IDENTITY(dpep::ndarray);
