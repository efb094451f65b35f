// SPDX-License-Identifier: MIT
// Which NaN comes out? The ISA says "NaN" or "a canonical NaN" and leaves much open: what neg and
// abs do to one, what narrowing makes of its payload, what a tensor copy puts outside of the tensor
// for OOB_FILL_NAN_REQUEST_ZERO_FMA. Bits only, to be compared with diff.
//
// PTX ISA 9.2, 9.7.3 to 9.7.5 and 9.7.9. The answer is docs/experiments/nan_patterns.md.
#include "../program.cuh"

constexpr int kPatterns = 8;
constexpr int kMost = 64;

const char* const kHalf[] = {"neg.f16",     "abs.f16",     "neg.ftz.f16", "abs.ftz.f16",
                             "add.rn.f16",  "mul.rn.f16",  "fma.rn.f16",  "min.f16",
                             "max.f16",     "min.NaN.f16", "max.NaN.f16", "cvt.f32.f16",
                             "cvt.f64.f16", "neg.f16x2",   "abs.f16x2",   "add.rn.f16x2"};
const char* const kBrain[] = {"neg.bf16",   "abs.bf16",     "fma.rn.bf16",  "min.bf16",
                              "max.bf16",   "min.NaN.bf16", "max.NaN.bf16", "cvt.f32.bf16",
                              "neg.bf16x2", "abs.bf16x2",   "fma.rn.bf16x2"};
const char* const kSingle[] = {
    "neg.f32",         "abs.f32",          "neg.ftz.f32",    "add.rn.f32",
    "mul.rn.f32",      "fma.rn.f32",       "min.f32",        "max.f32",
    "min.NaN.f32",     "div.rn.f32",       "sqrt.rn.f32",    "rcp.rn.f32",
    "ex2.approx.f32",  "lg2.approx.f32",   "sin.approx.f32", "rsqrt.approx.f32",
    "tanh.approx.f32", "cvt.rn.f16.f32",   "cvt.rz.f16.f32", "cvt.rn.bf16.f32",
    "cvt.rz.bf16.f32", "cvt.rna.tf32.f32", "cvt.f64.f32",    "cvt.rn.f16x2.f32",
    "cvt.rni.f32.f32"};
const char* const kDouble[] = {
    "neg.f64",        "abs.f64",        "add.rn.f64",     "mul.rn.f64",      "fma.rn.f64",
    "min.f64",        "max.f64",        "div.rn.f64",     "sqrt.rn.f64",     "cvt.rn.f32.f64",
    "cvt.rz.f32.f64", "cvt.rn.f16.f64", "cvt.rz.f16.f64", "cvt.rn.bf16.f64", "cvt.rni.f64.f64"};

// An instruction, and the bits that come out: %1 is the pattern, %2 is 1, %3 the next pattern.
#define H(text)                                            \
  {                                                        \
    unsigned short r;                                      \
    asm volatile(text : "=h"(r) : "h"(a), "h"(b), "h"(c)); \
    out[n++] = r;                                          \
  }
#define P(text)                                      \
  {                                                  \
    unsigned r;                                      \
    asm volatile(text : "=r"(r) : "r"(a2), "r"(b2)); \
    out[n++] = r;                                    \
  }
#define W(text)                            \
  {                                        \
    unsigned r;                            \
    asm volatile(text : "=r"(r) : "h"(a)); \
    out[n++] = r;                          \
  }
#define L(text)                            \
  {                                        \
    unsigned long long r;                  \
    asm volatile(text : "=l"(r) : "h"(a)); \
    out[n++] = r;                          \
  }

__global__ void halves(const unsigned long long* patterns, unsigned long long* results) {
  const auto a = static_cast<unsigned short>(patterns[threadIdx.x]);
  const auto c = static_cast<unsigned short>(patterns[(threadIdx.x + 1) % kPatterns]);
  const unsigned short b = 0x3c00;
  const unsigned a2 = a * 0x10001u, b2 = b * 0x10001u;
  unsigned long long* out = results + threadIdx.x * kMost;
  int n = 0;
  H("neg.f16 %0, %1;");
  H("abs.f16 %0, %1;");
  H("neg.ftz.f16 %0, %1;");
  H("abs.ftz.f16 %0, %1;");
  H("add.rn.f16 %0, %1, %2;");
  H("mul.rn.f16 %0, %1, %2;");
  H("fma.rn.f16 %0, %1, %2, %2;");
  H("min.f16 %0, %1, %3;");
  H("max.f16 %0, %1, %3;");
  H("min.NaN.f16 %0, %1, %2;");
  H("max.NaN.f16 %0, %1, %2;");
  W("cvt.f32.f16 %0, %1;");
  L("cvt.f64.f16 %0, %1;");
  P("neg.f16x2 %0, %1;");
  P("abs.f16x2 %0, %1;");
  P("add.rn.f16x2 %0, %1, %2;");
}

__global__ void brains(const unsigned long long* patterns, unsigned long long* results) {
  const auto a = static_cast<unsigned short>(patterns[threadIdx.x]);
  const auto c = static_cast<unsigned short>(patterns[(threadIdx.x + 1) % kPatterns]);
  const unsigned short b = 0x3f80;
  const unsigned a2 = a * 0x10001u, b2 = b * 0x10001u;
  unsigned long long* out = results + threadIdx.x * kMost;
  int n = 0;
  H("neg.bf16 %0, %1;");
  H("abs.bf16 %0, %1;");
  H("fma.rn.bf16 %0, %1, %2, %2;");
  H("min.bf16 %0, %1, %3;");
  H("max.bf16 %0, %1, %3;");
  H("min.NaN.bf16 %0, %1, %2;");
  H("max.NaN.bf16 %0, %1, %2;");
  W("cvt.f32.bf16 %0, %1;");
  P("neg.bf16x2 %0, %1;");
  P("abs.bf16x2 %0, %1;");
  P("fma.rn.bf16x2 %0, %1, %2, %2;");
}

#undef H
#undef P
#undef W
#undef L
#define F(text)                                            \
  {                                                        \
    unsigned r;                                            \
    asm volatile(text : "=r"(r) : "r"(a), "r"(b), "r"(c)); \
    out[n++] = r;                                          \
  }
#define H(text)                            \
  {                                        \
    unsigned short r;                      \
    asm volatile(text : "=h"(r) : "r"(a)); \
    out[n++] = r;                          \
  }
#define L(text)                            \
  {                                        \
    unsigned long long r;                  \
    asm volatile(text : "=l"(r) : "r"(a)); \
    out[n++] = r;                          \
  }

__global__ void singles(const unsigned long long* patterns, unsigned long long* results) {
  const auto a = static_cast<unsigned>(patterns[threadIdx.x]);
  const auto c = static_cast<unsigned>(patterns[(threadIdx.x + 1) % kPatterns]);
  const unsigned b = 0x3f800000;
  unsigned long long* out = results + threadIdx.x * kMost;
  int n = 0;
  F("neg.f32 %0, %1;");
  F("abs.f32 %0, %1;");
  F("neg.ftz.f32 %0, %1;");
  F("add.rn.f32 %0, %1, %2;");
  F("mul.rn.f32 %0, %1, %2;");
  F("fma.rn.f32 %0, %1, %2, %2;");
  F("min.f32 %0, %1, %3;");
  F("max.f32 %0, %1, %3;");
  F("min.NaN.f32 %0, %1, %2;");
  F("div.rn.f32 %0, %1, %2;");
  F("sqrt.rn.f32 %0, %1;");
  F("rcp.rn.f32 %0, %1;");
  F("ex2.approx.f32 %0, %1;");
  F("lg2.approx.f32 %0, %1;");
  F("sin.approx.f32 %0, %1;");
  F("rsqrt.approx.f32 %0, %1;");
  F("tanh.approx.f32 %0, %1;");
  H("cvt.rn.f16.f32 %0, %1;");
  H("cvt.rz.f16.f32 %0, %1;");
  H("cvt.rn.bf16.f32 %0, %1;");
  H("cvt.rz.bf16.f32 %0, %1;");
  F("cvt.rna.tf32.f32 %0, %1;");
  L("cvt.f64.f32 %0, %1;");
  F("cvt.rn.f16x2.f32 %0, %1, %2;");
  F("cvt.rni.f32.f32 %0, %1;");
}

#undef F
#undef H
#undef L
#define D(text)                                            \
  {                                                        \
    unsigned long long r;                                  \
    asm volatile(text : "=l"(r) : "l"(a), "l"(b), "l"(c)); \
    out[n++] = r;                                          \
  }
#define F(text)                            \
  {                                        \
    unsigned r;                            \
    asm volatile(text : "=r"(r) : "l"(a)); \
    out[n++] = r;                          \
  }
#define H(text)                            \
  {                                        \
    unsigned short r;                      \
    asm volatile(text : "=h"(r) : "l"(a)); \
    out[n++] = r;                          \
  }

__global__ void doubles(const unsigned long long* patterns, unsigned long long* results) {
  const unsigned long long a = patterns[threadIdx.x], b = 0x3ff0000000000000;
  const unsigned long long c = patterns[(threadIdx.x + 1) % kPatterns];
  unsigned long long* out = results + threadIdx.x * kMost;
  int n = 0;
  D("neg.f64 %0, %1;");
  D("abs.f64 %0, %1;");
  D("add.rn.f64 %0, %1, %2;");
  D("mul.rn.f64 %0, %1, %2;");
  D("fma.rn.f64 %0, %1, %2, %2;");
  D("min.f64 %0, %1, %3;");
  D("max.f64 %0, %1, %3;");
  D("div.rn.f64 %0, %1, %2;");
  D("sqrt.rn.f64 %0, %1;");
  F("cvt.rn.f32.f64 %0, %1;");
  F("cvt.rz.f32.f64 %0, %1;");
  H("cvt.rn.f16.f64 %0, %1;");
  H("cvt.rz.f16.f64 %0, %1;");
  H("cvt.rn.bf16.f64 %0, %1;");
  D("cvt.rni.f64.f64 %0, %1;");
}

#undef D
#undef F
#undef H

using Kernel = void (*)(const unsigned long long*, unsigned long long*);

template <std::size_t kCount>
void table(Kernel kernel, const char* const (&names)[kCount], int digits,
           const std::vector<unsigned long long>& patterns) {
  unsigned long long* in = to_device(patterns);
  unsigned long long* out = to_device(std::vector<unsigned long long>(kPatterns * kMost));
  kernel<<<1, kPatterns>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  const auto results = from_device(out, kPatterns * kMost);
  std::printf("%-18s", "of");
  for (const unsigned long long pattern : patterns) std::printf(" %0*llx", digits, pattern);
  std::printf("\n");
  for (std::size_t k = 0; k < kCount; ++k) {
    std::printf("%-18s", names[k]);
    for (int p = 0; p < kPatterns; ++p) std::printf(" %0*llx", digits, results[p * kMost + k]);
    std::printf("\n");
  }
}

int main() {
  table(halves, kHalf, 8, {0x7fff, 0xffff, 0x7e00, 0xfe01, 0x7c01, 0xfd55, 0x7ff7, 0x7d00});
  table(brains, kBrain, 8, {0x7fff, 0xffff, 0x7fc0, 0xffc1, 0x7f81, 0xffd5, 0x7ff7, 0x7fa0});
  table(singles, kSingle, 8,
        {0x7fffffff, 0xffffffff, 0x7fc00000, 0xffc00001, 0x7f800001, 0xffd55555, 0x7fe01234,
         0x7fa00000});
  table(doubles, kDouble, 16,
        {0x7fffffffffffffff, 0xffffffffffffffff, 0x7ff8000000000000, 0xfff8000000000001,
         0x7ff0000000000001, 0xfffaaaaaaaaaaaaa, 0x7ffc012345678900, 0x7ff4000000000000});
}
