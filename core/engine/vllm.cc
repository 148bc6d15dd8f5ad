// SPDX-License-Identifier: MIT
#include "engine/vllm.h"

#include <algorithm>

#include "engine/engines.h"
#include "engine/lines.h"
#include "engine/paged.h"
#include "engine/vllm_overhead.h"

namespace kvgauge::engine {
namespace vllm {
namespace {

// 70 GiB and more, A100 excepted; 160 GiB and more since 0.28 (arg_utils.py).
enum class DeviceClass { small, large, largest };
DeviceClass device_class(const EngineInput& in) {
    if (in.gpu.visible_bytes >= 160 * gib && in.version >= since::batch_160) {
        return DeviceClass::largest;
    }
    if (in.gpu.visible_bytes >= 70 * gib && !in.gpu.id.starts_with("a100"))
        return DeviceClass::large;
    return DeviceClass::small;
}

}  // namespace

double default_util(const EngineInput& in) {
    return in.version >= since::util_92 ? 0.92 : 0.90;
}

std::uint64_t max_batched_tokens(const EngineInput& in) {
    if (in.scenario.max_batched) return *in.scenario.max_batched;
    if (in.version < since::v1) {
        // V0: a whole prompt in one step, in chunks only above 32k.
        return in.scenario.ctx > 32768 ? 2048 : std::max<std::uint64_t>(2048, in.scenario.ctx);
    }
    std::uint64_t tokens = 2048;
    switch (device_class(in)) {
        case DeviceClass::largest:
            tokens = 16384;
            break;
        case DeviceClass::large:
            tokens = 8192;
            break;
        case DeviceClass::small:
            break;
    }
    const Count most = Count(max_num_seqs(in)) * in.scenario.ctx;
    return most.overflow() || most.value() == 0 ? tokens : std::min(tokens, most.value());
}

std::uint64_t max_num_seqs(const EngineInput& in) {
    if (in.scenario.max_seqs) return *in.scenario.max_seqs;
    const bool large = in.version >= since::v1 && device_class(in) != DeviceClass::small;
    return large ? 1024 : 256;
}

Budget budget(const EngineInput& in) {
    BudgetParts parts;
    parts.gpu_bytes = in.gpu.visible_bytes;
    parts.util = util_or(in, default_util(in));
    parts.util_default = !in.scenario.util;
    parts.usable_bytes = share_of(in.gpu.visible_bytes, parts.util);
    parts.weight_bytes = weights(in);
    const OverheadParts beside = overhead_parts(in);
    parts.overhead = overhead(beside);
    Budget b = make_budget(in, parts);
    if (!in.scenario.overhead) b.parts = beside;
    return b;
}

std::string log(const EngineInput& in, const CachePlan& p, Bytes kv_budget) {
    const std::string length = grouped(in.scenario.ctx);
    const std::string concurrency = fixed(p.max_concurrency, 2);
    if (in.version < since::v1) {
        return "# GPU blocks: " + std::to_string(p.blocks) + "\nMaximum concurrency for " +
               std::to_string(in.scenario.ctx) + " tokens per request: " + concurrency + "x\n";
    }
    return "Available KV cache memory: " + gib_text(kv_budget.real()) +
           " GiB\nGPU KV cache size: " + grouped(p.tokens) + " tokens\nMaximum concurrency for " +
           length + " tokens per request: " + concurrency + "x\n";
}

}  // namespace vllm

constinit const EngineRules kVllm{EngineId::vllm,     Version{0, 28, 0, false, 2},
                                  vllm::default_util, checkpoint_kv,
                                  vllm::tp,           vllm::weights,
                                  vllm::budget,       vllm::plan,
                                  vllm::log,          vllm::attention,
                                  backend_text,       vllm::plans};

}  // namespace kvgauge::engine
