// SPDX-License-Identifier: MIT
// See wgmma_registers.hpp. Where A's elements come from is asked of two lanes: the others have
// theirs from the same instructions.
#include "panels/way/wgmma_registers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "panels/steps/ptx_operands.hpp"
#include "panels/way/descriptor_reads.hpp"
#include "panels/way/way_back.hpp"

namespace lanescope::viz {
namespace {

constexpr std::array<int, 2> kLanes{0, 13};

std::string name_of(RegisterHistory& history, const StepPlace& place) {
  return fmt::format("the wgmma at step {}", history.item(place.warp, place.item).step->step);
}

std::vector<std::string_view> registers_of(RegisterHistory& history, const StepPlace& place,
                                           char operand) {
  return matrix_registers(history.item(place.warp, place.item).step->ptx, operand);
}

// Where the elements of A in a lane come from, in the order of its registers; none where one of
// them is not known.
std::vector<std::uint64_t> addresses(const trace::Trace& trace, RegisterHistory& history,
                                     const StepPlace& place, const layout::Fragment& map,
                                     int lane) {
  std::vector<std::uint64_t> all;
  const int parts = map.values_per_register();
  for (const std::string_view name : registers_of(history, place, 'A'))
    for (int part = 0; part < parts; ++part) {
      const int writer = history.writer(place.warp, place.item, name, lane);
      const auto value = history.value(place.warp, place.item, name, lane);
      if (writer < 0 || !value) return {};
      const int bit = part * map.element_bits;
      const Way way =
          way_back(trace, history, {place.warp, writer, {}}, {name, lane, bit}, map.element_bits,
                   *value >> bit & ((std::uint64_t{1} << map.element_bits) - 1));
      if (!way.address) return {};
      all.push_back(*way.address);
    }
  return all;
}

using Distances = std::vector<std::int64_t>;

bool all_alike(const Distances& all) {
  return std::all_of(all.begin(), all.end(), [&](std::int64_t one) { return one == all.front(); });
}

// The pair of registers that has to change places for all to be equally far; nothing: there is
// none.
std::optional<std::pair<std::size_t, std::size_t>> exchanged_pair(
    const std::vector<std::uint64_t>& here, const std::vector<std::uint64_t>& last,
    std::size_t parts) {
  const std::size_t registers = here.size() / parts;
  for (std::size_t one = 0; one < registers; ++one)
    for (std::size_t other = one + 1; other < registers; ++other) {
      Distances far;
      for (std::size_t k = 0; k < here.size(); ++k) {
        const std::size_t reg = k / parts, from = reg == one ? other : reg == other ? one : reg;
        far.push_back(static_cast<std::int64_t>(here[from * parts + k % parts] - last[k]));
      }
      if (all_alike(far)) return std::pair(one, other);
    }
  return std::nullopt;
}

// How many bytes behind the last one's B begins in global memory; nothing where that is not known.
std::optional<std::int64_t> distance_of_b(RegisterHistory& history, DescriptorOrigins& origins,
                                          const StepPlace& here, const StepPlace& last) {
  std::array<Origin, 2> at;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto read = descriptor_read(history, k == 0 ? here : last, 'B');
    if (!read || !read->bits) return std::nullopt;
    at[k] = origins.origin_of(*read, read->byte(0, 0));
    if (!at[k].known) return std::nullopt;
  }
  return static_cast<std::int64_t>(at[0].address - at[1].address);
}

}  // namespace

std::optional<OriginCheck> other_sums(RegisterHistory& history, const Multiplication& in) {
  const std::vector<StepPlace> own = own_wgmmas(history, in);
  if (own.size() < 2) return std::nullopt;
  const std::vector<std::string_view> last = registers_of(history, own.back(), 'D');
  for (const StepPlace& place : own) {
    const std::vector<std::string_view> names = registers_of(history, place, 'D');
    if (names == last || !std::is_permutation(names.begin(), names.end(), last.begin(), last.end()))
      continue;  // a compiler may have renamed some of them, by mov
    const auto [here, there] = std::mismatch(names.begin(), names.end(), last.begin());
    return mistaken(
        "sums-exchanged",
        fmt::format("{} has the registers of D in another order than {}: D.r{} is {}, there {}",
                    name_of(history, place), name_of(history, own.back()), here - names.begin(),
                    *here, *there),
        "wgmmas that add to the same sums name the same registers of D, in the same order");
  }
  return std::nullopt;
}

std::optional<OriginCheck> other_part_of_A(const trace::Trace& trace, RegisterHistory& history,
                                           DescriptorOrigins& origins, const Multiplication& in,
                                           const TileAt& a, const std::optional<TileAt>& b) {
  const std::vector<StepPlace> own = own_wgmmas(history, in);
  const layout::Fragment* map = in.map('A');
  if (own.size() < 2 || map == nullptr || map->element_bits < 8 || !in.columns_of_A_are_k())
    return std::nullopt;
  const auto parts = static_cast<std::size_t>(map->values_per_register());
  for (const int lane : kLanes) {
    const std::vector<std::uint64_t> last = addresses(trace, history, own.back(), *map, lane);
    if (last.empty()) return std::nullopt;
    for (const StepPlace& place : own) {
      const std::vector<std::uint64_t> here = addresses(trace, history, place, *map, lane);
      if (here.size() != last.size()) continue;
      Distances far;
      for (std::size_t k = 0; k < here.size(); ++k)
        far.push_back(static_cast<std::int64_t>(here[k] - last[k]));
      if (const auto pair = all_alike(far) ? std::nullopt : exchanged_pair(here, last, parts))
        return mistaken(
            "registers-exchanged",
            fmt::format("registers A.r{} and A.r{} of {} are exchanged", pair->first, pair->second,
                        name_of(history, place)),
            "which block of the matrix is in which register? `lanescope layout` says it");
      if (!all_alike(far)) {
        const auto k = static_cast<std::size_t>(
            std::find_if(far.begin(), far.end(), [&](std::int64_t one) { return one != far[0]; }) -
            far.begin());
        return mistaken(
            "register-apart",
            fmt::format("A.r{} of {} does not go on from wgmma to wgmma as its A.r0 does",
                        k / parts, name_of(history, place)),
            "which k does each register of A belong to?");
      }
      const std::int64_t unit_of_a = a.columns ? a.apart : a.bytes;
      const auto of_b = b ? distance_of_b(history, origins, place, own.back()) : std::nullopt;
      if (!of_b || far[0] % unit_of_a != 0) continue;
      const std::int64_t unit_of_b = b->columns ? b->bytes : b->apart;
      if (*of_b % unit_of_b != 0 || far[0] / unit_of_a == *of_b / unit_of_b) continue;
      return mistaken("k-advance",
                      fmt::format("{} has A of {} k behind that of {}, but B of {} behind",
                                  name_of(history, place), far[0] / unit_of_a,
                                  name_of(history, own.back()), *of_b / unit_of_b),
                      "are the registers of A those of this step of k?");
    }
  }
  return std::nullopt;
}

}  // namespace lanescope::viz
