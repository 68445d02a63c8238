// Translation of functions: results, and errors of invalid functions.
#include <numeric>

#include "jit/kernels.hpp"
#include "pykernel/function.hpp"

namespace dpep::pykernel {
namespace {

using namespace test;
using dpep::test::cpu_queue;
using dpep::test::flat;

const type floats = array_type(dtype::float32, 1, 'C'), integers = array_type(dtype::int64, 1, 'C');

/// The bytes of an array argument: address and length.
struct array_argument {
  void *address;
  std::int64_t length;
};
template <class T> array_argument of(std::vector<T> &v) { return {v.data(), std::int64_t(v.size())}; }

template <class... Arguments>
void run(const std::shared_ptr<const kernel_ir> &c, std::size_t items, Arguments... arguments) {
  const std::array packed{arguments...};
  const queue q = cpu_queue();
  launch(q, make_kernel(c), flat(items), std::as_bytes(std::span(packed))).wait();
}

TEST(python_functions, elements_are_added) {
  const callable f = kernel_function(
      {"a", "b", "c"},
      body_of(assign(name("i"), id()),
              assign(element("c", name("i")), binary(element("a", name("i")), "+", element("b", name("i"))))));
  std::vector<float> a(100), b(100, 0.5F), c(100);
  std::iota(a.begin(), a.end(), 0.0F);
  run(translated(f, {floats, floats, floats}), 100, of(a), of(b), of(c));
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(c[i], float(i) + 0.5F);
}

callable sums_of_rows() {
  return kernel_function(
      {"starts", "values", "sums"},
      body_of(assign(name("i"), id()), assign(name("total"), number(0)),
              for_range("k", element("starts", name("i")), element("starts", binary(name("i"), "+", number(1))),
                        body_of(add_to(name("total"), element("values", name("k"))))),
              assign(element("sums", name("i")), name("total"))));
}

TEST(python_functions, loops_may_start_anywhere_also_below_zero) {
  const callable f = sums_of_rows();
  std::vector<std::int64_t> starts{-4, -1, 0, 3, 3, 10}, values{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}, sums(5);
  const auto c = translated(f, {integers, integers, integers});
  run(c, 5, of(starts), of(values), of(sums));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    std::int64_t expected = 0;
    for (std::int64_t k = starts[i]; k < starts[i + 1]; ++k) expected += values[std::size_t(k < 0 ? k + 10 : k)];
    EXPECT_EQ(sums[i], expected) << i;
  }
}

TEST(python_functions, variables_widen_to_a_type_for_all_assignments) {
  const callable f = kernel_function(
      {"a"},
      body_of(assign(name("x"), number(1)),
              branch(less(element("a", number(0)), number(5)), body_of(assign(name("x"), element("a", number(0))))),
              assign(element("a", number(1)), binary(name("x"), "/", number(2)))));
  std::vector<float> a{3, 0};
  run(translated(f, {floats}), 1, of(a));
  EXPECT_EQ(a[1], 1.5F);
}

TEST(python_functions, device_functions_are_inlined) {
  auto inner = std::make_shared<callable>(
      function("twice", {"x"}, body_of(simple(statement::kind::return_, list(binary(name("x"), "*", number(2)))))));
  const std::map<std::string, entity> names{{"twice", {.what = entity::kind::device_function, .function = inner}}};
  const callable f =
      kernel_function({"a"}, body_of(assign(element("a", id()), call(name("twice"), element("a", id())))), names);
  std::vector<float> a{1, 2, 3};
  run(translated(f, {floats}), 3, of(a));
  EXPECT_EQ(a, (std::vector<float>{2, 4, 6}));
}

TEST(python_functions, translation_is_deterministic) {
  const callable f = sums_of_rows();
  const auto text = [&](type t) { return text_of(*translated(f, {t, t, t}), false); };
  EXPECT_EQ(text(integers), text(integers));
  EXPECT_NE(text(integers), text(array_with_index32(integers)));
}

struct invalid_function {
  const char *what;
  error_kind kind;
  std::uint32_t line;
  const char *words;
  block (*body)();
};

TEST(python_functions, invalid_functions_are_errors_with_a_line) {
  const invalid_function table[] = {
      {"an unknown name", error_kind::name, 3, "is not defined",
       [] { return body_of(simple(statement::kind::expression, list(name("nowhere", 3)))); }},
      {"a variable before its assignment", error_kind::name, 4, "before it is assigned",
       [] {
         return body_of(assign(element("a", number(0)), binary(name("x", 4), "+", number(1))),
                        assign(name("x"), number(1)));
       }},
      {"a returned value", error_kind::result, 5, "kernels return nothing",
       [] { return body_of(simple(statement::kind::return_, list(element("a", number(0), 5)))); }},
      {"arithmetic on arrays", error_kind::whole_array, 6, "kernels compute with elements",
       [] { return body_of(assign(name("x"), binary(name("a"), "+", name("a"), 6))); }},
      {"too many indices", error_kind::index, 7, "2 indices for an array of 1 dimensions",
       [] { return body_of(assign(name("x"), element("a", make(kinds::tuple, "", list(number(0), number(0))), 7))); }},
      {"a construct outside the language", error_kind::unsupported, 8, "Lambda is not part of the kernel language",
       [] { return body_of(assign(name("x"), make(kinds::other, "Lambda", {}, 8))); }},
      {"break outside a loop", error_kind::unsupported, 9, "must be inside a loop",
       [] { return body_of(simple(statement::kind::break_, {}, 9)); }},
  };
  for (const invalid_function &r : table) {
    const callable f = kernel_function({"a"}, r.body());
    try {
      translated(f, {floats});
      ADD_FAILURE() << r.what << " was accepted";
    } catch (const compile_error &e) {
      EXPECT_EQ(e.kind(), r.kind) << r.what << ": " << e.what();
      EXPECT_EQ(e.where().line, r.line) << r.what;
      const std::string text = e.what(), line = std::to_string(r.line);
      EXPECT_HAS(text, r.words);
      EXPECT_HAS(text, "File \"file.py\", line " + line);
      EXPECT_HAS(text, "\n    line" + line + "\n    ^^^^^");
    }
  }
}

TEST(python_functions, a_wrong_number_of_arguments_is_an_error) {
  const callable f = kernel_function({"a"}, body_of(simple(statement::kind::pass_, {})));
  EXPECT_THROW(translated(f, {}), compile_error);
  EXPECT_THROW(translated(f, {floats, floats}), compile_error);
}

}  // namespace
}  // namespace dpep::pykernel
