// SPDX-License-Identifier: MIT
// Plain stdio: the same code for Linux and a browser's file system.
#include "trace/file.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "trace/line.hpp"

namespace lanescope::trace {
namespace {

constexpr int kCompressionLevel = 3;
constexpr std::size_t kFirstBytes = 4096;  // asked for at first: a foreign file is told by them
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

struct Free {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

Bytes problem(std::string reason) { return {{}, 0, std::move(reason)}; }

std::string system_reason(const std::string& doing) { return doing + ": " + std::strerror(errno); }

// What the frames say of themselves that they unpack to; of one that was written as it came,
// nothing.
unsigned long long declared_bytes(std::string_view packed) {
  unsigned long long all = 0;
  while (!packed.empty()) {
    const unsigned long long of_frame = ZSTD_getFrameContentSize(packed.data(), packed.size());
    const std::size_t size = ZSTD_findFrameCompressedSize(packed.data(), packed.size());
    if (of_frame == ZSTD_CONTENTSIZE_ERROR || ZSTD_isError(size))
      break;  // unpacking says what it is
    if (of_frame != ZSTD_CONTENTSIZE_UNKNOWN) {
      if (of_frame > kMaxTextBytes) return of_frame;
      all += of_frame;
    }
    packed.remove_prefix(size);
  }
  return all;
}

Bytes padded(std::string text) {
  const std::size_t size = text.size();
  text.resize(size + kPaddingBytes);
  return {std::move(text), size, {}};
}

}  // namespace

bool is_zstd(std::string_view bytes) { return bytes.substr(0, 4) == kZstdMagic; }

Bytes load(const std::string& path) {
  const File file{std::fopen(path.c_str(), "rb")};
  if (!file) return problem(system_reason("cannot be opened"));
  struct stat info {};
  if (fstat(fileno(file.get()), &info) != 0) return problem(system_reason("cannot be read"));
  if (S_ISDIR(info.st_mode)) return problem("is a folder, not a trace; name a file in it");
  const std::size_t expected = info.st_size > 0 ? static_cast<std::size_t>(info.st_size) : 0;
  if (expected > kMaxTextBytes) return problem("is larger than 1 GiB, more than a trace may be");

  std::string text(std::min(expected + 1, kFirstBytes), '\0');
  std::size_t size = 0;
  while (true) {
    size += std::fread(text.data() + size, 1, text.size() - size, file.get());
    const std::string_view start{text.data(), size};
    if (size >= 4 && start[0] != '{' && !is_zstd(start))
      return problem("is no trace: it begins neither with {\"lanescope_trace\" nor as zstd" +
                     std::string(kWritesOne));
    if (size < text.size()) break;
    if (size > kMaxTextBytes) return problem("is larger than 1 GiB, more than a trace may be");
    // One more than is expected, to meet the end; more than that: a pipe, or a file that grows.
    text.resize(size <= expected ? expected + 1 : 2 * size);
  }
  if (std::ferror(file.get())) return problem(system_reason("cannot be read"));
  text.resize(size);
  return padded(std::move(text));
}

Bytes decompress(std::string_view bytes) {
  const char* const too_much = "unpacks to more than 1 GiB, more than a trace may be";
  if (declared_bytes(bytes) > kMaxTextBytes)
    return problem(too_much);  // before it takes the memory
  const std::unique_ptr<ZSTD_DCtx, Free> context{ZSTD_createDCtx()};
  if (!context) return problem("cannot be unpacked: out of memory");
  std::string text;
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  std::size_t left = 1;  // 0 at the end of a frame
  std::size_t size = 0;
  while (input.pos < input.size || left != 0) {
    if (size == text.size()) text.resize(std::min(2 * size + kFirstBytes, kMaxTextBytes + 1));
    ZSTD_outBuffer output{text.data(), text.size(), size};
    const std::size_t input_before = input.pos;
    left = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(left))
      return problem(std::string("is damaged: zstd says \"") + ZSTD_getErrorName(left) +
                     "\"; record it again");
    if (output.pos == size && input.pos == input_before)
      return problem("is cut off in the middle of its zstd frame; record it again");
    size = output.pos;
    if (size > 0 && text[0] != '{')
      return problem("is no trace: unpacked, it does not begin with {\"lanescope_trace\"");
    if (size > kMaxTextBytes) return problem(too_much);
  }
  text.resize(size);
  return padded(std::move(text));
}

std::string compress(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kCompressionLevel);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  const std::size_t size =
      ZSTD_compress2(context, packed.data(), packed.size(), text.data(), text.size());
  ZSTD_freeCCtx(context);
  packed.resize(ZSTD_isError(size) ? 0 : size);
  return packed;
}

std::optional<std::string> replace_file(const std::string& path, std::string_view bytes) {
  const std::string temporary = written_first(path);
  File file{std::fopen(temporary.c_str(), "wb")};
  if (!file) return system_reason(path + " cannot be written");
  bool good = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  good = std::fclose(file.release()) == 0 && good;
  if (good && temporary != path) good = std::rename(temporary.c_str(), path.c_str()) == 0;
  if (good) return std::nullopt;
  const std::string reason = system_reason(path + " cannot be written");
  if (temporary != path) std::remove(temporary.c_str());
  return reason;
}

std::optional<std::string> write_file(const std::string& path, const Trace& trace) {
  const std::string text = to_text(trace);
  constexpr std::string_view kPacked = ".zst";
  const bool pack = path.size() >= kPacked.size() &&
                    std::string_view(path).substr(path.size() - kPacked.size()) == kPacked;
  return replace_file(path, pack ? compress(text) : text);
}

}  // namespace lanescope::trace
