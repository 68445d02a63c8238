// Random numbers in arrays.
#pragma once

#include <array>
#include <mutex>
#include <string_view>

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// The state of numpy.random.Philox.
struct philox_state {
  std::array<std::uint64_t, 2> key{};
  std::array<std::uint64_t, 4> counter{}, buffer{};
  int buffer_position = 4;  // of the next word in the buffer; 4: all are used
  bool has_half = false;    // whether an earlier call for 32 bits left half of a word
  std::uint32_t half = 0;
};

/// Numbers of the elements of one array, or of several that belong together: streams of random words, one for each
/// element, from Philox4x32-10 by the element's number and a key. Arrays with different tags are independent.
class DPEP_API random_streams {
public:
  /// A random function of streams by its name in array_random_functions.def, of parameters that broadcast to the shape.
  /// refusal::value for an unknown name, and shapes that do not.
  ndarray draw(std::string_view function, unsigned tag, extents shape, std::span<const operand> parameters,
               const placement &) const;

private:
  friend class random_generator;
  std::uint64_t first_ = 0;  // the number of the first element
  std::array<std::uint64_t, 2> key_{};
  std::array<std::uint64_t, 4> counter_{};
};

/// A generator of random numbers: Philox4x64-10, which computes the n-th numbers of a sequence from n and a key (Salmon
/// et al., Parallel random numbers: as easy as 1, 2, 3, 2011). Each element is computed by itself, so numbers depend on
/// the state only, not on the device. The sequence is that of numpy.random.Philox, and `random`, `words`, `integers`
/// and the permutations are those of numpy.random.Generator. Members may be called by several threads: each array then
/// has numbers of its own.
class DPEP_API random_generator {
public:
  explicit random_generator(const philox_state &state) noexcept : state_(state) {}
  philox_state state() const noexcept;
  void set_state(const philox_state &) noexcept;
  /// Moves the counter, a number of 256 bits, by a number of blocks of four words. What is in the buffer is lost.
  void advance(const std::array<std::uint64_t, 4> &blocks) noexcept;

  /// Uniformly distributed in [0, 1), float32 or float64.
  ndarray random(extents shape, dtype, const placement &);
  /// Random words, uint32 or uint64.
  ndarray words(extents shape, dtype, const placement &);
  /// Uniformly distributed integers from `least` to `least` + `range`, bool or integers of the dtype. Waits for a count
  /// of the rejected words unless range + 1 is a power of two.
  ndarray integers(extents shape, std::int64_t least, std::uint64_t range, dtype, const placement &);
  /// The streams of the next elements.
  random_streams streams(std::int64_t elements) noexcept;

  // Each step of the following depends on the last. They are computed by the calling thread and copied to the device;
  // large ones for GPUs by the device, which the call waits for.

  /// The numbers below `count` in random order, int64. With `rows`, that many such rows, in a matrix.
  ndarray permutation(std::int64_t count, const placement &);
  ndarray permutations(std::int64_t rows, std::int64_t count, const placement &);
  /// `count` different numbers below `size`, int64; in random order if `shuffle`.
  ndarray sample(std::int64_t size, std::int64_t count, bool shuffle, const placement &);

private:
  /// A part of the sequence of words or of their halves.
  struct part {
    std::uint64_t first;  // the position of the first word or half from that block on
    std::array<std::uint64_t, 4> counter;
    std::array<std::uint64_t, 2> key;
    std::uint64_t pending;  // halves: 2^32 + the half that comes first; 0 if there is none
  };
  part next_words() const noexcept;
  part next_halves() const noexcept;
  void take_words(std::uint64_t) noexcept;
  void take_halves(std::uint64_t) noexcept;
  class word_reader;

  mutable std::mutex mutex_;
  philox_state state_;
};

}  // namespace dpep::array
