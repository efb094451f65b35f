// SPDX-License-Identifier: MIT
// What textures are asked: the forms (kind of memory, format, filter, addressing), what lies in
// each texture, and the places that are fetched. All is made from numbers by integer arithmetic and
// single roundings, so that only results have to be kept. Plain C++17, read by nvcc and by the
// tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "../approximate/inputs.hpp"

namespace lanescope::golden::texture {

using approximate::mix;
using Word = std::uint32_t;

enum class Memory { array, layers, linear, pitch };
enum class Format { u8, s8, u16, s16, u32, s32, f16, f32 };
enum class Content { ramp, odd, unit, mixed, wild };
enum class Mode { wrap, clamp, mirror, border };  // as cudaTextureAddressMode counts

struct Form {
  Memory memory = Memory::array;
  int dims = 2;
  int size[3] = {1, 1, 1};
  int layers = 0;
  Format format = Format::f32;
  int channels = 1;
  Content content = Content::unit;
  Mode mode[3] = {Mode::clamp, Mode::clamp, Mode::clamp};
  bool linear = false, normalized = false;
  bool as_float = true;  // integers too: between 0 and 1, or -1 and 1
  bool srgb = false;
  bool far = false;  // places far outside
  float border[4] = {0, 0, 0, 0};
  Word seed = 0;
};

inline bool is_real(Format format) { return format >= Format::f16; }
inline int bytes_of(Format format) {
  return format <= Format::s8 ? 1 : format <= Format::s16 || format == Format::f16 ? 2 : 4;
}

inline Word bits_of(float value) {
  Word bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
inline float float_of(Word bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

/// Of whole numbers and halves up to 2048: what content `ramp` and `odd` have.
inline Word half_of_small(int value) {
  if (value == 0) return 0;
  int exponent = 0;
  while (value >> (exponent + 1) != 0) ++exponent;
  const int significand = exponent <= 10 ? value << (10 - exponent) : value >> (exponent - 10);
  return static_cast<Word>((exponent + 15) << 10 | (significand & 1023));
}

/// The bits of one channel of one texel.
inline Word texel(const Form& form, int x, int y, int z, int channel) {
  const Word any = mix(form.seed * 0x9e3779b9u ^
                       mix(static_cast<Word>(((z * 64 + y) * 65536 + x) * 4 + channel)));
  const int size = bytes_of(form.format);
  const Word mask = size == 4 ? ~0u : (1u << 8 * size) - 1;
  const bool odd = x % 2 == 1 && (form.dims < 2 || y % 2 == 1) && (form.dims < 3 || z % 2 == 1);
  const int ramp = x + 32 * y + 512 * z;
  switch (form.content) {
    case Content::ramp:
      if (form.format == Format::f32) return bits_of(static_cast<float>(ramp));
      return form.format == Format::f16 ? half_of_small(ramp)
                                        : static_cast<Word>(x * 11 + y * 5 + z * 3) & mask;
    case Content::odd:
      if (form.format == Format::f32) return odd ? 0x3f800000u : 0;
      if (form.format == Format::f16) return odd ? 0x3c00u : 0;
      return odd ? (form.format == Format::s8 || form.format == Format::s16 ? mask >> 1 : mask) : 0;
    case Content::unit:
      if (form.format == Format::f32) return bits_of(static_cast<float>(any >> 8) * 0x1p-24f);
      return form.format == Format::f16 ? 0x3000u + (any & 0xbff) : any & mask;
    case Content::mixed:
      if (form.format == Format::f32)
        return (any & 0x807fffffu) | (115 + (any >> 23 & 0xff) % 25) << 23;
      return form.format == Format::f16 ? (any & 0x83ff) | (3 + (any >> 16) % 25) << 10
                                        : any & mask;
    case Content::wild:
      break;
  }
  return any & mask;
}

/// All texels of a texture: rows of slices, one behind the other.
inline std::vector<unsigned char> content_of(const Form& form) {
  std::vector<unsigned char> bytes;
  const int deep = form.layers != 0 ? form.layers : form.size[2];
  for (int z = 0; z < deep; ++z)
    for (int y = 0; y < form.size[1]; ++y)
      for (int x = 0; x < form.size[0]; ++x)
        for (int channel = 0; channel < form.channels; ++channel) {
          const Word bits = texel(form, x, y, z, channel);
          for (int k = 0; k < bytes_of(form.format); ++k)
            bytes.push_back(static_cast<unsigned char>(bits >> 8 * k));
        }
  return bytes;
}

struct Place {
  float at[3] = {0, 0, 0};
  int layer = 0;
};

/// One coordinate: random numbers, eighths of a weight's step, their neighbours, and what is
/// special.
inline float coordinate(const Form& form, int axis, Word sample) {
  const int n = form.size[axis];
  const Word any = mix(mix(sample * 3 + static_cast<Word>(axis)) + form.seed);
  static const Word specials[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                  0x00000001, 0x80000001, 0x7f7fffff, 0xff7fffff, 0x4b000001,
                                  0x4e800000, 0xce800000, 0x3b000000, 0xbb000000, 0x3affffff,
                                  0x4f000000, 0xcf000000, 0x5f000000, 0x33800000, 0xb3800000};
  if (form.far && sample < 2 * sizeof specials / sizeof *specials &&
      (sample + static_cast<Word>(axis)) % 2 == 0)
    return float_of(specials[sample / 2]);
  const float low = form.far ? -2.0f * static_cast<float>(n) : -1.0f;
  const float span = form.far ? 5.0f * static_cast<float>(n) : static_cast<float>(n) + 2.0f;
  float at = low + span * (static_cast<float>(any >> 8) * 0x1p-24f);
  if (sample % 4 != 0) at = std::floor(at * 512.0f) / 512.0f;
  if (sample % 8 == 4) at = static_cast<float>(any >> 8) * 0x1p-24f * static_cast<float>(n);
  if (form.normalized) at /= static_cast<float>(n);
  if (sample % 4 == 2) at = std::nextafterf(at, -1e30f);
  if (sample % 4 == 3) at = std::nextafterf(at, 1e30f);
  return at;
}

inline Place place(const Form& form, Word sample) {
  Place result;
  for (int axis = 0; axis < form.dims; ++axis) {
    result.at[axis] = coordinate(form, axis, sample);
    if (form.memory == Memory::linear) result.at[axis] = std::floor(result.at[axis]);
  }
  if (form.layers != 0)
    result.layer = static_cast<int>(mix(sample + 77) % static_cast<Word>(form.layers + 4)) - 2;
  return result;
}

inline std::string name(const Form& form) {
  static const char* memories[] = {"array", "layers", "linear", "pitch"};
  static const char* formats[] = {"u8", "s8", "u16", "s16", "u32", "s32", "f16", "f32"};
  static const char* contents[] = {"ramp", "odd", "unit", "mixed", "wild"};
  static const char* modes[] = {"wrap", "clamp", "mirror", "border"};
  std::string text = memories[static_cast<int>(form.memory)];
  for (int axis = 0; axis < form.dims; ++axis)
    text += (axis == 0 ? ' ' : 'x') + std::to_string(form.size[axis]);
  text += std::string(" ") + formats[static_cast<int>(form.format)] + "x" +
          std::to_string(form.channels) + " " + contents[static_cast<int>(form.content)];
  for (int axis = 0; axis < form.dims; ++axis)
    text += (axis == 0 ? ' ' : ',') + std::string(modes[static_cast<int>(form.mode[axis])]);
  text += form.linear ? " linear" : " point";
  text += form.normalized ? " normalized" : " texels";
  text += form.as_float ? " float" : " element";
  if (form.srgb) text += " srgb";
  if (form.far) text += " far";
  if (form.border[0] != 0) text += " coloured";
  return text;
}

inline void set_size(Form& form, int dims, bool large) {
  static const int small[3] = {21, 13, 7}, big[3] = {1000, 700, 90};
  form.dims = dims;
  for (int axis = 0; axis < dims; ++axis)
    form.size[axis] = large && dims < 3 ? big[axis] : small[axis];
}

/// How values are weighted: every format and content.
inline void add_values(std::vector<Form>& forms) {
  for (int dims = 1; dims <= 3; ++dims)
    for (const Format format :
         {Format::f32, Format::f16, Format::u8, Format::s8, Format::u16, Format::s16})
      for (const Content content :
           {Content::ramp, Content::odd, Content::unit, Content::mixed, Content::wild}) {
        if (!is_real(format) && content > Content::unit) continue;
        Form form;
        set_size(form, dims, false);
        form.format = format;
        form.content = content;
        form.linear = true;
        form.channels = dims == 2 && content == Content::unit ? 4 : 1;
        forms.push_back(form);
      }
}

/// Which texels a place has, and with which weights: every mode, in texels and normalized.
inline void add_places(std::vector<Form>& forms) {
  for (const bool large : {false, true})
    for (int dims = 1; dims <= (large ? 2 : 3); ++dims)
      for (const Mode mode : {Mode::wrap, Mode::clamp, Mode::mirror, Mode::border})
        for (const bool normalized : {false, true})
          for (const bool linear : {false, true}) {
            Form form;
            set_size(form, dims, large);
            form.content = Content::ramp;
            for (Mode& one : form.mode) one = mode;
            form.normalized = normalized;
            form.linear = linear;
            form.far = true;
            forms.push_back(form);
          }
  Form form;  // each direction in its own way
  set_size(form, 3, false);
  form.mode[0] = Mode::mirror;
  form.mode[1] = Mode::wrap;
  form.mode[2] = Mode::border;
  form.normalized = form.linear = form.far = true;
  forms.push_back(form);
}

/// What a fetched texel becomes: every format, with 1, 2 and 4 channels.
inline void add_formats(std::vector<Form>& forms) {
  for (int format = 0; format <= static_cast<int>(Format::f32); ++format)
    for (const int channels : {1, 2, 4})
      for (const bool as_float : {false, true}) {
        Form form;
        set_size(form, 2, false);
        form.format = static_cast<Format>(format);
        if (is_real(form.format) && !as_float) continue;
        if (bytes_of(form.format) == 4 && !is_real(form.format) && as_float) continue;
        form.channels = channels;
        form.content = Content::wild;
        form.as_float = as_float;
        form.mode[0] = form.mode[1] = Mode::border;
        forms.push_back(form);
      }
}

/// Memory of the program's own, layers, borders with a colour, sRGB.
inline void add_others(std::vector<Form>& forms) {
  for (const Format format : {Format::u8, Format::s16, Format::f16, Format::f32, Format::s32}) {
    Form form;
    form.memory = Memory::linear;
    set_size(form, 1, true);
    form.format = format;
    form.channels = format == Format::u8 ? 4 : format == Format::f16 ? 2 : 1;
    form.as_float = format != Format::s32;
    forms.push_back(form);
  }
  for (const Format format : {Format::f32, Format::u8})
    for (const Mode mode : {Mode::wrap, Mode::clamp, Mode::mirror, Mode::border})
      for (const bool normalized : {false, true}) {
        Form form;
        form.memory = Memory::pitch;
        set_size(form, 2, false);
        form.format = format;
        form.mode[0] = form.mode[1] = mode;
        form.normalized = form.linear = normalized;
        form.far = true;
        forms.push_back(form);
      }
  for (int dims = 1; dims <= 2; ++dims)
    for (const bool linear : {false, true}) {
      Form form;
      form.memory = Memory::layers;
      set_size(form, dims, false);
      form.layers = 5;
      form.content = Content::ramp;
      form.linear = linear;
      forms.push_back(form);
    }
  for (const Format format : {Format::f32, Format::u8, Format::s16, Format::f16, Format::u32})
    for (const bool linear : {false, true}) {
      Form form;
      set_size(form, 2, false);
      form.format = format;
      form.channels = 4;
      form.mode[0] = form.mode[1] = Mode::border;
      form.linear = linear && format != Format::u32;
      form.as_float = format != Format::u32;
      const float colour[4] = {0.3f, -0.7f, 1.5f, 0.123456f};
      std::memcpy(form.border, colour, sizeof colour);
      forms.push_back(form);
    }
  for (const int channels : {1, 4}) {
    Form form;
    set_size(form, 2, false);
    form.format = Format::u8;
    form.channels = channels;
    form.srgb = true;
    forms.push_back(form);
  }
}

/// With another salt: other texels, other places.
inline std::vector<Form> all_forms(Word salt = 0) {
  std::vector<Form> forms;
  add_values(forms);
  add_places(forms);
  add_formats(forms);
  add_others(forms);
  for (std::size_t i = 0; i < forms.size(); ++i) forms[i].seed = static_cast<Word>(i + 1) + salt;
  return forms;
}

}  // namespace lanescope::golden::texture
