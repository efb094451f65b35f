// SPDX-License-Identifier: MIT
// The keyboard, where Dear ImGui 1.86 does not see enough of it: Ctrl with a character, keys that
// are let go within a frame, characters that a held key repeats.
#pragma once

#include <vector>

#include "panels/frame/workspace.hpp"

struct GLFWwindow;

namespace lanescope::viz {

class Keyboard {
 public:
  /// GLFW's key callbacks: the first is called before every key that Dear ImGui is told of, the
  /// second decides what that is.
  void command(Workspace& workspace, int key, int scancode, int action, int modifiers);
  void key(GLFWwindow* window, int key, int scancode, int action, int modifiers);
  /// GLFW's character callback.
  void character(GLFWwindow* window, Workspace& workspace, unsigned character) const;
  /// After a frame: tells of what was let go before it was seen. Whether there was any.
  bool release_seen(GLFWwindow* window);

 private:
  struct Release {
    int key = 0, scancode = 0, modifiers = 0;
  };
  bool held_ = false;              // the key whose character comes next
  std::vector<int> pressed_;       // keys, since the last frame
  std::vector<Release> released_;  // of these: told after that frame
};

}  // namespace lanescope::viz
