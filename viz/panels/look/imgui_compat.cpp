// SPDX-License-Identifier: MIT
// What only Dear ImGui's internal header has: until 1.88 the last item's number, in all of them the
// way to press it.
#include "panels/look/imgui_compat.hpp"

#include <imgui_internal.h>

namespace lanescope::viz {

ImGuiID last_item() { return ImGui::GetItemID(); }

void press_last_item() {
#if IMGUI_VERSION_NUM >= 19000
  ImGui::ActivateItemByID(ImGui::GetItemID());
#else
  ImGui::ActivateItem(ImGui::GetItemID());
#endif
}

}  // namespace lanescope::viz
