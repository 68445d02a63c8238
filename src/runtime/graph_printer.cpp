// Writes graphs in Graphviz's DOT format.
#include <cstdio>

#include <fmt/format.h>

#include "runtime/graph.hpp"

namespace dpep {
namespace {

const char *name_of(graph_node_kind kind) {
  switch (kind) {
  case graph_node_kind::empty:
    return "empty";
  case graph_node_kind::subgraph:
    return "subgraph";
  case graph_node_kind::kernel:
    return "kernel";
  case graph_node_kind::copy:
    return "copy";
  case graph_node_kind::fill:
  case graph_node_kind::fill_bytes:
    return "fill";
  case graph_node_kind::prefetch:
    return "prefetch";
  case graph_node_kind::advise:
    return "advise";
  case graph_node_kind::barrier:
    return "barrier";
  case graph_node_kind::host_task:
    return "host task";
  }
  return "";
}

std::string details_of(const runtime::recorded_command &command) {
  if (const auto *const k = std::get_if<runtime::recorded_launch>(&command))
    return fmt::format("\\n{} x {} x {} work-items\\n{} bytes of arguments", k->work.global[0], k->work.global[1],
                       k->work.global[2], k->arguments.span().size());
  if (const auto *const f = std::get_if<runtime::recorded_fill>(&command))
    return fmt::format("\\nto {}\\n{} x {} bytes", f->to, f->count, f->pattern.span().size());
  if (const auto *const b = std::get_if<backend::command>(&command))
    if (const auto *const c = std::get_if<backend::copy_command>(b))
      return fmt::format("\\nfrom {}\\nto {}\\n{} bytes", c->from, c->to, c->bytes);
  return {};
}

}  // namespace

void graph::print(const std::string &path, bool verbose) const {
  runtime::graph_object &mine = runtime::implementation_of(*this, "print_graph");
  if (!path.ends_with(".dot"))
    throw exception(errc::invalid, fmt::format("command_graph::print_graph: the file '{}' does not end in .dot", path));
  std::string text = "digraph dpep {\n";
  {
    const std::lock_guard lock(runtime::graph_mutex());
    for (std::size_t i = 0; i < mine.nodes.size(); ++i) {
      runtime::graph_node_data &node = mine.nodes[i];
      const auto *const launch = std::get_if<runtime::recorded_launch>(&node.command());
      text += fmt::format("  {} [label=\"{}: {}{}{}{}\"];\n", i, i, name_of(node.kind), launch ? "\\n" : "",
                          launch ? launch->code->name : "", verbose ? details_of(node.command()) : "");
      for (const std::uint32_t later : node.before) text += fmt::format("  {} -> {};\n", i, later);
    }
  }
  text += "}\n";
  std::FILE *const file = std::fopen(path.c_str(), "w");
  const bool written = file && std::fputs(text.c_str(), file) >= 0;
  if ((file && std::fclose(file) != 0) || !written)
    throw exception(errc::invalid, fmt::format("command_graph::print_graph: the file '{}' can't be written", path));
}

}  // namespace dpep
