// SPDX-License-Identifier: MIT
// Opens a library that is linked with NVRTC, and so brings that along where no other library of the
// process sees it, and calls it: nvrtc.cpp's, given by its path. Nothing of CUDA is linked.
#include <dlfcn.h>

#include <cstdio>

int main(int count, char** arguments) {
  if (count < 3) return 2;
  void* library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::printf("%s\n", dlerror()), 1;
  const auto run = reinterpret_cast<int (*)(const char*)>(dlsym(library, "compile_and_run"));
  return run == nullptr ? 1 : run(arguments[2]);
}
