// SPDX-License-Identifier: MIT
// The descriptor of a matrix in shared memory, as tcgen05.mma has it: its modes, its fields in
// words.
#include "layout/tcgen05.hpp"

#include <fmt/format.h>

namespace lanescope::layout {
namespace {

struct Mode {
  int bits;
  std::string_view name;
  std::optional<Swizzle> wgmma;
};
// Table 40.
constexpr std::array<Mode, 5> kModes{{{0, "none", Swizzle::none},
                                      {6, "32B", Swizzle::b32},
                                      {4, "64B", Swizzle::b64},
                                      {2, "128B", Swizzle::b128},
                                      {kWideMode, "128B/32B", std::nullopt}}};

}  // namespace

Tcgen05Descriptor tcgen05_of(const Descriptor& d) {
  Tcgen05Descriptor out{d.start_bytes, d.lbo_bytes, d.sbo_bytes, 1, d.base_offset, false, 0};
  for (const Mode& mode : kModes)
    if (mode.wgmma == d.mode) out.mode = mode.bits;
  return out;
}

std::optional<Descriptor> wgmma_of(const Tcgen05Descriptor& d) {
  for (const Mode& mode : kModes)
    if (mode.bits == d.mode && mode.wgmma && !d.lbo_absolute)
      return Descriptor{d.start_bytes, d.lbo_bytes, d.sbo_bytes, d.base_offset, *mode.wgmma};
  return std::nullopt;
}

std::string_view tcgen05_mode_name(int mode) {
  for (const Mode& m : kModes)
    if (m.bits == mode) return m.name;
  return "";
}

std::optional<int> tcgen05_mode(std::string_view name) {
  for (const Mode& m : kModes)
    if (m.name == name) return m.bits;
  return std::nullopt;
}

std::string problem(const Tcgen05Descriptor& d) {
  if (std::string why = problem(
          Descriptor{d.start_bytes, d.lbo_bytes, d.sbo_bytes, d.base_offset, Swizzle::none});
      !why.empty())
    return why;
  if (d.version != 1) return fmt::format("version {}: must be 1", d.version);
  if (tcgen05_mode_name(d.mode).empty())
    return fmt::format("mode {}: 0 none, 6 32B, 4 64B, 2 128B, 1 128B/32B", d.mode);
  return {};
}

std::vector<DescriptorField> fields_of(const Tcgen05Descriptor& d, std::optional<Major> major) {
  const auto bytes = [](const char* name, int from, std::uint32_t value, const std::string& means) {
    return DescriptorField{name,  from, 14, encoded(value), fmt::format("{} bytes", value),
                           means, true};
  };
  const std::string_view mode = tcgen05_mode_name(d.mode);
  const std::optional<Descriptor> same = wgmma_of(d);
  std::string lbo = "leading dimension", sbo = "stride";
  if (same && major) lbo = meaning_of_lbo(same->mode, *major);
  if (same && major) sbo = meaning_of_sbo(same->mode, *major);
  if (d.mode == kWideMode) lbo = "from 128 bytes along MN to the next 128";
  if (d.mode == kWideMode) sbo = kMeaningOfWideSbo;
  if (d.lbo_absolute) lbo = "address of the second chunk of K";
  std::vector<DescriptorField> all{
      {"mode", 61, 3, static_cast<std::uint64_t>(d.mode),
       mode.empty() ? fmt::format("{}", d.mode) : std::string(mode),
       mode.empty()          ? "no swizzle has this number"
       : d.mode == kWideMode ? "the swizzle, atoms of 32 bytes (MN-major 32-bit types)"
                             : "the swizzle",
       !mode.empty()},
      {"abs", 52, 1, d.lbo_absolute ? 1u : 0u, d.lbo_absolute ? "1" : "0",
       d.lbo_absolute ? "lbo is an address (sm_103a)" : "lbo is a distance", true},
      {"base", 49, 3, static_cast<std::uint64_t>(d.base_offset), fmt::format("{}", d.base_offset),
       "shifts the pattern", true},
      {"version", 46, 3, static_cast<std::uint64_t>(d.version), fmt::format("{}", d.version),
       d.version == 1 ? "always 1" : "must be 1: no descriptor of tcgen05", d.version == 1},
      bytes("sbo", 32, d.sbo_bytes, sbo),
      bytes("lbo", 16, d.lbo_bytes, lbo),
      bytes("start", 0, d.start_bytes, "the first byte")};
  return all;
}

}  // namespace lanescope::layout
