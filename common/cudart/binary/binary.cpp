// SPDX-License-Identifier: MIT
// From what a program registered to what the emulator can run: chooses the PTX for the emulated
// architecture, loads it, finds kernels and variables in it. Says in one line what is missing.
#include <fmt/format.h>

#include <algorithm>

#include "cudart/binary/edited_ptx.hpp"
#include "cudart/binary/ptx_link.hpp"
#include "cudart/context.hpp"
#include "cudart/errors.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/occupancy.hpp"

namespace lanescope::cudart {

namespace {

/// The bytes of a container; empty when there is none.
std::span<const std::byte> container_at(const void* data) {
  constexpr std::size_t kHeaderBytes = 16;
  if (!is_mapped(data, kHeaderBytes)) return {};
  const std::span header(static_cast<const std::byte*>(data), kHeaderBytes);
  const std::size_t bytes = container_bytes(header);
  if (!is_mapped(data, bytes)) return {};
  return {header.data(), bytes};
}

/// The container that a wrapper points to; empty when it points nowhere.
std::span<const std::byte> container(const FatBinaryWrapper* wrapper) {
  if (!is_mapped(wrapper, sizeof *wrapper) || wrapper->magic != kWrapperMagic) return {};
  return container_at(wrapper->data);
}

/// What nvcc -rdc=true had before it linked: a container of each file.
std::vector<std::span<const std::byte>> containers_of_files(const FatBinaryWrapper* wrapper) {
  constexpr std::size_t kMost = 100'000;
  std::vector<std::span<const std::byte>> found;
  const auto* files = static_cast<const void* const*>(wrapper->prelinked);
  while (found.size() < kMost && is_mapped(files, sizeof *files) && *files != nullptr)
    found.push_back(container_at(*files++));
  return found;
}

std::string without_prefix(Target target) {
  return to_string(target).substr(3);  // "90a"
}

/// What to do about a program that has nothing for this architecture.
std::string advice(const FatBinary& found, Target arch) {
  const PtxImage* newest = nullptr;
  for (const PtxImage& image : found.ptx)
    if (find_card(image.target) && (!newest || newest->target.number <= image.target.number))
      newest = &image;
  const std::string run =
      newest ? fmt::format("run it with --arch {}", to_string(newest->target)) : std::string();
  // What is written for sm_90a may not compile for sm_90.
  if (newest && newest->target.number == arch.number) return run;
  return fmt::format(
      "build it with nvcc -cudart shared -gencode arch=compute_{0},code=compute_{0}{1}{2}",
      without_prefix(arch), run.empty() ? "" : ", or ", run);
}

// Libraries have hundreds of kernels in a module, and a program launches a few; of a megabyte all
// are read within some 30 ms, and what is wrong with one is said at once.
emulator::Reading reading_of(const std::string& text) {
  constexpr std::size_t kLarge = std::size_t{1} << 20;
  return text.size() > kLarge ? emulator::Reading::when_asked : emulator::Reading::at_once;
}

cudaError load_text(Context& context, Binary& binary, const std::string& text,
                    const std::string& name, const std::string& ptxas_options) {
  const std::string edited = edited_ptx(text);
  auto loaded = context.machine->load(edited, name, ptxas_options, reading_of(edited));
  if (!loaded.ok()) {
    say(loaded.error.message);
    if (loaded.error.code == emulator::ErrorCode::unsupported_instruction)
      context.tracing->refused(loaded.error.message);
    return to_cuda(loaded.error.code);
  }
  keep_for_ptxas(binary, edited, ptxas_options);
  context.saving->keep(binary, edited);
  binary.module = loaded.value;
  return cudaSuccess;
}

/// libcudadevrt, which nvcc links to every program of several files.
bool is_device_runtime(const FatBinary& file) {
  return std::any_of(file.ptx.begin(), file.ptx.end(), [](const PtxImage& image) {
    return image.text.find("__cudaCDP2") != std::string::npos;
  });
}

/// A program of several files, with device code that calls from one into another.
cudaError link_and_load(Context& context, Binary& binary) {
  std::vector<std::string> texts;
  std::string ptxas_options;  // mostly all files have the same
  FatBinary last;
  for (const auto& bytes : containers_of_files(binary.wrapper)) {
    last = read_fat_binary(bytes);
    if (!last.error.empty()) {
      say(fmt::format("the program's fat binary is damaged: {}; build the program again",
                      last.error));
      return cudaErrorInvalidKernelImage;
    }
    if (const PtxImage* image = choose_ptx(last, context.arch)) {
      texts.push_back(image->text);
      ptxas_options += " " + image->ptxas_options;
      continue;
    }
    if (is_device_runtime(last)) continue;  // who calls into it hears of it
    say(fmt::format("no PTX for {}: file {} of the program holds {}; {}", to_string(context.arch),
                    texts.size() + 1, describe(last), advice(last, context.arch)));
    return cudaErrorNoKernelImageForDevice;
  }
  if (texts.empty()) {
    say("the program was built with -rdc=true and holds no file's PTX");
    return cudaErrorNoKernelImageForDevice;
  }
  return load_text(context, binary, link_ptx(texts), "linked files", ptxas_options);
}

cudaError read_and_load(Context& context, Binary& binary) {
  const FatBinary found = read_fat_binary(container(binary.wrapper));
  if (!found.sass.empty()) binary.registers = registers_in(container(binary.wrapper), context.arch);
  if (!found.error.empty()) {
    say(fmt::format("the program's fat binary is damaged: {}; build the program again",
                    found.error));
    return cudaErrorInvalidKernelImage;
  }
  const bool relocatable =
      binary.wrapper->version == kPrelinkedVersion && binary.wrapper->prelinked != nullptr;
  const PtxImage* image = choose_ptx(found, context.arch);
  if (!image && relocatable) return link_and_load(context, binary);
  if (!image) {
    say(fmt::format("no PTX for {}: the program holds {}; {}", to_string(context.arch),
                    describe(found), advice(found, context.arch)));
    return cudaErrorNoKernelImageForDevice;
  }
  return load_text(context, binary, image->text, to_string(image->target), image->ptxas_options);
}

}  // namespace

cudaError load(Context& context, Binary& binary) {
  if (!binary.tried) {
    binary.tried = true;
    binary.load_error = read_and_load(context, binary);
    if (binary.load_error != cudaSuccess) return binary.load_error;
    // The host reads managed variables through pointers of its own; they are filled in now.
    for (auto& [shadow, symbol] : context.symbols)
      if (symbol.binary == &binary && symbol.managed_pointer)
        if (const cudaError error = resolve(context, symbol); error != cudaSuccess) return error;
  }
  return binary.load_error;
}

cudaError resolve(Context& context, Function& function) {
  if (function.kernel) return cudaSuccess;
  if (const cudaError error = load(context, *function.binary); error != cudaSuccess) return error;
  function.kernel = context.machine->find_kernel(function.binary->module, function.name);
  if (function.kernel) return cudaSuccess;
  say(
      fmt::format("kernel {} is not in the program's PTX for {}; was it left out with "
                  "__CUDA_ARCH__, or built with -rdc=true?",
                  function.name, to_string(context.arch)));
  return cudaErrorInvalidDeviceFunction;
}

cudaError resolve(Context& context, Symbol& symbol) {
  if (symbol.address) return cudaSuccess;
  if (const cudaError error = load(context, *symbol.binary); error != cudaSuccess) return error;
  const auto found = context.machine->find_variable(symbol.binary->module, symbol.name);
  if (!found.ok()) {
    say(found.error.message);
    return cudaErrorInvalidSymbol;
  }
  symbol.address = found.value.address;
  symbol.bytes = found.value.bytes;
  const bool managed = symbol.managed_pointer != nullptr;
  context.memory.add({.address = symbol.address,
                      .bytes = symbol.bytes,
                      .kind = managed ? MemoryKind::managed : MemoryKind::symbol});
  if (managed) *symbol.managed_pointer = reinterpret_cast<void*>(symbol.address);
  return cudaSuccess;
}

}  // namespace lanescope::cudart
