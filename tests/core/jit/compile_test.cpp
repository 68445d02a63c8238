// Tests compilation from bitcode to code: math functions, linking, and errors of kernels that cannot be compiled.
#include "jit/kernels.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "device/library.hpp"

namespace dpep {
namespace {

using namespace test;

class compiling : public ::testing::Test {
protected:
  environment no_cache{"DPEP_CACHE", "off"};
  queue q = cpu_queue();

  std::string build_error(std::span<const unsigned char> module) {
    return error_of(errc::build, [&] { kernel::from_bitcode(module, "k").prepare(q.get_device(), flat(1)); });
  }
  std::string build_error(std::string_view text) { return build_error(bytes_of(text)); }
};

// A kernel that computes out[i] = f(in[i]), where f is an LLVM intrinsic or a function of the C library.
std::string unary_ir(const std::string &function, const std::string &type) {
  return "declare i64 @__dpep_global_id(i32)\ndeclare " + type + " @" + function + "(" + type + R"()
    define spir_kernel void @k(ptr %arguments) {
      %i = call i64 @__dpep_global_id(i32 0)
      %in = load ptr, ptr %arguments
      %op = getelementptr i8, ptr %arguments, i64 8
      %out = load ptr, ptr %op
      %ie = getelementptr )" +
         type + ", ptr %in, i64 %i\n %v = load " + type + ", ptr %ie\n %r = call " + type + " @" + function + "(" +
         type + " %v)\n %oe = getelementptr " + type + ", ptr %out, i64 %i\n store " + type +
         " %r, ptr %oe\n ret void }";
}

template <class T> std::vector<T> apply(const queue &q, const std::string &ir, const std::vector<T> &in) {
  std::vector<T> out(in.size());
  const struct {
    const T *in;
    T *out;
  } arguments{in.data(), out.data()};
  launch(q, ir_kernel(ir), flat(in.size()), packed(arguments));
  q.wait();
  return out;
}

template <class T> std::vector<T> interesting() {
  std::vector<T> x{T(0),
                   T(-0.0),
                   T(1),
                   T(-1),
                   std::numeric_limits<T>::infinity(),
                   -std::numeric_limits<T>::infinity(),
                   std::numeric_limits<T>::quiet_NaN(),
                   std::numeric_limits<T>::denorm_min(),
                   T(1e-30),
                   T(0.5)};
  for (int i = 0; i < 200; ++i) x.push_back(T(0.137) * T(i - 100));
  return x;
}

template <class T> void expect_close(const std::vector<T> &got, const std::vector<T> &in, double (*reference)(double)) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double expected = reference(static_cast<double>(in[i]));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(got[i])) << in[i];
    } else if (std::isinf(static_cast<T>(expected))) {
      EXPECT_EQ(got[i], static_cast<T>(expected)) << in[i];
    } else {
      const double ulp = std::max<double>(std::abs(expected) * std::numeric_limits<T>::epsilon(),
                                          std::numeric_limits<T>::denorm_min());
      EXPECT_NEAR(got[i], expected, 3 * ulp) << in[i];
    }
  }
}

struct math_function {
  const char *name;
  double (*reference)(double);
};
const math_function math_functions[] = {
    {"exp", std::exp},     {"exp2", std::exp2}, {"log", std::log},     {"log2", std::log2},   {"log10", std::log10},
    {"sin", std::sin},     {"cos", std::cos},   {"tan", std::tan},     {"tanh", std::tanh},   {"sinh", std::sinh},
    {"cosh", std::cosh},   {"atan", std::atan}, {"asin", std::asin},   {"acos", std::acos},   {"sqrt", std::sqrt},
    {"fabs", std::fabs},   {"ceil", std::ceil}, {"floor", std::floor}, {"round", std::round}, {"rint", std::rint},
    {"trunc", std::trunc},
};

TEST_F(compiling, math_intrinsics_have_the_functions_values) {
  for (const auto &[name, reference] : math_functions) {
    SCOPED_TRACE(name);
    const std::string intrinsic = std::string("llvm.") + name;
    expect_close(apply(q, unary_ir(intrinsic + ".f64", "double"), interesting<double>()), interesting<double>(),
                 reference);
    expect_close(apply(q, unary_ir(intrinsic + ".f32", "float"), interesting<float>()), interesting<float>(),
                 reference);
  }
}

TEST_F(compiling, math_functions_are_found_by_their_c_names) {
  for (const auto &[name, reference] : math_functions) {
    SCOPED_TRACE(name);
    expect_close(apply(q, unary_ir(name, "double"), interesting<double>()), interesting<double>(), reference);
    expect_close(apply(q, unary_ir(std::string(name) + "f", "float"), interesting<float>()), interesting<float>(),
                 reference);
  }
}

/// All assembly that DPEP_DUMP wrote to the folder.
std::string assembly_in(const scratch_folder &folder) {
  std::string text;
  for (const auto &file : folder.files())
    if (file.extension() == ".s") {
      std::ifstream stream(file);
      text.append(std::istreambuf_iterator<char>(stream), {});
    }
  return text;
}

TEST_F(compiling, hot_math_is_inlined_and_vectorised) {
  const scratch_folder folder;
  const environment dump("DPEP_DUMP", folder.path.string());
  apply(q, unary_ir("llvm.exp.f64", "double"), interesting<double>());
  const std::string assembly = assembly_in(folder);
  EXPECT_EQ(assembly.find("call"), std::string::npos);
  EXPECT_TRUE(assembly.find("ymm") != std::string::npos || assembly.find("zmm") != std::string::npos);
}

TEST_F(compiling, math_intrinsics_of_vectors_are_split) {
  const kernel k = ir_kernel(R"(
    declare <4 x double> @llvm.exp.v4f64(<4 x double>)
    define spir_kernel void @k(ptr %arguments) {
      %p = load ptr, ptr %arguments
      %v = load <4 x double>, ptr %p, align 8
      %r = call <4 x double> @llvm.exp.v4f64(<4 x double> %v)
      store <4 x double> %r, ptr %p, align 8
      ret void
    })");
  std::vector<double> x{0, 1, -1, 2};
  struct {
    double *x;
  } arguments{x.data()};
  launch(q, k, flat(1), packed(arguments));
  q.wait();
  expect_close(x, {0, 1, -1, 2}, std::exp);
}

TEST_F(compiling, links_functions_of_other_images) {
  static constexpr char provider[] = R"(
    define float @triple_of_other_image(float %x) {
      %r = call float @times_three(float %x)
      ret float %r
    }
    define internal float @times_three(float %x) {
      %r = fmul float %x, 3.0
      ret float %r
    })";
  const std::string user = unary_ir("triple_of_other_image", "float");
  EXPECT_HAS(build_error(user), "'triple_of_other_image' is not defined");
  const device_image image(bytes_of(provider).data(), sizeof provider - 1);
  EXPECT_EQ(apply<float>(q, user, {1, 2, 3}), (std::vector<float>{3, 6, 9}));
}

TEST_F(compiling, decodes_only_the_requested_kernel_of_an_image) {
  // The other kernel calls an undefined function, which must not affect this one.
  const std::string image = unary_ir("llvm.sqrt.f32", "float") + R"(
    declare void @missing()
    define spir_kernel void @other(ptr %arguments) {
      call void @missing()
      ret void
    })";
  EXPECT_EQ(apply<float>(q, image, {4, 9}), (std::vector<float>{2, 3}));
  const std::string error =
      error_of(errc::build, [&] { kernel::from_bitcode(bytes_of(image), "other").prepare(q.get_device(), flat(1)); });
  EXPECT_HAS(error, "'missing' is not defined, used in other");
}

TEST_F(compiling, names_the_line_of_an_undefined_function) {
  const std::string error = build_error(R"(
    declare void @helper()
    define spir_kernel void @k(ptr %arguments) !dbg !4 {
      call void @helper(), !dbg !7
      ret void
    }
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!3}
    !0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
    !1 = !DIFile(filename: "kernel.cpp", directory: "/")
    !3 = !{i32 2, !"Debug Info Version", i32 3}
    !4 = distinct !DISubprogram(name: "k", file: !1, line: 40, type: !5, unit: !0, spFlags: DISPFlagDefinition)
    !5 = !DISubroutineType(types: !6)
    !6 = !{}
    !7 = !DILocation(line: 42, column: 3, scope: !4)
  )");
  EXPECT_HAS(error, "'helper' is not defined");
  EXPECT_HAS(error, "kernel.cpp:42");
}

TEST_F(compiling, lists_the_kernels_of_an_image_if_one_is_missing) {
  const std::string error =
      error_of(errc::build, [&] { ir_kernel(scale_ir(), "typo").prepare(q.get_device(), flat(1)); });
  EXPECT_HAS(error, "compiling kernel 'typo'");
  EXPECT_HAS(error, "it has k");
}

TEST_F(compiling, rejects_functions_that_are_not_kernels) {
  EXPECT_HAS(build_error("define void @k(i32 %x) { ret void }"), "void (ptr arguments)");
  EXPECT_HAS(build_error("define i32 @k(ptr %x) { ret i32 1 }"), "void (ptr arguments)");
  EXPECT_HAS(build_error("define spir_kernel void @k(ptr %x) { ret int }"), "error");
  EXPECT_HAS(build_error(std::string_view("\1\2\0\3", 4)), "neither LLVM bitcode nor textual IR");
  EXPECT_HAS(build_error(std::string_view()), "does not define it");
  EXPECT_HAS(build_error("target datalayout = \"E-p:32:32\"\ndefine void @k(ptr %x) { ret void }"), "data layout");
}

TEST_F(compiling, rejects_invalid_ir) {
  EXPECT_HAS(build_error(R"(
    define spir_kernel void @k(ptr %a) {
      br label %second
    first:
      %x = add i64 1, 2
      br label %second
    second:
      store i64 %x, ptr %a
      ret void
    })"),
             "dominate");
}

TEST_F(compiling, rejects_damaged_bitcode) {
  const auto good = device_library::bitcode();
  std::vector<unsigned char> cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(good.size() / 2));
  EXPECT_HAS(build_error(cut), "compiling kernel 'k'");
  cut.resize(8);
  EXPECT_HAS(build_error(cut), "compiling kernel 'k'");
  std::vector<unsigned char> garbage(1000, 0xa5);
  std::memcpy(garbage.data(), "BC\xc0\xde", 4);
  EXPECT_HAS(build_error(garbage), "compiling kernel 'k'");
}

TEST_F(compiling, reports_the_vector_width) {
  const std::uint32_t width = ir_kernel(scale_ir()).report(q.get_device(), flat(1)).vector_width;
  EXPECT_GE(width, 4u);  // floats in vectors of at least 128 bits
  EXPECT_LE(width, 16u);
  const char *const serial = R"(
    declare i64 @__dpep_global_id(i32)
    define spir_kernel void @k(ptr %arguments) {
    entry:
      %a = load ptr, ptr %arguments
      %i = call i64 @__dpep_global_id(i32 0)
      %odd = trunc i64 %i to i1
      br i1 %odd, label %one, label %other
    one:  ; an irreducible loop, with two entries
      %n = phi i64 [%i, %entry], [%m.less, %other]
      %n.less = lshr i64 %n, 1
      br label %other
    other:
      %m = phi i64 [%i, %entry], [%n.less, %one]
      %m.less = lshr i64 %m, 2
      %done = icmp eq i64 %m.less, 0
      br i1 %done, label %end, label %one
    end:
      %p = getelementptr i64, ptr %a, i64 %i
      store i64 %m, ptr %p
      ret void
    })";
  EXPECT_EQ(ir_kernel(serial).report(q.get_device(), flat(1)).vector_width, 1u);
}

TEST_F(compiling, survives_fatal_errors_of_llvm) {
  // By default, the code generator ends the process at invalid inline assembly.
  const std::string error = build_error(R"(
    define spir_kernel void @k(ptr %a) {
      call void asm sideeffect "no such instruction", ""()
      ret void
    })");
  EXPECT_HAS(error, "compiling kernel 'k'");
  std::vector<float> a(4, 1);
  launch(q, ir_kernel(scale_ir()), flat(4), packed(scale_arguments{a.data(), 2})).wait();
  EXPECT_EQ(a[3], 2);
}

TEST_F(compiling, removes_attributes_of_other_cpus) {
  // Compiled for another CPU, with a stack protector whose functions do not exist.
  std::string text = scale_ir();
  text.replace(text.find("(ptr %arguments) {"), 18, "(ptr %arguments) #0 {");
  const kernel marked = ir_kernel(text + R"(
    attributes #0 = { sspstrong uwtable optnone noinline "target-cpu"="knl" "target-features"="+sse4a,-sse3" })");
  std::vector<float> a(100, 1);
  launch(q, marked, flat(100), packed(scale_arguments{a.data(), 2})).wait();
  EXPECT_EQ(a, std::vector<float>(100, 2));
}

TEST_F(compiling, keeps_data_of_the_kernels_module) {
  const kernel k = ir_kernel(R"(
    @table = internal constant [4 x float] [float 1.0, float 10.0, float 100.0, float 1000.0]
    @pointers = internal constant [2 x ptr] [ptr @table, ptr getelementptr (float, ptr @table, i64 2)]
    @counter = internal global i64 5
    declare i64 @__dpep_global_id(i32)
    define spir_kernel void @k(ptr %arguments) {
      %i = call i64 @__dpep_global_id(i32 0)
      %out = load ptr, ptr %arguments
      %which = lshr i64 %i, 1
      %pp = getelementptr ptr, ptr @pointers, i64 %which
      %p = load ptr, ptr %pp
      %low = and i64 %i, 1
      %e = getelementptr float, ptr %p, i64 %low
      %v = load float, ptr %e
      %o = getelementptr float, ptr %out, i64 %i
      store float %v, ptr %o
      %old = atomicrmw add ptr @counter, i64 1 seq_cst
      ret void
    })");
  std::vector<float> out(4);
  struct {
    float *out;
  } arguments{out.data()};
  launch(q, k, flat(4), packed(arguments)).wait();
  EXPECT_EQ(out, (std::vector<float>{1, 10, 100, 1000}));
}

// On x86, LLVM lowers a fence of another scope than the system to a compiler fence.
TEST_F(compiling, fences_on_a_cpu_have_system_scope) {
  const auto assembly_with = [&](const std::string &fence) {
    const scratch_folder folder;
    const environment dump("DPEP_DUMP", folder.path.string());
    ir_kernel("declare void @__dpep_atomic_fence(i32, i32)\ndefine void @k(ptr %arguments) {\n"
              "  %p = load ptr, ptr %arguments\n  store volatile i32 1, ptr %p\n" +
              fence + "\n  %x = load volatile i32, ptr %p\n  ret void\n}\n")
        .prepare(q.get_device(), flat(1));
    return assembly_in(folder);
  };
  const auto fences = [](const std::string &assembly) {
    return assembly.find("mfence") != std::string::npos || assembly.find("lock") != std::string::npos;
  };
  for (const char *scope : {"", "syncscope(\"block\")", "syncscope(\"device\")"})
    EXPECT_TRUE(fences(assembly_with(std::string("fence ") + scope + " seq_cst"))) << scope;
  for (const char *scope : {"2", "3", "4"})
    EXPECT_TRUE(fences(assembly_with(std::string("call void @__dpep_atomic_fence(i32 5, i32 ") + scope + ")")))
        << scope;
  EXPECT_FALSE(fences(assembly_with("")));
}

TEST_F(compiling, calls_host_functions_that_the_device_provides) {
  // memset with an unknown size becomes a call of the C library.
  const kernel k = ir_kernel(R"(
    declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
    define spir_kernel void @k(ptr %arguments) {
      %p = load ptr, ptr %arguments
      %np = getelementptr i8, ptr %arguments, i64 8
      %n = load i64, ptr %np
      call void @llvm.memset.p0.i64(ptr %p, i8 7, i64 %n, i1 false)
      ret void
    })");
  std::vector<unsigned char> bytes(100'000, 1);
  struct {
    void *p;
    std::size_t n;
  } arguments{bytes.data(), bytes.size() - 1};
  launch(q, k, flat(1), packed(arguments)).wait();
  EXPECT_EQ(bytes[0], 7);
  EXPECT_EQ(bytes[bytes.size() - 2], 7);
  EXPECT_EQ(bytes.back(), 1);
}

TEST_F(compiling, dumps_each_stage_if_enabled) {
  const scratch_folder folder;
  const environment dump("DPEP_DUMP", folder.path.string());
  ir_kernel(scale_ir()).prepare(q.get_device(), flat(1));
  std::string names;
  for (const auto &file : folder.files()) {
    EXPECT_GT(std::filesystem::file_size(file), 100U) << file;
    names += file.filename().string() + "\n";
  }
  for (const char *stage : {"-read.ll", "-link.ll", "-specialise.ll", "-lower.ll", "-optimise.ll", "-assembly.s"})
    EXPECT_HAS(names, stage);
  EXPECT_EQ(names.find("k-"), 0U);
}

TEST_F(compiling, a_failed_compilation_saves_its_input) {
  const scratch_folder folder;
  const environment dump("DPEP_DUMP", folder.path.string());
  const std::string broken = "define spir_kernel void @k(ptr %x) { ret int }";
  const std::string error = build_error(broken);
  ASSERT_EQ(folder.files().size(), 1U);
  EXPECT_HAS(error, folder.files()[0].string());
  EXPECT_EQ(std::filesystem::file_size(folder.files()[0]), broken.size());
}

}  // namespace
}  // namespace dpep
