// SPDX-License-Identifier: MIT
// An array in the card's memory, freed when it goes out of scope.
//
//     DeviceArray<float> input(values);           // a copy of a std::vector
//     DeviceArray<float> output(128);             // poisoned: every byte 0xff, a NaN in any format
//     kernel<<<1, 32>>>(input.data(), output.data());
//     std::vector<float> result = output.get();   // waits for the kernel
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "check.cuh"

template <class Element>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size) {
    CUDA_CHECK(cudaMalloc(&data_, size_ * sizeof(Element)));
    CUDA_CHECK(cudaMemset(data_, 0xff, size_ * sizeof(Element)));
  }
  explicit DeviceArray(const std::vector<Element>& values) : DeviceArray(values.size()) {
    CUDA_CHECK(cudaMemcpy(data_, values.data(), size_ * sizeof(Element), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  Element* data() { return data_; }
  std::size_t size() const { return size_; }
  std::vector<Element> get() const {
    std::vector<Element> values(size_);
    CUDA_CHECK(cudaGetLastError());  // a launch that failed
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(values.data(), data_, size_ * sizeof(Element), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  Element* data_ = nullptr;
  std::size_t size_ = 0;
};
