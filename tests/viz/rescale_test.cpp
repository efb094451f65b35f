// SPDX-License-Identifier: MIT
// Other fonts while the window is open: Ctrl with + and -, or another display. The picture is then
// that of a window which was opened so.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "app/renderer.hpp"
#include "app/screenshot.hpp"
#include "app/window.hpp"
#include "tests/viz/synthetic.hpp"

namespace lanescope::viz {
namespace {

constexpr int kWidth = 1200, kHeight = 800;

Workspace opened() {
  Workspace ws;
  show_model(ws, make_model(synthetic::trace_of({synthetic::kF16})), "t.lanes");
  return ws;
}

Picture drawn(Renderer& renderer, Workspace& ws, const Offscreen& offscreen) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(kWidth, kHeight);
  for (int frame = 0; frame < 3; ++frame) {
    io.DeltaTime = 1.0f / 60;
    renderer.frame(ws, kWidth, kHeight);
  }
  return offscreen.read();
}

// The inspector. How far the matrices are scrolled depends on what was there before.
std::vector<std::uint8_t> right_of(const Picture& picture) {
  std::vector<std::uint8_t> pixels;
  const auto width = static_cast<std::size_t>(picture.width);
  for (std::size_t row = 0; row < static_cast<std::size_t>(picture.height); ++row)
    pixels.insert(
        pixels.end(),
        picture.pixels.begin() + static_cast<std::ptrdiff_t>((row * width + width * 5 / 8) * 3),
        picture.pixels.begin() + static_cast<std::ptrdiff_t>((row + 1) * width * 3));
  return pixels;
}

}  // namespace

TEST_CASE("text that has grown, and shrunk again, is text that was never another size") {
  Workspace ws = opened();
  std::string problem;
  const Picture large = draw_picture(ws, kWidth, kHeight, 1.5f, problem);
  REQUIRE_MESSAGE(!large.pixels.empty(), problem);
  ws = opened();
  const auto offscreen = Offscreen::make(kWidth, kHeight, problem);
  REQUIRE_MESSAGE(offscreen != nullptr, problem);
  Renderer renderer(1);
  REQUIRE(renderer.ok());
  const Picture before = drawn(renderer, ws, *offscreen);
  renderer.rescale(1.5f);
  const Picture grown = drawn(renderer, ws, *offscreen);
  renderer.rescale(1);
  const Picture again = drawn(renderer, ws, *offscreen);
  CHECK((right_of(grown) == right_of(large)));
  CHECK((again.pixels == before.pixels));
  CHECK((grown.pixels != before.pixels));
}

TEST_CASE("a window is as large as its display allows, and no larger than it is of use") {
  CHECK(side_for_display(0, kUsualWidth, 1) == kUsualWidth);  // the display does not say
  CHECK(side_for_display(1366, kUsualWidth, 1) == 1256);      // smaller than usual: it fits
  CHECK(side_for_display(768, kUsualHeight, 1) == 706);
  CHECK(side_for_display(1920, kUsualWidth, 1) == 1728);
  CHECK(side_for_display(3840, kUsualWidth, 1) == 1728);
  CHECK(side_for_display(3840, kUsualWidth, 2) == 1728);  // of two pixels each
  CHECK(side_for_display(2160, kUsualHeight, 2) == 993);
  CHECK(side_for_display(200, kUsualHeight, 1) == 480);
}

}  // namespace lanescope::viz
