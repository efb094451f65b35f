// SPDX-License-Identifier: MIT
// Linking while a program runs: cuLinkAddData and cuLinkAddFile take PTX, cuLinkComplete gives one
// text of PTX, which cuModuleLoadData takes where a card's driver gives and takes machine code.
// Machine code, objects and libraries are refused.
#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cudart/binary/ptx_link.hpp"
#include "cudart/driver/driver.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/module.hpp"

namespace lanescope::cudart {

namespace {

constexpr int kPtx = 1;  // CU_JIT_INPUT_PTX

Link* find_link(Context& state, CUhandle link) {
  const auto found = state.links.find(reinterpret_cast<std::uintptr_t>(link));
  return found == state.links.end() ? nullptr : &found->second;
}

cudaError add_text(Context& state, CUhandle link, int type, std::string text) {
  Link* found = find_link(state, link);
  if (!found) return cudaErrorInvalidResourceHandle;
  if (type != kPtx)
    return refuse(state, cudaErrorNotSupported,
                  fmt::format("input of type {} cannot be linked, only PTX (1) can; {}", type,
                              how_to_make_ptx(state)));
  text.resize(text.find_last_not_of('\0') + 1);
  found->texts.push_back(std::move(text));
  return cudaSuccess;
}

}  // namespace

CUresult cuLinkCreate_v2(unsigned, const int*, void**, CUhandle* link) {
  return drive([&] {
    return call("cuLinkCreate", [&](Context& state) {
      if (!is_mapped(link, sizeof *link)) return cudaErrorInvalidValue;
      const std::uint64_t made = state.next_handle++;
      state.links[made] = {};
      *link = reinterpret_cast<CUhandle>(made);
      return cudaSuccess;
    });
  });
}

CUresult cuLinkAddData_v2(CUhandle link, int type, const void* data, std::size_t bytes, const char*,
                          unsigned, const int*, void**) {
  return drive([&] {
    return call("cuLinkAddData", [&](Context& state) {
      if (!is_mapped(data, bytes)) return cudaErrorInvalidValue;
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
      if (!is_mapped(image, sizeof *image) || found->texts.empty()) return cudaErrorInvalidValue;
      found->linked = found->texts.size() == 1 ? found->texts.front() : link_ptx(found->texts);
      *image = found->linked.data();
      if (bytes) *bytes = found->linked.size() + 1;  // with the zero behind it
      return cudaSuccess;
    });
  });
}

CUresult cuLinkDestroy(CUhandle link) {
  return drive([&] {
    return call("cuLinkDestroy", [&](Context& state) {
      return state.links.erase(reinterpret_cast<std::uintptr_t>(link)) != 0
                 ? cudaSuccess
                 : cudaErrorInvalidResourceHandle;
    });
  });
}

// Tables that NVIDIA's own libraries ask each other for. Those that hold kernels (cuBLAS, cuFFT)
// give up without and do not say why; NVRTC and nvJitLink work without.
CUresult cuGetExportTable(const void** table, const void*) {
  constexpr CUresult kNotFound = 500;
  static std::atomic<bool> said{false};
  Dl_info caller{};
  const bool is_known = dladdr(__builtin_return_address(0), &caller) != 0 && caller.dli_fname;
  const std::string library =
      is_known ? std::filesystem::path(caller.dli_fname).filename().string() : "a library";
  const bool works_without = library.starts_with("libnvrtc") || library.starts_with("libnvJitLink");
  if (!works_without && !said.exchange(true))
    say(library +
        " asks the driver for private tables, which only a card's has: what holds machine code, as "
        "cuBLAS, cuFFT and cuDNN do, does not run here (docs/runtime.md)");
  if (is_mapped(table, sizeof *table)) *table = nullptr;
  return kNotFound;
}

}  // namespace lanescope::cudart
