// Executes cell code: the loops around block kernels.
#include "array/cpu/run_cells.hpp"

#include <algorithm>
#include <cstring>

#include "array/cpu/find_loops.hpp"
#include "array/cpu/scratch_check.hpp"

namespace dpep::array {
namespace {

struct pointers {
  std::byte *to, *x, *y, *z;
};

// Calls f for every iteration of the walks, the last of which is the outermost. The pointers are in registers.
template <class F>
void repeat(const walk *walks, int count, std::byte *to, std::byte *x, std::byte *y, std::byte *z, const F &f) {
  if (count == 0) return f(pointers{to, x, y, z});
  const walk &w = walks[count - 1];
  for (std::int64_t k = 0; k < w.count; ++k) {
    if (count == 1)  // without the cost of a call
      f(pointers{to, x, y, z});
    else
      repeat(walks, count - 1, to, x, y, z, f);
    to += w.strides[0];
    x += w.strides[1];
    y += w.strides[2];
    z += w.strides[3];
  }
}
template <class F> void repeat(const walk *walks, int count, const pointers &p, const F &f) {
  repeat(walks, count, p.to, p.x, p.y, p.z, f);
}

// Positions are stored as addresses.
std::byte *position_zero() { return reinterpret_cast<std::byte *>(first_position); }
std::uint64_t as_position(const std::byte *p) { return reinterpret_cast<std::uintptr_t>(p) - first_position; }

void repeat_bytes(std::byte *to, const std::byte *from, std::size_t period, std::size_t count) {
  std::size_t there = std::min(period, count);
  std::memcpy(to, from, there);
  for (std::size_t more; there < count; there += more) {
    more = std::min(there, count - there);
    std::memcpy(to + there, to, more);
  }
}

void execute_call(const cell_code &code, const call &c, std::byte *const *bases) {
  const walk *const walks = code.walks.data() + c.first_walk;
  const auto at = [&](const address &a) { return bases[a.base] + a.offset; };
  const auto n = std::size_t(c.count);
  pointers p{at(c.to), at(c.from[0]), at(c.from[1]), at(c.from[2])};
  const int depth = c.walks;
  switch (c.what) {
  case action::element: {
    if (c.function) {
      const loop_call &f = code.user_calls[c.user_call];
      return c.function->native ? call_native_loop(f, c.function->native, bases)
                                : call_compiled_loop(f, f.loop->function(), bases);
    }
    const blocks::element_function f = c.element;
    if (depth == 0) {
      const void *const inputs[3]{p.x, p.y, p.z};
      return f(n, inputs, p.to);
    }
    return repeat(walks, depth, p, [&](const pointers &q) {
      const void *const inputs[3]{q.x, q.y, q.z};
      f(n, inputs, q.to);
    });
  }
  case action::copy:
    return repeat(walks, depth, p, [&](const pointers &q) {
      c.copy(std::size_t(c.rows), n, {q.to, c.to_row, c.to_column}, {q.x, c.from_row, c.from_column});
    });
  case action::copy_nontemporal:
    return repeat(walks, depth, p, [&](const pointers &q) { blocks::copy_nontemporal(q.to, q.x, n); });
  case action::fill:
    return repeat(walks, depth, p, [&](const pointers &q) { blocks::fill(q.to, q.x, c.element_bytes, n); });
  case action::gather:
    return repeat(walks, depth, p, [&](const pointers &q) {
      blocks::gather(c.element_bytes, std::size_t(c.rows), n, {q.to, c.to_row, c.to_column},
                     {q.x, c.offset_row, c.offset_column}, {q.y, c.from_row, c.from_column});
    });
  case action::repeat:
    return repeat(walks, depth, p, [&](const pointers &q) { repeat_bytes(q.to, q.x, std::size_t(c.rows), n); });
  case action::iota: {
    p.z = at(c.position);
    return repeat(walks, depth, p, [&](const pointers &q) {
      blocks::iota(q.to, c.type, *reinterpret_cast<const blocks::ramp *>(q.x), as_position(q.z), n);
    });
  }
  case action::start:
    return repeat(walks, depth, p, [&](const pointers &q) { c.reducer->start(n, q.to); });
  case action::block:
    p.z = at(c.position);
    return repeat(walks, depth, p,
                  [&](const pointers &q) { c.reducer->block(n, q.x, c.origin, as_position(q.z), q.to); });
  case action::rows:
    p.z = at(c.position);
    return repeat(walks, depth, p,
                  [&](const pointers &q) { c.reducer->rows(n, q.x, c.origin, as_position(q.z), q.to); });
  case action::merge:
    return repeat(walks, depth, p, [&](const pointers &q) { c.reducer->merge(n, q.x, q.to); });
  case action::finish:
    return repeat(walks, depth, p, [&](const pointers &q) { c.reducer->finish(n, q.x, q.to); });
  }
}

constexpr std::int64_t results_per_block = 4096;

std::int64_t blocks_of(const outer_reduction &o) { return (o.results + results_per_block - 1) / results_per_block; }

std::size_t rounded(std::size_t bytes) { return (bytes + 63) & ~std::size_t{63}; }

struct loop_state {
  std::int64_t begin, end, at;
};

}  // namespace

std::size_t scratch_bytes_of(const pass_code &code) noexcept {
  return rounded(code.bases.count * sizeof(void *)) + rounded(code.plan.loops.size() * sizeof(loop_state)) +
         code.plan.scratch_bytes;
}

void run_segment(const pass_code &code, const pass_memory &m, std::int64_t segment) noexcept {
  const schedule &s = code.plan;
  const auto loops = int(s.loops.size());
  auto **const bases = reinterpret_cast<std::byte **>(m.scratch);
  auto *const loop = reinterpret_cast<loop_state *>(m.scratch + rounded(code.bases.count * sizeof(void *)));
  bases[base_table::scratch] = reinterpret_cast<std::byte *>(loop) + rounded(std::size_t(loops) * sizeof(loop_state));
  if (checks_scratch()) fill_with_nan(bases[base_table::scratch], s.scratch_bytes);
  bases[base_table::scalars] = const_cast<std::byte *>(m.scalars);
  bases[base_table::ramps] = const_cast<std::byte *>(m.ramps);
  std::byte **next = bases + base_table::first_operand;
  const std::size_t temporaries = s.work.memory.size() - m.program_operands;
  for (std::size_t k = 0; k < m.program_operands; ++k) *next++ = m.operands[k];
  for (std::size_t k = 0; k < temporaries; ++k) *next++ = m.workspace + m.temporary_offsets[k];
  for (std::size_t k = 0; k < code.outers.size(); ++k) *next++ = m.workspace + m.states_offsets[k];
  while (next != bases + code.bases.count) *next++ = position_zero();

  // the range of each loop in this segment, and its copy of the states
  for (int k = loops - 1; k >= 0; --k) {
    const axis_schedule &a = s.axes[std::size_t(s.loops[std::size_t(k)])];
    const std::int64_t chunk = segment % a.chunks();
    segment /= a.chunks();
    loop[k] = {chunk * a.chunk, std::min((chunk + 1) * a.chunk, a.steps()), chunk * a.chunk};
    for (std::uint16_t b = base_table::first_operand; b < code.bases.count; ++b)
      bases[b] += code.bases.steps[b][std::size_t(k)] * loop[k].begin;
  }
  for (std::size_t o = 0; o < code.outers.size(); ++o) {
    const axis_set over = s.work.code[code.outers[o].value].over;
    std::int64_t copy = 0;
    for (int k = 0; k < loops; ++k) {
      const int a = s.loops[std::size_t(k)];
      const axis_schedule &plan = s.axes[std::size_t(a)];
      if (over.has(a)) copy = copy * plan.chunks() + loop[k].begin / plan.chunk;
    }
    bases[code.bases.first_states + o] += copy * code.bases.states_of_chunk[o];
  }

  int stepped = loops;  // all calls for the first cell
  for (;;) {
    std::size_t variant = 0;
    for (std::size_t e = 0; e < code.remainder_axes.size(); ++e)
      for (int k = 0; k < loops; ++k)
        if (s.loops[std::size_t(k)] == code.remainder_axes[e] &&
            loop[k].at + 1 == s.axes[std::size_t(code.remainder_axes[e])].steps())
          variant |= std::size_t{1} << e;
    const cell_code &cell = code.variants[variant];
    const std::vector<std::uint16_t> &numbers = cell.after[std::size_t(stepped)];
    for (std::size_t n = 0; n < numbers.size(); ++n) {
      const std::uint16_t number = numbers[n];
      if (const std::uint16_t compiled = cell.loop_call_at[number]) {
        const loop_call &f = cell.loop_calls[compiled - 1u];
        if (const backend::work_function function = f.loop ? f.loop->function() : nullptr) {
          call_compiled_loop(f, function, bases);
          n += f.count - 1u;
          continue;
        }
      }
      const call &c = cell.calls[number];
      if (c.only_first) {
        bool first = true;
        for (int k = 0; k < loops; ++k) first = first && (!(c.only_first >> k & 1) || loop[k].at == loop[k].begin);
        if (!first) continue;
      }
      execute_call(cell, c, bases);
    }
    int k = loops - 1;
    for (; k >= 0; --k) {
      std::int64_t by = 1;
      if (++loop[k].at == loop[k].end) {
        loop[k].at = loop[k].begin;
        by = loop[k].begin + 1 - loop[k].end;
      }
      for (std::uint16_t b = base_table::first_operand; b < code.bases.count; ++b)
        bases[b] += code.bases.steps[b][std::size_t(k)] * by;
      if (by == 1) break;
    }
    if (k < 0) return;
    stepped = k;
  }
}

std::int64_t finishing_blocks(const pass_code &code) noexcept {
  std::int64_t n = 0;
  for (const outer_reduction &o : code.outers) n += blocks_of(o);
  return n;
}

void finish_block(const pass_code &code, const pass_memory &m, std::int64_t block) noexcept {
  std::size_t k = 0;
  while (block >= blocks_of(code.outers[k])) block -= blocks_of(code.outers[k++]);
  const outer_reduction &o = code.outers[k];
  const std::int64_t begin = block * results_per_block;
  const auto count = std::size_t(std::min(results_per_block, o.results - begin));
  std::byte *const states = m.workspace + m.states_offsets[k] + begin * std::int64_t(o.reducer->state_bytes);
  if (o.copies == 0) o.reducer->start(count, states);  // an empty axis
  for (std::int64_t c = 1; c < o.copies; ++c)
    o.reducer->merge(count, states + c * code.bases.states_of_chunk[k], states);
  o.reducer->finish(count, states,
                    m.workspace + m.temporary_offsets[o.temporary - m.program_operands] +
                        begin * std::int64_t(o.reducer->result_bytes));
}

}  // namespace dpep::array
