// What kernels of a queue leave that fail: in host memory that the GPU writes, one record for each queue.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "backend/cuda/driver_api.hpp"

namespace dpep::backend::cuda {

class card;

/// What a failed assertion leaves, or a kernel in Python that raises, in host memory that the GPU writes:
/// src/device/gpu/failure.cpp has the other side.
struct failure_record {
  std::uint32_t state;      // 0: none; 2: complete; 3: somebody reads it
  std::uint32_t round = 1;  // the first work-item that fails in a round writes the record; taking it begins the next
  enum : std::uint32_t { assertion, python, python_index } kind;
  std::uint32_t line, axis;
  std::int64_t index, length;
  std::uint64_t item[3];  // all ones: not known
  std::uint64_t kernel;   // loaded_code, as a number
  char text[256], file[256], function[256];

  /// In the words that the CPU has for it; of a launch of so many dimensions.
  std::string describe(std::size_t dimensions) const;
};

/// What the GPU gets: in its own memory.
struct failure_place {
  std::uint32_t claimed = 0, unused = 0;  // the round that somebody writes in
  failure_record *record = nullptr;
};

class failures {
public:
  explicit failures(card &c) noexcept : card_(c) {}
  /// Nothing that was launched with the place runs any more.
  ~failures();
  failures(const failures &) = delete;

  /// A failure_place in the GPU's memory; made when it is first wanted. In the card's context.
  address place();
  /// What the first kernel left that failed since this was asked last.
  std::optional<failure_record> take() noexcept;

  /// Both sides of one, which queues use after one another: giving pinned memory back would stop the GPU.
  struct sides {
    address device = 0;
    failure_record *host = nullptr;
  };

private:
  card &card_;
  address device_ = 0;  // guarded by the queue's mutex, as is making it
  std::atomic<failure_record *> host_{nullptr};
};

}  // namespace dpep::backend::cuda
