// SPDX-License-Identifier: MIT
// A page for a browser with a trace in it: the page that `./learn web` builds, and files put into
// it. It needs no server, and who opens it needs nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::cli {

struct CarriedFile {
  std::string name;  // as the page's own file system has it: "traces/a.lanes"
  std::string bytes;
};

/// The empty page with these files put into it, opened on what `words` say behind `lanescope view`.
/// "" where `empty` is no page of ours: it has no place for files.
std::string page_with(std::string_view empty, const std::vector<CarriedFile>& files,
                      std::string_view words);

std::string base64(std::string_view bytes);

/// Where the empty page lies: in the checkout, or where the command is installed. "" if nowhere.
std::string empty_page();

}  // namespace lanescope::cli
