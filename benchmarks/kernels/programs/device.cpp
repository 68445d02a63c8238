// The library of dpep's OpenCL C: the kernels of the .cl files of opencl/, compiled by dpep::program when they first
// run.
#include <fstream>
#include <map>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>

#include <dpep/memory.hpp>
#include <dpep/program.hpp>
#include <dpep/queue.hpp>

#include "library.hpp"

namespace {

std::string read_file(const std::string &path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string folder;  // benchmarks/kernels

dpep::queue &queue() {
  static dpep::queue one{dpep::device(), dpep::queue_options{.in_order = true}};
  return one;
}

const dpep::program_kernel &compiled(const std::string &name) {
  static auto &programs = *new std::map<std::string, dpep::program>;
  dpep::program &program = programs[name];
  if (!program)
    program = dpep::program::from_opencl_source(read_file(folder + "/shapes.h") +
                                                    read_file(folder + "/opencl/" + name + ".cl"),
                                                "-cl-mad-enable -cl-no-signed-zeros");  // as for the peers
  return *program.find(name);
}

}  // namespace

const char *bench::start_device(const char *sources) {
  folder = sources;
  static const std::string name = queue().get_device().info().name;
  return name.c_str();
}

void *bench::allocate_memory(std::size_t bytes) {
  void *const memory = dpep::allocate(dpep::usm_kind::shared, bytes, 4096, queue().get_context(), queue().get_device());
  if (!memory) throw std::bad_alloc();
  return memory;
}

std::function<void()> bench::prepare(const char *name, const arguments &a) {
  dpep::launch_arguments packed{compiled(name)};
  const auto given = [] { return std::string("an argument of the benchmark"); };
  std::size_t argument = 0;
  for (int i = 0; i < a.buffer_count; i++) packed.set_pointer(argument++, a.buffers[i], given);
  for (int i = 0; i < a.size_count; i++) packed.set_value(argument++, std::as_bytes(std::span(a.sizes + i, 1)), given);
  dpep::geometry work;
  work.dimensions = a.global[1] > 1 ? 2 : 1;
  for (std::size_t d = 0; d < 2; d++) {
    work.global[d] = std::size_t(a.global[d]);
    if (a.local[0]) work.local[d] = std::size_t(a.local[d]);
  }
  if (a.local[0]) work.local[2] = 1;
  return [packed, work]() mutable { packed.submit(queue(), work).wait(); };
}

void bench::make_visible(const arguments &) {}  // shared memory is
