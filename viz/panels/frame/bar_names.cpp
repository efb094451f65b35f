// SPDX-License-Identifier: MIT
// What the bar says is shown; who gives way where there is no room for all of it.
#include "panels/frame/bar_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "panels/look/widgets.hpp"

namespace lanescope::viz {
namespace {

constexpr float kBetween = 1.2f;  // em between the mnemonic and the device

// Which multiplication is shown: its mnemonic, and a list when the trace has several.
void multiplications(Workspace& ws, const Multiplication& in, const Look& look, float width) {
  const std::size_t count = ws.about().multiplications.size();
  // Where one instruction multiplies several matrices, it is that what tells them apart.
  const layout::Fragment* first = in.map('A');
  const bool matrices = first != nullptr && first->matrices > 1;
  const std::string now = matrices ? short_name(in) : in.instruction->mnemonic;
  if (count < 2) {
    // Mnemonics begin alike: where there is no room for it all, its type and shape say more.
    const bool whole = text_width(look.fonts.mono, now) <= width;
    text(look.fonts.mono, look.theme.dim,
         shortened(look.fonts.mono, whole ? now : short_name(in), width));
    probe(ws, "mnemonic");
    return;
  }
  push_font(look.fonts.mono);
  ImGui::SetNextItemWidth(width);
  std::string shown = fmt::format("{}/{}  {}", ws.current + 1, count, now);
  // The mnemonics begin alike: where there is no room for one, its type and shape say more, and
  // where it ran is left out before a word of it is cut.
  const float room = width - 2.4f * look.em;
  if (text_width(look.fonts.mono, shown) > room) {
    shown = fmt::format("{}/{}  {}", ws.current + 1, count, short_name(in));
    const std::string whole = whole_examples(look.fonts.mono, shown, room);
    shown = whole.size() > 12 ? whole : shortened(look.fonts.mono, shown, room);
  }
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(1e6f, 24 * look.em));
  const bool open =
      ImGui::BeginCombo("##multiplication", shown.c_str(), ImGuiComboFlags_HeightLarge);
  ImGui::PopFont();
  probe(ws, "multiplication");
  if (!open) return;
  push_font(look.fonts.mono);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(count));
  while (clipper.Step())
    for (int at = clipper.DisplayStart; at < clipper.DisplayEnd; ++at) {
      const auto index = static_cast<std::size_t>(at);
      const std::string line =
          fmt::format("{}  {}", at + 1, short_name(ws.about().multiplications[index]));
      if (ImGui::Selectable(line.c_str(), index == ws.current)) show_multiplication(ws, index);
      probe(ws, fmt::format("multiplication {}", at));
    }
  ImGui::PopFont();
  ImGui::EndCombo();
}

// What the room is for behind the names: the device with its architecture, the device alone,
// nothing.
std::array<std::string, 3> device_words(const Workspace& ws) {
  const trace::Header& header = ws.about().trace.header;
  if (header.producer.empty() || shows_no_run(ws)) return {"map only", "map only", ""};
  const std::string& device = header.producer == "gpu" ? header.device : header.producer;
  return {device + " " + header.arch, device, ""};
}

void device_at(Workspace& ws, const Look& look, float left, float right, float height,
               const std::string& device) {
  if (device.empty() || left + text_width(look.fonts.text, device) >= right - 0.5f * look.em)
    return;
  ImGui::SetCursorPos(ImVec2(left, (height - look.fonts.text.size) / 2));
  const bool card = ws.about().trace.header.producer == "gpu" && !shows_no_run(ws);
  text(look.fonts.text, card ? look.theme.good : look.theme.dim, device);
  probe(ws, "device");
  probe(ws, "device: " + device, {});
}

// The least a choice of several products can be cut to.
float least_of_choice(const Workspace& ws, const Look& look) {
  const Multiplication* in = ws.shown();
  if (in == nullptr) return 8 * look.em;
  const std::string shown =
      fmt::format("{}/{}  {}", ws.current + 1, ws.about().multiplications.size(), short_name(*in));
  // Of one that steps make, which step it was is what tells it from a loop's others.
  const float most = (in->steps[0] != nullptr ? 21 : 16.5f) * look.em;
  return std::min(text_width(look.fonts.mono, shown) + 2.4f * look.em, most);
}

struct NamesRoom {
  float mnemonic = 0;
  std::string device;
};

// `room` shared out between the mnemonic, which wants so much, and the device.
NamesRoom share(const Workspace& ws, const Look& look, float room, float wanted) {
  const bool several = ws.about().multiplications.size() > 1;
  // The device gives way to a choice that would be cut, and to the words of the one product there
  // is; that nobody ran it is said whatever is cut.
  const Multiplication* in = ws.shown();
  const bool ran = in != nullptr && !ws.about().trace.header.producer.empty() && !shows_no_run(ws);
  const float one = ran ? std::min(wanted, text_width(look.fonts.mono, short_name(*in))) : 0;
  const float least = several ? least_of_choice(ws, look) : one;
  const std::array<std::string, 3> devices = device_words(ws);
  std::size_t which = 0;
  const auto beside = [&] {
    const float width = text_width(look.fonts.text, devices[which]);
    return room - (width > 0 ? width + kBetween * look.em : 0);
  };
  while (which + 1 < devices.size() && beside() < least) ++which;
  // Where a mnemonic has no room anyway, its type and shape are enough.
  const float width = beside() < wanted && several
                          ? std::min(beside(), std::max(least, 16.5f * look.em))
                          : std::min(beside(), wanted);
  return {width, devices[which]};
}

}  // namespace

std::string title_of(const Workspace& ws) {
  if (const trace::View* view = ws.about().view(); view != nullptr && !view->title.empty())
    return view->title;
  if (!ws.about().trace.header.program.empty()) return ws.about().trace.header.program;
  return "Lanescope";
}

float draw_title(Workspace& ws, const Look& look, float left, float right, float height) {
  if (ws.page == Page::entry) {
    ImGui::SetCursorPos(ImVec2(left, (height - 1.75f * look.em) / 2));
    const char* back = "atlas";
    if (button(look, "back", back)) go_to(ws, Page::atlas);
    probe(ws, "back");
    return left + text_width(look.fonts.text, back) + 2.2f * look.em;
  }
  std::string words = title_of(ws);
  const float room = right - left - look.em;
  if (text_width(look.fonts.strong, words) > room) {
    if (room < 6 * look.em) return left;  // a word or two, or nothing
    words = shortened(look.fonts.strong, words, room);
  }
  ImGui::SetCursorPos(ImVec2(left, (height - look.fonts.strong.size) / 2));
  text(look.fonts.strong, look.theme.text, words);
  probe(ws, "title");
  return left + text_width(look.fonts.strong, words) + 1.2f * look.em;
}

void draw_names(Workspace& ws, const Look& look, float left, float right, float height) {
  const Multiplication* in = ws.shown();
  const std::string mnemonic(in != nullptr ? std::string_view(in->instruction->mnemonic)
                                           : ws.atlas.entry.mnemonic());
  const bool several = ws.about().multiplications.size() > 1;
  const float mnemonic_width = text_width(look.fonts.mono, mnemonic);
  const float wanted = mnemonic_width + (several ? 6.5f : 0.5f) * look.em;
  const auto [width, device] = share(ws, look, right - left - 0.9f * look.em, wanted);
  if (width > (several ? 7 : 8) * look.em) {
    ImGui::SetCursorPos(
        ImVec2(left, (height - look.fonts.mono.size) / 2 - (several ? 0.35f * look.em : 0)));
    if (in != nullptr)
      multiplications(ws, *in, look, width);
    else
      text(look.fonts.mono, look.theme.dim, shortened(look.fonts.mono, mnemonic, width));
    left += (several ? width : std::min(width, mnemonic_width)) + kBetween * look.em;
  }
  device_at(ws, look, left, right, height, device);
}

void draw_device(Workspace& ws, const Look& look, float left, float right, float height) {
  device_at(ws, look, left, right, height, device_words(ws)[0]);
}

}  // namespace lanescope::viz
