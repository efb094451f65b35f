// SPDX-License-Identifier: MIT
// What the window keeps for the next time it is opened: how it looks, not what it shows. A small
// text file, a name and a number a line; what is not there or makes no sense is as usual.
#pragma once

#include <string>

#include "panels/frame/workspace.hpp"

namespace lanescope::viz {

struct Settings {
  bool light = false;
  float text_scale = 1;  // as Ctrl with + and - make it
  float wider = 0;       // where the edge of the words stands, in em from its usual place
  friend bool operator==(const Settings&, const Settings&) = default;
};

Settings settings_of(const Workspace& workspace);
void apply(Workspace& workspace, const Settings& settings);

/// `path` "": as usual.
Settings read_settings(const std::string& path);
/// Where it cannot be written, the next window is as this one was: nobody is troubled with that.
void write_settings(const std::string& path, const Settings& settings);

}  // namespace lanescope::viz
