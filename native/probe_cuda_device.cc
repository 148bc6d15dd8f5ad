// SPDX-License-Identifier: MIT
#include "native/probe_cuda_device.h"

namespace kvgauge::cuda {

std::string sentence(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return {};
    cudaGetLastError();
    return std::string(what) + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) +
           ")";
}

bool is_lost(cudaError_t error) {
    switch (error) {
        case cudaSuccess:
        case cudaErrorNotReady:
        case cudaErrorMemoryAllocation:
        case cudaErrorInvalidValue:
        case cudaErrorInvalidConfiguration:
            return false;
        default:
            return true;
    }
}

cudaError_t Memory::allocate(std::uint64_t bytes) {
    if (bytes <= size_) return cudaSuccess;
    reset();
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, static_cast<std::size_t>(bytes));
    if (error != cudaSuccess) {
        cudaGetLastError();  // out of memory is not sticky: it only wants to be read
        return error;
    }
    data_ = static_cast<unsigned char*>(memory);
    size_ = bytes;
    return cudaSuccess;
}

void Memory::reset() {
    if (data_ != nullptr) cudaFree(data_);
    data_ = nullptr;
    size_ = 0;
}

std::string Graph::capture(cudaStream_t stream, const std::function<std::string()>& record) {
    reset();
    std::string wrong =
        sentence(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "graph capture");
    if (!wrong.empty()) return wrong;
    wrong = record();
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
    if (wrong.empty()) wrong = sentence(ended, "graph capture");
    if (wrong.empty()) wrong = sentence(cudaGraphInstantiate(&executable_, graph, 0), "graph");
    if (graph != nullptr) cudaGraphDestroy(graph);
    return wrong;
}

void Graph::reset() {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    executable_ = nullptr;
}

}  // namespace kvgauge::cuda
