// SPDX-License-Identifier: MIT
// Compiles a kernel while it runs, for the card that it finds, and takes from NVRTC what the word
// it is started with says: nothing for PTX, `cubin` for machine code, `opened` for machine code by
// a function that it asks dlsym for. Built as a library it is what nvrtc_opener.cpp opens.
#include <cuda.h>
#include <dlfcn.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#define CHECK(call)                                                \
  if (const int error = static_cast<int>(call); error != 0) {      \
    std::printf("line %d: %s gives %d\n", __LINE__, #call, error); \
    return 1;                                                      \
  }

constexpr const char* kSource = R"(
template <class T> __global__ void scale(T* values, T factor) { values[threadIdx.x] *= factor; }
)";

extern "C" int compile_and_run(const char* word) {
  const bool asks_dlsym = word == std::string("opened");
  const bool wants_machine_code = asks_dlsym || word == std::string("cubin");
  CUdevice device = 0;
  CUcontext context = nullptr;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  int major = 0, minor = 0;
  CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  CHECK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));

  nvrtcProgram program = nullptr;
  CHECK(nvrtcCreateProgram(&program, kSource, "scale.cu", 0, nullptr, nullptr));
  CHECK(nvrtcAddNameExpression(program, "scale<double>"));
  const std::string arch = std::string("--gpu-architecture=") +
                           (wants_machine_code ? "sm_" : "compute_") + std::to_string(major) +
                           std::to_string(minor);
  const char* options[] = {arch.c_str()};
  CHECK(nvrtcCompileProgram(program, 1, options));
  auto get_cubin = &nvrtcGetCUBIN;
  if (asks_dlsym) {
    void* library = dlopen("libnvrtc.so.13", RTLD_NOW);
    CHECK(library == nullptr);
    get_cubin = reinterpret_cast<decltype(get_cubin)>(dlsym(library, "nvrtcGetCUBIN"));
    CHECK(get_cubin == nullptr || get_cubin == &nvrtcGetCUBIN);  // each has its own
  }
  std::size_t bytes = 0;
  CHECK(wants_machine_code ? nvrtcGetCUBINSize(program, &bytes) : nvrtcGetPTXSize(program, &bytes));
  std::string image(bytes, '\0');
  CHECK(wants_machine_code ? get_cubin(program, image.data()) : nvrtcGetPTX(program, image.data()));
  std::size_t none = 1;  // of compute_, no machine code
  if (!wants_machine_code) CHECK(nvrtcGetCUBINSize(program, &none));
  std::printf("%s machine code\n", none == 0 ? "no" : "with");

  CUmodule module = nullptr;
  CUfunction function = nullptr;
  const char* name = nullptr;
  CHECK(cuModuleLoadData(&module, image.data()));
  CHECK(nvrtcGetLoweredName(program, "scale<double>", &name));
  CHECK(cuModuleGetFunction(&function, module, name));
  double values[32] = {1, 2, 3}, factor = 2.5;
  CUdeviceptr memory = 0;
  CHECK(cuMemAlloc(&memory, sizeof values));
  CHECK(cuMemcpyHtoD(memory, values, sizeof values));
  void* given[] = {&memory, &factor};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, given, nullptr));
  CHECK(cuMemcpyDtoH(values, memory, sizeof values));
  std::printf("%g %g %g\n", values[0], values[1], values[2]);
  return 0;
}

#ifndef AS_LIBRARY
int main(int count, char** arguments) { return compile_and_run(count > 1 ? arguments[1] : ""); }
#endif
