// SPDX-License-Identifier: MIT
// liblanescope_nvrtc.so: two functions of NVRTC, before those of NVIDIA's own library. A program
// that compiles for sm_90 takes machine code from nvrtcGetCUBIN, which no emulator of PTX runs.
// NVRTC has the PTX of the same program, too, and everything that loads a cubin takes PTX.
//
// `lanescope run` preloads it, so that it comes first for whoever is linked with NVRTC. Who opens
// NVRTC (PyTorch, CuPy) asks dlsym, which is therefore here, too, and jumps on to the C library's.
// That one takes its caller's place for RTLD_NEXT from the stack: hence a jump, and assembly.
// The library is apart from libcudart.so.13, and has no symbol versions, lest a program that is
// linked with that one wants a dlsym of CUDA's.
#include <dlfcn.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <mutex>

namespace {

using GetSize = int (*)(void* program, std::size_t* bytes);
using GetImage = int (*)(void* program, char* image);
using Lookup = void* (*)(void* handle, const char* name);

constexpr int kInternalError = 11;  // NVRTC_ERROR_INTERNAL_ERROR
constexpr const char* kCubinSize = "nvrtcGetCUBINSize";
constexpr const char* kCubin = "nvrtcGetCUBIN";

// Not strcmp: a sanitizer's runtime asks dlsym for strcmp before anything else.
bool equal(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

/// The four functions of one NVRTC that matter here. Null: nobody has loaded it.
struct Nvrtc {
  GetSize cubin_size = nullptr, ptx_size = nullptr;
  GetImage cubin = nullptr, ptx = nullptr;

  Nvrtc() = default;
  Nvrtc(Lookup lookup, void* handle)
      : cubin_size(reinterpret_cast<GetSize>(lookup(handle, kCubinSize))),
        ptx_size(reinterpret_cast<GetSize>(lookup(handle, "nvrtcGetPTXSize"))),
        cubin(reinterpret_cast<GetImage>(lookup(handle, kCubin))),
        ptx(reinterpret_cast<GetImage>(lookup(handle, "nvrtcGetPTX"))) {}

  bool is_there() const { return cubin_size && ptx_size && cubin && ptx; }

  // Where NVRTC has no machine code, for compute_90, it answers as it always does.
  bool has_machine_code(void* program) const {
    std::size_t bytes = 0;
    return cubin_size(program, &bytes) == 0 && bytes > 0;
  }

  int give_size(void* program, std::size_t* bytes) const {
    if (!is_there()) return kInternalError;
    const bool instead = bytes != nullptr && has_machine_code(program);
    return (instead ? ptx_size : cubin_size)(program, bytes);
  }

  int give_image(void* program, char* image) const {
    if (!is_there()) return kInternalError;
    const bool instead = image != nullptr && has_machine_code(program);
    static std::atomic<bool> said{false};
    if (instead && !said.exchange(true))
      std::fputs(
          "lanescope: nvrtcGetCUBIN gives this program PTX: machine code does not run here\n",
          stderr);
    return (instead ? ptx : cubin)(program, image);
  }
};

}  // namespace

extern "C" __attribute__((visibility("hidden"))) Lookup lanescope_next_dlsym;
Lookup lanescope_next_dlsym = nullptr;  // the C library's

namespace {

/// CUDA 12's and CUDA 13's, where a process opens both; behind them its linked one is asked.
constexpr int kMost = 4;
constinit std::mutex opened_mutex;
Nvrtc opened[kMost];

template <int index>
int give_opened_size(void* program, std::size_t* bytes) {
  return opened[index].give_size(program, bytes);
}
template <int index>
int give_opened_image(void* program, char* image) {
  return opened[index].give_image(program, image);
}

struct Given {
  GetSize size;
  GetImage image;
};
constexpr Given kGiven[kMost] = {{give_opened_size<0>, give_opened_image<0>},
                                 {give_opened_size<1>, give_opened_image<1>},
                                 {give_opened_size<2>, give_opened_image<2>},
                                 {give_opened_size<3>, give_opened_image<3>}};

/// The NVRTC of those who are linked with it.
Nvrtc linked() {
  if (const Nvrtc next(dlsym, RTLD_NEXT); next.is_there()) return next;
  // A library that was opened, and is linked with NVRTC, has brought it along, where RTLD_NEXT does
  // not look.
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12"})
    if (void* library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD)) {
      const Nvrtc found(dlsym, library);
      dlclose(library);  // whoever loaded it still has it
      return found;
    }
  return {};
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int nvrtcGetCUBINSize(void* program, std::size_t* bytes) {
  return linked().give_size(program, bytes);
}

__attribute__((visibility("default"))) int nvrtcGetCUBIN(void* program, char* image) {
  return linked().give_image(program, image);
}

/// What dlsym is to answer, or nullptr: what the C library's does.
__attribute__((visibility("hidden"))) void* lanescope_instead(void* handle, const char* name) {
  if (lanescope_next_dlsym == nullptr)
    for (const char* version : {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"})
      if (void* found = dlvsym(RTLD_NEXT, "dlsym", version); found && !lanescope_next_dlsym)
        lanescope_next_dlsym = reinterpret_cast<Lookup>(found);
  if (handle == RTLD_NEXT || handle == RTLD_DEFAULT || name == nullptr) return nullptr;
  const bool of_size = equal(name, kCubinSize);
  if (!of_size && !equal(name, kCubin)) return nullptr;
  const Nvrtc asked(lanescope_next_dlsym, handle);
  if (!asked.is_there()) return nullptr;
  const std::scoped_lock lock(opened_mutex);
  for (int i = 0; i < kMost; ++i) {
    if (!opened[i].is_there()) opened[i] = asked;
    if (opened[i].cubin == asked.cubin)
      return of_size ? reinterpret_cast<void*>(kGiven[i].size)
                     : reinterpret_cast<void*>(kGiven[i].image);
  }
  return nullptr;
}

}  // extern "C"

#ifdef __aarch64__
__asm__(R"(
  .text
  .globl dlsym
  .type dlsym, %function
dlsym:
  stp x29, x30, [sp, -32]!
  stp x0, x1, [sp, 16]
  bl lanescope_instead
  mov x16, x0
  ldp x0, x1, [sp, 16]
  ldp x29, x30, [sp], 32
  cbnz x16, 1f
  adrp x16, lanescope_next_dlsym
  ldr x16, [x16, :lo12:lanescope_next_dlsym]
  br x16
1:
  mov x0, x16
  ret
  .size dlsym, . - dlsym
)");
#else
__asm__(R"(
  .text
  .globl dlsym
  .type dlsym, @function
dlsym:
  pushq %rdi
  pushq %rsi
  subq $8, %rsp
  call lanescope_instead
  addq $8, %rsp
  popq %rsi
  popq %rdi
  testq %rax, %rax
  jne 1f
  jmp *lanescope_next_dlsym(%rip)
1:
  ret
  .size dlsym, . - dlsym
)");
#endif
