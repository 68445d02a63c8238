// Replaces LLVM's wrappers of libz and libzstd: as these symbols are defined here, the linker ignores LLVM's own files,
// and libdpep needs neither library. Debug sections stay uncompressed. CRC-32 may be slow, as LLVM only uses it for
// unique names.
#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/CRC.h>
#include <llvm/Support/Compression.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/ErrorHandling.h>

namespace llvm {

uint32_t crc32(uint32_t crc, ArrayRef<uint8_t> data) {
  crc = ~crc;
  for (const uint8_t byte : data) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit)
      crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0);  // IEEE 802.3's polynomial, reflected
  }
  return ~crc;
}
uint32_t crc32(ArrayRef<uint8_t> data) { return crc32(0, data); }
void JamCRC::update(ArrayRef<uint8_t> data) { CRC = ~crc32(~CRC, data); }

namespace compression {
namespace {

constexpr char reason[] = "dpep's LLVM is linked without compression";
Error unsupported() { return createStringError(reason); }

}  // namespace

const char *getReasonIfUnsupported(Format) { return reason; }
void compress(Params, ArrayRef<uint8_t>, SmallVectorImpl<uint8_t> &) { reportFatalUsageError(reason); }
Error decompress(DebugCompressionType, ArrayRef<uint8_t>, uint8_t *, size_t) { return unsupported(); }
Error decompress(Format, ArrayRef<uint8_t>, SmallVectorImpl<uint8_t> &, size_t) { return unsupported(); }
Error decompress(DebugCompressionType, ArrayRef<uint8_t>, SmallVectorImpl<uint8_t> &, size_t) { return unsupported(); }

namespace zlib {
bool isAvailable() { return false; }
void compress(ArrayRef<uint8_t>, SmallVectorImpl<uint8_t> &, int) { reportFatalUsageError(reason); }
Error decompress(ArrayRef<uint8_t>, uint8_t *, size_t &) { return unsupported(); }
Error decompress(ArrayRef<uint8_t>, SmallVectorImpl<uint8_t> &, size_t) { return unsupported(); }
}  // namespace zlib

namespace zstd {
bool isAvailable() { return false; }
void compress(ArrayRef<uint8_t>, SmallVectorImpl<uint8_t> &, int, bool) { reportFatalUsageError(reason); }
Error decompress(ArrayRef<uint8_t>, uint8_t *, size_t &) { return unsupported(); }
Error decompress(ArrayRef<uint8_t>, SmallVectorImpl<uint8_t> &, size_t) { return unsupported(); }
}  // namespace zstd

}  // namespace compression
}  // namespace llvm
