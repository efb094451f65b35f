// SPDX-License-Identifier: MIT
// What a mangled name unfolds to, reckoned before it is written out.
#include "trace/name_cost.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "trace/kernel_name.hpp"

namespace lanescope::trace {
namespace {

// A name whose every type is two of the one before: "A<i>", "A<A<i>, A<i>>", ...
std::string doubled(int times) {
  std::string name = "_Z1f1AIiE";
  const auto back = [](int k) {  // S_ is A, S0_ A<i>
    constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return fmt::format("S{}_", kDigits[static_cast<std::size_t>(k)]);
  };
  for (int k = 0; k < times; ++k) name += "S_I" + back(k) + back(k) + "E";
  return name;
}

TEST_CASE("a name that stands for more letters than memory has stays as it is") {
  CHECK(as_written(doubled(3)) == "f");
  CHECK(name_cost(doubled(3)) < 500);
  CHECK(name_cost(doubled(20)) > 2'000'000);
  CHECK(as_written(doubled(35)) == doubled(35));
  CHECK(name_cost(doubled(35)) > std::uint64_t{1} << 35);
  // By a template's parameter, by what is behind "...", by what a literal names.
  std::string params = "_Z1fI" + doubled(30).substr(4) + "EvT_T_";
  CHECK(as_written(params) == params);
  CHECK(name_cost("_Z1fIJ" + std::string(100, 'i') + "EEvDpN1AIJDpT_EEE") > 10'000);
  CHECK(name_cost("_Z1fIXadL_Z1gIiEvT_EEEvv") < 200);
  const std::string call = "call " + doubled(34) + ", (%r1);";
  CHECK(plain_ptx(call) == call);
  CHECK(name_cost("_Z1fS9_") == kCostUnknown);  // a back reference to nothing
  CHECK(name_cost("_Z" + std::string(5000, 'P')) == kCostUnknown);
  CHECK(name_cost("_Z999f") == kCostUnknown);
  CHECK(name_cost("_Z") == kCostUnknown);
}

// Kernels of CUB, of PyTorch and of CUTLASS are understood: their names cost some times their
// letters.
TEST_CASE("long names of real kernels are read, and cheap") {
  for (const char* name :
       {"_ZN3cub17CUDART_1302_SM_9028DeviceReduceSingleTileKernelINS_"
        "18DeviceReducePolicyIfjN4cuda3std"
        "3__44plusIvEEE9Policy600EPfS9_iS6_ffNS5_8identityEEEvT0_T1_T2_T3_T4_T6_",
        "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_13BinaryFunctorIfffNS0_15binary_"
        "internal"
        "10MulFunctorIfEEEESt5arrayIPcLm3EEEEviT0_T1_",
        "_ZN7cutlass13device_kernelINS_4gemm6kernel13GemmUniversalIN4cute5tupleIJiiiEEENS1_"
        "10collective"
        "13CollectiveMmaINS1_34MainloopSm90TmaGmmaWarpSpecializedILi4ENS5_IJNS4_1CILi2EEENSA_"
        "ILi1EEESC_"
        "EEENS1_35KernelTmaWarpSpecializedCooperativeEEENS5_IJNSA_ILi128EEESG_NSA_ILi64EEEEEENS_"
        "6half_tE"
        "NS5_IJlSC_lEEESJ_SK_EEvvEEEEvNT_6ParamsE",
        "_ZZN2at6native22gpu_kernel_impl_nocastIZZZNS0_23direct_copy_kernel_cudaERNS_"
        "18TensorIteratorBase"
        "EENKUlvE0_clEvENKUlvE_clEvEUlfE_EEvS3_RKT_ENKUliE_clEi"}) {
    CAPTURE(name);
    CHECK(name_cost(name) < 20 * std::string(name).size());
    CHECK(as_written(name) != name);
  }
}

}  // namespace
}  // namespace lanescope::trace
