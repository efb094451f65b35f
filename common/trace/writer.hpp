// SPDX-License-Identifier: MIT
// A trace written while a program runs: events go out as they come, packed when the path ends in
// ".zst". For a trace that is whole in memory there is trace/file.hpp.
//
//     Writer writer("run.lanes.zst", header);
//     writer.add(event);
//     if (auto problem = writer.finish()) say(*problem);
//
// The file appears under its name with the first finish(), and is a whole trace after every one:
// a program that is ended between two of them leaves what it had finished.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "trace/event.hpp"

struct ZSTD_CCtx_s;

namespace lanescope::trace {

class Writer {
 public:
  Writer(std::string path, const Header& header);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// False when there is no room any more: a trace that no reader takes is of no use.
  bool add(const Event& event);

  /// All that was added is in the file. What went wrong, or nothing; may be called again.
  std::optional<std::string> finish();

  std::int64_t text_bytes() const { return text_bytes_ + static_cast<std::int64_t>(text_.size()); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct FreeContext {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  void pass_on(bool end);
  void put(const char* bytes, std::size_t count);

  std::string path_, temporary_, text_, packed_, problem_;
  std::unique_ptr<std::FILE, Close> file_;
  std::unique_ptr<ZSTD_CCtx_s, FreeContext> context_;  // of a packed file
  std::int64_t text_bytes_ = 0;                        // handed on
  long whole_bytes_ = 0;                               // of the file, after the last finish()
  bool named_ = false;
  bool open_frame_ = false;  // of a packed file: what was handed on is not all in it yet
};

}  // namespace lanescope::trace
