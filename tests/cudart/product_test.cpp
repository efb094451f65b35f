// SPDX-License-Identifier: MIT
// The stand-in's products against sums written out here, beyond one block in every direction, and
// against the tensor core's arithmetic of an element alone.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "cudart/blas/product.hpp"
#include "emulator/tensor/tensor.hpp"
#include "numeric/format.hpp"

using namespace lanescope::cudart;

namespace {

std::vector<float> numbers(std::int64_t count, unsigned seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(static_cast<int>(seed >> 8)) / 16777216.0f - 0.5f;
  }
  return values;
}

Matrix columns(std::vector<float>& values, std::int64_t rows) {
  return {values.data(), Element::f32, 1, rows};
}

}  // namespace

TEST_CASE(
    "an element in f32 is one fma a product, in the order of k, at the edges of blocks, too") {
  struct Size {
    std::int64_t m, n, k;
  };
  for (const Size& size :
       {Size{1, 1, 1}, Size{6, 8, 256}, Size{97, 257, 3}, Size{5, 300, 513}, Size{200, 9, 260}}) {
    CAPTURE(size.m);
    std::vector<float> A = numbers(size.m * size.k, 1), B = numbers(size.k * size.n, 2),
                       C = numbers(size.m * size.n, 3);
    const std::vector<float> before = C;
    multiply({size.m, size.n, size.k, 1.5, -2, columns(A, size.m), columns(B, size.k),
              columns(C, size.m)});
    int wrong = 0;
    for (std::int64_t col = 0; col < size.n; ++col)
      for (std::int64_t row = 0; row < size.m; ++row) {
        float sum = 0;
        for (std::int64_t k = 0; k < size.k; ++k)
          sum = std::fma(A[static_cast<std::size_t>(row + k * size.m)],
                         B[static_cast<std::size_t>(k + col * size.k)], sum);
        const auto at = static_cast<std::size_t>(row + col * size.m);
        wrong += C[at] != std::fma(-2.0f, before[at], 1.5f * sum);
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("an element of halves is the tensor core's sum of 16 products after another") {
  using namespace lanescope::emulator;
  const int m = 70, n = 300, k = 40;  // more than a panel, a block of columns, two steps and a half
  std::vector<std::uint16_t> A, B;
  for (const float value : numbers(m * k, 4))
    A.push_back(
        static_cast<std::uint16_t>(lanescope::numeric::encode(lanescope::numeric::kF16, value)));
  for (const float value : numbers(k * n, 5))
    B.push_back(
        static_cast<std::uint16_t>(lanescope::numeric::encode(lanescope::numeric::kF16, value)));
  std::vector<float> C(static_cast<std::size_t>(m * n));
  multiply({m,
            n,
            k,
            1,
            0,
            {A.data(), Element::f16, k, 1},
            {B.data(), Element::f16, n, 1},
            {C.data(), Element::f32, n, 1}});
  const TensorShape shape{1, 1, 16, TensorType::f16, TensorType::f16, TensorType::f32};
  const MmaArithmetic* how = arithmetic("sm_90a", TensorUnit::wgmma, shape);
  REQUIRE(how);
  int wrong = 0;
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      std::uint32_t sum = 0;
      for (int step = 0; step < k; step += 16) {
        std::uint32_t a[16] = {}, b[16] = {};
        for (int j = 0; j < 16 && step + j < k; ++j) {
          a[j] = A[static_cast<std::size_t>(row * k + step + j)];
          b[j] = B[static_cast<std::size_t>((step + j) * n + col)];
        }
        std::uint32_t next = 0;
        multiply_reference(*how, shape, a, b, {&sum, 1}, {&next, 1});
        sum = next;
      }
      wrong += std::bit_cast<std::uint32_t>(C[static_cast<std::size_t>(row * n + col)]) != sum;
    }
  CHECK(wrong == 0);
}

TEST_CASE("where tf32 is allowed, an f32 is the nearest tf32") {
  float above = 1.0f + 0x1p-11f + 0x1p-13f, one = 1, C = 0;
  Product product{1,
                  1,
                  1,
                  1,
                  0,
                  {&above, Element::f32, 1, 1},
                  {&one, Element::f32, 1, 1},
                  {&C, Element::f32, 1, 1}};
  multiply(product);
  CHECK(C == above);
  product.allows_tf32 = true;
  multiply(product);
  CHECK(C == 1.0f + 0x1p-10f);
}

TEST_CASE("C is not read where beta is 0, nor A and B where alpha is") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> A{2}, B{3}, C{nan};
  multiply({1, 1, 1, 1, 0, columns(A, 1), columns(B, 1), columns(C, 1)});
  CHECK(C[0] == 6);
  A[0] = nan;
  multiply({1, 1, 1, 0, 0.5, columns(A, 1), columns(B, 1), columns(C, 1)});
  CHECK(C[0] == 3);
}

TEST_CASE("bytes make whole numbers of 32 bits, and halves round to nearest even") {
  std::vector<std::int8_t> A{-128, 127}, B{-128, 2};
  std::int32_t whole = 0;
  multiply({1,
            1,
            2,
            1,
            0,
            {A.data(), Element::s8, 1, 1},
            {B.data(), Element::s8, 1, 2},
            {&whole, Element::s32, 1, 1},
            Element::s32});
  CHECK(whole == 128 * 128 + 254);
  float one = 1, factor = 2049;  // between 2048 and 2050
  std::uint16_t half = 0, brain = 0;
  const Matrix A1{&one, Element::f32, 1, 1}, B1{&factor, Element::f32, 1, 1};
  multiply({1, 1, 1, 1, 0, A1, B1, {&half, Element::f16, 1, 1}});
  CHECK(half == 0x6800);
  CHECK(read_element(Element::f16, &half) == 2048);
  multiply({1, 1, 1, 1, 0, A1, B1, {&brain, Element::bf16, 1, 1}});
  CHECK(brain == 0x4500);
}

TEST_CASE("D apart from C gets the bias of its row, then the activation, then the factor") {
  std::vector<float> A{1, 2}, B{3, -1, -4}, C{10, 20, 30, 40, 50, 60}, D(6), bias{0.5f, -100};
  Product product{2, 3, 1, 2, 0.5, columns(A, 2), columns(B, 1), columns(C, 2)};
  product.D = columns(D, 2);
  product.epilogue.form.adds_bias = true;
  product.epilogue.bias = bias.data();
  multiply(product);  // 2 A B + C / 2: 11 22, 13 16, 17 14
  CHECK(D == std::vector<float>{11.5f, -78, 13.5f, -84, 17.5f, -86});
  product.epilogue.form.activation = Activation::relu;
  product.epilogue.factor = 2;
  multiply(product);
  CHECK(D == std::vector<float>{23, 0, 27, 0, 35, 0});
  CHECK(C[0] == 10);
  product.epilogue = {};
  product.epilogue.form.activation = Activation::gelu;
  product.beta = 0;
  B = {0.25f, -0.25f, 0};
  multiply(product);  // x is 0.5, 1, -0.5, -1, 0, 0
  for (const auto& [at, x] : {std::pair{0, 0.5}, {1, 1.0}, {2, -0.5}, {3, -1.0}, {4, 0.0}}) {
    const double inner = std::sqrt(2 / 3.14159265358979) * (x + 0.044715 * x * x * x);
    CHECK(D[static_cast<std::size_t>(at)] == doctest::Approx(0.5 * x * (1 + std::tanh(inner))));
  }
}

TEST_CASE("a mask is kept forward, read backward; gradients of a bias are sums of D, A or B") {
  std::vector<float> A{1, 2}, B{3, -1, 0}, D(6), bias(3, 9);
  std::vector<std::uint8_t> mask(3 * 16, 0xff);
  Product product{2, 3, 1, 1, 0, columns(A, 2), columns(B, 1), columns(D, 2)};
  product.D = columns(D, 2);
  Epilogue& last = product.epilogue;
  last.form = {Activation::relu, false, true, false, BiasGradient::none};
  last.kept = mask.data();
  last.kept_lead = 128;
  multiply(product);  // 3 6, -1 -2, 0 0
  CHECK(D == std::vector<float>{3, 6, 0, 0, 0, 0});
  CHECK(mask[0] == 0xff);
  CHECK(mask[16] == 0xfc);  // the bits of other rows stay
  CHECK(mask[32] == 0xff);

  mask[0] = 2;
  last.form = {Activation::relu, false, false, true, BiasGradient::rows_of_d};
  last.bias = bias.data();
  multiply(product);
  CHECK(D == std::vector<float>{0, 6, 0, 0, 0, 0});
  CHECK(bias == std::vector<float>{0, 6, 9});

  std::vector<float> slopes{0, 0.5f};  // GELU's inputs, those of its second column right behind
  slopes.resize(3 * 8, 0);
  last.form = {Activation::gelu, false, false, true, BiasGradient::none};
  last.kept = slopes.data();
  last.kept_lead = 8;
  multiply(product);  // half of the sum where x was 0
  CHECK(D[0] == 1.5f);
  CHECK(D[1] == doctest::Approx(6 * 0.867370));
  CHECK(D[2] == -0.5f);

  last.form = {Activation::none, false, false, false, BiasGradient::rows_of_a};
  multiply(product);
  CHECK(bias == std::vector<float>{1, 2, 9});
  last.form.gradient = BiasGradient::columns_of_b;
  multiply(product);
  CHECK(bias == std::vector<float>{3, -1, 0});
  CHECK(D == std::vector<float>{3, 6, -1, -2, 0, 0});
}

TEST_CASE(
    "numbers of 8 bits are multiplied where the card has a tensor core for them, and end at its "
    "largest") {
  const auto e4 = [](double value) {
    return static_cast<std::uint8_t>(lanescope::numeric::encode(lanescope::numeric::kE4m3, value));
  };
  std::vector<std::uint8_t> A{e4(1.5), e4(-2)}, B{e4(4), e4(0.5)}, D(1);
  float sum = 0;
  Product product{1,
                  1,
                  2,
                  1,
                  0,
                  {A.data(), Element::e4m3, 1, 1},
                  {B.data(), Element::e4m3, 1, 2},
                  {&sum, Element::f32, 1, 1}};
  for (const char* arch : {"sm_89", "sm_90a"}) {
    product.arch = arch;
    REQUIRE(is_multiplied(product));
    multiply(product);
    CHECK(sum == 5);
  }
  product.arch = "sm_80";
  CHECK(!is_multiplied(product));
  product.arch = "sm_90a";
  product.D = Matrix{D.data(), Element::e4m3, 1, 1};
  product.alpha = 1000;
  multiply(product);
  CHECK(D[0] == e4(448));
}
