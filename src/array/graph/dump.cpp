// DPEP_DUMP for arrays: writes each evaluation as a Graphviz graph, with a cluster and a listing for each program.
#include <sys/stat.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "array/graph/deferred_queue.hpp"

namespace dpep::array {
namespace {

const char *dump_folder() {
  static const char *const folder = [] {
    const char *value = std::getenv("DPEP_DUMP");
    return value && *value ? value : nullptr;
  }();
  return folder;
}

std::string label_of(const instruction &i, const fused_program &c) {
  switch (i.what) {
  case step::load:
  case step::store:
    return i.what == step::load ? "load" : "store";
  case step::gather:
    return "gather";
  case step::scalar: {
    const scalar &s = c.arguments.scalars[i.operand];
    return s.what == scalar::kind::boolean || s.what == scalar::kind::integer ? fmt::format("{}", s.integer)
           : s.what == scalar::kind::real ? fmt::format("{}", s.number.real())
                                          : fmt::format("{}+{}j", s.number.real(), s.number.imag());
  }
  case step::iota:
    return "ramp";
  case step::element:
    return std::string(name_of(i.code, i.function));
  case step::reduce:
    return std::string(name_of(i.how));
  }
  return {};
}

std::string axes_text(const program &p, axis_set axes) {
  std::vector<std::string> sizes;
  for (int a = 0; a < p.axes(); ++a)
    if (axes.has(a))
      sizes.push_back(fmt::format("{}={}", static_cast<char>('a' + a % 26), p.sizes[static_cast<std::size_t>(a)]));
  return fmt::format("{}", fmt::join(sizes, " "));
}

bool write(const std::string &path, const std::string &text) {
  std::FILE *const file = std::fopen(path.c_str(), "w");
  const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return file && std::fclose(file) == 0 && written;
}

}  // namespace

void deferred_queue::dump(const fused_program &c) {
  if (!dump_folder()) [[likely]]
    return;
  const program &p = *c.code;
  const std::size_t cluster = dumped_++;
  dump_ += fmt::format("  subgraph cluster_{} {{ label=\"program {}: {}\"; style=rounded;\n", cluster, cluster,
                       axes_text(p, axis_set::first(p.axes())));
  std::string edges;
  for (std::size_t v = 0; v < p.code.size(); ++v) {
    const instruction &i = p.code[v];
    const bool reduces = i.what == step::reduce;
    dump_ += fmt::format("    p{}v{} [label=\"{}\\n{} {}\"{}];\n", cluster, v, label_of(i, c),
                         i.what == step::store ? "" : name_of(i.type), axes_text(p, reduces ? i.axes | i.over : i.axes),
                         reduces ? ", shape=invtrapezium" : "");
    for (const value_id input : i.inputs)
      if (input != no_value) edges += fmt::format("    p{}v{} -> p{}v{};\n", cluster, input, cluster, v);
    if (i.what != step::load && i.what != step::store && i.what != step::gather) continue;
    const std::string memory = fmt::format("\"{}\"", fmt::ptr(c.arguments.memory[i.operand]));
    edges += i.what != step::store ? fmt::format("    {} -> p{}v{};\n", memory, cluster, v)
                                   : fmt::format("    p{}v{} -> {};\n", cluster, v, memory);
  }
  dump_ += "  }\n" + edges;
  for (std::size_t m = 0; m < p.memory.size(); ++m)
    dump_ += fmt::format("  \"{}\" [shape=box];\n", fmt::ptr(c.arguments.memory[m]));
  dump_ += "  /*\n" + p.describe() + "  */\n";
}

void deferred_queue::write_dump() noexcept {
  if (dump_.empty()) [[likely]]
    return;
  try {
    static std::atomic<unsigned> count{0};
    ::mkdir(dump_folder(), 0755);
    const std::string path = fmt::format("{}/graph-{}.dot", dump_folder(), count.fetch_add(1));
    static std::atomic_flag reported;
    if (!write(path, "digraph evaluation {\n" + dump_ + "}\n") && !reported.test_and_set())
      std::fprintf(stderr,
                   "dpep: DPEP_DUMP: cannot write %s; check that the folder exists and that its disk is not full\n",
                   path.c_str());
  } catch (const std::exception &) {  // the dump is skipped if there is no memory for it
  }
  dump_.clear();
  dumped_ = 0;
}

}  // namespace dpep::array
