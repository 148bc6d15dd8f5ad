// SPDX-License-Identifier: MIT
#include "data/speed_constants.h"

#include <algorithm>
#include <array>

namespace kvgauge {
namespace {

// Sources. e_w, e_kv: medians of the GEMM and decode-attention tables of ai-dynamo/aiconfigurator
// (commit 095f58a, Apache-2.0) and of Vidur (MIT). tau 55 us: attention 17 + 4 GEMM x 5 + 6 small
// ops x 3; llama.cpp 147 us: 139 llama-bench rows on 16 GPUs, May 2024 (XiongjieDai). alpha: custom
// all-reduce tables, NVLink 5 us, PCIe (L40S) 5, 13, 24 us at 2, 4, 8 GPUs. mfu: GEMM tables and
// the serving rows of the same source. phi: 918 serving rows; SGLang's prefill-first keeps half.
constexpr double kTauLlamaCpp = 147e-6;
constexpr double kAlphaPcie[] = {5e-6, 13e-6, 24e-6};

double mfu_prefill(WeightKind k) {
    switch (k) {
        case WeightKind::fp8:
        case WeightKind::fp8_block:
        case WeightKind::mxfp8:
        case WeightKind::int8:
            return 0.55;
        case WeightKind::nvfp4:
        case WeightKind::mxfp4:
            return 0.45;
        default:
            return 0.70;
    }
}

// Share of spec bandwidth at which the 16-bit matrix kernels of a GPU read weights: middles of the
// fitted ranges of aiconfigurator's GEMM tables. Serving engines were compared with one share for
// all; a batch of one on llama.cpp is nothing but this read.
double read_share(std::string_view gpu) {
    constexpr std::pair<std::string_view, double> kShares[] = {
        {"a100-", 0.805}, {"h100-", 0.855}, {"h200-", 0.835},
        {"b200-", 0.79},  {"l40s-", 0.77},  {"rtx-pro-6000-", 0.92},
    };
    for (const auto& [prefix, share] : kShares) {
        if (gpu.starts_with(prefix)) return share;
    }
    return 1;
}

// Columns t0 (us), e and the median error of the held-out half; hd 128, cold rows only.
constexpr std::array<KernelFit, 39> kFits{{
    {"a100-80gb-sxm", EngineId::vllm, "0.14.0", "vllm_flash_attn", DType::bf16, 26.3e-6, 0.761,
     0.053},
    {"a100-80gb-sxm", EngineId::sglang, "0.5.10", "flash_attention", DType::bf16, 30.3e-6, 0.539,
     0.127},
    {"l40s-48gb", EngineId::vllm, "0.24.0", "vllm_flash_attn_fa2", DType::bf16, 23.9e-6, 0.812,
     0.062},
    {"l40s-48gb", EngineId::vllm, "0.24.0", "vllm_flashinfer_fidecode", DType::fp8, 0.5e-6, 0.776,
     0.034},
    {"l40s-48gb", EngineId::trtllm, "1.3.0rc20", "torch_flow", DType::bf16, 24.3e-6, 0.816, 0.041},
    {"l40s-48gb", EngineId::trtllm, "1.3.0rc20", "torch_flow", DType::fp8, 44.5e-6, 0.823, 0.063},
    {"l40s-48gb", EngineId::sglang, "0.5.14", "flashinfer", DType::bf16, 10.3e-6, 0.847, 0.018},
    {"l40s-48gb", EngineId::sglang, "0.5.14", "flashinfer", DType::fp8, 0.5e-6, 0.783, 0.031},
    {"h100-80gb-sxm", EngineId::vllm, "0.24.0", "vllm_flash_attn_fa3", DType::bf16, 20.5e-6, 0.934,
     0.046},
    {"h100-80gb-sxm", EngineId::vllm, "0.24.0", "vllm_flash_attn_fa3", DType::fp8, 25.2e-6, 0.858,
     0.062},
    {"h100-80gb-sxm", EngineId::trtllm, "1.3.0rc20", "torch_flow", DType::bf16, 24.9e-6, 0.928,
     0.034},
    {"h100-80gb-sxm", EngineId::trtllm, "1.3.0rc20", "torch_flow", DType::fp8, 14.9e-6, 0.837,
     0.098},
    {"h100-80gb-sxm", EngineId::sglang, "0.5.14", "fa3", DType::bf16, 15.9e-6, 0.916, 0.029},
    {"h100-80gb-sxm", EngineId::sglang, "0.5.14", "fa3", DType::fp8, 21.5e-6, 0.637, 0.057},
    {"h200-141gb-sxm", EngineId::vllm, "0.24.0", "vllm_flash_attn_fa3", DType::bf16, 19.9e-6, 0.909,
     0.054},
    {"h200-141gb-sxm", EngineId::vllm, "0.24.0", "vllm_flash_attn_fa3", DType::fp8, 23.9e-6, 0.66,
     0.073},
    {"h200-141gb-sxm", EngineId::trtllm, "1.3.0rc20", "torch_flow", DType::bf16, 31.5e-6, 0.935,
     0.055},
    {"h200-141gb-sxm", EngineId::trtllm, "1.3.0rc20", "torch_flow", DType::fp8, 14.7e-6, 0.735,
     0.171},
    {"h200-141gb-sxm", EngineId::sglang, "0.5.14", "fa3", DType::bf16, 15.7e-6, 0.899, 0.057},
    {"h200-141gb-sxm", EngineId::sglang, "0.5.14", "fa3", DType::fp8, 21.5e-6, 0.515, 0.074},
    {"b200-180gb-sxm", EngineId::vllm, "0.24.0", "vllm_flashinfer_trtllmdecode", DType::bf16,
     13.8e-6, 0.916, 0.018},
    {"b200-180gb-sxm", EngineId::vllm, "0.24.0", "vllm_flashinfer_trtllmdecode", DType::fp8,
     14.8e-6, 0.907, 0.029},
    {"b200-180gb-sxm", EngineId::trtllm, "1.3.0rc20", "torch_flow", DType::bf16, 15.5e-6, 0.927,
     0.018},
    {"b200-180gb-sxm", EngineId::trtllm, "1.3.0rc20", "torch_flow", DType::fp8, 15.9e-6, 0.922,
     0.018},
    {"b200-180gb-sxm", EngineId::sglang, "0.5.14", "flashinfer", DType::bf16, 19.8e-6, 0.812,
     0.077},
    {"b200-180gb-sxm", EngineId::sglang, "0.5.14", "trtllm_mha", DType::bf16, 12.0e-6, 0.924,
     0.024},
    {"b200-180gb-sxm", EngineId::sglang, "0.5.14", "trtllm_mha", DType::fp8, 19.3e-6, 0.889, 0.023},
    {"b300-288gb-sxm", EngineId::vllm, "0.24.0", "vllm_flashinfer_trtllmdecode", DType::bf16,
     13.4e-6, 0.91, 0.015},
    {"b300-288gb-sxm", EngineId::vllm, "0.24.0", "vllm_flashinfer_trtllmdecode", DType::fp8,
     13.9e-6, 0.904, 0.022},
    {"gb200-186gb", EngineId::vllm, "0.24.0", "vllm_flashinfer_trtllmdecode", DType::bf16, 14.3e-6,
     0.963, 0.017},
    {"gb200-186gb", EngineId::vllm, "0.24.0", "vllm_flashinfer_trtllmdecode", DType::fp8, 15.2e-6,
     0.955, 0.024},
    {"rtx-pro-6000-server-96gb", EngineId::vllm, "0.24.0", "vllm_flash_attn_fa2", DType::bf16,
     24.3e-6, 0.954, 0.012},
    {"rtx-pro-6000-server-96gb", EngineId::vllm, "0.24.0", "vllm_flashinfer_fidecode", DType::fp8,
     18.3e-6, 0.951, 0.008},
    {"rtx-pro-6000-server-96gb", EngineId::sglang, "0.5.14", "flashinfer", DType::bf16, 11.6e-6,
     0.957, 0.007},
    {"rtx-pro-6000-server-96gb", EngineId::sglang, "0.5.14", "flashinfer", DType::fp8, 15.3e-6,
     0.926, 0.015},
    {"rtx-pro-6000-server-96gb", EngineId::trtllm, "1.3.0rc20", "torch_flow", DType::bf16, 17.4e-6,
     0.956, 0.013},
    {"rtx-pro-6000-server-96gb", EngineId::trtllm, "1.3.0rc20", "torch_flow", DType::fp8, 22.8e-6,
     0.948, 0.056},
    {"arc-pro-b60-24gb", EngineId::vllm, "0.20.0", "vllm_flash_attn", DType::bf16, 32.7e-6, 0.963,
     0.028},
    {"arc-pro-b60-24gb", EngineId::vllm, "0.20.0", "vllm_flash_attn", DType::fp8, 169.5e-6, 0.759,
     0.356},
}};

}  // namespace

SpeedConstants speed_constants(EngineId engine, const GpuSpec& gpu, WeightKind weights, DType kv,
                               std::uint64_t tp) {
    SpeedConstants c;
    c.mfu_pre = mfu_prefill(weights);
    switch (engine) {
        case EngineId::none:
        case EngineId::vllm:
        case EngineId::trtllm:
            break;
        case EngineId::sglang:
            c.phi = 0.5;
            break;
        case EngineId::llamacpp:
            c.tau = kTauLlamaCpp;
            // By the same rows: 16-bit matrices at 0.94, quantised files at about 1 of their bytes,
            // where the GPU's own matrix kernels reach as much.
            c.e_w = std::min(read_share(gpu.id),
                             info(weights).gguf && info(weights).bits < 16 ? 1 : 0.94);
            c.checked_batch = 1;
            break;
        case EngineId::tgi:
        case EngineId::lmdeploy:
        case EngineId::hf:
            c.checked_batch = 0;
            break;
    }
    if (gpu.link <= 0 && tp > 1) c.alpha = kAlphaPcie[tp <= 2 ? 0 : tp <= 4 ? 1 : 2];
    // FlashAttention 3 reads an fp8 cache slower than the memory could: an issue-rate limit. Only
    // there does the kernel's own share differ enough from the default to show in serving rows.
    if (kv == DType::fp8) {
        if (const auto fit = kernel_fit(gpu.id, engine, kv); fit && fit->fa3_fp8()) c.e_kv = fit->e;
    }
    return c;
}

SpeedConstants calibrated(SpeedConstants c, const Calibration& m, DType kv) {
    if (m.e_w) c.e_w = *m.e_w;
    if (m.e_kv) c.e_kv = *m.e_kv;
    if (kv == DType::fp8 && m.e_kv_fp8) c.e_kv = *m.e_kv_fp8;
    if (m.mfu_pre) c.mfu_pre = *m.mfu_pre;
    if (m.mfu_dec) c.mfu_dec = *m.mfu_dec;
    if (m.mfu_attn) c.mfu_attn = *m.mfu_attn;
    if (m.tau) c.tau = *m.tau;
    c.fitted = m.e_w || m.e_kv || m.e_kv_fp8 || m.mfu_pre || m.mfu_dec || m.mfu_attn || m.tau;
    return c;
}

std::span<const KernelFit> kernel_fits() {
    return kFits;
}

std::optional<KernelFit> kernel_fit(std::string_view gpu, EngineId engine, DType kv) {
    const DType kind = bytes_per_element(kv) == 2 ? DType::bf16 : kv;
    for (const KernelFit& f : kFits) {
        if (f.gpu == gpu && f.engine == engine && f.kv == kind) return f;
    }
    return std::nullopt;
}

}  // namespace kvgauge
