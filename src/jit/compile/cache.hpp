// The disk cache of compiled kernels: bounded, checksummed, shared between processes, and never a reason to fail.
//
// An entry is a file named by its key. It is written beside its place and renamed into it, so that a reader sees a
// whole entry or none, and two writers of one key are harmless. What is damaged, or in a folder that others can write
// to, is not read. Nothing here throws: trouble with the cache costs a compilation. Processes that want the same entry
// at once wait for the first of them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jit/launch/compiler.hpp"
#include "jit/launch/hash.hpp"

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
  /// $DPEP_CACHE_LIMIT bytes, else 1 GiB. Read anew each time, so that a program can change its mind. None where the
  /// folder is not to be trusted, which is said on stderr once.
  static disk_cache from_environment();

  std::optional<cache_entry> find(const digest &key) const noexcept;
  void keep(const digest &key, const cache_entry &) const noexcept;

  /// Says to other processes that this one is about to compile what the key stands for, as long as it lives; a lock of
  /// the system's, which ends with its process whatever happens to that.
  class claim {
  public:
    claim(const claim &) = delete;
    claim(claim &&other) noexcept : file_(std::exchange(other.file_, -1)), byte_(other.byte_) {}
    ~claim();
    /// Whether it is ours. It may not be, where there is no cache, or the other process takes too long: then both
    /// compile.
    explicit operator bool() const noexcept { return file_ >= 0; }

  private:
    friend disk_cache;
    claim() = default;
    int file_ = -1;
    std::uint64_t byte_ = 0;
  };
  /// Waits while another process has the claim, but not for longer than `patience`: it may be stopped in a debugger.
  claim claim_for(const digest &key, std::chrono::milliseconds patience = std::chrono::seconds(10)) const noexcept;

  const std::string &folder() const noexcept { return folder_; }

private:
  std::string folder_;
  std::uint64_t limit_;
};

}  // namespace dpep::jit
