// Names of OpenCL's built-in functions: clang's mangled names become the symbols of src/device/opencl.
#include <gtest/gtest.h>

#include "program/lower/builtin_name.hpp"

namespace dpep::program_lower {
namespace {

struct example {
  const char *mangled, *function, *symbol;
};

// In OpenCL C, `clang -S -emit-llvm` shows the mangled names.
constexpr example examples[] = {
    {"_Z3expf", "exp", "_Z3expf"},
    {"_Z3sinDh", "sin", "_Z3sinDF16_"},
    {"_Z13get_global_idj", "get_global_id", "_Z13get_global_idj"},
    {"_Z12get_work_dimv", "get_work_dim", "_Z12get_work_dimv"},
    {"_Z5fractfPU3AS1f", "fract", "_Z5fractfPf"},
    {"_Z10atomic_addPU3AS1Vii", "atomic_add", "_Z10atomic_addPii"},
    {"_Z25atomic_fetch_add_explicitPU3AS4VU7_Atomicii12memory_order12memory_scope", "atomic_fetch_add_explicit",
     "_Z25atomic_fetch_add_explicitPiiii"},
    {"_Z30atomic_compare_exchange_strongPU3AS4VU7_AtomiciPU3AS4ii", "atomic_compare_exchange_strong",
     "_Z30atomic_compare_exchange_strongPiS_i"},
    {"_Z18work_group_barrierj12memory_scope", "work_group_barrier", "_Z18work_group_barrierji"},
};

TEST(builtin_names, scalar_functions_have_symbols_without_address_spaces) {
  for (const example &e : examples) {
    const auto name = parse_builtin_name(e.mangled);
    ASSERT_TRUE(name) << e.mangled;
    EXPECT_EQ(name->function, e.function);
    EXPECT_EQ(name->symbol(), e.symbol);
  }
}

TEST(builtin_names, vectors_and_repeated_types_are_parameters) {
  const auto name = parse_builtin_name("_Z6selectDv4_fS_Dv4_i");
  ASSERT_TRUE(name);
  ASSERT_EQ(name->parameters.size(), 3u);
  for (const builtin_parameter &p : name->parameters) EXPECT_EQ(p.lanes, 4u);
  EXPECT_EQ(name->parameters[1].element, "f");
  EXPECT_EQ(name->parameters[2].element, "i");

  const auto pointer = parse_builtin_name("_Z6remquoDv2_fS_PU3AS4Dv2_i");
  ASSERT_TRUE(pointer);
  EXPECT_TRUE(pointer->parameters[2].pointer);
  EXPECT_EQ(pointer->parameters[2].lanes, 2u);
}

TEST(builtin_names, names_that_the_reader_of_spirv_makes_are_parsed) {
  const builtin_name made{"vload4", {{.element = "m"}, {.element = "f", .lanes = 4, .pointer = true}}};
  EXPECT_EQ(made.mangled(), "_Z6vload4mPDv4_f");
  const auto parsed = parse_builtin_name(made.mangled());
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->function, made.function);
  EXPECT_EQ(parsed->parameters[1].lanes, 4u);
}

TEST(builtin_names, other_names_are_not_built_in_functions) {
  for (const char *name : {"exp", "", "_Z", "_Z9", "_Z99exp", "_Z3expS_", "_Z3expDv4_"})
    EXPECT_FALSE(parse_builtin_name(name)) << name;
}

}  // namespace
}  // namespace dpep::program_lower
