// SPDX-License-Identifier: MIT
// Where a function of today's library is, for a library with the names of an older CUDA.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace lanescope::cudart {

/// The address of `function` in `library` ("libcudart.so.13"), which the caller is linked with and
/// whose symbols have its name as their version. Without it there is nothing to run: the process
/// ends, with a line that says why.
inline void* find_now(const char* library, const char* function) {
  void* const loaded = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  void* const found = loaded ? dlvsym(loaded, function, library) : nullptr;
  if (loaded) dlclose(loaded);  // it stays, the caller needs it
  if (found) return found;
  std::fprintf(stderr,
               "lanescope: %s has no %s; the libraries in lib/lanescope are of two builds\n",
               library, function);
  std::_Exit(2);
}

}  // namespace lanescope::cudart

// `name` of this library is older_name below, now_name is that of libcudart.so.13.
#define OLDER(name) asm(".symver older_" #name ", " #name "@@libcudart.so.12");
#define RENAMED(name, now)  // forward.cmake reads these
#define NOW(name)         \
  const auto now_##name = \
      reinterpret_cast<decltype(&name)>(::lanescope::cudart::find_now("libcudart.so.13", #name));
// The same of its twin, with the thread's own stream as the default one.
#define NOW_TWIN(name)                                              \
  const auto now_##name##_ptsz = reinterpret_cast<decltype(&name)>( \
      ::lanescope::cudart::find_now("libcudart.so.13", #name "_ptsz"));
