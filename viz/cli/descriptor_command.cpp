// SPDX-License-Identifier: MIT
// `descriptor`: the descriptors of wgmma and of tcgen05 read, written and tried on a tile. What is
// true of them is in common/layout; here are only words and tables.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "cli/atlas_lookup.hpp"
#include "cli/commands.hpp"
#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "cli/tile_shape.hpp"
#include "layout/descriptor.hpp"
#include "layout/tcgen05.hpp"

namespace lanescope::cli {
namespace {

using layout::Descriptor;
using layout::Major;
using layout::Swizzle;
using layout::Tile;

std::string fields(const Descriptor& d) {
  return fmt::format(
      "  start  {:>6} bytes  (field {:#x})\n  lbo    {:>6} bytes  (field {:#x})\n"
      "  sbo    {:>6} bytes  (field {:#x})\n  base   {:>6}\n  mode   {:>6}\n",
      d.start_bytes, layout::encoded(d.start_bytes), d.lbo_bytes, layout::encoded(d.lbo_bytes),
      d.sbo_bytes, layout::encoded(d.sbo_bytes), d.base_offset, layout::name(d.mode));
}

// A line a field, highest first; what cannot be, is said behind it.
std::string field_lines(const std::vector<layout::DescriptorField>& fields) {
  std::string out;
  for (const layout::DescriptorField& f : fields) {
    if (f.name == "-" && f.good) continue;
    const std::string bits = f.width == 1 ? fmt::format("{}", f.from)
                                          : fmt::format("{}..{}", f.from + f.width - 1, f.from);
    out += fmt::format("  {:<8} bits {:<7} {:>12}   {}{}\n", f.name, bits, f.value,
                       f.good ? "" : "WRONG: ", f.means);
  }
  return out;
}

std::string tcgen05_text(std::uint64_t bits) {
  const layout::Tcgen05Descriptor d = layout::decode_tcgen05(bits);
  std::string out =
      fmt::format("{:#018x}  (tcgen05, sm_100a; specified, not verified on a card)\n{}", bits,
                  field_lines(layout::fields_of(d)));
  if ((bits & layout::kReservedTcgen05Bits) != 0)
    out += fmt::format("  bits {:#x} must be 0\n", bits & layout::kReservedTcgen05Bits);
  const auto same = layout::wgmma_of(d);
  return out + (same ? fmt::format("  wgmma's of the same tile: {:#018x}\n", layout::encode(*same))
                     : std::string("  wgmma has no such descriptor\n"));
}

int instruction(const DescriptorOptions& options) {
  const auto kind = layout::tcgen05_kind(options.kind);
  if (!kind)
    return refuse(
        fmt::format("--kind: '{}' is not one of f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4 or mxf4nvf4",
                    options.kind));
  std::uint32_t bits = layout::usual_instruction(*kind);
  const std::string& text = options.instruction;
  if (text.rfind("0x", 0) == 0) {
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    if (error != std::errc() || end != text.data() + text.size())
      return refuse(fmt::format("--instruction '{}': want up to 8 hexadecimal digits", text));
  } else if (text.find('=') == std::string::npos &&
             text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos) {
    return refuse(fmt::format("--instruction '{0}': bits are 0x{0}, fields m=128,n=256", text));
  } else if (const std::string why = layout::set_instruction_fields(*kind, text, bits);
             !why.empty()) {
    return refuse("--instruction: " + why);
  }
  print("{:#010x}  (tcgen05.mma .kind::{}; specified, not verified on a card)\n{}", bits,
        options.kind, field_lines(layout::instruction_fields(*kind, bits)));
  return 0;
}

int decode(const std::string& text, bool tcgen05) {
  const std::string digits = text.rfind("0x", 0) == 0 ? text.substr(2) : text;
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty())
    return refuse(fmt::format("--decode '{}': want up to 16 hexadecimal digits", text));
  if (tcgen05) {
    print("{}", tcgen05_text(bits));
    return 0;
  }
  const Descriptor d = layout::decode(bits);
  print("{:#018x}\n{}", bits, fields(d));
  for (Major major : {Major::K, Major::MN})
    print("  read as {}-major: lbo {}; sbo {}\n", major == Major::K ? "K" : "MN",
          layout::meaning_of_lbo(d.mode, major), layout::meaning_of_sbo(d.mode, major));
  if ((bits & layout::kUnusedDescriptorBits) != 0)
    print("  bits {:#x} belong to no field of a wgmma descriptor{}\n",
          bits & layout::kUnusedDescriptorBits,
          layout::problem(layout::decode_tcgen05(bits)).empty()
              ? fmt::format("; as one of tcgen05 it is good: lanescope descriptor --tcgen05 "
                            "--decode {:#018x}",
                            bits)
              : "");
  else
    print("  tcgen05's of the same tile: {:#018x}\n", layout::encode(layout::tcgen05_of(d)));
  if (d.base_offset != 0)
    print("  base {} shifts the pattern: 128-byte row r is swizzled as row r - {}\n", d.base_offset,
          d.base_offset);
  return 0;
}

int encode(const std::string& text, bool tcgen05) {
  Descriptor d;
  bool atoms = false, absolute = false;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(", ", at), text.size());
    const std::string field = text.substr(at, end - at);
    const std::size_t equals = field.find('=');
    const std::string key = field.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : field.substr(equals + 1);
    const bool hex = value.rfind("0x", 0) == 0;
    std::uint32_t number = 0;
    const char* first = value.data() + (hex ? 2 : 0);
    const char* last = value.data() + value.size();
    const auto [stop, error] = std::from_chars(first, last, number, hex ? 16 : 10);
    const bool good = error == std::errc() && stop == last && first != last;
    const std::optional<Swizzle> mode = layout::swizzle_mode(value);
    if (key == "start" && good)
      d.start_bytes = number;
    else if (key == "lbo" && good)
      d.lbo_bytes = number;
    else if (key == "sbo" && good)
      d.sbo_bytes = number;
    else if (key == "base" && good)
      d.base_offset = static_cast<int>(std::min(number, 1000u));
    else if (key == "mode" && mode)
      d.mode = *mode;
    else if (tcgen05 && key == "mode" && value == "128B/32B")
      atoms = true;
    else if (tcgen05 && key == "abs" && good && number < 2)
      absolute = number == 1;
    else
      return refuse(
          fmt::format("--encode '{}': want "
                      "start=BYTES,lbo=BYTES,sbo=BYTES,mode=none|32B|64B|128B{},base=0..7{}",
                      field, tcgen05 ? "|128B/32B" : "", tcgen05 ? ",abs=0|1" : ""));
    at = end + 1;
  }
  if (const std::string problem = layout::problem(d); !problem.empty())
    return refuse("--encode: " + problem);
  if (tcgen05) {
    layout::Tcgen05Descriptor t = layout::tcgen05_of(d);
    if (atoms) t.mode = *layout::tcgen05_mode("128B/32B");
    t.lbo_absolute = absolute;
    print("{}", tcgen05_text(layout::encode(t)));
    return 0;
  }
  print("{:#018x}\n{}", layout::encode(d), fields(d));
  return 0;
}

// The first element that another descriptor would fetch from the wrong place.
std::string mistake(const viz::TileForm& form, Descriptor wrong, const std::string& what) {
  wrong.start_bytes = viz::kTileStart_bytes;
  const viz::Fetch all =
      viz::fetch({form, layout::encode(wrong), 0, form.wide && wrong.mode == Swizzle::b128});
  if (all.wrong == 0) return fmt::format("  {}: fetches the same bytes\n", what);
  const auto first = std::find_if(all.elements.begin(), all.elements.end(),
                                  [](const viz::Fetched& one) { return !one.good(); });
  const auto at = static_cast<int>(first - all.elements.begin());
  return fmt::format(
      "  {}: {} of {} elements wrong; ({},{}) would come from byte {} instead of "
      "{}, where {} lies\n",
      what, all.wrong, all.elements.size(), at / all.cols, at % all.cols,
      first->byte - viz::kTileStart_bytes, first->right - viz::kTileStart_bytes,
      first->mn < 0 ? std::string("nothing of this tile")
                    : fmt::format("({},{})", first->mn, first->k));
}

int tile(const DescriptorOptions& options) {
  auto [form, problem] = tile_shape(options.mode, options.major, options.bits);
  if (!problem.empty()) return refuse(problem);
  std::string text = options.tile;
  if (const std::size_t x = text.find('x'); x != std::string::npos) text[x] = ',';
  if (!read_pair(text, form.rows, form.cols) || form.rows < 1 || form.cols < 1 ||
      form.rows > viz::kMostAcross || form.cols > viz::kMostAcross)
    return refuse(fmt::format("--tile '{}': want MNxK such as 64x64, each 1 to {}", options.tile,
                              viz::kMostAcross));
  if (const std::string why = viz::not_described(form, options.tcgen05); !why.empty()) {
    const bool would = !options.tcgen05 && viz::not_described(form, true).empty();
    return refuse(fmt::format("--tile {}: {}{}", options.tile, why,
                              would ? "; tcgen05 takes this one: --tcgen05" : ""));
  }
  const Tile t = viz::tile_of(form);
  const Descriptor d = layout::descriptor_for(t, 0);
  if (form.wide) {
    layout::Tcgen05Descriptor wide = layout::tcgen05_of(d);
    wide.mode = layout::kWideMode;
    print("add start >> 4; the tile begins on a multiple of 512 bytes; {}\n{}", kWideIsDerived,
          tcgen05_text(layout::encode(wide)));
  } else if (options.tcgen05) {
    print("add start >> 4; the tile begins on a multiple of {} bytes\n{}",
          layout::pattern_bytes(t.mode), tcgen05_text(layout::encode(layout::tcgen05_of(d))));
  } else {
    print("{:#018x}  (add start >> 4; the tile begins on a multiple of {} bytes)\n{}",
          layout::encode(d), layout::pattern_bytes(t.mode), fields(d));
    print("  tcgen05's: {:#018x}\n", layout::encode(layout::tcgen05_of(d)));
  }
  print("  lbo: {}\n  sbo: {}\n", layout::meaning_of_lbo(t.mode, t.major), sbo_text(t));
  const int k_step = viz::k_of_step(form);
  print("one instruction takes {} of K; its start for each step:\n", k_step);
  for (int from = 0; from < t.k; from += k_step)
    print("  k {:>4}  start + {}\n", from, layout::linear_offset(t, 0, from));
  print("what a wrong stride would fetch (first step):\n");
  Descriptor wrong = d;
  std::swap(wrong.lbo_bytes, wrong.sbo_bytes);
  print("{}", mistake(form, wrong, "lbo and sbo swapped"));
  wrong = d;
  wrong.sbo_bytes = d.sbo_bytes / 2;
  print("{}", mistake(form, wrong, "sbo halved"));
  wrong = d;
  wrong.mode = t.mode == Swizzle::none ? Swizzle::b128 : Swizzle::none;
  print("{}", mistake(form, wrong, fmt::format("mode {}", layout::name(wrong.mode))));
  return 0;
}

}  // namespace

int descriptor(const DescriptorOptions& options) {
  const int asked = (options.decode.empty() ? 0 : 1) + (options.encode.empty() ? 0 : 1) +
                    (options.tile.empty() ? 0 : 1) + (options.instruction.empty() ? 0 : 1);
  if (asked > 1)
    return refuse("descriptor: one of --decode, --encode, --tile and --instruction at a time");
  if (asked == 0)
    return refuse(
        "descriptor: give a tile, such as 64B K 16 64x64, or one of --decode HEX, --encode FIELDS, "
        "--tile MNxK, --instruction HEX");
  if (!options.instruction.empty()) return instruction(options);
  if (!options.decode.empty()) return decode(options.decode, options.tcgen05);
  return options.encode.empty() ? tile(options) : encode(options.encode, options.tcgen05);
}

}  // namespace lanescope::cli
