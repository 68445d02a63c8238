// Tests order and scope of all LLVM atomic operations in PTX, on the oldest and the newest supported processor.
#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "fake_gpu.hpp"

namespace dpep::test {
namespace {

struct operation {
  std::string name, type;
};
const std::vector<operation> &updates() {
  static const std::vector<operation> all = [] {
    std::vector<operation> list;
    for (const char *type : {"i8", "i16", "i32", "i64"})
      for (const char *name :
           {"xchg", "add", "sub", "and", "or", "xor", "nand", "max", "min", "umax", "umin", "uinc_wrap", "udec_wrap"})
        list.push_back({name, type});
    for (const char *type : {"half", "bfloat", "float", "double"})
      for (const char *name : {"xchg", "fadd", "fsub", "fmax", "fmin"}) list.push_back({name, type});
    list.push_back({"xchg", "ptr"});
    return list;
  }();
  return all;
}

constexpr std::array orders{"monotonic", "acquire", "release", "acq_rel", "seq_cst"};
constexpr std::array scopes{"block", "device", ""};

std::string scope_words(std::string_view scope) { return scope.empty() ? "" : fmt::format("syncscope(\"{}\")", scope); }

/// A kernel that calls a function for each operation. The functions keep their names in PTX.
std::string kernel_of(std::string_view order, std::string_view scope) {
  std::string functions, calls;
  const std::string how = scope_words(scope) + " " + std::string(order);
  const auto add = [&](const std::string &name, const std::string &type, const std::string &body) {
    functions +=
        fmt::format("define internal void @{}(ptr %p, {} %v) noinline {{\n{}  ret void\n}}\n", name, type, body);
    calls += fmt::format("  %x{0} = load {1}, ptr %from\n  call void @{0}(ptr %to, {1} %x{0})\n", name, type);
  };
  for (const operation &u : updates())
    add(u.name + "_" + u.type, u.type,
        fmt::format("  %old = atomicrmw {0} ptr %p, {1} %v {2}\n  %keep = getelementptr i8, ptr %p, i64 64\n"
                    "  store volatile {1} %old, ptr %keep\n",
                    u.name, u.type, how));
  for (const char *type : {"i8", "i16", "i32", "i64"}) {
    const std::string failing = order == "acq_rel" ? "acquire" : order == "release" ? "monotonic" : std::string(order);
    add(fmt::format("cas_{}", type), type,
        fmt::format("  %old = cmpxchg ptr %p, {0} 1, {0} %v {1} {2}\n", type, how, failing));
    const int bytes = std::atoi(type + 1) / 8;
    if (order != "release" && order != "acq_rel")
      add(fmt::format("load_{}", type), type,
          fmt::format("  %x = load atomic {0}, ptr %p {1}, align {2}\n  store volatile {0} %x, ptr %p\n", type, how,
                      bytes));
    if (order != "acquire" && order != "acq_rel")
      add(fmt::format("store_{}", type), type,
          fmt::format("  store atomic {} %v, ptr %p {}, align {}\n", type, how, bytes));
  }
  if (order != "monotonic") add("order_all", "i32", "  fence " + how + "\n");
  return functions +
         "define void @k(ptr %arguments) {\n  %from = load ptr, ptr %arguments\n"
         "  %second = getelementptr ptr, ptr %arguments, i64 1\n  %to = load ptr, ptr %second\n" +
         calls + "  ret void\n}\n";
}

/// The atomic instructions and fences of a function, in order.
std::vector<std::string> instructions_of(const std::string &ptx, const std::string &function) {
  const std::size_t begin = ptx.rfind(" " + function + "(");
  if (begin == std::string::npos) return {};
  const std::string body = ptx.substr(begin, ptx.find("-- End function", begin) - begin);
  std::istringstream words(body);
  std::vector<std::string> list;
  for (std::string word; words >> word;) {
    const bool wanted = std::ranges::any_of(
        std::array{"atom.", "red.", "fence.", "membar.", "ld.relaxed", "ld.acquire", "st.relaxed", "st.release"},
        [&](const char *start) { return word.starts_with(start); });
    if (wanted) list.push_back(word.substr(0, word.find(';')));
  }
  return list;
}

int width_of(const std::string &instruction, int otherwise) {
  const auto has = [&](const char *part) { return (instruction + ".").find(part) != std::string::npos; };
  return has(".sys.") ? 3 : has(".gpu.") ? 2 : has(".cta.") ? 1 : otherwise;
}

/// Returns why the code does not have the operation's order and scope, or is ordered although the operation is relaxed;
/// an empty string if it is correct. In PTX's memory model, a fence before a relaxed write is a release, and one after
/// a relaxed read an acquire.
std::string error_in(const std::vector<std::string> &code, std::string_view order, std::string_view scope) {
  const int required = scope == "block" ? 1 : scope == "device" ? 2 : 3;
  const auto has = [](const std::string &text, const char *part) {
    return (text + ".").find(part) != std::string::npos;
  };
  bool released = false, acquired = false, sequential = false, seen = false, ordered = false;
  for (const std::string &i : code) {
    const bool fence = i.starts_with("fence"), wide = width_of(i, fence ? 0 : 2) >= required;
    ordered |= fence || has(i, ".acquire.") || has(i, ".release.") || has(i, ".acq_rel.");
    if (fence) {
      released |= wide && !seen;
      acquired |= wide && seen;
      sequential |= wide && !seen && has(i, ".sc.");
      continue;
    }
    if (!wide) return i + ": scope is too narrow";
    released |= has(i, ".release.") || has(i, ".acq_rel.");
    acquired |= has(i, ".acquire.") || has(i, ".acq_rel.");
    seen = true;
  }
  const bool load = !code.empty() && code.back().starts_with("ld"),
             store = !code.empty() && code.back().starts_with("st");
  if (order == "monotonic") return ordered ? "ordered, but should be relaxed" : seen ? "" : "no instruction";
  if (!seen) return "no instruction";
  if (order == "seq_cst" && !sequential) return "no fence.sc";
  if (order != "acquire" && !load && !released) return "no release";
  if (order != "release" && !store && !acquired) return "no acquire";
  return "";
}

struct nvptx_atomics : ::testing::Test {
  const environment no_cache{"DPEP_CACHE", "off"};
};

TEST_F(nvptx_atomics, keep_their_order_and_scope) {
  int combination = 0;
  for (const char *processor : {"sm_70", "sm_90"})
    for (const char *order : orders)
      for (const char *scope : scopes) {
        SCOPED_TRACE(fmt::format("{} {} '{}'", processor, order, scope));
        const std::string ptx = compile(kernel_of(order, scope), range(1), processor).ptx;
        // all would take ten seconds; current versions of ptxas do not support sm_70, but accept its PTX
        if (combination++ % 4 == 0) {
          EXPECT_EQ(assembler_errors(ptx, std::string_view(processor) == "sm_70" ? "sm_75" : processor), "");
        }
        std::vector<operation> all = updates();
        for (const char *type : {"i8", "i16", "i32", "i64"})
          for (const char *name : {"cas", "load", "store"}) all.push_back({name, type});
        int found = 0;
        for (const operation &o : all) {
          const std::vector<std::string> code = instructions_of(ptx, o.name + "_" + o.type);
          const bool there = ptx.find(" " + o.name + "_" + o.type + "(") != std::string::npos;
          if (!there && (o.name == "load" || o.name == "store")) continue;  // not with this order
          ++found;
          EXPECT_EQ(error_in(code, order, scope), "")
              << o.name << " " << o.type << ": " << fmt::format("{}", fmt::join(code, "; "));
        }
        EXPECT_GE(found, int(updates().size()) + 4);
        if (std::string_view(order) != "monotonic") {
          const std::string width = *scope == 0 ? "sys" : *scope == 'd' ? "gpu" : "cta";
          const std::string kind = std::string_view(order) == "seq_cst" ? "sc" : "acq_rel";
          EXPECT_EQ(instructions_of(ptx, "order_all"), std::vector{"fence." + kind + "." + width});
        }
      }
}

/// A kernel with this body.
std::string kernel_with(std::string_view body) {
  return fmt::format(R"(
    @key = internal constant i8 0
    declare i64 @__dpep_global_id(i32)
    declare ptr @__dpep_static_local_memory(i64, i64, ptr)
    declare void @__dpep_group_barrier() convergent
    declare ptr @__dpep_in_scope(ptr, i32) memory(none)
    declare void @__dpep_atomic_fence(i32, i32)
    define void @k(ptr %arguments) {{
      %p = load ptr, ptr %arguments
      %second = getelementptr ptr, ptr %arguments, i64 1
      %q = load ptr, ptr %second
      %i = call i64 @__dpep_global_id(i32 0)
      %e = getelementptr i32, ptr %p, i64 %i
      {}
      ret void
    }})",
                     body);
}

TEST_F(nvptx_atomics, have_the_address_space_of_their_pointer) {
  const std::string global =
      compile(kernel_with("%old = atomicrmw add ptr %e, i32 1 syncscope(\"device\") acq_rel"), range(1)).ptx;
  EXPECT_TRUE(contains(global, "atom.acq_rel.gpu.global.add.u32")) << global;
  EXPECT_EQ(assembler_errors(global), "");
  const std::string local = compile(kernel_with(R"(
      %l = call ptr @__dpep_static_local_memory(i64 4, i64 4, ptr @key)
      store i32 0, ptr %l
      call void @__dpep_group_barrier()
      %old = atomicrmw add ptr %l, i32 1 syncscope("block") seq_cst
      store i32 %old, ptr %e)"),
                                    groups(64))
                                .ptx;
  EXPECT_TRUE(contains(local, "fence.sc.cta;\n\tatom.acquire.cta.shared.add.u32")) << local;
  EXPECT_EQ(assembler_errors(local), "");
  const std::string either = compile(kernel_with(R"(
      %odd = trunc i64 %i to i1
      %r = select i1 %odd, ptr %q, ptr %e
      %old = atomicrmw fadd ptr %r, float 1.0 syncscope("device") release)"),
                                     range(1))
                                 .ptx;
  EXPECT_TRUE(contains(either, "atom.release.gpu.global.add.f32")) << either;
  EXPECT_EQ(assembler_errors(either), "");
}

TEST_F(nvptx_atomics, that_are_relaxed_with_device_scope_are_emitted_by_llvm) {
  // before sm_90, where no other instruction is inline assembly
  const std::string ptx =
      compile(kernel_with("%old = atomicrmw add ptr %e, i32 1 syncscope(\"device\") monotonic"), range(1), "sm_89").ptx;
  EXPECT_TRUE(contains(ptx, "atom.global.add.u32")) << ptx;
  EXPECT_FALSE(contains(ptx, "asm")) << ptx;
}

TEST_F(nvptx_atomics, of_the_headers_have_the_marked_scope) {
  const auto with = [](std::string_view body) { return compile(kernel_with(body), range(1)).ptx; };
  const auto update = [&](int scope) {
    return with(fmt::format("%m = call ptr @__dpep_in_scope(ptr %e, i32 {})\n"
                            "%old = atomicrmw xchg ptr %m, i32 1 acq_rel",
                            scope));
  };
  for (int scope : {0, 1, 2}) EXPECT_TRUE(contains(update(scope), "atom.acq_rel.cta.global.exch.b32")) << update(scope);
  EXPECT_TRUE(contains(update(3), "atom.acq_rel.gpu.global.exch.b32")) << update(3);
  EXPECT_TRUE(contains(update(4), "atom.acq_rel.sys.global.exch.b32")) << update(4);
  // of two marks, the wider one applies; without a mark or with an unknown scope, system scope
  const std::string two = R"(
      %odd = trunc i64 %i to i1
      %m = call ptr @__dpep_in_scope(ptr %e, i32 1)
      %n = call ptr @__dpep_in_scope(ptr %q, i32 3)
      %r = select i1 %odd, ptr %m, ptr %n
      %old = atomicrmw xchg ptr %r, i32 1 acquire)";
  EXPECT_TRUE(contains(with(two), "atom.acquire.gpu.global.exch.b32")) << with(two);
  const std::string one = R"(
      %odd = trunc i64 %i to i1
      %m = call ptr @__dpep_in_scope(ptr %e, i32 1)
      %r = select i1 %odd, ptr %m, ptr %q
      %old = atomicrmw xchg ptr %r, i32 1 acquire)";
  EXPECT_TRUE(contains(with(one), "atom.acquire.sys.global.exch.b32")) << with(one);
  const std::string unknown = R"(
      %s = trunc i64 %i to i32
      %m = call ptr @__dpep_in_scope(ptr %e, i32 %s)
      %old = atomicrmw xchg ptr %m, i32 1 acquire)";
  EXPECT_TRUE(contains(with(unknown), "atom.acquire.sys.global.exch.b32")) << with(unknown);
  EXPECT_TRUE(contains(with("call void @__dpep_atomic_fence(i32 4, i32 2)"), "fence.acq_rel.cta"));
  EXPECT_TRUE(contains(with("call void @__dpep_atomic_fence(i32 5, i32 3)"), "fence.sc.gpu"));
  EXPECT_TRUE(contains(with("call void @__dpep_atomic_fence(i32 3, i32 4)"), "fence.acq_rel.sys"));
  EXPECT_FALSE(contains(with("call void @__dpep_atomic_fence(i32 0, i32 4)"), "fence"));
}

// LLVM's back end does not support such fences.
TEST_F(nvptx_atomics, with_single_thread_scope_emit_no_fence) {
  const std::string ptx = compile(kernel_with(R"(
      fence syncscope("singlethread") seq_cst
      %x = load atomic i32, ptr %e syncscope("singlethread") seq_cst, align 4
      store i32 %x, ptr %q)"),
                                  range(1))
                              .ptx;
  EXPECT_EQ(assembler_errors(ptx), "");
}

}  // namespace
}  // namespace dpep::test
