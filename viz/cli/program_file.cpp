// SPDX-License-Identifier: MIT
// See program_file.hpp.
#include "cli/program_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lanescope::cli {

void look_into(const std::filesystem::path& program,
               const std::function<void(const cudart::ElfFile&)>& look) {
  const int descriptor = open(program.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
    const auto bytes = static_cast<std::size_t>(status.st_size);
    void* mapped = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapped != MAP_FAILED) {
      look(cudart::read_elf({static_cast<const std::byte*>(mapped), bytes}));
      munmap(mapped, bytes);
    }
  }
  close(descriptor);
}

}  // namespace lanescope::cli
