// SPDX-License-Identifier: MIT
// What an H200 fetched from textures of every kind, against the emulator's fetches: no bit may
// differ. And the other way round: these fetches notice an arithmetic that is wrong by little.
#include <doctest/doctest.h>

#include <map>

#include "emulator/texture/sample.hpp"
#include "tests/golden/emulated.hpp"
#include "tests/golden/texture/recording.hpp"
#include "tests/golden/unpack.hpp"

using namespace lanescope::golden::texture;
using lanescope::emulator::FetchedTexel;

namespace emulator = lanescope::emulator;

namespace {

const std::string& h200_bytes() {
  static const std::string bytes =
      lanescope::golden::unpacked(LANESCOPE_SOURCE_DIR "/tests/golden/texture/h200.bin.zst").bytes;
  return bytes;
}
const Recording& h200() {
  static const Recording recording = parse_recording(h200_bytes());
  return recording;
}

/// A form as the emulator has it, with texels of its own.
struct Emulated {
  std::vector<unsigned char> content;
  emulator::Texture texture;

  explicit Emulated(const Form& form) : content(content_of(form)) {
    emulator::TextureImage& image = texture.image;
    image.address = reinterpret_cast<std::uintptr_t>(content.data());
    image.dims = form.dims;
    image.is_layered = form.memory == Memory::layers;
    for (std::size_t axis = 0; axis < 3; ++axis) image.size[axis] = form.size[axis];
    if (image.is_layered) image.size[2] = form.layers;
    image.format = static_cast<emulator::TexelFormat>(form.format);
    image.channels = form.channels;
    image.pitch_bytes = static_cast<std::uint64_t>(form.size[0] * image.texel_bytes());
    image.slice_bytes = image.pitch_bytes * static_cast<std::uint64_t>(form.size[1]);
    texture.is_line = form.memory == Memory::linear;
    emulator::Sampler& sampler = texture.sampler;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      sampler.mode[axis] = static_cast<emulator::AddressMode>(form.mode[axis]);
    }
    sampler.filters = form.linear;
    sampler.is_normalized = form.normalized;
    sampler.to_unit = form.as_float && !is_real(form.format);
    sampler.is_srgb = form.srgb;
    for (std::size_t k = 0; k < 4; ++k) sampler.border[k] = form.border[k];
  }

  FetchedTexel fetch(const Place& place) const {
    if (texture.is_line)
      return lanescope::emulator::fetch(texture, {static_cast<int>(place.at[0]), 0, 0});
    return sample(texture, {{place.at[0], place.at[1], place.at[2]}, place.layer});
  }
};

/// Fetches of a form of which `change` makes something else than the recording has.
template <class Change>
int wrong_fetches(std::size_t number, const Form& form, Change change) {
  const Emulated emulated(form);
  const RecordedForm& recorded = h200().forms[number];
  int wrong = 0;
  for (Word i = 0; i < recorded.fetches; ++i) {
    const FetchedTexel texel = change(emulated.fetch(place(form, i)));
    wrong += std::memcmp(texel.data(), &recorded.words[4 * i], sizeof texel) != 0;
  }
  return wrong;
}

}  // namespace

TEST_CASE("the recording is whole") {
  REQUIRE(h200().problem == "");
  CHECK(h200().header.find("|NVIDIA H200|sm_90|") != std::string::npos);
  const std::vector<Form> forms = all_forms();
  REQUIRE(h200().forms.size() == forms.size());
  for (std::size_t i = 0; i < forms.size(); ++i) {
    CHECK(h200().forms[i].name == name(forms[i]));
    CHECK(h200().forms[i].fetches >= 128);
  }
}

TEST_CASE("a fetch has the card's bits") {
  // Of volumes of floats of every size, a sum's last bit: docs/experiments/textures.md. A form's
  // number, and how many of its fetches.
  const std::map<std::size_t, int> open{{48, 1}, {53, 1}};
  const std::vector<Form> forms = all_forms();
  for (std::size_t i = 0; i < forms.size(); ++i) {
    CAPTURE(name(forms[i]));
    const auto found = open.find(i);
    CHECK(wrong_fetches(i, forms[i], [](const FetchedTexel& texel) { return texel; }) ==
          (found == open.end() ? 0 : found->second));
  }
}

TEST_CASE("a last bit that is wrong would be noticed, and what is not there") {
  const std::vector<Form> forms = all_forms();
  for (std::size_t i = 0; i < forms.size(); ++i) {
    CAPTURE(name(forms[i]));
    const int all = static_cast<int>(h200().forms[i].fetches);
    const auto last_bit = [](FetchedTexel texel) { return texel[0] ^= 1, texel; };
    const auto fourth = [](FetchedTexel texel) { return texel[3] ^= 0x3f800000u, texel; };
    CHECK(wrong_fetches(i, forms[i], last_bit) >= all - 1);
    CHECK(wrong_fetches(i, forms[i], fourth) == all);
  }
}

#ifdef LANESCOPE_RECORD
TEST_CASE("the recording program fetches on the emulator what it fetched on the card") {
  const std::string ours =
      lanescope::golden::recorded_on_emulator(LANESCOPE_RECORD, "emulator 128");
  REQUIRE(ours != "");
  const Recording emulated = parse_recording(ours);
  REQUIRE(emulated.problem == "");
  REQUIRE(emulated.forms.size() == h200().forms.size());
  for (std::size_t i = 0; i < emulated.forms.size(); ++i) {
    CAPTURE(emulated.forms[i].name);
    const std::vector<Word>& words = emulated.forms[i].words;
    CHECK(std::equal(words.begin(), words.end(), h200().forms[i].words.begin()));
  }
}
#endif

TEST_CASE("a recording that is cut off or is none says so") {
  CHECK(parse_recording("").problem != "");
  CHECK(parse_recording("lanescope approximate 1|x\n").problem == "not a recording of fetches");
  const std::string header = "lanescope texture 1|card|sm_90|driver 1|runtime 1|note\n";
  CHECK(parse_recording(header).problem == "");
  CHECK(parse_recording(header + "array 21").problem != "");
  CHECK(parse_recording(header + "array 21|0\n").problem == "cut off in array 21");
  CHECK(parse_recording(header + "array 21|1\n" + std::string(15, '\0')).problem ==
        "cut off in array 21");
  CHECK(parse_recording(header + "array 21|1\n" + std::string(16, '\0')).problem == "");
}
