// Selection by a sample (Floyd and Rivest, 1975): a sorted sample gives two bounds around a rank, which few elements
// lie between. One pass counts the elements below the bounds, and only those between them are sorted.
#include "array/api/order_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <dpep/array_indexing.hpp>
#include <dpep/array_opcodes.hpp>
#include <dpep/array_sorting.hpp>

#include "array/api/terms.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

/// A range of elements that has certain ranks.
struct bracket {
  std::optional<ndarray> least, greatest;  // 0-d arrays; nothing: no bound
  std::vector<std::int64_t> ranks;         // increasing
};
/// Ranks in the sample that the rank in the row is between, with a probability of all but 1 to 10,000.
struct sample_range {
  std::int64_t first, last;
};

std::int64_t sample_size(std::int64_t n) noexcept { return std::llround(std::cbrt(double(n) * double(n))); }

ndarray sorted_sample(const ndarray &row) {
  const std::int64_t n = row.size(), m = sample_size(n);
  std::minstd_rand random(static_cast<unsigned>(m));  // the same sample at each call
  std::vector<std::int64_t> at(static_cast<std::size_t>(m));
  const std::int64_t step = n / m;  // one element from each of m parts of the row: indices increase
  for (std::int64_t i = 0; i < m; ++i)
    at[static_cast<std::size_t>(i)] = i * step + static_cast<std::int64_t>(random()) % step;
  const ndarray indices = list_of(at, placement_of(row));
  return sort(take_elements(row, {&indices, 1}, 0, index_mode::clip), 0, false);
}

sample_range range_of(std::int64_t rank, std::int64_t n, std::int64_t m) noexcept {
  const double share = (double(rank) + 0.5) / double(n), deviation = std::sqrt(double(m) * share * (1 - share));
  const double distance = 4 * deviation + 2;
  return {static_cast<std::int64_t>(share * double(m) - distance),
          static_cast<std::int64_t>(share * double(m) + distance)};
}

/// Brackets of the ranks, in which ranks whose ranges overlap are together.
std::vector<bracket> brackets_of(std::span<const std::int64_t> ranks, std::int64_t n, const ndarray &sample) {
  const std::int64_t m = sample.size();
  std::vector<bracket> made;
  std::vector<sample_range> ranges;
  for (const std::int64_t rank : ranks) {
    const sample_range r = range_of(rank, n, m);
    if (!ranges.empty() && r.first <= ranges.back().last) {
      ranges.back().last = r.last;
    } else {
      ranges.push_back(r);
      made.emplace_back();
    }
    made.back().ranks.push_back(rank);
  }
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (ranges[i].first >= 0) made[i].least = element_at(sample, ranges[i].first);
    if (ranges[i].last < m) made[i].greatest = element_at(sample, ranges[i].last);
  }
  return made;
}

bool has_nan(dtype t) noexcept { return kind_of(t) == dtype_kind::real; }

/// The bracket's elements in order, and the rank of the first. Nothing if they are too many, or have not the ranks.
std::optional<std::pair<ndarray, std::int64_t>> elements_of(const bracket &b, const ndarray &row) {
  std::optional<term> inside;
  if (b.least) inside = row >= *b.least;
  if (b.greatest && !(has_nan(row.type()) && item(apply(opcode::isnan, *b.greatest)).integer))
    inside = inside ? *inside && row <= *b.greatest : row <= *b.greatest;
  if (!inside) return {};
  reduce_options as_counts;
  as_counts.type = dtype::int64;
  const ndarray count = reduce(reduction::sum, *inside, as_counts);
  std::int64_t first = 0;
  if (b.least) {
    const ndarray below = reduce(reduction::sum, row < *b.least, as_counts);
    first = item(below).integer;
  }
  const std::int64_t found = item(count).integer;
  if (b.ranks.front() < first || b.ranks.back() >= first + found) return {};
  if (b.least && b.greatest && item(equal(*b.least, *b.greatest)).integer)
    return std::pair(copy(part(broadcast_to(*b.least, std::array{found}), 0, 1)), first);
  if (found > row.size() / 4) return {};
  return std::pair(sort(extract_elements(row, *inside), 0, false), first);
}

}  // namespace

bool is_long_for_sort(const ndarray &row) noexcept {
  // Elements of one byte are counted by sorts. Sorts on GPUs are faster than reading counts up to this length.
  const std::int64_t least = is_host_accessible(row.get_queue()) ? 1 << 16 : 1 << 22;
  return row.size() >= least && size_of(row.type()) > 1 && kind_of(row.type()) != dtype_kind::complex;
}

std::optional<selected_elements> select_ranks(const ndarray &row, std::span<const std::int64_t> ranks) {
  std::vector<std::int64_t> wanted(ranks.begin(), ranks.end());
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  if (wanted.empty() || wanted.size() > 8 || !is_long_for_sort(row)) return {};
  row.evaluate();
  const std::vector<bracket> brackets = brackets_of(wanted, row.size(), sorted_sample(row));
  if (brackets.size() > 4) return {};
  std::vector<ndarray> parts;
  std::vector<std::int64_t> places(wanted.size());
  std::int64_t start = 0;
  std::size_t k = 0;
  for (const bracket &b : brackets) {
    const auto found = elements_of(b, row);
    if (!found) return {};
    const std::int64_t count = found->first.size();
    for (const std::int64_t rank : b.ranks)
      places[k++] = start + std::min(rank - found->second, count - 1);  // one element stands for many equal ones
    start += count;
    parts.push_back(found->first);
  }
  selected_elements made;
  made.row = parts.size() == 1 ? parts[0] : concat(parts, 0);
  for (const std::int64_t rank : ranks)
    made.positions.push_back(places[static_cast<std::size_t>(std::ranges::lower_bound(wanted, rank) - wanted.begin())]);
  return made;
}

}  // namespace dpep::array
