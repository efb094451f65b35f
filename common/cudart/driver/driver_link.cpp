// SPDX-License-Identifier: MIT
// Linking while a program runs: cuLinkAddData and cuLinkAddFile take PTX, cuLinkComplete gives one
// text of PTX, which cuModuleLoadData takes where a card's driver gives and takes machine code.
// Machine code, objects and libraries are refused.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cudart/binary/ptx_link.hpp"
#include "cudart/driver/driver.hpp"
#include "cudart/errors.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/module.hpp"

namespace lanescope::cudart {

namespace {

Link* find_link(Context& state, CUhandle link) {
  const auto found = state.links.find(number(link));
  return found == state.links.end() ? nullptr : &found->second;
}

/// Whether a text is right, by loading it; what it wants of other texts is no mistake.
cudaError look_at(Context& state, const std::string& text) {
  if (text.find(".version") == text.npos)
    return refuse(state, cudaErrorInvalidKernelImage, "what is to be linked is no PTX");
  const auto loaded = state.machine->load(text, "what is linked");
  if (loaded.ok()) {
    (void)state.machine->unload(loaded.value);
    return cudaSuccess;
  }
  const cudaError error = to_cuda(loaded.error.code);
  if (error == cudaErrorNotSupported) return cudaSuccess;
  return refuse(state, error == cudaErrorNoKernelImageForDevice ? cudaErrorInvalidPtx : error,
                loaded.error.message);
}

/// An H200 says of some inputs that it cannot link them, and then of the whole that it cannot be.
cudaError refuse_input(Context& state, Link& link, int type) {
  enum { kMachineCode, kPtx, kFatBinary, kObject, kLibrary, kIntermediate };
  if (type < kMachineCode || type > kIntermediate) return cudaErrorInvalidValue;
  if (type == kPtx || type == kFatBinary) return cudaSuccess;
  const cudaError error = type == kMachineCode    ? cudaErrorInvalidKernelImage
                          : type == kIntermediate ? cudaErrorJitCompilerNotFound
                                                  : cudaErrorUnknown;
  const bool is_for_all = type == kMachineCode || type == kIntermediate;
  if (is_for_all && link.error == cudaSuccess) link.error = error;
  return refuse(state, error,
                fmt::format("input of type {} cannot be linked, only PTX (1) can; {}", type,
                            how_to_make_ptx(state)));
}

cudaError add_text(Context& state, CUhandle link, int type, std::string text) {
  Link* found = find_link(state, link);
  if (!found) return cudaErrorInvalidResourceHandle;
  if (const cudaError error = refuse_input(state, *found, type); error != cudaSuccess) return error;
  text.resize(text.find_last_not_of('\0') + 1);
  if (const cudaError error = look_at(state, text); error != cudaSuccess) return error;
  found->texts.push_back(std::move(text));
  return cudaSuccess;
}

/// What has been added, as one text; of nothing one without kernels.
std::string linked_text(const Context& state, const std::vector<std::string>& texts) {
  if (texts.empty())
    return fmt::format(".version 9.0\n.target {}\n.address_size 64\n", to_string(state.arch));
  return texts.size() == 1 ? texts.front() : link_ptx(texts);
}

}  // namespace

CUresult cuLinkCreate_v2(unsigned count, const int* options, void** values, CUhandle* link) {
  constexpr int kFallback = 10;  // is for modules alone
  if (current_context() == 0) return kInvalidContext;
  const bool is_modules = count != 0 && is_mapped(options, count * sizeof *options) &&
                          std::find(options, options + count, kFallback) != options + count;
  const CUresult wrong =
      is_modules ? to_driver(cudaErrorInvalidValue) : problem_of_options(count, options, values);
  if (wrong == to_driver(cudaErrorInvalidValue)) return wrong;
  return drive([&] {
    return call("cuLinkCreate", [&](Context& state) {
      if (!is_mapped(link, sizeof *link)) return cudaErrorInvalidValue;
      const std::uint64_t made = state.next_handle++;
      state.links[made] = {};
      *link = handle(made);
      return cudaSuccess;
    });
  });
}

CUresult cuLinkAddData_v2(CUhandle link, int type, const void* data, std::size_t bytes, const char*,
                          unsigned, const int*, void**) {
  return drive([&] {
    return call("cuLinkAddData", [&](Context& state) {
      if (bytes == 0 || !is_mapped(data, bytes)) return cudaErrorInvalidValue;
      return add_text(state, link, type, std::string(static_cast<const char*>(data), bytes));
    });
  });
}

CUresult cuLinkAddFile_v2(CUhandle link, int type, const char* path, unsigned, const int*, void**) {
  return drive([&] {
    return call("cuLinkAddFile", [&](Context& state) {
      if (!is_mapped(path, 1)) return cudaErrorInvalidValue;
      std::ifstream file(path, std::ios::binary);
      if (!file) return refuse(state, cudaErrorFileNotFound, fmt::format("no file {}", path));
      return add_text(state, link, type, std::string((std::istreambuf_iterator<char>(file)), {}));
    });
  });
}

CUresult cuLinkComplete(CUhandle link, void** image, std::size_t* bytes) {
  return drive([&] {
    return call("cuLinkComplete", [&](Context& state) {
      Link* found = find_link(state, link);
      if (!found) return cudaErrorInvalidResourceHandle;
      if (!is_mapped(image, sizeof *image)) return cudaErrorInvalidValue;
      if (found->error != cudaSuccess) return found->error;
      found->linked = linked_text(state, found->texts);
      *image = found->linked.data();
      if (bytes) *bytes = found->linked.size() + 1;  // with the zero behind it
      return cudaSuccess;
    });
  });
}

CUresult cuLinkDestroy(CUhandle link) {
  return drive([&] {
    return call("cuLinkDestroy", [&](Context& state) {
      return state.links.erase(number(link)) != 0 ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
  });
}

namespace {

// Which table NVIDIA's runtime asks for first of all: 16 bytes that name it.
constexpr std::array<unsigned char, 16> kOfTheRuntime = {
    0xf8, 0xcf, 0xf9, 0x51, 0x21, 0x46, 0x8b, 0x4e, 0xb9, 0xe2, 0xfb, 0x46, 0x9e, 0x7c, 0x0d, 0xd9};

std::string refused_table(const std::string& library, const void* id) {
  const bool is_runtime = is_mapped(id, kOfTheRuntime.size()) &&
                          std::memcmp(id, kOfTheRuntime.data(), kOfTheRuntime.size()) == 0;
  if (!is_runtime)
    return library +
           " asks the driver for private tables, which only a card's has: what holds machine code, "
           "as cuBLAS, cuFFT and cuDNN do, does not run here (docs/runtime.md)";
  return library + (library.find(".so") == std::string::npos
                        ? " has the CUDA runtime linked in and cannot be emulated; build it with "
                          "nvcc -cudart shared"
                        : " is NVIDIA's runtime, which needs a card; something puts it before the "
                          "emulated one (DT_RPATH, LD_PRELOAD, a path to it)");
}

}  // namespace

// Tables that NVIDIA's own libraries ask each other for. Those that hold kernels (cuBLAS, cuFFT)
// give up without and do not say why; NVRTC and nvJitLink work without.
CUresult cuGetExportTable(const void** table, const void* id) {
  constexpr CUresult kNotFound = 500;
  static std::atomic<bool> said{false};
  Dl_info caller{};
  const bool is_known = dladdr(__builtin_return_address(0), &caller) != 0 && caller.dli_fname;
  const std::string library =
      is_known ? std::filesystem::path(caller.dli_fname).filename().string() : "a library";
  const bool works_without = library.starts_with("libnvrtc") || library.starts_with("libnvJitLink");
  if (!works_without && !said.exchange(true)) say(refused_table(library, id));
  if (is_mapped(table, sizeof *table)) *table = nullptr;
  return kNotFound;
}

}  // namespace lanescope::cudart
