// Simulates the calls of cells, with the last writer of each byte of scratch memory instead of values.
#include "array/cpu/scratch_check.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

namespace dpep::array {
namespace {

using last_writers = std::vector<std::uint16_t>;  // for each byte: 1 + the call that wrote it last, or 0

class cell_checker {
public:
  cell_checker(const cell_code &code, std::size_t bytes) : code_(code), bytes_(bytes), expected_(code.calls.size()) {}

  void check() {
    const std::vector<std::uint16_t> &first_cell = code_.after.back();
    last_writers after_first(bytes_);
    for (const std::uint16_t c : first_cell) run_call(c, after_first, true);
    for (const bool use_loops : {false, true}) {
      last_writers now(bytes_);
      run_cell(first_cell, now, use_loops);
      // values of outer loops must be intact after any number of cells
      for (const std::vector<std::uint16_t> &list : code_.after) run_cell(list, now, use_loops);
    }
  }

private:
  const cell_code &code_;
  const std::size_t bytes_;
  std::vector<last_writers> expected_;  // by call: the last writers of scratch memory when a first cell reaches it

  struct span {
    std::int64_t first, bytes;
  };
  struct access {
    std::size_t slot;    // 0: the output of the call; 1, …: its inputs
    std::int64_t bytes;  // contiguous bytes, in each iteration of the walks
    std::int64_t rows = 1, row_stride = 0, columns = 1, column_stride = 0;
    bool reads = true, writes = false;
  };

  [[noreturn]] void fail(std::size_t call, const std::string &what) const {
    throw std::logic_error(fmt::format("scratch memory: call {} of {} (action {}) {}", call, code_.calls.size(),
                                       call < code_.calls.size() ? static_cast<int>(code_.calls[call].what) : -1,
                                       what));
  }

  static std::vector<access> accesses_of(const call &c) {
    const auto size = [](dtype t) { return std::int64_t(size_of(t)); };
    const auto element = std::int64_t(c.element_bytes);
    const auto state = [&] { return std::int64_t(c.reducer->state_bytes); };
    std::vector<access> list;
    switch (c.what) {
    case action::element:
      for (std::uint8_t k = 0; k < c.inputs; ++k)
        list.push_back({k + 1u, (c.forms[k] == blocks::form::one ? 1 : c.count) * size(c.types[k])});
      list.push_back({.slot = 0, .bytes = c.count * size(c.type), .reads = false, .writes = true});
      break;
    case action::copy:
      list.push_back({1, element, c.rows, c.from_row, c.count, c.from_column});
      list.push_back({0, element, c.rows, c.to_row, c.count, c.to_column, false, true});
      break;
    case action::copy_nontemporal:
      list.push_back({1, c.count});
      break;
    case action::fill:
      list.push_back({1, element});
      list.push_back({.slot = 0, .bytes = c.count * element, .reads = false, .writes = true});
      break;
    case action::gather:
      list.push_back({1, 8, c.rows, c.offset_row, c.count, c.offset_column});
      list.push_back({0, element, c.rows, c.to_row, c.count, c.to_column, false, true});
      break;
    case action::repeat:
      list.push_back({1, c.rows});
      list.push_back({.slot = 0, .bytes = c.count, .reads = false, .writes = true});
      break;
    case action::iota:
      list.push_back({.slot = 0, .bytes = c.count * size(c.type), .reads = false, .writes = true});
      break;
    case action::start:
      list.push_back({.slot = 0, .bytes = c.count * state(), .reads = false, .writes = true});
      break;
    case action::block:
      list.push_back({1, c.count * element});
      list.push_back({.slot = 0, .bytes = state(), .writes = true});
      break;
    case action::rows:
      list.push_back({1, c.count * element});
      list.push_back({.slot = 0, .bytes = c.count * state(), .writes = true});
      break;
    case action::merge:
      list.push_back({1, c.count * state()});
      list.push_back({.slot = 0, .bytes = c.count * state(), .writes = true});
      break;
    case action::finish:
      list.push_back({1, c.count * state()});
      list.push_back(
          {.slot = 0, .bytes = c.count * std::int64_t(c.reducer->result_bytes), .reads = false, .writes = true});
      break;
    }
    return list;
  }

  // The bytes that an access reaches when it is repeated by walks; adjacent ranges are joined.
  static std::vector<span> spans_from(span block, std::span<const std::int64_t> counts,
                                      std::span<const std::int64_t> strides) {
    std::vector<span> list{block};
    for (std::size_t w = 0; w < counts.size(); ++w) {
      if (strides[w] == 0 || counts[w] == 1) continue;
      if (list.size() == 1 && strides[w] == list[0].bytes) {
        list[0].bytes *= counts[w];
        continue;
      }
      std::vector<span> more;
      for (std::int64_t i = 0; i < counts[w]; ++i)
        for (const span &s : list) more.push_back({s.first + i * strides[w], s.bytes});
      list = std::move(more);
    }
    std::ranges::sort(list, {}, &span::first);
    std::vector<span> joined;
    for (const span &s : list)
      if (!joined.empty() && s.first <= joined.back().first + joined.back().bytes)
        joined.back().bytes = std::max(joined.back().bytes, s.first + s.bytes - joined.back().first);
      else
        joined.push_back(s);
    return joined;
  }

  std::vector<span> spans_of(const call &c, const access &a) const {
    const address &at = a.slot == 0 ? c.to : c.from[a.slot - 1];
    if (at.base != base_table::scratch) return {};
    std::vector<std::int64_t> counts, strides;
    for (std::uint16_t w = 0; w < c.walks; ++w) {
      const walk &of = code_.walks[std::size_t(c.first_walk + w)];
      counts.push_back(of.count);
      strides.push_back(of.strides[a.slot]);
    }
    counts.insert(counts.end(), {a.rows, a.columns});
    strides.insert(strides.end(), {a.row_stride, a.column_stride});
    return spans_from({at.offset, a.bytes}, counts, strides);
  }

  void check_bounds(std::size_t call, const span &s) const {
    if (s.bytes < 0 || s.first < 0 || s.first + s.bytes > std::int64_t(bytes_))
      fail(call, fmt::format("accesses bytes {} to {} of {}", s.first, s.first + s.bytes, bytes_));
  }
  void check_read(std::size_t call, const span &s, const last_writers &now) const {
    check_bounds(call, s);
    const last_writers &expected = expected_[call];
    const auto first = now.begin() + s.first, last = first + s.bytes;
    if (std::equal(first, last, expected.begin() + s.first) && std::find(first, last, 0) == last) return;
    for (auto b = std::size_t(s.first); b < std::size_t(s.first + s.bytes); ++b) {
      if (now[b] == 0) fail(call, fmt::format("reads byte {}, which no call wrote", b));
      if (now[b] != expected[b])
        fail(call,
             fmt::format("reads byte {} as written by call {} instead of call {}", b, now[b] - 1, expected[b] - 1));
    }
  }
  void write(std::size_t call, const span &s, last_writers &now, std::size_t writer) const {
    check_bounds(call, s);
    std::fill_n(now.begin() + s.first, s.bytes, std::uint16_t(writer + 1));
  }

  void run_call(std::size_t number, last_writers &now, bool first) {
    const call &c = code_.calls[number];
    if (first) expected_[number] = now;
    const std::vector<access> list = accesses_of(c);
    for (const access &a : list)
      if (a.reads)
        for (const span &s : spans_of(c, a)) check_read(number, s, now);
    for (const access &a : list)
      if (a.writes)
        for (const span &s : spans_of(c, a)) write(number, s, now, number);
  }

  void run_loop(const loop_call &f, last_writers &now) const {
    const element_loop &loop = f.description;
    const auto spans = [&](std::size_t k, std::int64_t bytes, bool one) {
      std::vector<std::int64_t> counts = f.walks, strides;
      for (std::size_t w = 0; w < f.walks.size(); ++w) strides.push_back(f.strides[w * f.addresses.size() + k]);
      if (loop.row_length) {
        counts.push_back(f.elements);
        strides.push_back(f.strides[f.walks.size() * f.addresses.size() + k]);
      }
      if (f.addresses[k].base != base_table::scratch) return std::vector<span>();
      return spans_from({f.addresses[k].offset, (one               ? 1
                                                 : loop.row_length ? loop.row_length
                                                                   : f.elements) *
                                                    bytes},
                        counts, strides);
    };
    for (std::size_t k = 0; k < loop.inputs.size(); ++k)
      for (const span &s :
           spans(k, std::int64_t(size_of(loop.inputs[k].type)), loop.inputs[k].form == blocks::form::one))
        check_read(f.calls[k], s, now);
    for (std::size_t r = 0; r < loop.results.size(); ++r) {
      const std::size_t k = loop.inputs.size() + r;
      for (const span &s :
           spans(k, std::int64_t(size_of(loop.type_of(loop.results[r]))), is_per_row(loop, loop.results[r])))
        write(f.calls[k], s, now, f.calls[k]);
    }
  }

  // Whether the value has one element for each row.
  static bool is_per_row(const element_loop &loop, std::uint16_t value) {
    if (!loop.row_length) return false;
    if (value < loop.inputs.size()) return loop.inputs[value].form == blocks::form::one;
    const element_loop::operation &o = loop.operations[value - loop.inputs.size()];
    if (o.reduces) return true;
    for (std::uint8_t k = 0; k < o.count; ++k)
      if (!is_per_row(loop, o.operands[k])) return false;
    return true;
  }

  void run_cell(const std::vector<std::uint16_t> &calls, last_writers &now, bool use_loops) {
    for (std::size_t n = 0; n < calls.size(); ++n) {
      const std::uint16_t number = calls[n];
      if (const std::uint16_t f = use_loops ? code_.loop_call_at[number] : std::uint16_t{0}) {
        run_loop(code_.loop_calls[f - 1u], now);
        n += code_.loop_calls[f - 1u].count - 1u;
      } else {
        run_call(number, now, false);
      }
    }
  }
};

}  // namespace

bool checks_scratch() noexcept {
  static const bool enabled = [] {
    const char *const value = std::getenv("DPEP_CHECK_SCRATCH");
    return value && *value && *value != '0';
  }();
  return enabled;
}

void fill_with_nan(std::byte *memory, std::size_t bytes) noexcept {
  if (bytes) std::memset(memory, 0xff, bytes);
}

void check_scratch(const pass_code &pass) {
  for (const cell_code &code : pass.variants) cell_checker(code, pass.plan.scratch_bytes).check();
}

}  // namespace dpep::array
