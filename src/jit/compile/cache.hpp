// The disk cache of compiled kernels: bounded, checksummed and shared between processes.
//
// An entry is a file named by its key. It is written to a temporary file and renamed, so that a reader finds a complete
// entry or none, and two writers of one key are harmless. Entries are not read if they are damaged or in a folder that
// other users can write to. No function throws: an error of the cache costs a compilation. Of several processes that
// need the same entry at once, one compiles and the others wait.
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

/// A compiled kernel, and the other images that the linker took functions from. An entry is valid only in a process in
/// which those images are registered.
struct cache_entry {
  compiled_kernel kernel;
  std::vector<digest> imported_images;
};

class disk_cache {
public:
  /// An empty folder name disables the cache. The folder is created when the first entry is stored.
  disk_cache(std::string folder, std::uint64_t limit_bytes) : folder_(std::move(folder)), limit_(limit_bytes) {}

  /// Returns the cache that the environment configures: $DPEP_CACHE ("off" disables it), by default `dpep` in the XDG
  /// cache folder; $DPEP_CACHE_LIMIT bytes, by default 1 GiB. Reads the variables at each call, as a program can change
  /// them. Disabled if the folder is not trusted, with one warning per process on stderr.
  static disk_cache from_environment();

  std::optional<cache_entry> find(const digest &key) const noexcept;
  void store(const digest &key, const cache_entry &) const noexcept;

  /// A lock, shared between processes, that marks the key's entry as being compiled until the claim is destroyed. It is
  /// a file lock, which the system releases when the process ends in any way.
  class claim {
  public:
    claim(const claim &) = delete;
    claim(claim &&other) noexcept : file_(std::exchange(other.file_, -1)), byte_(other.byte_) {}
    ~claim();
    /// Whether the lock was acquired. It is not if there is no cache, or if another process held it until the timeout:
    /// then both compile.
    explicit operator bool() const noexcept { return file_ >= 0; }

  private:
    friend disk_cache;
    claim() = default;
    int file_ = -1;
    std::uint64_t byte_ = 0;
  };
  /// Waits while another process holds the claim, up to `timeout`, as that process may be stopped in a debugger.
  claim claim_for(const digest &key, std::chrono::milliseconds timeout = std::chrono::seconds(10)) const noexcept;

  const std::string &folder() const noexcept { return folder_; }

private:
  std::string folder_;
  std::uint64_t limit_;
};

}  // namespace dpep::jit
