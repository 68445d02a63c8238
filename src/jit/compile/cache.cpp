// The disk cache of compiled kernels: files in 256 folders (shards) by the key's first byte. Each shard may use 1/256
// of the size limit.
#include "jit/compile/cache.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <thread>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <dpep/kernel_cache.hpp>

#include "jit/compile/byte_stream.hpp"
#include "jit/compile/cache_trust.hpp"

namespace dpep::jit {
namespace {

class descriptor {
public:
  explicit descriptor(int fd) noexcept : fd_(fd) {}
  descriptor(const descriptor &) = delete;
  descriptor &operator=(const descriptor &) = delete;
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  explicit operator bool() const noexcept { return fd_ >= 0; }
  int get() const noexcept { return fd_; }
  int release() noexcept { return std::exchange(fd_, -1); }

private:
  int fd_;
};

constexpr std::uint64_t format_magic = 0x3230'5449'4a50'4544;  // "DEPJIT02"; change it with the layout below
struct header {
  std::uint64_t magic;
  digest key;
  std::uint64_t payload_bytes;
  digest checksum;  // of the payload
};

std::vector<std::byte> serialise(const cache_entry &entry) {
  const auto &[object, needs, report] = entry.kernel;
  byte_writer out;
  out.number(needs.grouped);
  out.number(needs.static_local_bytes);
  out.number(needs.scratch_bytes);
  out.number(needs.argument_bytes);
  out.number(needs.concurrent_items);
  out.number(needs.sub_group_size);
  out.number(needs.dependent_launch);
  out.number(needs.concurrent_groups);
  out.number(needs.variables.size());
  for (const std::uint64_t key : needs.variables) out.number(key);
  out.block(report.name.data(), report.name.size());
  out.number(report.vector_width);
  out.number(report.static_local_bytes);
  out.number(report.uses_barriers);
  out.block(report.remarks.data(), report.remarks.size());
  out.number(entry.imported_images.size());
  for (const digest &image : entry.imported_images) {
    out.number(image.low);
    out.number(image.high);
  }
  out.block(object.data(), object.size());
  return out.take();
}

std::optional<cache_entry> deserialise(std::span<const std::byte> payload) {
  const auto text = [](std::span<const std::byte> b) {
    return std::string(reinterpret_cast<const char *>(b.data()), b.size());
  };
  cache_entry entry;
  auto &[object, needs, report] = entry.kernel;
  byte_reader in(payload);
  needs.grouped = in.number() != 0;
  needs.static_local_bytes = in.number();
  needs.scratch_bytes = in.number();
  needs.argument_bytes = in.number();
  needs.concurrent_items = in.number();
  needs.sub_group_size = in.number();
  needs.dependent_launch = in.number() != 0;
  needs.concurrent_groups = in.number() != 0;
  for (std::uint64_t keys = in.number(); keys > 0 && !in.failed(); --keys) needs.variables.push_back(in.number());
  report.name = text(in.block());
  report.vector_width = static_cast<std::uint32_t>(in.number());
  report.static_local_bytes = in.number();
  report.uses_barriers = in.number() != 0;
  report.remarks = text(in.block());
  for (std::uint64_t images = in.number(); images > 0 && !in.failed(); --images) {
    const std::uint64_t low = in.number();
    entry.imported_images.push_back({low, in.number()});
  }
  const auto code = in.block();
  object.assign(code.begin(), code.end());
  if (!in.complete()) return std::nullopt;
  return entry;
}

// Whether only this user can create files in the shard. Files of other users must not become code in this process. A
// user with write access to the parent folder could only create a shard that is owned by that user.
bool is_owned_and_private(int folder) noexcept {
  struct stat s;
  return ::fstat(folder, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == ::geteuid() &&
         !(s.st_mode & (S_IWGRP | S_IWOTH));
}

descriptor open_shard(const std::string &path) noexcept {
  descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  return folder && is_owned_and_private(folder.get()) ? descriptor(folder.release()) : descriptor(-1);
}

void make_folders(const std::string &path) noexcept {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    ::mkdir(path.substr(0, slash).c_str(), 0700);
  ::mkdir(path.c_str(), 0700);
}

bool read_all(int file, void *to, std::size_t size) noexcept {
  for (auto *at = static_cast<char *>(to); size > 0;) {
    const ssize_t n = ::read(file, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool write_all(int file, const void *from, std::size_t size) noexcept {
  for (auto *at = static_cast<const char *>(from); size > 0;) {
    const ssize_t n = ::write(file, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, size -= static_cast<std::size_t>(n);
  }
  return true;
}

struct entry_path {
  std::string shard, file;
  explicit entry_path(const digest &key) : shard(key.hex().substr(0, 2)), file(key.hex().substr(2)) {}
};

// Deletes the shard's least recently used entries until the rest fits into the limit, and temporary files of crashed
// writers. Does not delete `keep`.
void sweep(int shard, std::uint64_t limit, const std::string &keep) {
  struct file {
    std::string name;
    std::uint64_t bytes;
    timespec used;
  };
  const int listing = ::openat(shard, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *const folder = listing >= 0 ? ::fdopendir(listing) : nullptr;
  if (!folder) {
    if (listing >= 0) ::close(listing);
    return;
  }
  std::vector<file> files;
  std::uint64_t total = 0;
  const std::time_t now = std::time(nullptr);
  while (const dirent *entry = ::readdir(folder)) {
    struct stat s;
    if (entry->d_name[0] == '.' || ::fstatat(shard, entry->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (std::strchr(entry->d_name, '.')) {  // a temporary file; an old one is from a writer that crashed
      if (now - s.st_mtime > 3600) ::unlinkat(shard, entry->d_name, 0);
      continue;
    }
    const auto bytes = static_cast<std::uint64_t>(s.st_blocks) * 512;
    total += bytes;
    if (entry->d_name != keep) files.push_back({entry->d_name, bytes, s.st_mtim});
  }
  ::closedir(folder);
  if (total <= limit) return;
  std::ranges::sort(files, [](const file &a, const file &b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const file &f : files) {
    if (total <= limit) break;
    if (::unlinkat(shard, f.name.c_str(), 0) == 0) total -= f.bytes;
  }
}

// Sets or clears a lock of one byte of the file. Such a lock belongs to the open file description, not to the process:
// it also excludes other threads, and closing the file releases it.
bool set_lock(int file, short kind, std::uint64_t byte) noexcept {
  struct flock part{};
  part.l_type = kind;
  part.l_whence = SEEK_SET;
  part.l_start = static_cast<off_t>(byte);
  part.l_len = 1;
  return ::fcntl(file, F_OFD_SETLK, &part) == 0;
}

std::string folder_from_environment() {
  const auto variable = [](const char *name) -> std::string {
    const char *value = std::getenv(name);
    return value ? value : "";
  };
  std::string folder = variable("DPEP_CACHE");
  if (folder == "off" || folder == "0") return "";
  if (folder.empty()) {
    std::string base = variable("XDG_CACHE_HOME");
    if (base.empty() || base.front() != '/') base = variable("HOME").empty() ? "" : variable("HOME") + "/.cache";
    if (!base.empty()) folder = base + "/dpep";
  }
  return folder;
}

void warn_refused_once(const std::string &folder, const std::string &reason) noexcept {
  static std::atomic<bool> warned{false};
  if (warned.exchange(true)) return;
  std::fprintf(stderr, "dpep: the kernel cache %s is not used, because another user could put code into it: %s\n",
               folder.c_str(), reason.c_str());
}

/// untrusted_reason() of a folder that was trusted less than a second ago is not determined again: it takes a sixth of
/// the time to load a kernel. Each shard is checked when it is opened.
std::string recent_untrusted_reason(const std::string &folder) {
  using clock = std::chrono::steady_clock;
  struct known_folder {
    std::string path;
    uid_t user = 0;
    clock::time_point until;
  };
  static std::mutex mutex;
  static auto &known = *new known_folder;  // never destroyed: other threads may load kernels until the process ends
  const auto now = clock::now();
  std::unique_lock lock(mutex, std::try_to_lock);  // not waiting: a fork may have copied a locked mutex
  if (lock && known.path == folder && known.user == ::geteuid() && now < known.until) return "";
  std::string reason = untrusted_reason(folder);
  if (lock && reason.empty() && folder.starts_with('/')) known = {folder, ::geteuid(), now + std::chrono::seconds(1)};
  return reason;
}

}  // namespace

disk_cache disk_cache::from_environment() {
  const char *const bytes = std::getenv("DPEP_CACHE_LIMIT");
  const std::uint64_t limit = bytes && *bytes ? std::strtoull(bytes, nullptr, 10) : std::uint64_t{1} << 30;
  std::string folder = folder_from_environment();
  if (folder.empty()) return disk_cache("", limit);
  try {
    const std::string reason = recent_untrusted_reason(folder);
    if (reason.empty()) return disk_cache(std::move(folder), limit);
    warn_refused_once(folder, reason);
  } catch (...) {  // the path could not be examined
  }
  return disk_cache("", limit);
}

std::optional<cache_entry> disk_cache::find(const digest &key) const noexcept try {
  if (folder_.empty()) return std::nullopt;
  const entry_path path(key);
  const descriptor folder = open_shard(folder_ + '/' + path.shard);
  if (!folder) return std::nullopt;
  // O_NONBLOCK: otherwise, opening a named pipe would wait for a writer.
  const descriptor file(::openat(folder.get(), path.file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat s;
  if (!file || ::fstat(file.get(), &s) != 0 || !S_ISREG(s.st_mode) || s.st_uid != ::geteuid()) return std::nullopt;
  header head;
  if (static_cast<std::uint64_t>(s.st_size) < sizeof head || !read_all(file.get(), &head, sizeof head) ||
      head.magic != format_magic || head.key != key ||
      head.payload_bytes != static_cast<std::uint64_t>(s.st_size) - sizeof head)
    return std::nullopt;
  std::vector<std::byte> payload(head.payload_bytes);
  if (!read_all(file.get(), payload.data(), payload.size()) ||
      digest_of(std::span<const std::byte>(payload)) != head.checksum)
    return std::nullopt;
  std::optional<cache_entry> entry = deserialise(payload);
  // The modification time is the time of last use, to the hour, so that hits rarely write.
  if (entry && std::time(nullptr) - s.st_mtime > 3600) ::futimens(file.get(), nullptr);
  return entry;
} catch (...) {
  return std::nullopt;
}

void disk_cache::store(const digest &key, const cache_entry &entry) const noexcept try {
  if (folder_.empty()) return;
  const entry_path path(key);
  const std::string shard_path = folder_ + '/' + path.shard;
  make_folders(shard_path);
  const descriptor shard = open_shard(shard_path);
  if (!shard) return;

  const std::vector<std::byte> payload = serialise(entry);
  const header head{format_magic, key, payload.size(), digest_of(std::span<const std::byte>(payload))};
  static std::atomic<unsigned> serial{0};  // two threads may store one key, for different devices of one kind
  const std::string temporary = fmt::format("{}.{}.{}", path.file, ::getpid(), serial++);
  {
    const descriptor file(
        ::openat(shard.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file) return;
    if (!write_all(file.get(), &head, sizeof head) || !write_all(file.get(), payload.data(), payload.size())) {
      ::unlinkat(shard.get(), temporary.c_str(), 0);
      return;
    }
  }
  if (::renameat(shard.get(), temporary.c_str(), shard.get(), path.file.c_str()) != 0)
    ::unlinkat(shard.get(), temporary.c_str(), 0);
  else
    sweep(shard.get(), limit_ / 256, path.file);
} catch (...) {}

// Each shard has one lock file, and a claim locks the byte at an offset that is derived from the key. The file is never
// deleted, which avoids a race with a process that is about to open it. Other users cannot open it, so they cannot make
// this process wait.
disk_cache::claim disk_cache::claim_for(const digest &key, std::chrono::milliseconds timeout) const noexcept try {
  claim result;
  if (folder_.empty()) return result;
  const std::string path = folder_ + '/' + entry_path(key).shard;
  make_folders(path);
  const descriptor shard = open_shard(path);
  if (!shard) return result;
  descriptor file(::openat(shard.get(), ".claims", O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  if (!file) return result;
  result.byte_ = key.low >> 2;  // keeps the offset positive as a signed number
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  // Polls, as blocking lock requests have no timeout. A compilation takes tens of milliseconds.
  for (auto interval = std::chrono::microseconds(200); !set_lock(file.get(), F_WRLCK, result.byte_);
       interval = std::min(2 * interval, std::chrono::microseconds(2000))) {
    const bool taken = errno == EAGAIN || errno == EACCES || errno == EINTR;
    if (!taken || std::chrono::steady_clock::now() >= deadline) return result;
    std::this_thread::sleep_for(interval);
  }
  result.file_ = file.release();
  return result;
} catch (...) {
  return {};
}

disk_cache::claim::~claim() {
  if (file_ < 0) return;
  set_lock(file_, F_UNLCK, byte_);  // a forked child process may still have the file open
  ::close(file_);
}

}  // namespace dpep::jit

dpep::kernel_cache_report dpep::report_kernel_cache() {
  kernel_cache_report report{jit::folder_from_environment(), {}};
  if (!report.folder.empty()) report.untrusted_reason = jit::untrusted_reason(report.folder);
  return report;
}
