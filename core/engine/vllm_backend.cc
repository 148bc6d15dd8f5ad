// SPDX-License-Identifier: MIT
// vLLM's attention backend: the order by GPU, and the gates each backend must pass.
// Sources: vLLM 6adad0876 platforms/cuda.py:83 (order), v1/attention/backends/fa_utils.py:70
// (FlashAttention version), each backend's supports_* checks; 0.11 platforms/cuda.py for older
// ones.
#include <span>

#include "engine/attention.h"
#include "engine/vllm.h"

namespace kvgauge::engine::vllm {
namespace {

constexpr const char* kFp8NeedsFa3 = "FP8 KV cache requires FA3 on SM90 or FA4 on SM100";

AttentionChoice choice(Kernels k, const char* why, std::uint64_t block = 16) {
    return {k, true, why, "", block};
}
AttentionChoice refused(Kernels k, const char* why, const char* limit, std::uint64_t block = 16) {
    return {k, false, why, limit, block};
}

// Which FlashAttention serves this shape, or unknown where the backend does not take it.
Kernels flash_attention(const EngineInput& in, GpuClass gpu, const AttentionShape& s) {
    const bool fa4_there = in.version >= since::fa4 && !s.alibi;
    if (s.head_dim % 8 != 0) return Kernels::unknown;
    if (s.sinks && gpu != GpuClass::sm90 && gpu != GpuClass::sm100) return Kernels::unknown;
    Kernels k = Kernels::fa2;
    if (gpu == GpuClass::sm90 && in.version >= since::fa3 && !s.alibi) {
        const bool wide = s.head_dim > 256 || (!s.equal_dims && s.sinks);
        k = wide && fa4_there ? Kernels::fa4 : Kernels::fa3;
    } else if (gpu == GpuClass::sm100 && fa4_there) {
        const bool fits = s.head_dim <= 128 || s.head_dim == 256 || s.head_dim == 192;
        k = fits ? Kernels::fa4 : Kernels::fa2;
    }
    if (s.head_dim > (k == Kernels::fa4 ? 512U : 256U)) return Kernels::unknown;
    if (sixteen_bit_kv(in)) return k;
    const bool fp8 =
        fp8_kv(in) && (k == Kernels::fa3 || (k == Kernels::fa4 && (gpu == GpuClass::sm90 ||
                                                                   in.version >= since::fa4_fp8)));
    return fp8 ? k : Kernels::unknown;
}

bool flashinfer(const EngineInput& in, GpuClass gpu, const AttentionShape& s) {
    if (in.version < since::flashinfer || gpu == GpuClass::sm75 || s.alibi) return false;
    const std::uint64_t d = s.head_dim;
    if (d != 64 && d != 128 && d != 256 && d != 512) return false;
    if (s.sinks && gpu != GpuClass::sm100) return false;
    if (in.kv.k == DType::nvfp4) return gpu == GpuClass::sm100;
    return sixteen_bit_kv(in) || fp8_kv(in);
}

bool triton(const EngineInput& in) {
    return sixteen_bit_kv(in) || fp8_kv(in) || in.kv.k == DType::int8;
}

AttentionChoice plain(const EngineInput& in, GpuClass gpu, const AttentionShape& s) {
    if (gpu == GpuClass::amd) {
        if (in.kv.k == DType::nvfp4 || in.kv.k == DType::int4) {
            return refused(Kernels::rocm, "ROCm.", "use bf16 or fp8.");
        }
        return choice(Kernels::rocm, "Triton or AITER kernels on ROCm.");
    }
    if (gpu == GpuClass::sm75 || gpu == GpuClass::older) {
        if (in.version < since::no_xformers && sixteen_bit_kv(in)) {
            return choice(Kernels::xformers, "FlashAttention needs compute capability 8.0.");
        }
        if (triton(in)) {
            return choice(Kernels::triton, in.kv.k == DType::bf16
                                               ? "FlashAttention and bf16 need compute capability "
                                                 "8.0: it runs in fp16."
                                               : "FlashAttention needs compute capability 8.0.");
        }
        return refused(Kernels::triton, "FlashAttention needs compute capability 8.0.",
                       "use fp16 or fp8.");
    }
    const bool blackwell_first = gpu == GpuClass::sm100 && in.version >= since::blackwell_order;
    if (blackwell_first && flashinfer(in, gpu, s)) {
        return choice(Kernels::trtllm_gen, "the first choice on compute capability 10.x.");
    }
    const Kernels fa = flash_attention(in, gpu, s);
    if (fa != Kernels::unknown) {
        switch (fa) {
            case Kernels::fa3:
                return choice(fa, "the first choice on compute capability 9.0.");
            case Kernels::fa4:
                return choice(fa, gpu == GpuClass::sm90
                                      ? "head shapes that FlashAttention 3 does not take."
                                      : "FlashInfer does not take this shape.");
            default:
                return choice(fa, "the first choice on this GPU.");
        }
    }
    const bool by_dtype = !sixteen_bit_kv(in);
    const char* why = by_dtype && fp8_kv(in) ? kFp8NeedsFa3
                      : by_dtype             ? "FlashAttention does not take this KV dtype."
                      : s.sinks ? "attention sinks need compute capability 9.0 in FlashAttention."
                                : "FlashAttention does not take this head size.";
    if (!blackwell_first && flashinfer(in, gpu, s)) return choice(Kernels::flashinfer, why);
    if (triton(in)) return choice(Kernels::triton, why);
    return refused(Kernels::triton, why,
                   in.kv.k == DType::nvfp4
                       ? "nvfp4 KV needs FlashInfer on compute capability 10.x."
                       : "vLLM takes bf16, fp16, fp8 and int8 per token and head.");
}

AttentionChoice latent(const EngineInput& in, GpuClass gpu) {
    const bool fp8 = fp8_kv(in);
    if (!fp8 && !sixteen_bit_kv(in)) {
        return refused(Kernels::triton_mla, "latent attention.",
                       "latent caches take bf16 and fp8.");
    }
    switch (gpu) {
        case GpuClass::sm90:
        case GpuClass::unknown:
            if (!fp8 && in.version >= since::backend_order) {
                return choice(Kernels::flash_attn_mla, "the first choice for 16-bit latents.");
            }
            if (in.version < since::v1)
                return choice(Kernels::triton_mla, "latent attention in V0.");
            return choice(Kernels::flashmla, "fp8 latents or an older release.", 64);
        case GpuClass::sm100:
            if (in.version < since::backend_order) {
                return choice(Kernels::cutlass_mla, "the Blackwell default of older releases.",
                              128);
            }
            return choice(Kernels::flashinfer_mla, "the first choice on compute capability 10.x.",
                          32);
        case GpuClass::amd:
            return choice(Kernels::rocm, "Triton or AITER MLA on ROCm.");
        default:
            break;
    }
    if (fp8 && !(in.gpu.compute_capability >= 89 && in.version >= since::triton_mla_fp8)) {
        return refused(Kernels::triton_mla, "latent attention before compute capability 9.0.",
                       "use bf16.");
    }
    return choice(Kernels::triton_mla, "the only latent kernels on this GPU.");
}

AttentionChoice sparse(const EngineInput& in, GpuClass gpu, const AttentionShape& s) {
    const std::uint64_t block = s.compressed ? 256 : 64;
    if (!fp8_kv(in) && !sixteen_bit_kv(in)) {
        return refused(Kernels::flashmla_sparse, "sparse latent attention.",
                       "latent caches take bf16 and fp8.", block);
    }
    switch (gpu) {
        case GpuClass::sm100:
            if (in.version < since::flashinfer_sparse) {
                return choice(Kernels::flashmla_sparse, "an index picks the tokens.", block);
            }
            if (fp8_kv(in) || s.q_heads <= 16) {
                return choice(Kernels::flashinfer_mla_sparse, "fp8, or at most 16 heads on a GPU.",
                              block);
            }
            return choice(Kernels::flashmla_sparse, "16-bit latents with many heads.", block);
        case GpuClass::sm120:
            return choice(Kernels::flashinfer_mla_sparse, "compute capability 12.0.", block);
        case GpuClass::sm90:
        case GpuClass::unknown:
            if (!fp8_kv(in) && in.version >= since::fa_mla_sparse && !s.compressed) {
                return choice(Kernels::flash_attn_mla_sparse, "16-bit latents.", block);
            }
            return choice(Kernels::flashmla_sparse, "an index picks the tokens.", block);
        case GpuClass::amd:
            return choice(Kernels::rocm, "sparse latent attention on ROCm.", block);
        default:
            break;
    }
    return refused(Kernels::flashmla_sparse, "sparse latent attention.",
                   "it needs compute capability 9.0 or newer.", block);
}

}  // namespace

AttentionChoice attention(const EngineInput& in) {
    const AttentionShape s = attention_shape(in);
    const GpuClass gpu = gpu_class(in.gpu);
    if (!s.any) return choice(Kernels::unknown, "no attention layers.");
    if (s.sparse || s.compressed) return sparse(in, gpu, s);
    if (s.latent && in.model.model_type != "minicpm3" && in.version >= since::mla) {
        return latent(in, gpu);
    }
    AttentionChoice c = plain(in, gpu, s);
    if (gpu == GpuClass::unknown)
        c.why = "as on an NVIDIA GPU of compute capability 8.x; not known.";
    return c;
}

std::uint64_t kernel_block(const EngineInput& in) {
    return attention(in).block;
}

}  // namespace kvgauge::engine::vllm
