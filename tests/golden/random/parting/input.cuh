// SPDX-License-Identifier: MIT
// What random kernels of parting.py are given: pasted and included as words.cuh is, behind it.
constexpr int kThreads = 16 * 128, kWords = 48, kCells = 2048 + 16 * 128, kInput = 8500;
/// Whole numbers, some of them small; f32; f64; f16.
static Word input(int n) {
  const Word w = next();
  const unsigned how = (unsigned)(w >> 60);
  if (n < 2100) return how < 3 ? w & 255 : how < 5 ? ~(w & 7) : w;
  if (n < 4200) {
    const unsigned e = how < 12   ? 120 + (unsigned)(w >> 50) % 14
                       : how < 15 ? (unsigned)(w >> 50) % 255
                                  : 255;
    return (w & 0x807fffff) | e << 23;
  }
  if (n < 6300) {
    const Word e = how < 12 ? 1016 + (w >> 50) % 16 : how < 15 ? (w >> 48) % 2047 : 2047;
    return (w & 0x800fffffffffffffull) | e << 52;
  }
  return how < 12 ? (w & 0x8fff) | 0x3000 : w & 0xffff;
}
/// A word of the parameters: no NaN, whatever it is taken for.
static Word parameter() { return next() & 0x3f7f3f7f3f7f3f7full; }
