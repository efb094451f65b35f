// SPDX-License-Identifier: MIT
#include "tests/cli/course_folder.hpp"

#include <cstdio>
#include <filesystem>

#include "layout/instruction.hpp"
#include "tests/contents.hpp"

namespace lanescope::test {

std::string trace_of(bool exchanged, bool with_matrix) {
  const layout::Fragment& map =
      layout::find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")->A;
  std::string registers, rows;
  char word[16];
  for (int reg = 0; reg < 4; ++reg) {
    const int from = !exchanged || reg == 0 || reg == 3 ? reg : 3 - reg;
    registers += reg == 0 ? "\"" : ",\"";
    for (int lane = 0; lane < 32; ++lane) {
      const layout::Element low = map.element(lane, from * 2),
                            high = map.element(lane, from * 2 + 1);
      std::snprintf(word, sizeof word, "%s%04x%04x", lane == 0 ? "" : " ",
                    0x3000 + high.row * 16 + high.col, 0x3000 + low.row * 16 + low.col);
      registers += word;
    }
    registers += "\"";
  }
  for (int row = 0; row < 16; ++row) {
    rows += row == 0 ? "\"" : ",\"";
    for (int col = 0; col < 16; ++col) {
      std::snprintf(word, sizeof word, "%02x30", row * 16 + col);
      rows += word;
    }
    rows += "\"";
  }
  std::string text =
      "{\"lanescope_trace\":1,\"producer\":\"emulator\",\"device\":\"d\",\"arch\":\"sm_90a\","
      "\"program\":\"p\",\"command\":\"c\"}\n"
      "{\"event\":\"launch\",\"launch\":0,\"kernel\":\"k\",\"grid\":[1,1,1],\"block\":[32,1,1],"
      "\"shared_bytes\":0}\n"
      "{\"event\":\"fragment\",\"launch\":0,\"block\":[0,0,0],\"warp\":0,\"name\":\"A\","
      "\"instruction\":\"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32\",\"operand\":\"A\","
      "\"register_bits\":32,\"registers\":[" +
      registers + "],\"file\":\"kernel.cu\",\"line\":12}\n";
  if (with_matrix)
    text +=
        "{\"event\":\"memory\",\"launch\":0,\"block\":[0,0,0],\"warp\":0,\"name\":\"A in shared "
        "memory\",\"space\":\"shared\",\"type\":\"f16\",\"rows\":16,\"cols\":16,\"address\":"
        "\"0x0\","
        "\"row_stride_bytes\":32,\"bytes\":[" +
        rows + "]}\n";
  return text;
}

void put_lessons(const Folder& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(LANESCOPE_SOURCE_DIR "/lessons"))
    if (const std::string name = entry.path().filename().string(); name.find('_') == 2)
      folder.put("lessons/" + name + "/README.md", tests::contents_of(entry.path() / "README.md"));
}

}  // namespace lanescope::test
