// SPDX-License-Identifier: MIT
// Method: cold last-level cache by rotation over copies of the cache; each sample is one graph of
// reads and one graph of the case, of about 2 ms, timed by events; decode and read take turns, so
// that what disturbs the device disturbs both. Clocks are never locked.
#include <algorithm>
#include <chrono>
#include <thread>

#include "native/probe_cuda_class.h"

namespace kvgauge {
namespace {

constexpr double warm_up_ns = 250e6;  // before the first figure: clocks take that long to rise

}  // namespace

// One call of the case on copy `turn` of the rotation.
std::string CudaProbe::launch_case(std::uint64_t turn) {
    unsigned char* const at = memory_.data() + turn % copies_ * call_bytes_;
    switch (kernel_) {
        case KernelKind::read:
            return kc::launch_read(at, call_bytes_, sink_, device_, stream_);
        case KernelKind::copy: {
            unsigned char* const to = memory_.data() + (turn + 1) % 2 * call_bytes_;
            return kc::launch_copy(to, at, call_bytes_, device_, stream_);
        }
        case KernelKind::decode: {
            kernels::DecodeProblem p = decode_;
            p.k = at;
            p.v = at + call_bytes_ / 2;
            return kc::launch_decode(p, plan_, workspace_, stream_);
        }
        case KernelKind::prefill:
            return kc::launch_prefill(prefill_, stream_);
        case KernelKind::gemm: {
            const std::uint64_t a = round_up_256(2 * std::uint64_t{shape_.m} * shape_.k);
            const std::uint64_t b = round_up_256(2 * std::uint64_t{shape_.n} * shape_.k);
            return gemm_->launch(memory_.data(), memory_.data() + a, memory_.data() + a + b,
                                 workspace_, stream_);
        }
    }
    return {};
}

std::string CudaProbe::record(int calls) {
    calls_ = calls;
    std::string wrong = case_graph_.capture(stream_, [&]() -> std::string {
        for (int i = 0; i < calls_; ++i) {
            std::string failed = launch_case(static_cast<std::uint64_t>(i));
            if (!failed.empty()) return failed;
        }
        return {};
    });
    if (!wrong.empty() || !paired_) return wrong;
    return read_graph_.capture(stream_, [&]() -> std::string {
        for (int i = 0; i < calls_; ++i) {
            const std::uint64_t turn = static_cast<std::uint64_t>(i) % copies_;
            // A copy moves twice its size: so does the read beside it.
            for (int part = 0; part < (kernel_ == KernelKind::copy ? 2 : 1); ++part) {
                const std::uint64_t copy = (turn + static_cast<std::uint64_t>(part)) % copies_;
                std::string failed = kc::launch_read(memory_.data() + copy * call_bytes_,
                                                     call_bytes_, sink_, device_, stream_);
                if (!failed.empty()) return failed;
            }
        }
        return {};
    });
}

double CudaProbe::timed(const cuda::Graph& graph, const std::atomic<bool>* stop,
                        std::string& failure) {
    cudaError_t error = cudaEventRecord(begin_, stream_);
    if (error == cudaSuccess) error = graph.launch(stream_);
    if (error == cudaSuccess) error = cudaEventRecord(end_, stream_);
    bool stopped = false;
    while (error == cudaSuccess) {
        error = cudaEventQuery(end_);
        if (error != cudaErrorNotReady) break;
        error = cudaSuccess;
        // What was launched cannot be called back; it is short.
        stopped = stop != nullptr && stop->load(std::memory_order_relaxed);
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    float ms = 0;
    if (error == cudaSuccess) error = cudaEventElapsedTime(&ms, begin_, end_);
    if (error != cudaSuccess) {
        failure =
            cuda::sentence(error, cuda::is_lost(error) ? "The GPU was lost" : "The GPU failed");
        return -1;
    }
    return stopped ? -1 : static_cast<double>(ms) * 1e6;
}

Sample CudaProbe::sample(const std::atomic<bool>* stop) {
    Sample s;
    double read_ns = 0;
    if (paired_) {
        read_ns = timed(read_graph_, stop, s.failure);
        if (read_ns < 0) return s;
    }
    const double ns = timed(case_graph_, stop, s.failure);
    if (ns < 0) return s;
    if (warmed_ns_ < warm_up_ns) {
        warmed_ns_ += ns + read_ns;
        return s;  // no time yet: the clocks are still rising
    }
    s.ns = ns / calls_;
    if (paired_)
        s.read_ns =
            read_ns / calls_ * static_cast<double>(ready_.bytes) /
            static_cast<double>(kernel_ == KernelKind::copy ? 2 * call_bytes_ : call_bytes_);
    if (kernel_ == KernelKind::read) s.read_ns = s.ns;
    return s;
}

std::optional<double> CudaProbe::launch_floor_ns() {
    constexpr int launches = 100;
    if (!open_) return std::nullopt;
    cuda::Graph graph;
    std::string wrong = graph.capture(stream_, [&]() -> std::string {
        for (int i = 0; i < launches; ++i) {
            std::string failed = kc::launch_nothing(stream_);
            if (!failed.empty()) return failed;
        }
        return {};
    });
    double best = 0;
    for (int i = 0; i < 5 && wrong.empty(); ++i) {
        const double ns = timed(graph, nullptr, wrong);
        if (i > 0 && (best == 0 || ns < best)) best = ns;
    }
    if (!wrong.empty() || best <= 0) return std::nullopt;
    return best / launches;
}

}  // namespace kvgauge
