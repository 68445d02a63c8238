// The parallel loops of operations on sparse matrices.
#include "array/cpu/sparse_steps.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "array/blocks/blocks.hpp"

namespace dpep::array::cpu {
namespace {

/// Calls f with a pointer to the type of indices.
template <class F> void with_index(dtype index, F f) {
  if (index == dtype::int64)
    f(static_cast<std::int64_t *>(nullptr));
  else
    f(static_cast<std::int32_t *>(nullptr));
}

/// Elements that are only moved.
struct two_words {
  std::uint64_t low, high;
};
/// Calls f with a pointer to a type of the size of elements.
template <class F> void with_size(std::size_t bytes, F f) {
  switch (bytes) {
  case 1:
    return f(static_cast<std::uint8_t *>(nullptr));
  case 4:
    return f(static_cast<std::uint32_t *>(nullptr));
  case 8:
    return f(static_cast<std::uint64_t *>(nullptr));
  default:
    return f(static_cast<two_words *>(nullptr));
  }
}

template <class I> const I *as(const std::byte *p) { return reinterpret_cast<const I *>(p); }
template <class I> I *as(std::byte *p) { return reinterpret_cast<I *>(p); }

blocks::compressed_rows matrix(const sparse_arguments &s) { return {s.starts, s.indices, s.values}; }
blocks::compressed_rows other_matrix(const sparse_arguments &s) {
  return {s.other_starts, s.other_indices, s.other_values};
}

/// The first row of a unit: the first one before which there are as many elements and rows together as before the unit.
/// `others` are the starts of a second matrix whose elements count, too; may be null.
template <class I>
std::int64_t first_row(const I *starts, const I *others, std::int64_t rows, std::int64_t units, std::size_t unit) {
  if (std::int64_t(unit) >= units) return rows;
  const auto before = [&](std::int64_t i) { return i + starts[i] + (others ? others[i] : 0); };
  const std::int64_t wanted = (before(rows) + units - 1) / units * std::int64_t(unit);
  std::int64_t low = 0, high = rows;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (before(middle) < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Calls f with the rows of the units.
template <class I, class F>
void each_range(const sparse_arguments &s, std::size_t begin, std::size_t end, const std::byte *others, F f) {
  const I *const starts = as<I>(s.starts);
  const std::int64_t first = first_row(starts, as<I>(others), s.rows, s.units, begin);
  const std::int64_t last = first_row(starts, as<I>(others), s.rows, s.units, end);
  if (first < last) f(blocks::row_range{first, last});
}
template <class F> void each_range(const sparse_arguments &s, std::size_t begin, std::size_t end, F f) {
  with_index(s.index, [&]<class I>(I *) { each_range<I>(s, begin, end, nullptr, f); });
}

void multiply(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  each_range(s, begin, end, [&](blocks::row_range rows) {
    blocks::find_sparse(s.index).multiply[std::size_t(s.type)](matrix(s), rows, s.x, s.to_values, s.width);
  });
}

void number_rows(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  with_index(s.index, [&]<class I>(I *) {
    each_range<I>(s, begin, end, nullptr, [&](blocks::row_range rows) {
      const I *const starts = as<I>(s.starts);
      for (std::int64_t i = rows.first; i < rows.last; ++i)
        std::fill(as<I>(s.to_indices) + starts[i], as<I>(s.to_indices) + starts[i + 1], I(i));
    });
  });
}

/// Whether the columns of all rows of the range increase: no column is behind one that is equal or larger, except where
/// a row begins.
template <class I> bool increase(const I *starts, const I *indices, blocks::row_range rows) {
  const I first = starts[rows.first], last = starts[rows.last];
  I stops = 0, of_starts = 0;
  for (I k = first; k + 1 < last; ++k) stops += indices[k + 1] <= indices[k];
  for (std::int64_t i = rows.first + 1; i < rows.last; ++i) {
    const I at = starts[i];
    if (at > first && at < starts[i + 1]) of_starts += indices[at] <= indices[at - 1];
  }
  return stops == of_starts;
}

void count_distinct(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  with_index(s.index, [&]<class I>(I *) {
    each_range<I>(s, begin, end, nullptr, [&](blocks::row_range rows) {
      const I *const starts = as<I>(s.starts), *const indices = as<I>(s.indices);
      if (increase(starts, indices, rows)) {
        for (std::int64_t i = rows.first; i < rows.last; ++i) s.counts[i] = starts[i + 1] - starts[i];
        return;
      }
      for (std::int64_t i = rows.first; i < rows.last; ++i) {
        std::int64_t different = starts[i] < starts[i + 1];
        bool in_order = true;
        for (std::int64_t k = starts[i] + 1; k < starts[i + 1]; ++k) {
          different += indices[k] != indices[k - 1];
          in_order &= indices[k] >= indices[k - 1];
        }
        s.counts[i] = in_order ? different : -1;
      }
    });
  });
}

/// Stable, for few elements.
template <class I, class V> void insertion_sort(I *indices, V *values, std::int64_t count) {
  for (std::int64_t k = 1; k < count; ++k) {
    const I column = indices[k];
    if (indices[k - 1] <= column) continue;
    const V value = values[k];
    std::int64_t at = k;
    for (; at > 0 && indices[at - 1] > column; --at) indices[at] = indices[at - 1], values[at] = values[at - 1];
    indices[at] = column, values[at] = value;
  }
}

void sort_rows(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  constexpr std::int64_t few = 48;
  with_index(s.index, [&]<class I>(I *) {
    with_size(size_of(s.type), [&]<class V>(V *) {
      std::vector<std::pair<I, I>> keys;  // column and position: equal columns keep their order
      std::vector<V> moved;
      each_range<I>(s, begin, end, nullptr, [&](blocks::row_range rows) {
        const I *const starts = as<I>(s.starts);
        for (std::int64_t i = rows.first; i < rows.last; ++i) {
          I *const indices = as<I>(s.to_indices) + starts[i];
          V *const values = as<V>(s.to_values) + starts[i];
          const std::int64_t count = starts[i + 1] - starts[i];
          if (count <= few) {
            insertion_sort(indices, values, count);
            continue;
          }
          if (std::is_sorted(indices, indices + count)) continue;
          keys.resize(std::size_t(count)), moved.resize(std::size_t(count));
          for (std::int64_t k = 0; k < count; ++k) keys[std::size_t(k)] = {indices[k], I(k)};
          std::sort(keys.begin(), keys.end());
          for (std::int64_t k = 0; k < count; ++k) {
            indices[k] = keys[std::size_t(k)].first;
            moved[std::size_t(k)] = values[keys[std::size_t(k)].second];
          }
          std::memcpy(static_cast<void *>(values), moved.data(), std::size_t(count) * sizeof(V));
        }
      });
    });
  });
}

void sum_duplicates(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  each_range(s, begin, end, [&](blocks::row_range rows) {
    blocks::find_sparse(s.index).sum_duplicates[std::size_t(s.type)](matrix(s), rows,
                                                                     {s.to_starts, s.to_indices, s.to_values});
  });
}

/// The value or zero, without a branch: the comparisons that decide it cannot be predicted.
template <class V> V value_if(bool yes, V value) { return __builtin_unpredictable(yes) ? value : V(0); }
two_words value_if(bool yes, two_words value) { return {value_if(yes, value.low), value_if(yes, value.high)}; }

/// Merges row i to the elements from `at` on. Returns the end of the merged row.
template <class I, class V, bool intersection>
std::int64_t merge_row(const sparse_arguments &s, std::int64_t i, std::int64_t at) {
  const I *const indices = as<I>(s.indices), *const others = as<I>(s.other_indices);
  const V *const values = as<V>(s.values), *const other_values = as<V>(s.other_values);
  I *const columns = as<I>(s.to_indices);
  V *const to = as<V>(s.to_values), *const to_others = as<V>(s.to_others);
  std::int64_t k = as<I>(s.starts)[i], l = as<I>(s.other_starts)[i];
  const std::int64_t last = as<I>(s.starts)[i + 1], other_last = as<I>(s.other_starts)[i + 1];
  while (k < last && l < other_last) {  // there is room: in an intersection, for all elements of a
    const I column = indices[k], other = others[l];
    const bool left = column <= other, right = other <= column;
    columns[at] = std::min(column, other);
    to[at] = value_if(left, values[k]);
    to_others[at] = value_if(right, other_values[l]);
    at += intersection ? left & right : 1;
    k += left, l += right;
  }
  if constexpr (!intersection) {
    for (; k < last; ++k, ++at) columns[at] = indices[k], to[at] = values[k], to_others[at] = V{};
    for (; l < other_last; ++l, ++at) columns[at] = others[l], to[at] = V{}, to_others[at] = other_values[l];
  }
  return at;
}

/// The place for the merged rows of a unit, which begins with that row: behind as many elements as rows before may
/// have.
template <class I> std::int64_t merged_from(const sparse_arguments &s, std::int64_t row) {
  const std::int64_t before = as<I>(s.starts)[row];
  return s.intersection ? before : before + as<I>(s.other_starts)[row];
}

void merge(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  with_index(s.index, [&]<class I>(I *) {
    with_size(size_of(s.type), [&]<class V>(V *) {
      for (std::size_t unit = begin; unit < end; ++unit)
        each_range<I>(s, unit, unit + 1, s.other_starts, [&](blocks::row_range rows) {
          std::int64_t at = merged_from<I>(s, rows.first);
          for (std::int64_t i = rows.first; i < rows.last; ++i) {
            const std::int64_t first = at;
            at = s.intersection ? merge_row<I, V, true>(s, i, at) : merge_row<I, V, false>(s, i, at);
            s.counts[i] = at - first;
          }
        });
    });
  });
}

void pack_rows(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  const std::size_t bytes = size_of(s.type);
  with_index(s.index, [&]<class I>(I *) {
    for (std::size_t unit = begin; unit < end; ++unit)
      each_range<I>(s, unit, unit + 1, s.other_starts, [&](blocks::row_range rows) {
        const auto from = std::size_t(merged_from<I>(s, rows.first)), to = std::size_t(as<I>(s.to_starts)[rows.first]);
        const auto count = std::size_t(as<I>(s.to_starts)[rows.last]) - to;
        std::memcpy(as<I>(s.to_indices) + to, as<I>(s.indices) + from, count * sizeof(I));
        std::memcpy(s.to_values + to * bytes, s.values + from * bytes, count * bytes);
        std::memcpy(s.to_others + to * bytes, s.other_values + from * bytes, count * bytes);
      });
  });
}

void count_columns(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  with_index(s.index, [&]<class I>(I *) {
    each_range<I>(s, begin, end, nullptr, [&](blocks::row_range rows) {
      const I *const starts = as<I>(s.starts), *const indices = as<I>(s.indices);
      const I first = I(s.first), last = I(s.last);
      for (std::int64_t i = rows.first; i < rows.last; ++i) {
        I found = 0;
        for (std::int64_t k = starts[i]; k < starts[i + 1]; ++k) found += (indices[k] >= first) & (indices[k] < last);
        s.counts[i] = found;
      }
    });
  });
}

void take_columns(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  with_index(s.index, [&]<class I>(I *) {
    with_size(size_of(s.type), [&]<class V>(V *) {
      each_range<I>(s, begin, end, nullptr, [&](blocks::row_range rows) {
        const I *const starts = as<I>(s.starts), *const indices = as<I>(s.indices),
                       *const to_starts = as<I>(s.to_starts);
        const V *const values = as<V>(s.values);
        I *const columns = as<I>(s.to_indices);
        V *const to = as<V>(s.to_values);
        const I first_column = I(s.first), last_column = I(s.last);
        for (std::int64_t i = rows.first; i < rows.last; ++i) {
          const std::int64_t last = to_starts[i + 1];
          std::int64_t at = to_starts[i];
          // an element that is not wanted is written, too, where the next one will be, as long as one is missing
          for (std::int64_t k = starts[i]; at < last; ++k) {
            const I column = indices[k];
            columns[at] = column - first_column;
            to[at] = values[k];
            at += (column >= first_column) & (column < last_column);
          }
        }
      });
    });
  });
}

void extremes(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  each_range(s, begin, end, [&](blocks::row_range rows) {
    blocks::find_sparse(s.index).extremes[std::size_t(s.type)](matrix(s), rows, s.to_values, s.maximum,
                                                               s.only_stored ? 0 : s.columns);
  });
}

void diagonal(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  each_range(s, begin, end, [&](blocks::row_range rows) {
    // only rows that the diagonal has elements of
    rows.first = std::max(rows.first, -s.first);
    rows.last = std::min(rows.last, s.columns - s.first);
    if (rows.first < rows.last)
      blocks::find_sparse(s.index).diagonal[std::size_t(s.type)](matrix(s), rows, s.to_values, s.first);
  });
}

void take_rows(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  const std::int64_t each = (s.count + s.units - 1) / s.units;
  const std::int64_t first = std::min(std::int64_t(begin) * each, s.count);
  const std::int64_t last = std::min(std::int64_t(end) * each, s.count);
  const std::size_t bytes = size_of(s.type);
  with_index(s.index, [&]<class I>(I *) {
    const std::int64_t *const rows = as<std::int64_t>(s.x);
    for (std::int64_t j = first; j < last; ++j) {
      const std::int64_t from = as<I>(s.starts)[rows[j]], to = as<I>(s.to_starts)[j];
      const auto count = std::size_t(as<I>(s.to_starts)[j + 1] - to);
      std::memcpy(as<I>(s.to_indices) + to, as<I>(s.indices) + from, count * sizeof(I));
      std::memcpy(s.to_values + std::size_t(to) * bytes, s.values + std::size_t(from) * bytes, count * bytes);
    }
  });
}

/// The table for the rows of a product. `columns` are those of the result.
template <class I> class product_memory {
public:
  product_memory(const sparse_arguments &s, blocks::row_range rows) {
    constexpr std::int64_t most_direct = 1 << 20;
    const I *const starts = as<I>(s.starts), *const indices = as<I>(s.indices), *const others = as<I>(s.other_starts);
    std::int64_t most = 1, all = 0;
    for (std::int64_t i = rows.first; i < rows.last; ++i) {
      std::int64_t products = 0;
      for (std::int64_t k = starts[i]; k < starts[i + 1]; ++k) products += others[indices[k] + 1] - others[indices[k]];
      most = std::max(most, products);
      all += products;
    }
    direct_ = s.columns <= most_direct && s.columns <= 4 * all;
    count_ = direct_ ? s.columns : std::int64_t(std::bit_ceil(std::uint64_t(4 * std::min(most, s.columns) + 8)));
    const std::size_t bytes = std::size_t(count_) * (direct_ ? sizeof(I) : blocks::find_sparse(s.index).slot_bytes);
    memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    if (direct_) std::memset(memory_.get(), 0xff, bytes);
  }
  blocks::product_table table() const { return {memory_.get(), count_, direct_}; }

private:
  std::int64_t count_;
  bool direct_;
  std::unique_ptr<std::byte[]> memory_;
};

void count_product(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  with_index(s.index, [&]<class I>(I *) {
    each_range<I>(s, begin, end, nullptr, [&](blocks::row_range rows) {
      const product_memory<I> memory(s, rows);
      blocks::find_sparse(s.index).count_product(matrix(s), other_matrix(s), rows, s.counts, memory.table());
    });
  });
}

void multiply_sparse(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  with_index(s.index, [&]<class I>(I *) {
    each_range<I>(s, begin, end, nullptr, [&](blocks::row_range rows) {
      const product_memory<I> memory(s, rows);
      blocks::find_sparse(s.index).multiply_sparse[std::size_t(s.type)](
          matrix(s), other_matrix(s), rows, {s.to_starts, s.to_indices, s.to_values}, memory.table());
    });
  });
}

void fill_dense(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  each_range(s, begin, end, [&](blocks::row_range rows) {
    blocks::find_sparse(s.index).fill_dense[std::size_t(s.type)](matrix(s), rows, s.to_values, s.columns);
  });
}

/// The elements of a unit.
std::pair<std::int64_t, std::int64_t> elements_of(const sparse_arguments &s, std::size_t unit) {
  const std::int64_t each = (s.count + s.units - 1) / s.units, first = std::min(std::int64_t(unit) * each, s.count);
  return {first, std::min(first + each, s.count)};
}

/// Moves the elements of a unit; f(k) is the column of element k.
template <class I, class V, class F>
void move_to_rows(const sparse_arguments &s, I *next, std::int64_t first, std::int64_t last, F column) {
  const I *const keys = as<I>(s.indices);
  const V *const values = as<V>(s.values);
  I *const to = as<I>(s.to_indices);
  V *const to_values = as<V>(s.to_values);
  if (!values) {
    for (std::int64_t k = first; k < last; ++k) to[next[keys[k]]++] = column(k);
    return;
  }
  for (std::int64_t k = first; k < last; ++k) {
    const std::int64_t at = next[keys[k]]++;
    to[at] = column(k);
    to_values[at] = values[k];
  }
}

}  // namespace

sparse_step row_step(sparse_operation what) noexcept {
  switch (what) {
  case sparse_operation::multiply:
    return multiply;
  case sparse_operation::number_rows:
    return number_rows;
  case sparse_operation::count_distinct:
    return count_distinct;
  case sparse_operation::sort_rows:
    return sort_rows;
  case sparse_operation::sum_duplicates:
    return sum_duplicates;
  case sparse_operation::merge:
    return merge;
  case sparse_operation::pack_rows:
    return pack_rows;
  case sparse_operation::take_rows:
    return take_rows;
  case sparse_operation::count_columns:
    return count_columns;
  case sparse_operation::take_columns:
    return take_columns;
  case sparse_operation::extremes:
    return extremes;
  case sparse_operation::diagonal:
    return diagonal;
  case sparse_operation::count_product:
    return count_product;
  case sparse_operation::multiply_sparse:
    return multiply_sparse;
  case sparse_operation::fill_dense:
    return fill_dense;
  case sparse_operation::multiply_transposed:
  case sparse_operation::group:
    break;
  }
  return nullptr;
}

void multiply_parts(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  const std::int64_t bytes = s.columns * s.width * std::int64_t(size_of(s.type));
  for (std::size_t unit = begin; unit < end; ++unit) {
    std::byte *const to = unit > 0 ? s.partial + std::int64_t(unit - 1) * bytes : s.to_values;
    std::memset(to, 0, std::size_t(bytes));
    each_range(s, unit, unit + 1, [&](blocks::row_range rows) {
      blocks::find_sparse(s.index).multiply_transposed[std::size_t(s.type)](matrix(s), rows, s.x, to, s.width);
    });
  }
}

void add_parts(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  const std::int64_t results = s.columns * s.width, bytes = std::int64_t(size_of(s.type));
  const std::int64_t first = std::int64_t(begin) * added_block;
  const std::int64_t last = std::min(std::int64_t(end) * added_block, results);
  const opcode add = s.type == dtype::boolean ? opcode::logical_or : opcode::add;
  const auto sum = blocks::find(add, {2, {s.type, s.type}, s.type});
  std::byte *const to = s.to_values + first * bytes;
  for (std::int64_t unit = 1; unit < s.units; ++unit) {
    const void *const both[] = {to, s.partial + ((unit - 1) * results + first) * bytes};
    sum(std::size_t(last - first), both, to);
  }
}

void count_keys(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  with_index(s.index, [&]<class I>(I *) {
    const I *const keys = as<I>(s.indices);
    for (std::size_t unit = begin; unit < end; ++unit) {
      I *const counts = as<I>(s.partial) + std::int64_t(unit) * s.rows;
      std::memset(counts, 0, std::size_t(s.rows) * sizeof *counts);
      const auto [first, last] = elements_of(s, unit);
      for (std::int64_t k = first; k < last; ++k) ++counts[keys[k]];
    }
  });
}

void sum_keys(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  if (begin == end) return;
  with_index(s.index, [&]<class I>(I *) {
    I *const starts = as<I>(s.to_starts);
    I *const counts = as<I>(s.partial);
    I sum = 0;
    for (std::int64_t i = 0; i < s.rows; ++i) {
      starts[i] = sum;
      for (std::int64_t unit = 0; unit < s.units; ++unit) sum += std::exchange(counts[unit * s.rows + i], sum);
    }
    starts[s.rows] = sum;
  });
}

void move_elements(const sparse_arguments &s, std::size_t begin, std::size_t end) {
  with_index(s.index, [&]<class I>(I *) {
    with_size(s.values ? size_of(s.type) : 1, [&]<class V>(V *) {
      for (std::size_t unit = begin; unit < end; ++unit) {
        const auto [first, last] = elements_of(s, unit);
        I *const next = as<I>(s.partial) + std::int64_t(unit) * s.rows;
        if (s.other_indices) {
          const I *const columns = as<I>(s.other_indices);
          move_to_rows<I, V>(s, next, first, last, [&](std::int64_t k) { return columns[k]; });
          continue;
        }
        if (first == last) continue;
        const I *const starts = as<I>(s.starts);
        auto row = std::upper_bound(starts, starts + s.columns + 1, I(first)) - starts - 1;
        move_to_rows<I, V>(s, next, first, last, [&](std::int64_t k) {
          while (starts[row + 1] <= k) ++row;
          return I(row);
        });
      }
    });
  });
}

}  // namespace dpep::array::cpu
