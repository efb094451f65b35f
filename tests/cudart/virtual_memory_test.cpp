// SPDX-License-Identifier: MIT
// Memory apart from addresses: side by side, at two places, gone, and as a file.
#include <doctest/doctest.h>
#include <unistd.h>

#include "cudart/driver/driver_virtual.hpp"
#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;

namespace {

constexpr std::size_t kPiece = std::size_t{2} << 20;
using Memory = CUmemGenericAllocationHandle;

struct Reserved {
  explicit Reserved(std::size_t pieces) : bytes(pieces * kPiece) {
    what.type = 1;
    what.location = {1, 0};
    access.location = {1, 0};
    access.flags = 3;
    REQUIRE(cuMemAddressReserve(&begin, bytes, 0, 0, 0) == 0);
  }
  ~Reserved() { CHECK(cuMemAddressFree(begin, bytes) == 0); }
  Memory make(std::size_t pieces) {
    Memory made = 0;
    REQUIRE(cuMemCreate(&made, pieces * kPiece, &what, 0) == 0);
    return made;
  }
  CUdeviceptr at(std::size_t piece) const { return begin + piece * kPiece; }
  std::size_t bytes;
  CUdeviceptr begin = 0;
  CUmemAllocationProp what{};
  CUmemAccessDesc access{};
};

unsigned word(CUdeviceptr address) {
  unsigned got = 0;
  CHECK(cuMemcpyDtoH_v2(&got, address, 4) == 0);
  return got;
}

}  // namespace

TEST_CASE("memory that is mapped side by side is one, and grows") {
  const Fresh fresh;
  Reserved it(4);
  const Memory one = it.make(1), two = it.make(2);
  const std::uint64_t used = context().device_bytes;
  CHECK(cuMemMap(it.at(0), kPiece, 0, one, 0) == 0);
  CHECK(cuMemMap(it.at(1), 2 * kPiece, 0, two, 0) == 0);
  CHECK(cuMemsetD32_v2(it.at(0), 1, 1) == 1);  // nobody may access it yet
  CHECK(cuMemSetAccess(it.at(0), kPiece, &it.access, 1) == 0);
  CHECK(cuMemsetD32_v2(it.at(1) - 4, 1, 2) == 1);  // over the edge of what may be
  CHECK(cuMemSetAccess(it.at(0), 3 * kPiece, &it.access, 1) == 0);
  CHECK(word(it.at(1)) == 0xa5a5a5a5);
  CHECK(cuMemsetD32_v2(it.at(1) - 8, 7, 4) == 0);
  CHECK(word(it.at(1) + 4) == 7);
  CUdeviceptr begin = 0;
  std::size_t bytes = 0;
  CHECK(cuMemGetAddressRange_v2(&begin, &bytes, it.at(2) + 9) == 0);
  CHECK(begin == it.at(1));
  CHECK(bytes == 2 * kPiece);
  unsigned long long access = 0;
  CHECK(cuMemGetAccess(&access, &it.access.location, it.at(2) + 5) == 0);
  CHECK(access == 3);
  Memory held = 0;
  CHECK(cuMemRetainAllocationHandle(&held, reinterpret_cast<void*>(it.at(2))) == 0);
  CHECK(held == two);
  for (const Memory memory : {one, two, held}) CHECK(cuMemRelease(memory) == 0);
  CHECK(cuMemRelease(two) == 1);             // nobody has it any more
  CHECK(word(it.at(1)) == 7);                // but it is there as long as it is mapped
  CHECK(cuMemUnmap(it.at(1), kPiece) == 1);  // a half
  CHECK(cuMemUnmap(it.at(0), 3 * kPiece) == 0);
  CHECK(context().device_bytes == used - 3 * kPiece);
  unsigned got = 0;
  CHECK(cuMemcpyDtoH_v2(&got, it.at(0), 4) == 1);
  CHECK(cuMemcpy(reinterpret_cast<CUdeviceptr>(&got), it.at(0), 4) == 1);  // nor is it the host's
}

TEST_CASE("memory at two places, and in another's hands by a file descriptor") {
  const Fresh fresh;
  Reserved it(3);
  it.what.requestedHandleTypes = 1;
  const Memory memory = it.make(1);
  int file = -1;
  Memory same = 0;
  CHECK(cuMemExportToShareableHandle(&file, memory, 1, 0) == 0);
  CHECK(cuMemImportFromShareableHandle(&same, reinterpret_cast<void*>(std::intptr_t{file}), 1) ==
        0);
  CHECK(close(file) == 0);
  CHECK(cuMemImportFromShareableHandle(&same, reinterpret_cast<void*>(std::intptr_t{file}), 1) ==
        1);
  CHECK(cuMemMap(it.at(0), kPiece, 0, memory, 0) == 0);
  CHECK(cuMemMap(it.at(2), kPiece, 0, same, 0) == 0);
  CHECK(cuMemSetAccess(it.at(0), kPiece, &it.access, 1) == 0);
  CHECK(cuMemSetAccess(it.at(2), kPiece, &it.access, 1) == 0);
  CHECK(cuMemsetD32_v2(it.at(0) + 64, 0x1234, 1) == 0);
  CHECK(word(it.at(2) + 64) == 0x1234);
  CHECK(cuMemSetAccess(it.at(0), 3 * kPiece, &it.access, 1) == 1);  // a gap
  CUmemAllocationProp said{};
  CHECK(cuMemGetAllocationPropertiesFromHandle(&said, memory) == 0);
  CHECK(said.requestedHandleTypes == 1);
  CHECK(cuMemAddressFree(it.begin, it.bytes) == 1);  // still mapped
  for (const std::size_t piece : {0, 2}) CHECK(cuMemUnmap(it.at(piece), kPiece) == 0);
  CHECK(cuMemRelease(memory) == 0);
  CHECK(cuMemRelease(same) == 0);
  it.what.requestedHandleTypes = 0;
  const Memory own = it.make(1);
  CHECK(cuMemExportToShareableHandle(&file, own, 1, 0) == 1);
  CHECK(cuMemRelease(own) == 0);
}

TEST_CASE("what cannot be mapped") {
  const Fresh fresh;
  Reserved it(3);
  const Memory memory = it.make(1), two = it.make(2);
  Memory none = 0;
  CHECK(cuMemCreate(&none, kPiece + 4096, &it.what, 0) == 1);
  CHECK(cuMemCreate(&none, 0, &it.what, 0) == 1);
  it.what.location = {2, 0};
  CHECK(cuMemCreate(&none, kPiece, &it.what, 0) == 801);
  CHECK(cuMemMap(it.at(0), kPiece, 0, memory, 0) == 0);
  CHECK(cuMemMap(it.at(0), kPiece, 0, memory, 0) == 1);         // there is something
  CHECK(cuMemMap(it.at(1) + 4096, kPiece, 0, memory, 0) == 1);  // not at a piece's beginning
  CHECK(cuMemMap(it.at(0), 3 * kPiece, 0, two, 0) == 801);      // more than there is
  CHECK(cuMemMap(it.at(1), kPiece, 0, two, 0) == 801);          // less
  CHECK(cuMemMap(it.at(2), 2 * kPiece, 0, two, 0) == 1);        // over the end
  CHECK(cuMemMap(it.at(1), kPiece, kPiece, memory, 0) == 801);  // from the middle
  CHECK(cuMemMap(it.at(1), kPiece, 0, memory + 100, 0) == 1);   // none
  CHECK(cuMemUnmap(it.at(1), kPiece) == 0);                     // there is nothing
  CHECK(cuMemUnmap(it.at(0), kPiece) == 0);
  for (const Memory each : {memory, two}) CHECK(cuMemRelease(each) == 0);
  CUdeviceptr address = 0;
  CHECK(cuMemAddressReserve(&address, 4097, 0, 0, 0) == 1);
  CHECK(cuMemAddressFree(it.begin, kPiece) == 1);
}
