// SPDX-License-Identifier: MIT
// Modules and libraries of PTX, what is in them, and texts that are linked.
#pragma once

#include "parameters.cuh"

namespace calls {

/// Options and their values, with a log of each kind, and what came of these.
struct Options {
  unsigned count = 0;
  CUjit_option names[8];
  void* values[8];
  char info[200] = "x", error[200] = "x";

  void add(CUjit_option name, uintptr_t value) {
    names[count] = name;
    values[count++] = (void*)value;
  }
  void draw() {
    if (below(2)) {
      add(CU_JIT_INFO_LOG_BUFFER, uintptr_t(info));
      add(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, sizeof info);
      add(CU_JIT_ERROR_LOG_BUFFER, uintptr_t(error));
      add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, sizeof error);
    }
    for (int k = small(0, 2); k > 0; --k) {
      const int scalar[] = {0, 1, 7, 8, 9, 10, 11, 12, 13, 14, 21, 22, 23, 24, 31, 32, 33, 34, 35};
      const auto name = one_of(scalar);
      add(CUjit_option(name), uintptr_t(small(0, 4)));
    }
  }
  void tell() const { put("error", strlen(error) > 1); }
};

inline void put_module(CUmodule made) {
  CUfunction f = nullptr;
  put("get", cuModuleGetFunction(&f, made, a_name()));
  unsigned n = 77;
  put("count", cuModuleGetFunctionCount(&n, made));
  put("n", n);
  put("unload", cuModuleUnload(made));
}

inline const Call kModules[] = {
    {"cuModuleLoadData",
     []() -> int {
       const auto text = a_text();
       CUmodule made = nullptr;
       const auto e = cuModuleLoadData(&made, text.c_str());
       put("null", !made);
       if (!e) put_module(made);
       return e;
     }},
    {"cuModuleLoadDataEx",
     []() -> int {
       const auto text = a_text();
       Options options;
       options.draw();
       CUmodule made = nullptr;
       const auto e =
           cuModuleLoadDataEx(&made, text.c_str(), options.count, options.names, options.values);
       options.tell();
       if (!e) put_module(made);
       return e;
     }},
    {"cuModuleLoadFatBinary",
     []() -> int {
       const auto text = a_text();
       CUmodule made = nullptr;
       const auto e = cuModuleLoadFatBinary(&made, text.c_str());
       if (!e) put_module(made);
       return e;
     }},
    {"cuModuleLoad",
     []() -> int {
       const char* all[] = {"/nonexistent", "", "/dev/null", "/"};
       const char* path = all[below(4)];
       CUmodule made = nullptr;
       const auto e = cuModuleLoad(&made, named(path, path));
       if (!e) put_module(made);
       return e;
     }},
    {"cuModuleUnload", []() -> int { return cuModuleUnload(named("null", nullptr)); }},
    {"cuModuleGetFunction",
     []() -> int {
       const auto m = a_module();
       CUfunction f = (CUfunction)1;
       const auto e = cuModuleGetFunction(&f, m, a_name());
       put("f", address_of(f) < 2 ? address_of(f) : 2);
       return e;
     }},
    {"cuModuleGetFunctionCount",
     []() -> int {
       unsigned n = 77;
       const auto e = cuModuleGetFunctionCount(&n, a_module());
       put("n", n);
       return e;
     }},
    {"cuModuleEnumerateFunctions",
     []() -> int {
       CUfunction all[10] = {};
       const auto m = a_module();
       const auto e = cuModuleEnumerateFunctions(all, unsigned(small(0, 10)), m);
       int n = 0;
       for (auto one : all) n += one != nullptr;
       put("n", n);
       return e;
     }},
    {"cuModuleGetGlobal",
     []() -> int {
       CUdeviceptr p = 1;
       size_t n = 77;
       const auto m = a_module();
       const auto name = a_name();
       const bool no_address = rarely(), no_bytes = rarely();
       const auto e =
           cuModuleGetGlobal(no_address ? nullptr : &p, no_bytes ? nullptr : &n, m, name);
       put("p", p < 2 ? p : 2);
       put("n", n);
       return e;
     }},
    {"cuLibraryLoadData",
     []() -> int {
       const auto text = a_text();
       Options options;
       options.draw();
       CUlibraryOption how[2] = {CUlibraryOption(small(0, 2)), CUlibraryOption(small(0, 2))};
       void* values[2] = {nullptr, nullptr};
       const auto n = unsigned(rarely(3) ? small(0, 2) : 0);
       CUlibrary made = nullptr;
       const auto e = cuLibraryLoadData(&made, text.c_str(), options.names, options.values,
                                        options.count, how, values, n);
       put("null", !made);
       if (e) return e;
       CUkernel k = nullptr;
       put("get", cuLibraryGetKernel(&k, made, a_name()));
       unsigned count = 77;
       put("count", cuLibraryGetKernelCount(&count, made));
       put("n", count);
       CUmodule m = nullptr;
       put("module", cuLibraryGetModule(&m, made));
       put("unload", cuLibraryUnload(made));
       return e;
     }},
    {"cuLibraryLoadFromFile",
     []() -> int {
       const char* all[] = {"/nonexistent", "", "/dev/null", "/"};
       const char* path = all[below(4)];
       CUlibrary made = nullptr;
       const auto e = cuLibraryLoadFromFile(&made, named(path, path), nullptr, nullptr, 0, nullptr,
                                            nullptr, 0);
       put("null", !made);
       if (!e) cuLibraryUnload(made);
       return e;
     }},
    {"cuLibraryUnload", []() -> int { return cuLibraryUnload(named("null", nullptr)); }},
    {"cuLibraryGetKernel",
     []() -> int {
       const auto l = a_library();
       CUkernel k = (CUkernel)1;
       const auto e = cuLibraryGetKernel(&k, l, a_name());
       put("k", address_of(k) < 2 ? address_of(k) : 2);
       return e;
     }},
    {"cuLibraryGetKernelCount",
     []() -> int {
       unsigned n = 77;
       const auto e = cuLibraryGetKernelCount(&n, a_library());
       put("n", n);
       return e;
     }},
    {"cuLibraryEnumerateKernels",
     []() -> int {
       CUkernel all[10] = {};
       const auto l = a_library();
       const auto e = cuLibraryEnumerateKernels(all, unsigned(small(0, 10)), l);
       int n = 0;
       for (auto one : all) n += one != nullptr;
       put("n", n);
       return e;
     }},
    {"cuLibraryGetGlobal",
     []() -> int {
       CUdeviceptr p = 1;
       size_t n = 77;
       const auto l = a_library();
       const auto e = cuLibraryGetGlobal(&p, &n, l, a_name());
       put("p", p < 2 ? p : 2);
       put("n", n);
       return e;
     }},
    {"cuLibraryGetManaged",
     []() -> int {
       CUdeviceptr p = 1;
       size_t n = 77;
       const auto l = a_library();
       const auto e = cuLibraryGetManaged(&p, &n, l, a_name());
       put("p", p < 2 ? p : 2);
       put("n", n);
       return e;
     }},
    {"cuLibraryGetModule",
     []() -> int {
       CUmodule m = nullptr;
       const auto e = cuLibraryGetModule(&m, a_library());
       put("null", !m);
       return e;
     }},
    {"cuLink",
     []() -> int {
       Options options;
       options.draw();
       CUlinkState link = nullptr;
       const auto e = cuLinkCreate(options.count, options.names, options.values, &link);
       if (e) return e;
       for (int k = small(0, 2); k > 0; --k) {
         const auto type = CUjitInputType(rarely(6) ? small(0, 7) : 1);
         const auto text = a_text();
         const auto size = rarely() ? few() : text.size() + 1;
         put("add",
             cuLinkAddData(link, type, (void*)text.c_str(), size, "text", 0, nullptr, nullptr));
       }
       if (rarely(6))
         put("file", cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/nonexistent", 0, nullptr, nullptr));
       void* image = nullptr;
       size_t n = 0;
       const auto done = cuLinkComplete(link, &image, &n);
       put("complete", done);
       put("is", n != 0);
       CUmodule made = nullptr;
       if (!done) put("load", cuModuleLoadData(&made, image));
       if (made) put_module(made);
       put("destroy", cuLinkDestroy(link));
       return e;
     }},
};

}  // namespace calls
