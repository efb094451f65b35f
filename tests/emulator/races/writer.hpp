// SPDX-License-Identifier: MIT
// Writes a program's PTX: kernels and blocks (write.cpp), steps that touch memory
// (write_memory.cpp) and steps that order (write_order.cpp).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "tests/emulator/races/program.hpp"

namespace lanescope::emulator::races {

inline constexpr const char* kScopes[] = {"cta", "cluster", "gpu"};

inline std::uint32_t lane_mask(unsigned agents) {
  return (agents & 15) | ((agents & 16) != 0 ? 0xfffffff0u : 0u);
}

class Writer {
 public:
  Writer(const Program& program, Text& text) : program_(program), text_(text) {}

  void line(const std::string& statement, int step = -1) {
    text_.ptx += statement + "\n";
    text_.steps.push_back(step);
  }

  void head(int kernel);
  void block(int cta, int warp, std::size_t from, std::size_t end);
  void product(const Step& step, int index);
  void tail();
  void kernel(int number, std::size_t from, std::size_t end);

 private:
  // The lanes of a step alone.
  void guarded(const std::string& statement) { line(guard_ + statement, index_); }
  void choose(unsigned agents) {
    guard_.clear();
    if (agents == kAllAgents) return;
    line(fmt::format("and.b32 %x, %bit, {}; setp.ne.u32 %g, %x, 0;", lane_mask(agents)));
    guard_ = "@%g ";
  }
  std::string space(const Step& step) const {
    if (step.place == Place::global) return ".global";
    return step.place == Place::peer ? ".shared::cluster" : ".shared";
  }
  // The register with the beginning of what a step means.
  static const char* base(const Step& step) {
    return step.place == Place::global ? "%cells" : step.place == Place::peer ? "%peer" : "%tile";
  }
  std::string address(const Step& step) {
    if (step.stride == 0) return fmt::format("[{}+{}]", base(step), step.offset);
    const bool wide = step.place == Place::global;
    line(fmt::format("mad.{}.u32 {}, %lane, {}, {};", wide ? "wide" : "lo", wide ? "%ga" : "%a",
                     step.stride, base(step)));
    return fmt::format("[{}+{}]", wide ? "%ga" : "%a", step.offset);
  }
  std::string mbarrier(const Step& step, const char* of = nullptr) const {
    return fmt::format("[{}+{}]", of != nullptr ? of : base(step), kMbarriersAt + 8 * step.object);
  }
  std::string flag(const Step& step) const {
    const int at = step.place == Place::global ? kCells * kCellBytes : kFlagsAt;
    return fmt::format("[{}+{}]", base(step), at + 4 * step.object);
  }
  std::string lock_word(const Step& step) const {
    const int at = step.place == Place::global ? kCells * kCellBytes : kFlagsAt;
    return fmt::format("[{}+{}]", base(step), at + 4 * (kFlags + step.object));
  }
  std::string strength(const Step& step, const char* ordered) const {
    if (step.strength == Strength::plain) return "";
    if (step.strength == Strength::is_volatile) return ".volatile";
    const char* word = step.strength == Strength::relaxed ? "relaxed" : ordered;
    return fmt::format(".{}.{}", word, kScopes[static_cast<int>(step.scope)]);
  }

  // The map and the coordinates of a tensor copy.
  std::string box(const Step& step) {
    const bool stores = step.op == Op::bulk_store, is_of_cells = stores || step.is_from_cells;
    const int from = step.is_from_cells ? step.stride : kSourceBytes * index_;
    line(fmt::format("add.u64 %ga, %maps, {}; mov.u32 %x, 0; mov.u32 %y, {};",
                     kMapBytes * (2 * (is_of_cells ? 1 : 0) + step.bytes / kCellBytes - 1),
                     (stores ? step.offset : from) / kCellBytes));
    return "%ga, {%x, %y}";
  }

  void one(const Step& step);
  void access(const Step& step);
  void atomic(const Step& step);
  void matrix(const Step& step);
  void expect(const Step& step, const char* at, bool is_peer);
  void bulk(const Step& step);
  void barrier(const Step& step, int warp);
  void wait(const Step& step);
  void renew(const Step& step);
  void fence(const Step& step);
  void signal(const Step& step);
  void await(const Step& step);
  void lock(const Step& step);
  void unlock(const Step& step);
  void multiply(int warp);

  const Program& program_;
  Text& text_;
  std::string guard_;
  int index_ = 0, labels_ = 0;
};

}  // namespace lanescope::emulator::races
