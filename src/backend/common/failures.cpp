// Reads failure records and describes them in messages.
#include "backend/common/failures.hpp"

#include <atomic>
#include <span>

#include <fmt/ranges.h>

namespace dpep::backend {

using abi::failure_record;

namespace {

std::string text_with_numbers(const failure_record &r) {
  try {
    return fmt::vformat(r.text, fmt::make_format_args(r.numbers[0], r.numbers[1]));
  } catch (const fmt::format_error &) {  // of a text that was cut off
    return r.text;
  }
}

}  // namespace

std::string describe(const failure_record &r, std::size_t dimensions) {
  const auto message = [&] {
    switch (r.kind) {
    case failure_record::python:
      return fmt::format("{} (in {}, {}:{})", r.text, r.function, r.file, r.line);
    case failure_record::python_with_numbers:
      return fmt::format("{} (in {}, {}:{})", text_with_numbers(r), r.function, r.file, r.line);
    case failure_record::assertion:
      break;
    }
    // checks of the standard library have no file name
    if (!*r.file) return fmt::format("{} ({})", r.text, r.function);
    return fmt::format("assertion '{}' failed in {} ({}:{})", r.text, r.function, r.file, r.line);
  };
  if (r.item[0] == ~std::uint64_t{0}) return message();
  const std::span ids(r.item, dimensions);
  return fmt::format("{}, by work-item ({})", message(), fmt::join(ids.rbegin(), ids.rend(), ", "));
}

std::optional<failure_record> take_failure(failure_record &record) noexcept {
  std::atomic_ref<std::uint32_t> state(record.state);
  std::uint32_t complete = failure_record::complete;
  if (state.load(std::memory_order_relaxed) != complete ||
      !state.compare_exchange_strong(complete, failure_record::being_read, std::memory_order_acquire))
    return std::nullopt;
  const failure_record copy = record;
  state.store(0, std::memory_order_relaxed);
  std::atomic_ref<std::uint32_t>(record.round).fetch_add(1, std::memory_order_release);
  return copy;
}

}  // namespace dpep::backend
