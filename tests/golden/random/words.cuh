// SPDX-License-Identifier: MIT
// Random words that are the same everywhere, and the hash of what kernels leave. It is pasted into
// the programs of the generators, which stand alone, and included where their PTX is replayed; Word
// is 64 bits.
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
