// Reports of the libraries, for `python -m dpep doctor`.
#include <dpep/libraries.hpp>

#include <dpep/device.hpp>

#include "libs/cpu_library.hpp"
#include "libs/cublas.hpp"
#include "libs/cufft.hpp"
#include "libs/cusolver.hpp"

namespace dpep {
namespace {

/// The largest version of CUDA that a driver on this machine supports; 0: there is no GPU.
int newest_cuda() {
  int newest = 0;
  for (const device &d : all_devices()) newest = std::max(newest, libs::cuda_version_of(d.info()));
  return newest;
}

template <class Library> backend_report report(const char *name, const Library *found, const std::string &why) {
  return {name, found != nullptr, found ? found->path : why};
}

}  // namespace

std::vector<backend_report> report_libraries() {
  std::vector<backend_report> all{
      {"BLAS and LAPACK on CPUs", libs::find_cpu_library() != nullptr, libs::describe_cpu_library()}};
  if (const int cuda = newest_cuda()) {
    std::string why;
    const libs::cublas_library *const cublas = libs::find_cublas(cuda, why);
    all.push_back(report("cuBLAS on NVIDIA GPUs", cublas, why));
    const libs::cusolver_library *const cusolver = libs::find_cusolver(cuda, why);
    all.push_back(report("cuSOLVER on NVIDIA GPUs", cusolver, why));
    const libs::cufft_library *const cufft = libs::find_cufft(cuda, why);
    all.push_back(report("cuFFT on NVIDIA GPUs", cufft, why));
  }
  return all;
}

}  // namespace dpep
