// SPDX-License-Identifier: MIT
// The probe of one GPU. Its parts: probe_cuda.cc opens it and prepares cases, probe_cuda_decode.cc
// the decode cases, probe_cuda_check.cc the self-test, probe_cuda_timing.cc what is timed and how.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "kernels/cuda/gemm.h"
#include "kernels/cuda/launch.h"
#include "native/nvml.h"
#include "native/probe_cuda_device.h"
#include "native/probe_cuda_info.h"

namespace kvgauge {

namespace kc = kernels::cuda;

inline std::uint64_t round_up_256(std::uint64_t bytes) {
    return (bytes + 255) / 256 * 256;
}

inline kernels::Element element_of(DType kv) {
    return kv == DType::fp8    ? kernels::Element::e4m3
           : kv == DType::fp16 ? kernels::Element::f16
                               : kernels::Element::bf16;
}

class CudaProbe : public Probe {
  public:
    explicit CudaProbe(int index) : index_(index) {}
    ~CudaProbe() override { close(); }

    DeviceInfo device() override;
    ClockState clocks() override {
        const Nvml* const library = cuda::nvml();
        return library ? library->clocks(cuda::bus_id_of(index_)) : ClockState{};
    }
    std::string self_test() override;
    bool has(KernelKind kernel, DType kv) const override;
    Prepared prepare(KernelKind kernel, CaseShape& shape, const MeasureLimits& limits) override;
    Sample sample(const std::atomic<bool>* stop) override;
    void release() override;
    std::optional<double> launch_floor_ns() override;

  private:
    std::string open();
    void close();
    std::string check_decode(kernels::Element element, bool paged, int splits);
    std::uint64_t allowed(const MeasureLimits& limits) const;
    std::string prepare_stream(KernelKind kernel, const CaseShape& shape, const MeasureLimits&);
    std::string prepare_decode(CaseShape& shape, const MeasureLimits&);
    std::string prepare_prefill(const CaseShape& shape, const MeasureLimits&);
    std::string prepare_gemm(const CaseShape& shape, const MeasureLimits&);
    std::string choose_split(const kernels::DecodeProblem& problem);
    std::string reserve(std::uint64_t bytes, const MeasureLimits& limits);
    std::string record(int rounds);
    std::string launch_case(std::uint64_t turn);
    // Device time of one launch of the graph; negative when stopped or failed.
    double timed(const cuda::Graph& graph, const std::atomic<bool>* stop, std::string& failure);

    int index_;
    bool open_ = false;
    kc::Device device_;
    DeviceInfo info_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
    cuda::Memory memory_;  // everything a case needs, in one block
    cuda::Graph case_graph_, read_graph_;
    double warmed_ns_ = 0;

    // The case.
    Prepared ready_;
    KernelKind kernel_ = KernelKind::read;
    std::uint64_t call_bytes_ = 0;  // of one copy of the rotation
    std::uint64_t copies_ = 1;
    int calls_ = 1;        // in one graph
    bool paired_ = false;  // with a read of equal bytes
    unsigned char* sink_ = nullptr;
    kernels::DecodeProblem decode_;
    kernels::DecodePlan plan_;
    void* workspace_ = nullptr;
    kc::PrefillProblem prefill_;
    std::unique_ptr<kc::Gemm> gemm_;
    CaseShape shape_;
};

}  // namespace kvgauge
