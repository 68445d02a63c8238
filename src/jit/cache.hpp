// The disk cache of compiled kernels: bounded, checksummed, shared between processes, and never a reason to fail.
//
// An entry is a file named by its key. It is written beside its place and renamed into it, so that a reader sees a
// whole entry or none, and two writers of one key are harmless. What is damaged, or in a folder that others can write
// to, is not read. Nothing here throws: trouble with the cache costs a compilation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jit/compiler.hpp"
#include "jit/hash.hpp"

namespace dpep::jit {

/// What a compilation keeps: its result, and the other images that functions were taken from. The entry is only good in
/// a process where those are registered too.
struct cache_entry {
  compiled kernel;
  std::vector<digest> images;
};

class disk_cache {
public:
  /// An empty folder name: no cache. The folder is made when something is first kept.
  disk_cache(std::string folder, std::uint64_t limit_bytes) : folder_(std::move(folder)), limit_(limit_bytes) {}

  /// The cache that the environment asks for: $DPEP_CACHE ("off": none), else dpep in the XDG cache folder;
  /// $DPEP_CACHE_LIMIT bytes, else 1 GiB. Read anew each time, so that a program can change its mind.
  static disk_cache from_environment();

  std::optional<cache_entry> find(const digest &key) const noexcept;
  void keep(const digest &key, const cache_entry &) const noexcept;

  const std::string &folder() const noexcept { return folder_; }

private:
  std::string folder_;
  std::uint64_t limit_;
};

}  // namespace dpep::jit
