// The OpenCL library: the platform that OCL_ICD_VENDORS selects, its first CPU device, and the kernels of the .cl files
// in this folder, compiled when they first run.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "library.hpp"

namespace {

void check(cl_int status, const std::string &what) {
  if (status != CL_SUCCESS) throw std::runtime_error(what + ": OpenCL error " + std::to_string(status));
}

std::string read_file(const std::string &path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

struct device {
  std::string folder;  // benchmarks/kernels
  cl_device_id id{};
  cl_context context{};
  cl_command_queue queue{};
  std::map<void *, cl_mem> buffers;
  std::map<std::string, cl_kernel> kernels;
  std::string name;

  void start(const char *sources) {
    folder = sources;
    cl_platform_id platform;
    cl_uint platforms = 0;
    check(clGetPlatformIDs(1, &platform, &platforms), "clGetPlatformIDs");
    if (platforms == 0) throw std::runtime_error("no OpenCL platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &id, nullptr), "clGetDeviceIDs");
    cl_int status;
    context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, id, 0, &status);
    check(status, "clCreateCommandQueue");
    char platform_name[256], version[256];
    check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof platform_name, platform_name, nullptr),
          "clGetPlatformInfo");
    check(clGetDeviceInfo(id, CL_DRIVER_VERSION, sizeof version, version, nullptr), "clGetDeviceInfo");
    name = std::string(platform_name) + " " + version;
  }

  void *allocate(std::size_t bytes) {
    constexpr std::size_t page = 4096;
    const std::size_t whole = (bytes + page - 1) / page * page;
    void *const memory = std::aligned_alloc(page, whole);
    if (!memory) throw std::bad_alloc();
    cl_int status;
    buffers[memory] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, whole, memory, &status);
    check(status, "clCreateBuffer");
    return memory;
  }

  cl_kernel kernel(const std::string &kernel_name) {
    if (const auto found = kernels.find(kernel_name); found != kernels.end()) return found->second;
    const std::string text = read_file(folder + "/shapes.h") + read_file(folder + "/opencl/" + kernel_name + ".cl");
    const char *source = text.c_str();
    cl_int status;
    const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    // a subset of the hand-written code's -ffast-math
    if (clBuildProgram(program, 1, &id, "-cl-mad-enable -cl-no-signed-zeros", nullptr, nullptr) != CL_SUCCESS) {
      std::string log(16384, '\0');
      std::size_t size = 0;
      clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), &size);
      throw std::runtime_error(kernel_name + ".cl: " + log.substr(0, size));
    }
    const cl_kernel made = clCreateKernel(program, kernel_name.c_str(), &status);
    check(status, "clCreateKernel");
    return kernels[kernel_name] = made;
  }

  void make_visible(void *memory) {
    const cl_mem buffer = buffers.at(memory);
    std::size_t bytes;
    check(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr), "clGetMemObjectInfo");
    cl_int status;
    void *const mapped =
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, nullptr, nullptr, &status);
    check(status, "clEnqueueMapBuffer");
    check(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
    check(clFinish(queue), "clFinish");
  }

  std::function<void()> prepare(const std::string &kernel_name, const bench::arguments &a) {
    const cl_kernel k = kernel(kernel_name);
    cl_uint argument = 0;
    for (int i = 0; i < a.buffer_count; i++)
      check(clSetKernelArg(k, argument++, sizeof(cl_mem), &buffers.at(a.buffers[i])), "clSetKernelArg");
    for (int i = 0; i < a.size_count; i++) {
      const cl_long size = a.sizes[i];
      check(clSetKernelArg(k, argument++, sizeof size, &size), "clSetKernelArg");
    }
    return [this, k, &a] {
      const std::size_t items[2] = {std::size_t(a.global[0]), std::size_t(a.global[1])};
      const std::size_t group[2] = {std::size_t(a.local[0]), std::size_t(a.local[1])};
      check(clEnqueueNDRangeKernel(queue, k, items[1] > 1 ? 2 : 1, nullptr, items, group[0] ? group : nullptr, 0,
                                   nullptr, nullptr),
            "clEnqueueNDRangeKernel");
      check(clFinish(queue), "clFinish");
    };
  }
};

device &the_device() {
  static auto *const one = new device;  // never destroyed: some platforms crash when objects are released at exit
  return *one;
}

}  // namespace

const char *bench::start_device(const char *folder) {
  the_device().start(folder);
  return the_device().name.c_str();
}

void *bench::allocate_memory(std::size_t bytes) { return the_device().allocate(bytes); }

std::function<void()> bench::prepare(const char *kernel, const arguments &a) { return the_device().prepare(kernel, a); }

void bench::make_visible(const arguments &a) {
  for (int i = 0; i < a.buffer_count; i++) the_device().make_visible(a.buffers[i]);
}
