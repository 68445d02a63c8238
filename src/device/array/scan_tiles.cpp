// Scans of contiguous rows in tiles.
#include "device/array/scan.hpp"

// As variables of one function, members become registers and constants.
#pragma clang attribute push([[gnu::always_inline]], apply_to = function)

namespace dpep::array::gpu {
namespace {

using index = std::uint32_t;  // of work-items, tiles, and elements in a tile

constexpr unsigned block = 64;            // tiles whose totals are summed together
constexpr unsigned slots = 2;             // tiles that a work-group keeps in local memory
constexpr std::int32_t device_scope = 3;  // sycl::memory_scope::device
constexpr std::size_t ticket_bytes = 16;

template <class T, unsigned count> struct vector_of {
  typedef T type [[clang::ext_vector_type(count)]];  // NOLINT: an alias declaration drops the attribute
};
template <class T> struct vector_of<T, 1> {
  using type = T;
};
template <class T, unsigned count> using vector = typename vector_of<T, count>::type;

/// What is constant in a kernel.
struct tile_shape {
  std::uint32_t sub_group, group;  // work-items
  bool aligned;                    // rows start at multiples of 16 bytes
  bool one_row;
};

/// A work-item accesses `lanes` adjacent elements at once, `steps` times. Length: the type of the length of rows.
template <class Sizes, unsigned lanes, unsigned steps, class Length> class tile_scan {
  using value = typename Sizes::value;
  using element = typename Sizes::element;
  using state = typename Sizes::state;
  struct alignas(8) local_state {
    state of;
  };

public:
  tile_scan(const scan_operation &operation, const void *from, void *to, Length length, tile_shape shape, void *local)
      : operation_(operation),
        from_(static_cast<const element *>(from)),
        to_(static_cast<element *>(to)),
        length_(length),
        shape_(shape),
        local_(static_cast<local_state *>(local)) {}

  /// A row for each sub-group, which scans it in a loop.
  void scan_rows(index rows) {
    const index row = group() * sub_groups() + sub_group_;
    if (row >= rows) return;
    offset_ = lane_ * lanes;
    state run = start();
    for (index at = 0; at < length_; at += shape_.sub_group * steps * lanes) {
      const tile t = elements_from(row, at, shape_.sub_group * steps * lanes);
      elements loaded;
      states all;
      load_tile(t, loaded);
      scan_in_sub_groups(loaded, all, run);
      store_tile(t, all);
    }
  }

  /// A row for each work-group.
  void scan_row() {
    const tile t = elements_from(group(), 0, tile_size());
    elements loaded;
    states all;
    load_tile(t, loaded);
    state run = start();
    scan_in_sub_groups(loaded, all, run);
    store_total(totals(0), run);
    __dpep_group_barrier();
    state before = start();
    for (index k = 0; k < sub_groups(); ++k)
      if (k < sub_group_) merge(before, totals(0)[k].of);
#pragma unroll
    for (unsigned k = 0; k < steps; ++k) prepend(before, all[k]);
    store_tile(t, all);
  }

  /// Long rows: a work-group takes tiles by tickets. In each round it loads another tile, completes the oldest tile
  /// that it keeps, which hides the latency of the load, and then scans and keeps the new tile and publishes its total.
  /// Once the sum before a tile is known, only additions are left.
  void scan_tiles(index tiles, index tiles_in_row, std::uint64_t *published, std::uint32_t tag, std::uint32_t *counter,
                  index last_ticket) {
    tiles_in_row_ = tiles_in_row;
    published_ = published;
    tag_ = tag;
    std::uint32_t *const tickets = reinterpret_cast<std::uint32_t *>(local_ + (slots + 1) * sub_groups());
    const auto take_ticket = [&] { return __atomic_fetch_add(in_device_scope(counter), 1, __ATOMIC_RELAXED); };
    const bool is_leader = item_ == 0;
    std::uint32_t ticket = 0;
    state sum_of_blocks;  // of the first blocks of a row
    index slot = 0, oldest = none, newer = none;
    if (is_leader) {
      tickets[0] = take_ticket();
      ticket = take_ticket();
    }
    __dpep_group_barrier();
    for (bool again = true; again;) {
      const index other = slot ^ 1, fresh = tickets[slot], last = newer;
      const bool more = fresh < tiles;
      if (is_leader) {
        tickets[other] = ticket;
        ticket = take_ticket();  // in flight until the next round
      }
      // other work-groups wait for totals, so these are published before the tile is loaded
      if (last < tiles && sub_group_ == sub_groups() - 1) publish_total(last, other);
      // Zero ends the lifetime of the old elements, which would occupy registers otherwise.
      elements loaded = {};
      if (more) load_tile(tile_of(fresh), loaded);
      if (oldest != none) {
        const tile known = tile_of(oldest);
        finish_slot(known, slot, sum_before(known, sum_of_blocks));
      }
      if (more) store_in_slot(loaded, slot);
      __dpep_group_barrier();
      oldest = last;
      newer = fresh;
      slot = other;
      again = last < tiles || last == none;
    }
    if (is_leader && ticket == last_ticket) *counter = 0;  // reset for the next kernel
  }

private:
  using elements = value[steps][lanes];
  using states = state[steps][lanes];
  static constexpr unsigned words = (sizeof(state) + 3) / 4;  // of a published state
  using part = word<(sizeof(state) < 4 ? sizeof(state) : 4)>;
  static constexpr unsigned max_loaded = 4;
  static constexpr index none = ~index(0);

  const scan_operation operation_;
  const element *const from_;
  element *const to_;
  const Length length_;
  const tile_shape shape_;
  local_state *const local_;
  const index item_ = index(__dpep_local_id(0));
  const std::uint32_t local_id_ = __dpep_sub_group_local_id();
  const index lane_ = local_id_, sub_group_ = item_ / shape_.sub_group;
  // of the work-item's first element in a tile; the elements of a sub-group are contiguous
  index offset_ = lane_ * lanes + sub_group_ * (steps * shape_.sub_group * lanes);

  // long rows
  index tiles_in_row_;
  std::uint64_t *published_;
  std::uint32_t tag_;
  // the number of the blocks that are summed, and their row
  index blocks_before_ = 0, row_before_ = none;
  std::uint64_t loaded_[max_loaded][words] = {};  // words of the totals after those blocks

  state start() const {
    state s;
    operation_.start(&s);
    return s;
  }
  void merge(state &s, const state &later) const { operation_.merge(&s, &later); }
  static index group() { return index(__dpep_group_id(0)); }
  index sub_groups() const { return shape_.group / shape_.sub_group; }
  index tile_size() const { return shape_.group * steps * lanes; }
  index in_tile(unsigned step, unsigned lane) const { return offset_ + step * shape_.sub_group * lanes + lane; }

  // -- Elements

  struct tile {
    index number, row, in_row;
    std::uint64_t first;  // its first element
    index count;          // of elements
    bool whole;
  };
  /// The elements from index `at` of the row to its end, at most `size`.
  tile elements_from(index row, Length at, index size) const {
    const Length left = length_ - at;
    return {0, row, 0, std::uint64_t(row) * length_ + at, left < size ? index(left) : size, left >= size};
  }
  tile tile_of(index number) const {
    const index row = shape_.one_row ? 0 : number / tiles_in_row_, in_row = number - row * tiles_in_row_;
    tile t = elements_from(row, Length(in_row) * tile_size(), tile_size());
    t.number = number, t.in_row = in_row;
    return t;
  }

  /// Loads the elements. After the end of the row, the last element is loaded again; results for these are not stored.
  void load_tile(const tile &t, elements &to) const {
    if (t.whole) {
      const element *const from = from_ + (t.first + offset_);
#pragma unroll
      for (unsigned k = 0; k < steps; ++k) {
        const element *const at = from + k * shape_.sub_group * lanes;
        if (lanes > 1 && shape_.aligned) {
          const auto all = *reinterpret_cast<const vector<value, lanes> *>(at);
#pragma unroll
          for (unsigned l = 0; l < lanes; ++l) to[k][l] = lane_of(all, l);
        } else {
#pragma unroll
          for (unsigned l = 0; l < lanes; ++l) to[k][l] = at[l];
        }
      }
    } else {
      const index last = t.count - 1;
#pragma unroll
      for (unsigned k = 0; k < steps; ++k) {
#pragma unroll
        for (unsigned l = 0; l < lanes; ++l) {
          const index i = in_tile(k, l);
          to[k][l] = from_[t.first + (i > last ? last : i)];
        }
      }
    }
  }
  void store_tile(const tile &t, const states &all) const {
    const auto result = [&](unsigned k, unsigned l) {
      value x;
      operation_.result(&x, &all[k][l]);
      return x;
    };
    if (t.whole) {
      element *const to = to_ + (t.first + offset_);
#pragma unroll
      for (unsigned k = 0; k < steps; ++k) {
        element *const at = to + k * shape_.sub_group * lanes;
        if (lanes > 1 && shape_.aligned) {
          vector<value, lanes> values;
#pragma unroll
          for (unsigned l = 0; l < lanes; ++l) set_lane(values, l, result(k, l));
          __builtin_nontemporal_store(values, reinterpret_cast<vector<value, lanes> *>(at));
        } else {
#pragma unroll
          for (unsigned l = 0; l < lanes; ++l) at[l] = result(k, l);
        }
      }
    } else {
#pragma unroll
      for (unsigned k = 0; k < steps; ++k) {
#pragma unroll
        for (unsigned l = 0; l < lanes; ++l)
          if (const index i = in_tile(k, l); i < t.count) to_[t.first + i] = result(k, l);
      }
    }
  }
  template <class V> static auto lane_of(const V &v, unsigned l) {
    if constexpr (requires { v[l]; })
      return v[l];
    else
      return v;
  }
  template <class V, class T> static void set_lane(V &v, unsigned l, T x) {
    if constexpr (requires { v[l]; })
      v[l] = x;
    else
      v = x;
  }

  // -- Sub-groups

  static state shuffled(state s, std::uint32_t lane) {
    for (auto &w : s.words)
      if constexpr (sizeof w == 8)
        w = __dpep_sub_group_shuffle64(w, lane);
      else
        w = static_cast<typename state::word_type>(__dpep_sub_group_shuffle32(w, lane));
    return s;
  }
  /// Replaces the state if the condition holds, without a branch.
  static void replace_where(bool condition, state &s, const state &by) {
    for (unsigned k = 0; k < state::count; ++k) {
      const auto was = s.words[k], is = by.words[k];
      s.words[k] = condition ? is : was;
    }
  }
  /// Distances grow from 1, so that states of adjacent elements are merged first: the values of distant elements may
  /// differ so much that one is lost if they are combined directly.
  template <class F> void each_distance(F body) const {
#pragma unroll
    for (std::uint32_t distance = 1; distance < 64; distance *= 2)
      if (distance < shape_.sub_group) body(distance);
  }
  /// An inclusive scan over the sub-group of the states of all steps.
  void inclusive_scan(state (&all)[steps]) const {
    each_distance([&](std::uint32_t distance) {
      state others[steps];
#pragma unroll
      for (unsigned k = 0; k < steps; ++k) others[k] = shuffled(all[k], local_id_ - distance);
#pragma unroll
      for (unsigned k = 0; k < steps; ++k) {
        merge(others[k], all[k]);
        replace_where(lane_ >= distance, all[k], others[k]);
      }
    });
  }
  void prepend(const state &before, state (&list)[lanes]) const {
#pragma unroll
    for (state &s : list) {
      state sum = before;
      merge(sum, s);
      s = sum;
    }
  }
  /// Scans the elements of a sub-group, continuing from `run`, which is advanced to the last element. Steps are
  /// interleaved where they are independent, so that shuffles do not stall.
  void scan_in_sub_groups(const elements &from, states &all, state &run) const {
    state sums[steps];
#pragma unroll
    for (unsigned k = 0; k < steps; ++k) {
#pragma unroll
      for (unsigned l = 0; l < lanes; ++l) {
        all[k][l] = l ? all[k][l - 1] : start();
        operation_.take(&all[k][l], &from[k][l], 0);
      }
      sums[k] = all[k][lanes - 1];
    }
    inclusive_scan(sums);
#pragma unroll
    for (unsigned k = 0; k < steps; ++k) {
      const state other = shuffled(sums[k], local_id_ - 1);
      state before = run, sum = run;
      merge(sum, other);
      replace_where(lane_ > 0, before, sum);
      prepend(before, all[k]);
      merge(run, shuffled(sums[k], shape_.sub_group - 1));
    }
  }

  // -- Local memory: a state for each sub-group, of the tiles in all slots and of blocks of totals; the tickets of two
  // rounds; the tiles that are kept.

  local_state *totals(index slot) const { return local_ + slot * sub_groups(); }
  local_state *block_totals() const { return local_ + slots * sub_groups(); }
  /// The states of a work-item's lanes in one step of a tile that is kept.
  using kept = vector<typename state::word_type, lanes * state::count>;
  typedef kept kept_in_memory[[gnu::aligned((sizeof(kept) < 16 ? sizeof(kept) : 16))]];  // NOLINT: an alias drops it
  kept_in_memory *slot_states(index slot) const {
    state *const tiles =
        reinterpret_cast<state *>(reinterpret_cast<std::byte *>(local_ + (slots + 1) * sub_groups()) + ticket_bytes);
    return reinterpret_cast<kept_in_memory *>(tiles + (slot * tile_size() + offset_));
  }
  void store_total(local_state *to, const state &total) const {
    if (lane_ == 0) to[sub_group_].of = total;
  }
  /// Scans the tile within sub-groups, and keeps the states in the slot.
  void store_in_slot(const elements &from, index slot) const {
    state run = start();
    states all;
    scan_in_sub_groups(from, all, run);
#pragma unroll
    for (unsigned k = 0; k < steps; ++k) {
      kept one;
#pragma unroll
      for (unsigned n = 0; n < lanes * state::count; ++n)
        set_lane(one, n, all[k][n / state::count].words[n % state::count]);
      slot_states(slot)[k * shape_.sub_group] = one;
    }
    store_total(totals(slot), run);
  }
  /// Adds the sum before the tile to the states in the slot, and stores the results.
  void finish_slot(const tile &t, index slot, state before) const {
    merge(before, totals(slot)[sub_group_].of);
    states all;
#pragma unroll
    for (unsigned k = 0; k < steps; ++k) {
      const kept one = slot_states(slot)[k * shape_.sub_group];
#pragma unroll
      for (unsigned n = 0; n < lanes * state::count; ++n)
        all[k][n / state::count].words[n % state::count] = lane_of(one, n);
      prepend(before, all[k]);
    }
    store_tile(t, all);
  }

  // -- Words that work-groups publish: 32 bits of a state, with the tag of the launch in the upper half. A word is read
  // and written atomically, so that no other ordering is needed.

  template <class T> static T *in_device_scope(T *p) { return static_cast<T *>(__dpep_in_scope(p, device_scope)); }
  static std::uint64_t read_word(std::uint64_t *p) { return __atomic_load_n(in_device_scope(p), __ATOMIC_RELAXED); }
  std::uint64_t *total_of(index tile) const { return published_ + std::uint64_t(tile) * words; }

  /// Publishes the total of a tile; executed by one sub-group. Afterwards each sub-group finds the sum of all
  /// sub-groups before it in local memory.
  void publish_total(index tile, index slot) const {
    state mine = start(), before = start();
    const bool is_one = lane_ < sub_groups();
    if (is_one) mine = totals(slot)[lane_].of;
    each_distance([&](std::uint32_t distance) {
      state other = shuffled(mine, local_id_ - distance);
      merge(other, mine);
      replace_where(lane_ >= distance, mine, other);
    });
    const state other = shuffled(mine, local_id_ - 1);
    replace_where(lane_ > 0, before, other);
    if (lane_ == shape_.sub_group - 1)
#pragma unroll
      for (unsigned k = 0; k < words; ++k) {
        const std::uint64_t bits = reinterpret_cast<const part *>(&mine)[k];
        __atomic_store_n(in_device_scope(total_of(tile) + k), bits | std::uint64_t(tag_) << 32, __ATOMIC_RELAXED);
      }
    if (is_one) totals(slot)[lane_].of = before;
  }

  // The sum of the row before a tile: each sub-group sums a block of totals, and all blocks are added in order, so that
  // the result does not depend on timing.

  /// Calls the body for the adjacent totals of a block that a work-item sums, if they are before the tile.
  template <class F> void each_total(const tile &t, F body) const {
    const index number = t.in_row / block, mine = blocks_before_ + sub_group_;
    const index count = mine < number ? block : mine == number ? t.in_row % block : 0;
    const index first = t.number - t.in_row + mine * block;
    const std::uint32_t each = block / shape_.sub_group;
#pragma unroll
    for (unsigned k = 0; k < max_loaded; ++k)
      if (k < each)
        if (const index in_block = lane_ * each + k; in_block < count) body(k, total_of(first + in_block));
  }
  /// Loads the words without checking their tags, so that they are in flight while other work is done.
  void begin_load_totals(const tile &t, state &sum_of_blocks) {
    if (row_before_ != t.row) {
      sum_of_blocks = start();
      blocks_before_ = 0;
      row_before_ = t.row;
    }
    for (auto &of_one : loaded_)
      for (std::uint64_t &w : of_one) w = 0;  // ends the lifetime of the old words
    each_total(t, [&](unsigned k, std::uint64_t *total) {
#pragma unroll
      for (unsigned n = 0; n < words; ++n) loaded_[k][n] = read_word(total + n);
    });
  }
  /// Sums the requested blocks.
  void add_totals(const tile &t) {
    state sum = start();
    each_total(t, [&](unsigned k, std::uint64_t *total) {
      state other;
#pragma unroll
      for (unsigned n = 0; n < words; ++n) {
#pragma nounroll
        while (loaded_[k][n] >> 32 != tag_) loaded_[k][n] = read_word(total + n);
        reinterpret_cast<part *>(&other)[n] = part(loaded_[k][n]);
      }
      merge(sum, other);
    });
    __dpep_sub_group_barrier();  // reconverges after waiting: divergent work-items execute the following code slowly
    each_distance([&](std::uint32_t distance) { merge(sum, shuffled(sum, local_id_ + distance)); });
    store_total(block_totals(), sum);
    __dpep_group_barrier();
  }
  state sum_before(const tile &t, state &sum_of_blocks) {
    const index number = t.in_row / block;
    for (bool again = true; again;) {
      begin_load_totals(t, sum_of_blocks);
      add_totals(t);
      const index next = blocks_before_ + sub_groups();
      again = next <= number;
      if (again) {
#pragma nounroll
        for (index k = 0; k < sub_groups(); ++k) merge(sum_of_blocks, block_totals()[k].of);
        blocks_before_ = next;
        __dpep_group_barrier();
      }
    }
    const index count = number - blocks_before_;
#pragma nounroll
    for (index k = 0; k < count; ++k) merge(sum_of_blocks, block_totals()[k].of);
    blocks_before_ = number;
    state before = sum_of_blocks;
    merge(before, block_totals()[count].of);
    return before;
  }
};

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop

#define DPEP_SCAN_ROWS(bytes, alignment, state_bytes, lanes, steps)                                                    \
  DPEP_EXPORT void dpep_scan_sub_group_rows_##bytes##_##alignment##_##state_bytes##_##lanes##_##steps(                 \
      DPEP_SCAN_PARAMETERS, std::uint32_t sub_group, std::uint32_t group, bool aligned, std::uint32_t length,          \
      std::uint32_t rows) {                                                                                            \
    using namespace dpep::array::gpu;                                                                                  \
    tile_scan<scan_sizes<bytes, alignment, state_bytes>, lanes, steps, std::uint32_t>(                                 \
        DPEP_SCAN_OPERATION, from, to, length, {sub_group, group, aligned, false}, nullptr)                            \
        .scan_rows(rows);                                                                                              \
  }                                                                                                                    \
  DPEP_EXPORT void dpep_scan_group_rows_##bytes##_##alignment##_##state_bytes##_##lanes##_##steps(                     \
      DPEP_SCAN_PARAMETERS, std::uint32_t sub_group, std::uint32_t group, bool aligned, std::uint32_t length,          \
      void *local) {                                                                                                   \
    using namespace dpep::array::gpu;                                                                                  \
    tile_scan<scan_sizes<bytes, alignment, state_bytes>, lanes, steps, std::uint32_t>(                                 \
        DPEP_SCAN_OPERATION, from, to, length, {sub_group, group, aligned, false}, local)                              \
        .scan_row();                                                                                                   \
  }
#define DPEP_SCAN_TILES(bytes, alignment, state_bytes, lanes, steps)                                                   \
  DPEP_SCAN_ROWS(bytes, alignment, state_bytes, lanes, steps)                                                          \
  DPEP_EXPORT void dpep_scan_tiles_##bytes##_##alignment##_##state_bytes##_##lanes##_##steps(                          \
      DPEP_SCAN_PARAMETERS, std::uint32_t sub_group, std::uint32_t group, bool aligned, std::uint64_t length,          \
      void *local, bool one_row, std::uint32_t tiles, std::uint32_t tiles_in_row, void *published, std::uint32_t tag,  \
      void *counter, std::uint32_t last_ticket) {                                                                      \
    using namespace dpep::array::gpu;                                                                                  \
    tile_scan<scan_sizes<bytes, alignment, state_bytes>, lanes, steps, std::uint64_t>(                                 \
        DPEP_SCAN_OPERATION, from, to, length, {sub_group, group, aligned, one_row}, local)                            \
        .scan_tiles(tiles, tiles_in_row, static_cast<std::uint64_t *>(published), tag,                                 \
                    static_cast<std::uint32_t *>(counter), last_ticket);                                               \
  }

// Vectors of 16 bytes, and up to 4 elements.
#define DPEP_SCAN_STEPS(bytes, alignment, state_bytes, lanes)                                                          \
  DPEP_SCAN_TILES(bytes, alignment, state_bytes, lanes, 1)                                                             \
  DPEP_SCAN_TILES(bytes, alignment, state_bytes, lanes, 2)                                                             \
  DPEP_SCAN_ROWS(bytes, alignment, state_bytes, lanes, 3)                                                              \
  DPEP_SCAN_TILES(bytes, alignment, state_bytes, lanes, 4)
DPEP_SCAN_STEPS(1, 1, 1, 4)
DPEP_SCAN_STEPS(2, 2, 2, 4)
DPEP_SCAN_STEPS(2, 2, 4, 4)
DPEP_SCAN_STEPS(4, 4, 4, 4)
DPEP_SCAN_STEPS(8, 8, 8, 2)
DPEP_SCAN_STEPS(8, 4, 8, 2)
DPEP_SCAN_STEPS(16, 8, 16, 1)
// Half of that, for short rows.
DPEP_SCAN_ROWS(1, 1, 1, 2, 1)
DPEP_SCAN_ROWS(2, 2, 2, 2, 1)
DPEP_SCAN_ROWS(2, 2, 4, 2, 1)
DPEP_SCAN_ROWS(4, 4, 4, 2, 1)
// States longer than elements, of operations that are long code (logsumexp): fewer steps.
DPEP_SCAN_TILES(2, 2, 8, 4, 1)
DPEP_SCAN_TILES(2, 2, 8, 4, 2)
DPEP_SCAN_TILES(4, 4, 8, 4, 1)
DPEP_SCAN_TILES(4, 4, 8, 4, 2)
DPEP_SCAN_TILES(8, 8, 16, 2, 1)
DPEP_SCAN_TILES(8, 8, 16, 2, 2)
DPEP_SCAN_ROWS(2, 2, 8, 2, 1)
DPEP_SCAN_ROWS(4, 4, 8, 2, 1)
