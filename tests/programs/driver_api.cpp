// SPDX-License-Identifier: MIT
// The driver API alone, linked with -lcuda: a context, a module of PTX, a kernel launched with its
// parameters as pointers and as one buffer, a variable of the module, two texts of PTX linked, and
// what cannot be.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

const char* const kPtx = R"(.version 8.0
.target sm_80
.address_size 64
.global .align 4 .f32 scale = 0f40000000;
.visible .entry add_scaled(.param .u64 from, .param .u64 to, .param .f32 factor, .param .u32 count)
{
  .reg .pred %p;
  .reg .b32 %r<5>;
  .reg .b64 %rd<6>;
  .reg .f32 %f<6>;
  ld.param.u64 %rd0, [from];
  ld.param.u64 %rd1, [to];
  ld.param.f32 %f0, [factor];
  ld.param.u32 %r0, [count];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  setp.ge.u32 %p, %r4, %r0;
  @%p ret;
  mul.wide.u32 %rd2, %r4, 4;
  add.u64 %rd3, %rd0, %rd2;
  add.u64 %rd4, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  ld.global.f32 %f2, [%rd4];
  ld.global.f32 %f3, [scale];
  mul.f32 %f4, %f0, %f3;
  fma.rn.f32 %f5, %f4, %f1, %f2;
  st.global.f32 [%rd4], %f5;
  ret;
}
)";

// Two texts that cuLink puts together.
const char* const kCaller = R"(.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 made) thrice(.param .b32 given);
.visible .entry triple(.param .u64 at)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<1>;
  .param .b32 given;
  .param .b32 made;
  ld.param.u64 %rd0, [at];
  ld.global.u32 %r0, [%rd0];
  st.param.b32 [given], %r0;
  call (made), thrice, (given);
  ld.param.b32 %r1, [made];
  st.global.u32 [%rd0], %r1;
  ret;
}
)";
const char* const kCallee = R"(.version 8.0
.target sm_80
.address_size 64
.visible .func (.param .b32 made) thrice(.param .b32 given)
{
  .reg .b32 %r<2>;
  ld.param.b32 %r0, [given];
  mul.lo.u32 %r1, %r0, 3;
  st.param.b32 [made], %r1;
  ret;
}
)";

void check(CUresult result, int line) {
  if (result == CUDA_SUCCESS) return;
  const char* text = "?";
  cuGetErrorString(result, &text);
  std::printf("driver_api.cpp:%d: %s\n", line, text);
  std::exit(1);
}
#define CHECK(call) check(call, __LINE__)

const char* name_of(CUresult result) {
  const char* name = "?";
  cuGetErrorName(result, &name);
  return name;
}

int triple(int number) {
  CUlinkState link = nullptr;
  CHECK(cuLinkCreate(0, nullptr, nullptr, &link));
  for (const char* text : {kCaller, kCallee})
    CHECK(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(text), std::strlen(text) + 1,
                        "text", 0, nullptr, nullptr));
  void* image = nullptr;
  std::size_t bytes = 0;
  CHECK(cuLinkComplete(link, &image, &bytes));
  CUmodule module = nullptr;
  CHECK(cuModuleLoadData(&module, image));
  CHECK(cuLinkDestroy(link));
  CUfunction function = nullptr;
  CHECK(cuModuleGetFunction(&function, module, "triple"));
  CUdeviceptr at = 0;
  CHECK(cuMemAlloc(&at, sizeof number));
  CHECK(cuMemcpyHtoD(at, &number, sizeof number));
  void* parameters[] = {&at};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK(cuMemcpyDtoH(&number, at, sizeof number));
  return number;
}

}  // namespace

int main() {
  CHECK(cuInit(0));
  CUdevice device = 0;
  CHECK(cuDeviceGet(&device, 0));
  CUcontext context = nullptr;
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CUmodule module = nullptr;
  CHECK(cuModuleLoadData(&module, kPtx));
  CUfunction function = nullptr;
  CHECK(cuModuleGetFunction(&function, module, "add_scaled"));
  CUdeviceptr scale = 0;
  std::size_t bytes = 0;
  CHECK(cuModuleGetGlobal(&scale, &bytes, module, "scale"));
  // What a program asks that does not know its modules' names.
  unsigned kernels = 0;
  CHECK(cuModuleGetFunctionCount(&kernels, module));
  CUfunction first = nullptr;
  CHECK(cuModuleEnumerateFunctions(&first, 1, module));
  const char* name = "?";
  CHECK(cuFuncGetName(&name, first));
  CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_UNLOADED;
  CHECK(cuFuncIsLoaded(&state, first));
  std::printf("kernels: %u, %s, loaded %d\n", kernels, name, state);
  // A tensor map may lie anywhere.
  alignas(64) char maps[256] = {};
  CUdeviceptr tensor = 0;
  CHECK(cuMemAlloc(&tensor, 4096));
  const cuuint64_t size[] = {64, 32}, strides[] = {128};
  const cuuint32_t box[] = {32, 8}, steps[] = {1, 1};
  CHECK(cuTensorMapEncodeTiled(reinterpret_cast<CUtensorMap*>(maps + 8),
                               CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, reinterpret_cast<void*>(tensor),
                               size, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                               CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  const float three = 3;
  CHECK(cuMemcpyHtoD(scale, &three, bytes));

  int count = 1000;
  std::vector<float> values(count);
  for (int k = 0; k < count; ++k) values[k] = static_cast<float>(k);
  CUdeviceptr from = 0, to = 0;
  CHECK(cuMemAlloc(&from, 4 * count));
  CHECK(cuMemAlloc(&to, 4 * count));
  CHECK(cuMemcpyHtoD(from, values.data(), 4 * count));
  CHECK(cuMemsetD32(to, 0x3f800000, count));
  float factor = 0.5f;
  void* parameters[] = {&from, &to, &factor, &count};
  CHECK(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr));
  struct {
    CUdeviceptr from, to;
    float factor;
    int count;
  } packed = {from, to, 1.0f, count};
  std::size_t packed_bytes = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE,
                   &packed_bytes, CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
  CHECK(cuMemcpyDtoH(values.data(), to, 4 * count));
  int wrong = 0;
  for (int k = 0; k < count; ++k) wrong += values[k] != 1 + 1.5f * k + 3.0f * k;
  std::printf("driver_api: %d wrong\n", wrong);
  std::printf("linked: %d\n", triple(14));
  std::printf("no such kernel: %s\n", name_of(cuModuleGetFunction(&function, module, "nobody")));
  std::printf("a green context: %s\n", name_of(cuGreenCtxCreate(nullptr, nullptr, 0, 0)));
  const void* table = &wrong;
  const CUuuid uuid = {"nobody's"};
  const char* refusal = name_of(cuGetExportTable(&table, &uuid));
  std::printf("a private table: %s, %d\n", refusal, table == nullptr);
  CHECK(cuModuleUnload(module));
  std::printf("unloaded: %s\n", name_of(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 0, nullptr,
                                                       parameters, nullptr)));
  return wrong != 0;
}
