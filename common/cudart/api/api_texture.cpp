// SPDX-License-Identifier: MIT
// Texture and surface objects: made, asked for, given back.
#include <fmt/format.h>

#include <algorithm>

#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

const TextureObject* find_object(const Context& state, std::uint64_t handle, bool of_surfaces) {
  const auto found = state.textures.objects.find(handle);
  const bool is_one =
      found != state.textures.objects.end() && found->second.is_surface == of_surfaces;
  return is_one ? &found->second : nullptr;
}

template <class T>
bool read(const T* from, T& to) {
  if (!is_mapped(from, sizeof *from)) return false;
  to = *from;
  return true;
}

bool is_of_array(const cudaResourceDesc& resource) {
  return resource.resType == ResourceType::array || resource.resType == ResourceType::mipmapped;
}

/// A view of another size than what it is of is none on a card either.
bool has_size_of(const cudaResourceViewDesc& view, const emulator::Texture& texture) {
  const auto& size = texture.image.size;
  return view.width == static_cast<std::size_t>(size[0]) &&
         view.height == static_cast<std::size_t>(size[1]);
}

cudaError add(Context& state, const TextureObject& object, const emulator::Texture& texture,
              unsigned long long* handle) {
  *handle = state.machine->textures().add(texture);
  state.textures.objects[*handle] = object;
  return cudaSuccess;
}

cudaError destroy(const char* name, std::uint64_t handle, bool of_surfaces) {
  return call(name, [&](Context& state) {
    if (!find_object(state, handle, of_surfaces)) return cudaSuccess;  // as an H200 has it
    state.textures.objects.erase(handle);
    state.machine->textures().remove(handle);
    return cudaSuccess;
  });
}

/// tell(object) where there is one.
template <class T, class Tell>
cudaError ask(const char* name, T* answer, std::uint64_t handle, bool of_surfaces, Tell tell) {
  return call(name, [&](Context& state) {
    const TextureObject* found = find_object(state, handle, of_surfaces);
    if (!answer || !found) return cudaErrorInvalidValue;
    *answer = tell(*found);
    return cudaSuccess;
  });
}

}  // namespace

cudaError cudaCreateTextureObject(cudaTextureObject_t* handle, const cudaResourceDesc* resource,
                                  const cudaTextureDesc* how, const cudaResourceViewDesc* view) {
  return call("cudaCreateTextureObject", [&](Context& state) {
    TextureObject object;
    emulator::Texture texture;
    std::string why;
    if (!handle || !read(resource, object.resource)) return cudaErrorInvalidValue;
    if (!read(how, object.how)) return cudaErrorInvalidResourceHandle;
    const cudaError error = describe(state, object.resource, object.how, texture, why);
    if (error != cudaSuccess) return refuse(state, error, why);
    cudaResourceViewDesc seen;
    if (read(view, seen) && is_of_array(object.resource))
      return refuse(state,
                    has_size_of(seen, texture) ? cudaErrorNotSupported : cudaErrorInvalidValue,
                    "views of arrays are not emulated");
    return add(state, object, texture, handle);
  });
}

cudaError cudaCreateSurfaceObject(cudaSurfaceObject_t* handle, const cudaResourceDesc* resource) {
  return call("cudaCreateSurfaceObject", [&](Context& state) {
    TextureObject object{{}, {}, true};
    emulator::Texture surface;
    std::string why;
    if (!handle || !read(resource, object.resource)) return cudaErrorInvalidValue;
    const cudaError error = describe_surface(state, object.resource, surface, why);
    if (error != cudaSuccess) return refuse(state, error, why);
    return add(state, object, surface, handle);
  });
}

cudaError cudaDestroyTextureObject(cudaTextureObject_t texture) {
  return destroy("cudaDestroyTextureObject", texture, false);
}
cudaError cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return destroy("cudaDestroySurfaceObject", surface, true);
}

cudaError cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                           cudaTextureObject_t texture) {
  return ask("cudaGetTextureObjectResourceDesc", resource, texture, false,
             [](const TextureObject& object) { return object.resource; });
}
cudaError cudaGetTextureObjectTextureDesc(cudaTextureDesc* how, cudaTextureObject_t texture) {
  return ask("cudaGetTextureObjectTextureDesc", how, texture, false,
             [](const TextureObject& object) { return object.how; });
}
cudaError cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view,
                                               cudaTextureObject_t texture) {
  return ask("cudaGetTextureObjectResourceViewDesc", view, texture, false,
             [](const TextureObject&) { return cudaResourceViewDesc{}; });
}
cudaError cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                           cudaSurfaceObject_t surface) {
  return ask("cudaGetSurfaceObjectResourceDesc", resource, surface, true,
             [](const TextureObject& object) { return object.resource; });
}

cudaError cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* texels,
                                               const cudaChannelFormatDesc* channels, int device) {
  return call("cudaDeviceGetTexture1DLinearMaxWidth", [&](Context&) {
    if (!texels || !is_mapped(channels, sizeof *channels)) return cudaErrorInvalidValue;
    const auto texel = texel_of(*channels);
    if (!texel) return cudaErrorInvalidChannelDescriptor;
    if (device != 0) return cudaErrorInvalidDevice;
    constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32, kMostTexels = 1 << 30;
    const auto each = static_cast<std::uint64_t>(bytes_of(texel->format) * texel->channels);
    *texels = static_cast<std::size_t>(std::min(kMostBytes / each, kMostTexels));
    return cudaSuccess;
  });
}

}  // namespace lanescope::cudart
