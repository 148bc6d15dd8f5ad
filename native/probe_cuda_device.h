// SPDX-License-Identifier: MIT
// Owns: what the CUDA runtime must be asked or told: errors as sentences, memory, events and graphs
// that clean up after themselves. Used by the CUDA probe alone.
#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace kvgauge::cuda {

// Empty on success. Clears the error where CUDA lets it be cleared.
std::string sentence(cudaError_t error, const char* what);
// After these nothing works in this process until the device is reset.
bool is_lost(cudaError_t error);

class Memory {
  public:
    Memory() = default;
    ~Memory() { reset(); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    cudaError_t allocate(std::uint64_t bytes);
    void reset();
    unsigned char* data() const { return data_; }
    std::uint64_t size() const { return size_; }

  private:
    unsigned char* data_ = nullptr;
    std::uint64_t size_ = 0;
};

// Work recorded once and launched as a whole: one launch however many kernels.
class Graph {
  public:
    Graph() = default;
    ~Graph() { reset(); }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    // `record` launches on the stream and returns what went wrong.
    std::string capture(cudaStream_t stream, const std::function<std::string()>& record);
    cudaError_t launch(cudaStream_t stream) const { return cudaGraphLaunch(executable_, stream); }
    bool ready() const { return executable_ != nullptr; }
    void reset();

  private:
    cudaGraphExec_t executable_ = nullptr;
};

}  // namespace kvgauge::cuda
