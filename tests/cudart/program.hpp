// SPDX-License-Identifier: MIT
// A program as nvcc would have compiled it, made by hand: PTX in a fat binary, registered as a
// static constructor would. Works without the toolkit.
#pragma once

#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "tests/cudart/fatbinary_builder.hpp"

namespace lanescope::tests {

/// store(pointer, value): every thread writes value + its index at pointer[index]; bounded: the
/// same for at most 64 threads; words[4] = {1, 2, 3, 4}.
inline constexpr const char* kStorePtx = R"(.version 9.0
.target sm_80
.address_size 64

.global .align 4 .u32 words[4] = {1, 2, 3, 4};

.visible .entry store(.param .u64 store_param_0, .param .u32 store_param_1)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<5>;
	ld.param.u64 %rd1, [store_param_0];
	ld.param.u32 %r1, [store_param_1];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r2, %tid.x;
	add.s32 %r3, %r1, %r2;
	mul.wide.u32 %rd3, %r2, 4;
	add.s64 %rd4, %rd2, %rd3;
	st.global.u32 [%rd4], %r3;
	ret;
}

.visible .entry bounded() .maxntid 64, 1, 1
{
	ret;
}
)";

/// Registers a program on construction, unregisters it at the end.
class Program {
 public:
  explicit Program(std::vector<std::byte> fat_binary) : bytes_(std::move(fat_binary)) {
    wrapper_ = {cudart::kWrapperMagic, 1, bytes_.data(), nullptr};
    handle_ = cudart::__cudaRegisterFatBinary(&wrapper_);
    cudart::__cudaRegisterFunction(handle_, &store_stub, &store_stub, "store", -1, nullptr, nullptr,
                                   nullptr, nullptr, nullptr);
    cudart::__cudaRegisterFunction(handle_, &bounded_stub, &bounded_stub, "bounded", -1, nullptr,
                                   nullptr, nullptr, nullptr, nullptr);
    cudart::__cudaRegisterFunction(handle_, &missing_stub, &missing_stub, "missing", -1, nullptr,
                                   nullptr, nullptr, nullptr, nullptr);
    cudart::__cudaRegisterVar(handle_, &words_shadow, &words_shadow, "words", 0, 16, 0, 0);
    cudart::__cudaRegisterFatBinaryEnd(handle_);
  }
  Program() : Program(FatBinaryBuilder().ptx(80, kStorePtx, Packing::zstd).build()) {}
  ~Program() { cudart::__cudaUnregisterFatBinary(handle_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // The addresses that stand for the host's stubs and shadows.
  char store_stub = 0, bounded_stub = 0, missing_stub = 0, words_shadow = 0;

 private:
  std::vector<std::byte> bytes_;
  cudart::FatBinaryWrapper wrapper_{};
  void** handle_ = nullptr;
};

/// Forgives every error, before and after a test: the runtime itself never would.
class Fresh {
 public:
  Fresh() { forgive(); }
  ~Fresh() { forgive(); }

 private:
  static void forgive() {
    cudart::Context& state = cudart::context();
    state.pending = state.fault = cudart::last_error() = cudart::cudaSuccess;
  }
};

}  // namespace lanescope::tests
