// SPDX-License-Identifier: MIT
// See quiz_memory.hpp.
//
// Sources: common/layout/banks.hpp (passes), sectors.hpp, swizzle.hpp and descriptor.hpp (bytes).
#include "panels/quiz/quiz_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "layout/banks.hpp"
#include "layout/sectors.hpp"
#include "layout/swizzle.hpp"

namespace lanescope::viz {
namespace {

std::string passes_text(int passes) {
  return passes == 1 ? "1 pass" : fmt::format("{} passes", passes);
}

/// A question whose answer is the passes of one phase.
QuizQuestion about_passes(int passes, std::string about, const std::string& why) {
  QuizQuestion q;
  q.about = std::move(about);
  q.asks = "How many passes does it take?";
  q.expects = "a number, such as 2";
  q.parts = {"number of passes"};
  q.limits = {layout::kBanks + 1};
  q.answers = {{passes}};
  q.reveal = fmt::format("{}\n{}", passes_text(passes), why);
  return q;
}

/// The eight rows that a phase of ldmatrix wants: the byte at which each begins.
QuizQuestion about_rows(const std::vector<std::uint32_t>& addresses, std::string about) {
  std::string banks;
  int most = 0, wanted = 0;
  for (const std::uint32_t address : addresses) {
    banks += fmt::format(" {}", layout::bank(address));
    const auto same = std::count_if(addresses.begin(), addresses.end(), [&](std::uint32_t other) {
      return layout::bank(other) == layout::bank(address);
    });
    if (static_cast<int>(same) > most)
      most = static_cast<int>(same), wanted = layout::bank(address);
  }
  const int passes = layout::passes(addresses, 16);
  return about_passes(
      passes, std::move(about),
      fmt::format("the eight pieces of 16 bytes begin at banks{}\n{}", banks,
                  passes == 1 ? std::string("no two of them meet")
                              : fmt::format("{} of them at bank {}", passes, wanted)));
}

/// A question about lanes that lie evenly, the first one at `first`.
QuizQuestion about_sectors(const char* does, int bytes, int first, int apart,
                           layout::SectorAccess access) {
  std::vector<std::uint64_t> addresses;
  for (int lane = 0; lane < 32; ++lane)
    addresses.push_back(static_cast<std::uint64_t>(4096 + first + lane * apart));
  const layout::Sectors all = layout::sectors(addresses, 0xffffffffu, bytes, access);
  QuizQuestion q;
  q.about = fmt::format("each of 32 lanes {}, lane i from byte {} on", does,
                        apart == 0 ? fmt::format("{}", 4096 + first)
                                   : fmt::format("{} + {} * i", 4096 + first, apart));
  q.asks = "To how many sectors of global memory, 32 bytes each, does the warp go?";
  q.expects = "a number, such as 4";
  q.parts = {"number of sectors"};
  q.limits = {33};
  q.answers = {{all.taken}};
  const int last = first + 31 * apart + bytes;
  const bool pairs = access == layout::SectorAccess::copy_past_l1;
  std::string why =
      apart > layout::kSectorBytes - bytes && apart >= layout::kSectorBytes
          ? "every lane's bytes are in a sector of their own"
          : fmt::format("bytes {} to {} are wanted, from sector {} to sector {}", 4096 + first,
                        4095 + last, (4096 + first) / layout::kSectorBytes,
                        (4095 + last) / layout::kSectorBytes);
  if (pairs)
    why = all.taken == 16 ? "lanes 2i and 2i + 1 want the two halves of a sector, and share it"
                          : "only lanes 2i and 2i + 1 can share a sector, if they want its two "
                            "halves; here they do not";
  q.reveal = fmt::format("{}\n{}", all.taken, why);
  return q;
}

}  // namespace

QuizQuestion ask_sectors(const Below& below) {
  const int bytes = 1 << below(5);
  const int strides[] = {1, 1, 2, 3, 4, 8, 16, 33};
  const int apart = bytes * strides[below(std::size(strides))];
  const int first = bytes * below(static_cast<std::size_t>(64 / bytes));
  return about_sectors(fmt::format("loads {} byte{}", bytes, bytes == 1 ? "" : "s").c_str(), bytes,
                       first, apart, layout::SectorAccess::ordinary);
}

QuizQuestion ask_copied_sectors(const Below& below) {
  constexpr int kBytes = 16;
  const int strides[] = {0, 1, 1, 1, 2, 4, 64};
  const int apart = kBytes * strides[below(std::size(strides))];
  return about_sectors("copies 16 bytes by cp.async.cg", kBytes, kBytes * below(8), apart,
                       layout::SectorAccess::copy_past_l1);
}

QuizQuestion ask_stride(const Below& below) {
  // An odd number times a power of two: every number of passes is as frequent.
  const int power = below(7), odd = 1 + 2 * below(20 >> std::min(power, 4));
  const int stride = power == 6 ? 0 : odd << power, shared = std::gcd(stride, layout::kBanks);
  std::vector<std::uint32_t> addresses;
  for (int lane = 0; lane < 32; ++lane)
    addresses.push_back(static_cast<std::uint32_t>(lane * stride * layout::kBankBytes));
  const int passes = layout::passes(addresses, layout::kBankBytes);
  return about_passes(
      passes,
      fmt::format("each of 32 lanes reads a word (4 bytes) of shared memory, lane i word {} * i",
                  stride),
      stride == 0 ? "all lanes want the same word: one bank hands it out to all of them"
      : passes == 1
          ? fmt::format("{} * i % 32: {} and 32 have no common divisor, so the 32 lanes "
                        "meet 32 banks",
                        stride, stride)
          : fmt::format("{} * i % 32 begins again after {} lanes: {} lanes want different "
                        "words of one bank",
                        stride, 32 / shared, passes));
}

QuizQuestion ask_rows(const Below& below) {
  constexpr int kRowBytes[] = {16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 192, 256, 272};
  const int row_bytes = kRowBytes[below(std::size(kRowBytes))];
  std::vector<std::uint32_t> addresses;
  for (int row = 0; row < 8; ++row)
    addresses.push_back(static_cast<std::uint32_t>(row * row_bytes));
  return about_rows(addresses,
                    fmt::format("one phase of an ldmatrix: lanes 0 to 7 name rows 0 to 7 of a tile "
                                "at address 0, {} bytes apart",
                                row_bytes));
}

// Swizzles that fit their rows, and others that were taken from rows of another length.
QuizQuestion ask_swizzled_rows(const Below& below) {
  struct Order {
    int row_bytes;
    const char* words;
    int divisor, modulus;
  };
  constexpr Order kOrders[] = {{128, "r % 8", 1, 8}, {128, "r % 4", 1, 4},    {128, "r / 2", 2, 4},
                               {128, "r % 2", 1, 2}, {64, "r / 2", 2, 4},     {64, "r % 4", 1, 4},
                               {64, "r % 2", 1, 2},  {64, "r / 2 % 2", 2, 2}, {64, "r / 4", 4, 2}};
  const Order& order = kOrders[below(std::size(kOrders))];
  const int unit = below(static_cast<std::size_t>(order.row_bytes / 16));
  std::vector<std::uint32_t> addresses;
  for (int row = 0; row < 8; ++row) {
    const int place = unit ^ row / order.divisor % order.modulus;
    addresses.push_back(static_cast<std::uint32_t>(row * order.row_bytes + place * 16));
  }
  return about_rows(
      addresses,
      fmt::format("rows of {} bytes; row r (0 to 7) has its unit u of 16 bytes at place u ^ ({}). "
                  "One phase of an ldmatrix wants unit {} of rows 0 to 7",
                  order.row_bytes, order.words, unit));
}

QuizQuestion ask_bank(const Below& below) {
  QuizQuestion q;
  constexpr layout::Swizzle kModes[] = {layout::Swizzle::none, layout::Swizzle::b64,
                                        layout::Swizzle::b128};
  const layout::Swizzle mode = kModes[below(3)];
  const int row_bytes = mode == layout::Swizzle::b64 ? 64 : 128;
  const int row = below(16), col = below(static_cast<std::size_t>(row_bytes / 2));
  const auto linear = static_cast<std::uint32_t>(row * row_bytes + col * 2);
  const std::uint32_t address = layout::swizzled(linear, mode);
  q.about = fmt::format(
      "a tile of f16 in shared memory, rows of {} bytes from address 0 on, {}", row_bytes,
      mode == layout::Swizzle::none ? std::string("not swizzled")
                                    : fmt::format("swizzled {}", layout::name(mode)));
  q.asks = fmt::format("In which bank is element {},{}?", row, col);
  q.expects = "a bank from 0 to 31";
  q.parts = {"bank"};
  q.limits = {layout::kBanks};
  q.answers = {{layout::bank(address)}};
  q.reveal = fmt::format("element {},{}: bank {}\n", row, col, layout::bank(address));
  if (mode != layout::Swizzle::none)
    q.reveal += fmt::format(
        "not swizzled it would be byte {3}; unit {0} of the row goes to unit {1}: {2} ^ ({3} / 128 "
        "& "
        "{4})\n",
        linear % static_cast<std::uint32_t>(row_bytes) / 16,
        address % static_cast<std::uint32_t>(row_bytes) / 16,
        linear % static_cast<std::uint32_t>(row_bytes) / 16, linear,
        (1 << layout::swizzle_bits(mode)) - 1);
  q.reveal += fmt::format("byte {} / 4 % 32 = {}", address, layout::bank(address));
  return q;
}

// At which byte wgmma looks for an element of B: neighbours in memory lie along k, or along n.
QuizQuestion ask_byte(const Below& below) {
  QuizQuestion q;
  const layout::Swizzle mode = layout::kSwizzles[below(layout::kSwizzles.size())];
  const bool along_k = below(2) == 0, plain = mode == layout::Swizzle::none;
  // A row of the swizzle; along n two of them, so that there is a step from one to the next.
  const int row = layout::units_per_row(mode) * 8, wide = plain ? 16 : row;
  const int ks = along_k ? wide : 16, ns = along_k ? 16 : plain ? 16 : 2 * row;
  const layout::Tile tile =
      layout::packed(mode, along_k ? layout::Major::K : layout::Major::MN, 16, ns, ks);
  const int n = below(static_cast<std::size_t>(ns)), k = below(static_cast<std::size_t>(ks));
  const auto byte = static_cast<int>(layout::byte_offset(tile, n, k));
  const auto linear = static_cast<int>(layout::linear_offset(tile, n, k));
  q.about =
      fmt::format("B in shared memory, {} x {}, f16, {}; mode {}, {}SBO {} bytes, start 0", ks, ns,
                  along_k ? "K-major" : "MN-major (trans-b 1)", layout::name(mode),
                  along_k && !plain ? "" : fmt::format("LBO {}, ", tile.lbo_bytes), tile.sbo_bytes);
  q.asks = fmt::format("At which byte must B[{}][{}] lie for wgmma (k = {}, n = {})?", k, n, k, n);
  q.expects = "a byte, such as 144";
  q.parts = {"byte"};
  q.limits = {ks * ns * 2};
  q.answers = {{byte}};
  if (plain)
    q.reveal =
        along_k ? fmt::format("{} * LBO + {} * SBO + {} * 16 + {} * 2", k / 8, n / 8, n % 8, k % 8)
                : fmt::format("{} * LBO + {} * SBO + {} * 16 + {} * 2", k / 8, n / 8, k % 8, n % 8);
  else if (along_k)
    q.reveal = fmt::format("{} * SBO + row {} * {} + {} * 2", n / 8, n % 8, row * 2, k);
  else
    q.reveal = fmt::format("{} * LBO + {} * SBO + row {} * {} + {} * 2", n / row, k / 8, k % 8,
                           row * 2, n % row);
  q.reveal = fmt::format("byte {}\n{} = {}\n", byte, q.reveal, linear);
  q.reveal += along_k ? "K-major: neighbours along k, 8 of them are a unit of 16 bytes"
                      : "MN-major: neighbours along n, 8 of them are a unit of 16 bytes";
  if (!plain)
    q.reveal += fmt::format(
        "\nthe swizzle takes address bits 7, 8, ... onto 4, 5, ...: unit {} goes to {}, byte {}",
        linear % (row * 2) / 16, byte % (row * 2) / 16, byte);
  return q;
}

// Where slice s, 16 of K, of a tile begins: the start of its descriptor.
QuizQuestion ask_slice(const Below& below) {
  QuizQuestion q;
  const bool along_k = below(2) == 0, plain = below(2) == 0;
  const layout::Swizzle mode = plain           ? layout::Swizzle::none
                               : along_k       ? layout::Swizzle::b128
                               : below(2) == 0 ? layout::Swizzle::b64
                                               : layout::Swizzle::b128;
  constexpr int kK = 64;
  const int ns = along_k || plain ? 32 << below(2) : layout::units_per_row(mode) * 8 << below(2);
  const layout::Tile tile =
      layout::packed(mode, along_k ? layout::Major::K : layout::Major::MN, 16, ns, kK);
  const int start = 1024 * (1 + below(40)), slice = 1 + below(3);
  const int step =
      along_k && !plain ? 32 : 2 * static_cast<int>(plain ? tile.lbo_bytes : tile.sbo_bytes);
  const int byte = start + slice * step;
  q.about =
      fmt::format("B in shared memory from byte {} on, {} x {}, f16, {}; mode {}, {}SBO {} bytes",
                  start, kK, ns, along_k ? "K-major" : "MN-major (trans-b 1)", layout::name(mode),
                  along_k && !plain ? "" : fmt::format("LBO {}, ", tile.lbo_bytes), tile.sbo_bytes);
  q.asks = fmt::format(
      "At which byte does the slice of k = {} to {} begin, and what stands in its descriptor's "
      "start field?",
      16 * slice, 16 * slice + 15);
  q.expects = "byte and field, such as 4128 258";
  q.parts = {"byte", "field"};
  q.limits = {1 << 18, 1 << 14};
  q.answers = {{byte, byte / 16}};
  q.reveal = fmt::format("byte {}, field {}\n", byte, byte / 16);
  q.reveal +=
      along_k && !plain
          ? fmt::format("a row has all of K: 16 of it are 32 bytes, {} + {} * 32", start, slice)
          : fmt::format("16 of k are twice the step to the next 8 of k, {}: {} + {} * 2 * {}",
                        plain ? "LBO" : "SBO", start, slice, step / 2);
  q.reveal += fmt::format(" = {}\nfields count in units of 16 bytes", byte);
  return q;
}

}  // namespace lanescope::viz
