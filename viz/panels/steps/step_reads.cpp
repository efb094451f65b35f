// SPDX-License-Identifier: MIT
#include "panels/steps/step_reads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>

#include "layout/descriptor.hpp"
#include "layout/element_type.hpp"
#include "layout/tcgen05.hpp"
#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_values.hpp"
#include "trace/bit_operands.hpp"

namespace lanescope::viz {
namespace {

// The types in an mma's name, in the order of its operands: D, A, B, C.
std::vector<std::string_view> types_of(std::string_view mnemonic) {
  std::vector<std::string_view> types;
  while (!mnemonic.empty()) {
    const std::size_t end = std::min(mnemonic.find('.'), mnemonic.size());
    const std::string_view part = mnemonic.substr(0, end);
    if (layout::element_type(part)) types.push_back(part);
    mnemonic.remove_prefix(std::min(end + 1, mnemonic.size()));
  }
  return types;
}

// As the instruction takes what stands `at` its text: A and B of an mma in f16 are two to a
// register. "" where nothing is known of it.
std::string_view read_type(std::string_view ptx, std::size_t at, const trace::Write& write) {
  const std::string_view mnemonic = mnemonic_of(ptx);
  if (mnemonic.starts_with("mma.") || mnemonic.starts_with("wgmma.")) {
    const auto here = ptx.begin() + static_cast<std::ptrdiff_t>(at);
    const auto opened = std::count(ptx.begin(), here, '{');
    if (opened == 0 || opened == std::count(ptx.begin(), here, '}'))
      return {};  // a descriptor, a predicate, or no PTX
    const std::vector<std::string_view> types = types_of(mnemonic);
    if (opened > static_cast<std::ptrdiff_t>(types.size())) return {};
    const std::string_view type = types[static_cast<std::size_t>(opened - 1)];
    if (write.bits == 32 && type == "f16") return "f16x2";
    if (write.bits == 32 && type == "bf16") return "bf16x2";
    const bool whole =
        type == "f32" || type == "s32" ? write.bits == 32 : type == "f64" && write.bits == 64;
    return whole ? type : std::string_view();
  }
  if (write.bits == 64 && write.name.starts_with("%fd")) return "f64";
  if (write.bits == 32 && write.name.starts_with("%f")) return "f32";
  return {};
}

// As bits, a mask and what is masked; but a predicate is true or false.
bool reads_bits(std::string_view ptx, const trace::Write& write) {
  const std::vector<std::string_view> operands = operands_of(ptx);
  for (std::size_t k = 1; k < operands.size() && write.bits > 1; ++k)
    if (operands[k] == write.name && trace::takes_bits(mnemonic_of(ptx), k)) return true;
  return false;
}

// Those of tcgen05 that name tensor memory, and matrices behind a descriptor of its own kind.
bool is_of_tensor_memory(std::string_view mnemonic) {
  for (const char* name : {"tcgen05.mma.", "tcgen05.cp.", "tcgen05.ld.", "tcgen05.st."})
    if (mnemonic.starts_with(name)) return true;
  return false;
}

// In its order: that of its predicate, and those of its operands.
std::vector<std::string_view> registers_named(std::string_view ptx) {
  const std::string_view name = mnemonic_of(ptx);
  const auto begin = static_cast<std::size_t>(name.data() - ptx.data());
  std::vector<std::string_view> names = registers_in(ptx.substr(0, begin));
  for (const std::string_view one : registers_in(ptx.substr(begin + name.size())))
    names.push_back(one);
  return names;
}

}  // namespace

Writers writers_of(const StepWarp& warp) {
  Writers writers;
  for (std::size_t item = 0; item < warp.items.size(); ++item)
    for (const trace::Write& write : warp.items[item].step->writes)
      writers[write.name].push_back(static_cast<int>(item));
  return writers;
}

std::vector<Read> reads(const StepWarp& warp, const Writers& writers, int item) {
  const trace::Step& step = *warp.items[static_cast<std::size_t>(item)].step;
  // What it writes stands first: that is read, too, where it stands there once more.
  std::set<std::string, std::less<>> written, seen;
  for (const trace::Write& write : step.writes) written.insert(write.name);
  std::vector<std::string_view> names;
  std::vector<std::size_t> places;
  const std::string_view ptx = step.ptx;
  for (const std::string_view name : registers_named(ptx)) {
    if (const auto found = written.find(name); found != written.end())
      written.erase(found);
    else if (seen.insert(std::string(name)).second)
      names.push_back(name), places.push_back(static_cast<std::size_t>(name.data() - ptx.data()));
  }
  std::vector<Read> found;
  for (std::size_t n = 0; n < names.size(); ++n) {
    const auto known = writers.find(names[n]);
    if (known == writers.end()) continue;
    const auto next = std::lower_bound(known->second.begin(), known->second.end(), item);
    if (next == known->second.begin()) continue;  // written later alone
    const trace::Step& other = *warp.items[static_cast<std::size_t>(*(next - 1))].step;
    for (std::size_t w = 0; w < other.writes.size(); ++w) {
      if (other.writes[w].name != names[n]) continue;
      const std::string_view type = read_type(ptx, places[n], other.writes[w]);
      const bool of_tensor = is_of_tensor_memory(mnemonic_of(ptx));
      const bool descriptor = other.writes[w].bits == 64 && type.empty() &&
                              (of_tensor || mnemonic_of(ptx).starts_with("wgmma.mma_async"));
      const bool in_tensor = of_tensor && (descriptor || ptx[places[n] - 1] == '[');
      const std::string& watch = other.writes[w].watch;
      const bool by_writer = type.empty() && !reads_bits(ptx, other.writes[w]);
      found.push_back({&other.writes[w], by_writer ? value_type(other, w) : type, step.active,
                       descriptor, in_tensor,
                       watch.empty() ? matrix_register(ptx, names[n], false) : watch});
      break;
    }
  }
  return found;
}

std::string name_of(const trace::Step& step, const trace::Write& write) {
  return write.watch.empty() ? matrix_register(step.ptx, write.name, true) : write.watch;
}

// Behind which its registers count.
std::string_view wait_of(std::string_view mnemonic) {
  if (mnemonic.starts_with("wgmma.mma_async")) return "wgmma.wait_group";
  if (mnemonic.starts_with("tcgen05.ld")) return "tcgen05.wait::ld";
  return "";
}

bool hands_over(const trace::Step& step, std::string_view ptx) {
  const std::string_view wait = wait_of(mnemonic_of(ptx)), name = mnemonic_of(step.ptx);
  if (wait.empty()) return false;
  if (name.starts_with(wait)) return true;
  if (!name.starts_with("mov.")) return false;
  const std::vector<std::string_view> taken = operands_of(step.ptx), given = operands_of(ptx);
  if (taken.size() != 2 || given.empty()) return false;
  const std::vector<std::string_view> from = registers_in(taken[1]), sums = registers_in(given[0]);
  return std::any_of(from.begin(), from.end(), [&sums](std::string_view one) {
    return std::find(sums.begin(), sums.end(), one) != sums.end();
  });
}

int arrives_at(const StepWarp& warp, const Writers& writers, int item) {
  const std::string_view ptx = warp.items[static_cast<std::size_t>(item)].step->ptx;
  if (wait_of(mnemonic_of(ptx)).empty()) return -1;
  const std::vector<std::string_view> operands = operands_of(ptx);
  if (operands.empty()) return -1;
  const std::vector<std::string_view> names = registers_in(operands[0]);
  if (names.empty()) return -1;
  const auto known = writers.find(names[0]);
  if (known == writers.end()) return -1;
  const auto next = std::upper_bound(known->second.begin(), known->second.end(), item);
  if (next == known->second.end()) return -1;
  const trace::Step& there = *warp.items[static_cast<std::size_t>(*next)].step;
  return hands_over(there, ptx) ? *next : -1;
}

bool is_uniform(const Read& read) {
  if (read.lanes == 0) return true;
  const std::uint64_t first =
      read.write->lanes[static_cast<std::size_t>(__builtin_ctz(read.lanes))];
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (((read.lanes >> lane) & 1) != 0 && read.write->lanes[lane] != first) return false;
  return true;
}

std::string uniform_text(const Read& read, std::string_view type) {
  const int lanes = __builtin_popcount(read.lanes);
  if (lanes == 0) return "in no lane";
  const int first = __builtin_ctz(read.lanes);
  const std::uint64_t pattern = read.write->lanes[static_cast<std::size_t>(first)];
  std::string text = value_text(type, read.write->bits, pattern) +
                     (lanes == 32  ? std::string(" in every lane")
                      : lanes == 1 ? fmt::format(" in lane {}", first)
                                   : fmt::format(" in {} lanes", lanes));
  if (read.in_tensor && !read.descriptor)
    return text + fmt::format(": lane {}, column {} of tensor memory", pattern >> 16 & 0xffff,
                              pattern & 0xffff);
  if (read.in_tensor) {
    const layout::Tcgen05Descriptor d = layout::decode_tcgen05(pattern);
    return text + fmt::format(": from byte {}, LBO {}, SBO {}, {}", d.start_bytes, d.lbo_bytes,
                              d.sbo_bytes, layout::tcgen05_mode_name(d.mode));
  }
  if (!read.descriptor) return text;
  constexpr std::array<const char*, 4> kModes{"no swizzle", "32B", "64B", "128B"};
  const layout::Descriptor d = layout::decode(pattern);
  return text + fmt::format(": from byte {}, LBO {}, SBO {}, {}", d.start_bytes, d.lbo_bytes,
                            d.sbo_bytes, kModes[static_cast<std::size_t>(d.mode)]);
}

std::string mbarrier_read(const StepList& list, const StepItem& item, const Read& read) {
  if (item.step->ptx.find("mbarrier") == std::string::npos) return {};
  if (read.lanes == 0 || !is_uniform(read)) return {};
  const auto lane = static_cast<std::size_t>(__builtin_ctz(read.lanes));
  if (lane >= read.write->lanes.size()) return {};
  const std::uint64_t address = read.write->lanes[lane];
  const std::uint64_t rank = address >> 32 == 0 ? address >> 24 : 0;  // of the CTA in a cluster
  const auto found = list.mbarriers.find(address - (rank << 24));
  if (found == list.mbarriers.end()) return {};
  return rank == 0 ? found->second : fmt::format("{} of rank {}", found->second, rank);
}

}  // namespace lanescope::viz
