// Equal parts of a sub-group (extension sycl_ext_oneapi_non_uniform_groups, without its fragments).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <sycl/sub_group.hpp>

namespace sycl::ext::oneapi::experimental {

/// `ChunkSize` consecutive work-items of the parent, a sub-group or a larger chunk. All work-items of the sub-group
/// call its group functions and algorithms together.
template <std::size_t ChunkSize, class ParentGroup> class chunk {
  static_assert(std::has_single_bit(ChunkSize), "chunk: the size is a power of 2");

public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = ParentGroup::fence_scope;

  explicit chunk(ParentGroup parent) : parent_(parent) {}

  id_type get_group_id() const { return get_group_linear_id(); }
  id_type get_local_id() const { return get_local_linear_id(); }
  range_type get_group_range() const { return get_group_linear_range(); }
  range_type get_local_range() const { return ChunkSize; }
  linear_id_type get_group_linear_id() const { return parent_.get_local_linear_id() / size; }
  linear_id_type get_local_linear_id() const { return parent_.get_local_linear_id() % size; }
  linear_id_type get_group_linear_range() const { return parent_.get_local_linear_range() / size; }
  linear_id_type get_local_linear_range() const { return size; }
  bool leader() const { return get_local_linear_id() == 0; }

private:
  static constexpr auto size = static_cast<linear_id_type>(ChunkSize);
  ParentGroup parent_;
};

template <class T> inline constexpr bool is_chunk = false;
template <std::size_t N, class P> inline constexpr bool is_chunk<chunk<N, P>> = true;

/// Divides the group, a sub-group or a chunk, whose size is a multiple of `ChunkSize`. Returns the caller's part.
template <std::size_t ChunkSize, class ParentGroup>
  requires(std::is_same_v<ParentGroup, sub_group> || is_chunk<ParentGroup>)
chunk<ChunkSize, ParentGroup> chunked_partition(ParentGroup parent) {
  return chunk<ChunkSize, ParentGroup>(parent);
}

// Earlier names of the extension.
template <std::size_t Size, class ParentGroup> using fixed_size_group = chunk<Size, ParentGroup>;
template <std::size_t Size, class ParentGroup> chunk<Size, ParentGroup> get_fixed_size_group(ParentGroup parent) {
  return chunked_partition<Size>(parent);
}

}  // namespace sycl::ext::oneapi::experimental
