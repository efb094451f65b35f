// SPDX-License-Identifier: MIT
// In a browser there are no processes (ptxas is not asked how many registers a kernel has) and no
// memory without an address (cuMemCreate fails): two functions of the system that the runtime calls
// and Emscripten does not have.
#include <cerrno>

extern "C" {

int posix_spawnp(int*, const char*, const void*, const void*, char* const*, char* const*) {
  return ENOSYS;
}

int memfd_create(const char*, unsigned) {
  errno = ENOSYS;
  return -1;
}
}
