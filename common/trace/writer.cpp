// SPDX-License-Identifier: MIT
// The packed form is one zstd frame for each finish(); frames one after the other are one text.
#include "trace/writer.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>

#include "trace/file.hpp"
#include "trace/line.hpp"

namespace lanescope::trace {
namespace {

constexpr int kFastestLevel = 1;  // the program waits meanwhile
constexpr std::size_t kPiece_bytes = std::size_t{1} << 18;
constexpr std::int64_t kReserve_bytes = 1 << 20;  // for what is said at the end of a full trace

}  // namespace

// Here and not in file.cpp: trace_lines is all that the emulated runtime has.
std::string written_first(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) return path;
  // The same folder, so that the rename cannot cross file systems; the process, so that two writers
  // do not share a half.
  return path + "." + std::to_string(getpid()) + ".tmp";
}

void Writer::FreeContext::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

Writer::Writer(std::string path, const Header& header)
    : path_(std::move(path)), temporary_(written_first(path_)), named_(temporary_ == path_) {
  file_.reset(std::fopen(temporary_.c_str(), "wb"));
  if (file_)
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // pieces are large, and errors come with theirs
  else
    problem_ = path_ + " cannot be written: " + std::strerror(errno);
  if (path_.size() > 4 && path_.compare(path_.size() - 4, 4, ".zst") == 0) {
    context_.reset(ZSTD_createCCtx());
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kFastestLevel);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
    packed_.resize(ZSTD_CStreamOutSize());
  }
  text_ = to_line(header) + "\n";
}

Writer::~Writer() {
  if (!named_ && file_) std::remove(temporary_.c_str());
}

bool Writer::add(const Event& event) {
  if (text_bytes() + kReserve_bytes > static_cast<std::int64_t>(kMaxTextBytes)) {
    // One kind has room still: it says that the rest is missing.
    if (!std::holds_alternative<Diagnostic>(event)) return false;
    if (text_bytes() > static_cast<std::int64_t>(kMaxTextBytes) - (1 << 16)) return false;
  }
  append_line(text_, event);
  if (text_.size() >= kPiece_bytes) pass_on(false);
  return true;
}

void Writer::put(const char* bytes, std::size_t count) {
  if (!problem_.empty() || count == 0) return;
  if (std::fwrite(bytes, 1, count, file_.get()) != count)
    problem_ = path_ + " cannot be written: " + std::strerror(errno);
}

void Writer::pass_on(bool end) {
  text_bytes_ += static_cast<std::int64_t>(text_.size());
  if (context_) {
    ZSTD_inBuffer input{text_.data(), text_.size(), 0};
    std::size_t left = 1;
    while (input.pos < input.size || (end && left != 0)) {
      ZSTD_outBuffer output{packed_.data(), packed_.size(), 0};
      left =
          ZSTD_compressStream2(context_.get(), &output, &input, end ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left)) {
        problem_ = path_ + " cannot be packed: " + ZSTD_getErrorName(left);
        break;
      }
      put(packed_.data(), output.pos);
    }
  } else {
    put(text_.data(), text_.size());
  }
  text_.clear();
  open_frame_ = context_ && !end;
}

std::optional<std::string> Writer::finish() {
  if (!text_.empty() || open_frame_) pass_on(true);
  if (problem_.empty() && std::fflush(file_.get()) != 0)
    problem_ = path_ + " cannot be written: " + std::strerror(errno);
  if (problem_.empty() && !named_) {
    named_ = std::rename(temporary_.c_str(), path_.c_str()) == 0;
    if (!named_) problem_ = path_ + " cannot be written: " + std::strerror(errno);
  }
  if (problem_.empty()) {
    whole_bytes_ = std::ftell(file_.get());  // -1 of a pipe
    return std::nullopt;
  }
  // What was finished before is a whole trace still, without the half that came after it.
  if (file_ && whole_bytes_ > 0 && ftruncate(fileno(file_.get()), whole_bytes_) != 0)
    problem_ += ", nor cut where it was whole";
  return problem_;
}

}  // namespace lanescope::trace
