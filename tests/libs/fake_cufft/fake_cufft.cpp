// A library with cuFFT's functions that computes in the host's memory, by the definition of the transform.
#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numbers>
#include <vector>

namespace {

struct plan {
  long long length = 0, batch = 0, from_step = 0, from_distance = 0, to_step = 0, to_distance = 0;
  int type = 0;
  std::uintptr_t stream = 0;
  void *scratch = nullptr;
};
std::map<int, plan> plans;
int made = 0;

constexpr int success = 0, invalid_plan = 1, invalid_value = 4, invalid_size = 8;

template <class From, class To> int execute(int handle, int type, const void *from, void *to, int sign) {
  const auto found = plans.find(handle);
  if (found == plans.end()) return invalid_plan;
  const plan &p = found->second;
  if (p.type != type || !p.scratch || !p.stream) return invalid_value;
  std::vector<To> results(std::size_t(p.length));  // `to` may be `from`
  for (long long line = 0; line < p.batch; ++line) {
    for (long long k = 0; k < p.length; ++k) {
      std::complex<double> sum = 0;
      for (long long j = 0; j < p.length; ++j) {
        const auto x = static_cast<const From *>(from)[line * p.from_distance + j * p.from_step];
        sum += std::complex<double>(x) *
               std::polar(1.0, sign * 2 * std::numbers::pi * double(j * k % p.length) / double(p.length));
      }
      results[std::size_t(k)] = To(sum);
    }
    for (long long k = 0; k < p.length; ++k)
      static_cast<To *>(to)[line * p.to_distance + k * p.to_step] = results[std::size_t(k)];
  }
  return success;
}
/// Transforms of real numbers are not needed by tests.
int refuse() { return invalid_value; }

}  // namespace

extern "C" {

int cufftCreate(int *handle) {
  *handle = ++made;
  plans[made] = {};
  return success;
}
int cufftDestroy(int handle) { return plans.erase(handle) ? success : invalid_plan; }
int cufftSetStream(int handle, std::uintptr_t stream) {
  plans[handle].stream = stream;
  return success;
}
int cufftSetAutoAllocation(int, int automatic) { return automatic ? invalid_value : success; }
int cufftSetWorkArea(int handle, void *scratch) {
  plans[handle].scratch = scratch;
  return success;
}
int cufftMakePlanMany64(int handle, int rank, long long *lengths, long long *from_embedding, long long from_step,
                        long long from_distance, long long *to_embedding, long long to_step, long long to_distance,
                        int type, long long batch, std::size_t *scratch_bytes) {
  if (rank != 1 || !from_embedding || !to_embedding || lengths[0] < 1) return invalid_size;
  plans[handle] = {lengths[0], batch, from_step, from_distance, to_step, to_distance, type, 0, nullptr};
  *scratch_bytes = 100;
  return success;
}
int cufftExecC2C(int handle, const void *from, void *to, int sign) {
  return execute<std::complex<float>, std::complex<float>>(handle, 0x29, from, to, sign);
}
int cufftExecZ2Z(int handle, const void *from, void *to, int sign) {
  return execute<std::complex<double>, std::complex<double>>(handle, 0x69, from, to, sign);
}
int cufftExecR2C(int, const void *, void *) { return refuse(); }
int cufftExecD2Z(int, const void *, void *) { return refuse(); }
int cufftExecC2R(int, void *, void *) { return refuse(); }
int cufftExecZ2D(int, void *, void *) { return refuse(); }

/// For tests: plans that exist, and plans that were made.
int fake_cufft_plans() { return int(plans.size()); }
int fake_cufft_made() { return made; }
}
