// SPDX-License-Identifier: MIT
// What random kernels of parting.py are given, and the hash of what they leave. It is pasted into
// the programs, which stand alone, and included where their PTX is replayed; Word is 64 bits.
constexpr int kThreads = 16 * 128, kWords = 48, kCells = 2048 + 16 * 128, kInput = 8500;
static Word state = 12345;
static Word next() {
  Word w = state += 0x9e3779b97f4a7c15ull;
  w = (w ^ (w >> 30)) * 0xbf58476d1ce4e5b9ull;
  w = (w ^ (w >> 27)) * 0x94d049bb133111ebull;
  return w ^ (w >> 31);
}
static Word hash_of(const void* p, size_t bytes, Word hash = 0x6c616e6573636f70ull) {
  for (size_t n = 0; n < bytes / 8; ++n)
    hash = (hash ^ ((const Word*)p)[n]) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 29;
  return hash;
}
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
