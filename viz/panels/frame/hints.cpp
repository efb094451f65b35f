// SPDX-License-Identifier: MIT
#include "panels/frame/hints.hpp"

#include <array>

namespace lanescope::viz {
namespace {

struct Hint {
  std::string_view button, does, key;  // key "": it has none
};

constexpr std::array kHints = std::to_array<Hint>({
    {"labels", "what each cell says", "l r v b 2"},
    {"label lane", "each cell says which lane holds it", "l"},
    {"label register", "each cell says which lane and register hold it", "r"},
    {"label value", "each cell says its value", "v"},
    {"label bits", "each cell says its bits, in hex", "b"},
    {"label both", "each cell says its lane and its value", "2"},
    {"multiplication", "which multiplication is shown; the one before, the next", "[ ]"},
    {"view fragments", "which lane holds which element", "f"},
    {"view memory", "tiles of memory as they lay there", "m"},
    {"view steps", "each instruction, and the registers that it wrote", "i"},
    {"view pipeline", "who waits for whom, against time", "p"},
    {"atlas", "every tensor-core instruction, without a run", "a"},
    {"back", "back to the list of instructions", "Esc"},
    {"history back", "what was looked at before", "Alt+left"},
    {"history forward", "forward again", "Alt+right"},
    {"trace", "back to the trace", "Esc"},
    {"open", "the traces there are", "o"},
    {"compared", "back to the two side by side", "="},
    {"theme", "dark or light", "t"},
    {"keys", "all keys", "?"},
    {"search", "find an element, a lane, a register", "/"},
    {"search map", "find an element or a lane", "/"},
    {"search memory", "find an element; 32B, 64B or 128B read the tile through a swizzle", "/"},
    {"search steps", "find a step, a line of the source, a register, the next of a kind", "/"},
    {"search pipeline", "how many ticks a copy takes", "/"},
    {"search atlas", "narrow the list down: shapes, types, names of PTX, SASS or CuTe", "/"},
    {"search swizzle", "another tile, a layout of CuTe's, or an element of this one", "/"},
    {"search descriptor", "another descriptor, one of its fields, another tile, or an element",
     "/"},
    {"search compare", "a difference by its number, or a cell of it", "/"},
    {"search maps", "an element of an operand, or a lane", "/"},
    {"beside", "another instruction beside this one, chosen in the list", "="},
    {"page instructions", "every tensor-core instruction", "a"},
    {"page swizzle", "a swizzled tile, its bytes and banks", "s"},
    {"page descriptor", "the 64 bits that tell wgmma where a tile lies", "d"},
    {"tab lesson", "the lesson's page", "w"},
    {"tab source", "the source that recorded this", "w"},
    {"tab trace", "what is written in the trace", "w"},
    {"tab registers", "all registers of the selected lane", ""},
    {"words lesson", "the lesson's page: there is no room beside the picture", "W"},
    {"words source", "the source of these steps: there is no room beside them", "W"},
    {"room", "these words over the whole side, and back", "W"},
    {"predict", "the map is hidden, you are asked where things are", "q"},
    {"tile", "the tiles of this trace; the one before, the next", "[ ]"},
    {"other", "a second tile beside it", "2"},
    {"tile label value", "each cell says its value", "v"},
    {"tile label bank", "each cell says its bank", "k"},
    {"tile label byte", "each cell says at which byte it lies", "b"},
    {"tile read as it lies", "the units of 16 bytes where they lie", "x"},
    {"tile read 32B", "the units of each row put back as the 32 B swizzle moved them", "x"},
    {"tile read 64B", "the units of each row put back as the 64 B swizzle moved them", "x"},
    {"tile read 128B", "the units of each row put back as the 128 B swizzle moved them", "x"},
    {"step label value", "registers as the numbers they hold", "v"},
    {"step label bits", "registers as bits, in hex", "b"},
    {"scrub", "any step of this warp: click or drag; the next tensor instruction", "n"},
    {"play", "goes on by itself; , half as fast, . twice as fast", "Space"},
    {"scale", "goes to this scale, in the map of the scales", ""},
    {"written", "goes to the step that wrote this register", ""},
    {"first wrong", "selects this element", ""},
    {"way", "goes to this step", ""},
    {"closer", "selects it; Alt+left leads back", ""},
    {"matrices", "the matrices that this instruction multiplies, and who holds what", "f"},
    {"waiting step", "goes to the step that waits", ""},
    {"copy code", "copy this code", ""},
    {"kind wgmma", "a tile of wgmma's, by its swizzle, major and size", ""},
    {"kind CuTe", "the same tile as CuTe writes it: any layout, and its banks", ""},
    {"swizzle swizzled", "where the units lie", "x"},
    {"swizzle before swizzling", "where they would lie without", "x"},
    {"fit", "the descriptor that is right for this tile", ""},
    {"fetch label element", "each cell says which element comes", "v"},
    {"fetch label byte", "each cell says from which byte", "v"},
    {"split", "drag: wider or narrower words", "< >"},
});

}  // namespace

std::string hint_of(std::string_view button) {
  for (const Hint& hint : kHints) {
    if (hint.button != button) continue;
    std::string words(hint.does);
    if (!hint.key.empty()) words += "  (" + std::string(hint.key) + ")";
    return words;
  }
  return {};
}

}  // namespace lanescope::viz
