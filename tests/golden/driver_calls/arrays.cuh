// SPDX-License-Identifier: MIT
// Arrays, textures and surfaces.
#pragma once

#include "parameters.cuh"

namespace calls {

inline CUDA_ARRAY3D_DESCRIPTOR array_of(const Format& how, const Extent& size) {
  CUDA_ARRAY3D_DESCRIPTOR made{};
  made.Width = size.x;
  made.Height = size.y;
  made.Depth = size.z;
  made.Format = how.format;
  made.NumChannels = how.channels;
  made.Flags = unsigned(below(2) ? 0 : small(0, 16));
  return made;
}
inline void put_array(CUarray made) {
  CUDA_ARRAY3D_DESCRIPTOR d{};
  put("info", cuArray3DGetDescriptor(&d, made));
  put("w", d.Width);
  put("h", d.Height);
  put("d", d.Depth);
  put("f", d.Format);
  put("n", d.NumChannels);
  put("fl", d.Flags);
}

inline const Call kArrays[] = {
    {"cuArrayCreate",
     []() -> int {
       const auto f = format();
       CUDA_ARRAY_DESCRIPTOR how{};
       how.Width = few() * (below(6) ? 1 : 4096);
       how.Height = few() * (below(6) ? 1 : 4096);
       say_value(how.Width);
       say_value(how.Height);
       how.Format = f.format;
       how.NumChannels = f.channels;
       CUarray made = nullptr;
       const auto e = cuArrayCreate(&made, &how);
       put("null", !made);
       if (!e) {
         put_array(made);
         cuArrayDestroy(made);
       }
       return e;
     }},
    {"cuArray3DCreate",
     []() -> int {
       const auto f = format();
       const auto how = array_of(f, extent());
       CUarray made = nullptr;
       const auto e = cuArray3DCreate(&made, &how);
       put("null", !made);
       if (!e) {
         put_array(made);
         cuArrayDestroy(made);
       }
       return e;
     }},
    {"cuMipmappedArrayCreate",
     []() -> int {
       const auto f = format();
       const auto how = array_of(f, extent());
       CUmipmappedArray made = nullptr;
       const auto e = cuMipmappedArrayCreate(&made, &how, unsigned(small(0, 9)));
       put("null", !made);
       if (!e) {
         for (unsigned level = 0; level < 10; level += 3) {
           CUarray one = nullptr;
           put("level", cuMipmappedArrayGetLevel(&one, made, level));
           if (one) put_array(one);
         }
         cuMipmappedArrayDestroy(made);
       }
       return e;
     }},
    {"cuMipmappedArrayGetLevel",
     []() -> int {
       CUarray one = nullptr;
       const auto m = rarely(4) ? named("null", CUmipmappedArray{}) : mip;
       const auto e = cuMipmappedArrayGetLevel(&one, m, unsigned(small(0, 4)));
       put("null", !one);
       return e;
     }},
    {"cuMipmappedArrayDestroy",
     []() -> int { return cuMipmappedArrayDestroy(named("null", nullptr)); }},
    {"cuArrayDestroy", []() -> int { return cuArrayDestroy(named("null", nullptr)); }},
    {"cuArrayGetDescriptor",
     []() -> int {
       CUDA_ARRAY_DESCRIPTOR d{7, 7, CUarray_format(7), 7};
       const auto e = cuArrayGetDescriptor(&d, an_array());
       put("w", d.Width);
       put("h", d.Height);
       put("f", d.Format);
       put("n", d.NumChannels);
       return e;
     }},
    {"cuArray3DGetDescriptor",
     []() -> int {
       CUDA_ARRAY3D_DESCRIPTOR d{7, 7, 7, CUarray_format(7), 7, 7};
       const auto e = cuArray3DGetDescriptor(&d, an_array());
       put("w", d.Width);
       put("h", d.Height);
       put("d", d.Depth);
       put("fl", d.Flags);
       return e;
     }},
    {"cuTexObjectCreate",
     []() -> int {
       const auto what = resource();
       const auto how = texture();
       CUtexObject made = 0;
       const auto e = cuTexObjectCreate(&made, &what, &how, nullptr);
       put("zero", made == 0);
       if (!e) {
         CUDA_RESOURCE_DESC r;
         CUDA_TEXTURE_DESC t;
         memset(&r, 0, sizeof r);
         memset(&t, 0, sizeof t);
         put("get", cuTexObjectGetResourceDesc(&r, made));
         put("same", memcmp(&r, &what, sizeof r) == 0);
         put("get", cuTexObjectGetTextureDesc(&t, made));
         put("fl", t.flags);
         put("fi", t.filterMode);
         put("a", t.maxAnisotropy);
         put("m", t.addressMode[1]);
         cuTexObjectDestroy(made);
       }
       return e;
     }},
    {"cuTexObjectCreate with view",
     []() -> int {
       const auto what = resource();
       const auto how = texture();
       const auto as = view();
       CUtexObject made = 0;
       const auto e = cuTexObjectCreate(&made, &what, &how, &as);
       put("zero", made == 0);
       if (!e) cuTexObjectDestroy(made);
       return e;
     }},
    {"cuTexObjectDestroy", []() -> int { return cuTexObjectDestroy(0); }},
    {"cuTexObjectGetResourceDesc",
     []() -> int {
       CUDA_RESOURCE_DESC r;
       return cuTexObjectGetResourceDesc(&r, 0);
     }},
    {"cuSurfObjectCreate",
     []() -> int {
       const auto what = resource();
       CUsurfObject made = 0;
       const auto e = cuSurfObjectCreate(&made, &what);
       put("zero", made == 0);
       if (!e) {
         CUDA_RESOURCE_DESC r;
         memset(&r, 0, sizeof r);
         put("get", cuSurfObjectGetResourceDesc(&r, made));
         put("same", r.res.array.hArray == what.res.array.hArray);
         cuSurfObjectDestroy(made);
       }
       return e;
     }},
    {"cuSurfObjectDestroy", []() -> int { return cuSurfObjectDestroy(0); }},
};

}  // namespace calls
