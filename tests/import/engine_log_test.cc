// SPDX-License-Identifier: MIT
// Lines as engines print them, from public issues and repositories, cut to what is read.
#include "import/engine_log.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

namespace kvgauge {
namespace {

constexpr double kGib = 1073741824.0, kMib = 1048576.0;

Observation only(std::string_view text) {
    EngineLog log = read_engine_log(text);
    EXPECT_EQ(log.runs.size(), 1u);
    return log.runs.empty() ? Observation{} : log.runs[0];
}

// A public repository's quoted log: R1 on 8 H200.
constexpr std::string_view kR1 =
    "(EngineCore_DP0 pid=265) INFO 12-03 17:30:13 [core.py:93] Initializing a V1 LLM engine "
    "(v0.11.2) "
    "with config: model='deepseek-ai/DeepSeek-R1-0528', speculative_config=None, "
    "dtype=torch.bfloat16, "
    "max_seq_len=8192, tensor_parallel_size=8, pipeline_parallel_size=1, quantization=fp8, "
    "enforce_eager=False, kv_cache_dtype=auto,\n"
    "(Worker_TP0 pid=402) INFO 12-03 17:35:28 [gpu_model_runner.py:3338] Model loading took "
    "79.7390 GiB "
    "memory and 263.495895 seconds\n"
    "(Worker_TP0 pid=402) INFO 12-03 17:37:45 [gpu_worker.py:359] Available KV cache memory: 41.60 "
    "GiB\n"
    "(EngineCore_DP0 pid=265) INFO 12-03 17:37:46 [kv_cache_utils.py:1229] GPU KV cache size: "
    "635,648 "
    "tokens\n"
    "(EngineCore_DP0 pid=265) INFO 12-03 17:37:46 [kv_cache_utils.py:1234] Maximum concurrency for "
    "8,192 "
    "tokens per request: 77.59x\n"
    "(Worker_TP0 pid=402) INFO 12-03 17:50:07 [gpu_model_runner.py:4244] Graph capturing finished "
    "in 35 "
    "secs, took 0.51 GiB\n";

TEST(EngineLog, VllmV1) {
    const Observation o = only(kR1);
    EXPECT_EQ(o.engine, EngineId::vllm);
    EXPECT_FALSE(o.v0);
    EXPECT_EQ(o.version_text, "0.11.2");
    EXPECT_EQ(o.version, (Version{0, 11, 2, false, 3}));
    EXPECT_EQ(o.model, "deepseek-ai/DeepSeek-R1-0528");
    EXPECT_EQ(o.tp, 8u);
    EXPECT_EQ(o.ctx, 8192u);
    EXPECT_EQ(o.dtype, "bfloat16");
    EXPECT_EQ(o.quantization, "fp8");
    EXPECT_EQ(o.kv_dtype, "auto");
    EXPECT_EQ(o.eager, false);
    EXPECT_NEAR(*o.weights / kGib, 79.739, 1e-9);
    ASSERT_EQ(o.kv_available.size(), 1u);
    EXPECT_NEAR(o.kv_available[0] / kGib, 41.60, 1e-9);
    EXPECT_EQ(o.kv_tokens, 635648u);
    EXPECT_DOUBLE_EQ(*o.concurrency, 77.59);
    EXPECT_EQ(o.concurrency_len, 8192u);
    EXPECT_NEAR(*o.graphs / kGib, 0.51, 1e-9);
}

TEST(EngineLog, ColoursPrefixesAndNegativeGraphs) {
    const Observation o = only(
        "vllm-1  | \x1b[1;36m(EngineCore_DP0 pid=279)\x1b[0;0m INFO 12-02 [core.py:93] "
        "Initializing a V1 LLM "
        "engine (v0.11.2rc1+rhai0.cuda) with config: "
        "model='RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic', "
        "max_seq_len=8192, tensor_parallel_size=4\r\n"
        "> \x1b[1;36m(Worker_TP0 pid=415)\x1b[0;0m INFO [gpu_worker.py:359] Available KV cache "
        "\x1b[1mmemory: "
        "106.17 GiB\r\n"
        "Capturing CUDA graphs (decode, FULL): 100%|##########| 67/67 [00:13<00:00]\r"
        "(Worker_TP0 pid=415) INFO [gpu_model_runner.py:4244] Graph capturing finished in 8 secs, "
        "took "
        "-0.17 GiB\n");
    EXPECT_EQ(o.version, (Version{0, 11, 2, false, 3}));
    EXPECT_EQ(o.version_text, "0.11.2rc1+rhai0.cuda");
    EXPECT_NEAR(o.kv_available.at(0) / kGib, 106.17, 1e-9);
    EXPECT_NEAR(*o.graphs / kGib, -0.17, 1e-9);
}

// vllm#10517, 0.6: V0 names GiB "GB" and "GiB" alike.
TEST(EngineLog, VllmV0) {
    const Observation o = only(
        "INFO 12-02 llm_engine.py:237] Initializing an LLM engine (v0.6.4.post1) with config: "
        "model='meta-llama/Llama-3.1-8B-Instruct', tensor_parallel_size=1, max_seq_len=20000\n"
        "INFO model_runner.py:1077] Loading model weights took 14.9888 GB\n"
        "INFO worker.py:232] Memory profiling results: total_gpu_memory=23.58GiB "
        "initial_memory_usage=15.31GiB "
        "peak_torch_memory=17.06GiB memory_usage_post_profile=15.39GiB non_torch_memory=0.35GiB "
        "kv_cache_size=3.81GiB gpu_memory_utilization=0.90\n"
        "INFO gpu_executor.py:113] # GPU blocks: 1952, # CPU blocks: 2048\n"
        "INFO gpu_executor.py:117] Maximum concurrency for 20000 tokens per request: 1.56x\n");
    EXPECT_TRUE(o.v0);
    EXPECT_EQ(o.blocks, 1952u);
    EXPECT_EQ(o.cpu_blocks, 2048u);
    EXPECT_NEAR(*o.total / kGib, 23.58, 1e-9);
    EXPECT_NEAR(*o.peak_torch / kGib, 17.06, 1e-9);
    EXPECT_NEAR(*o.non_torch / kGib, 0.35, 1e-9);
    EXPECT_NEAR(o.kv_available.at(0) / kGib, 3.81, 1e-9);
    EXPECT_NEAR(*o.weights / kGib, 14.9888, 1e-9);
    EXPECT_DOUBLE_EQ(*o.util, 0.9);
}

TEST(EngineLog, VllmMemoryUse) {
    const Observation o = only(
        "INFO gpu_worker.py:391] Free memory on device (78.6/79.19 GiB) on startup. Desired GPU "
        "memory "
        "utilization is (0.9, 71.27 GiB). Actual usage is 14.08 GiB for weight, 1.97 GiB for peak "
        "activation, 0.07 GiB for non-torch memory, and 0.67 GiB for CUDAGraph memory. Replace "
        "gpu_memory_utilization config with `--kv-cache-memory=58333988249` to fit.\n");
    EXPECT_NEAR(*o.total / kGib, 79.19, 1e-9);
    EXPECT_DOUBLE_EQ(*o.util, 0.9);
    EXPECT_NEAR(*o.usable / kGib, 71.27, 1e-9);
    EXPECT_NEAR(*o.weights / kGib, 14.08, 1e-9);
    EXPECT_NEAR(*o.activation / kGib, 1.97, 1e-9);
    EXPECT_NEAR(*o.non_torch / kGib, 0.07, 1e-9);
    EXPECT_NEAR(*o.graphs / kGib, 0.67, 1e-9);
}

TEST(EngineLog, VllmRefusal) {
    const Observation o = only(
        "ValueError: To serve at least one request with the model's max seq len (131072), (16.0 "
        "GiB KV cache "
        "is needed, which is larger than the available KV cache memory (10.0 GiB). Based on the "
        "available "
        "memory, the estimated maximum model length is 81920. Try increasing\n");
    EXPECT_EQ(o.ctx, 131072u);
    EXPECT_NEAR(*o.needed_kv / kGib, 16, 1e-9);
    EXPECT_NEAR(o.kv_available.at(0) / kGib, 10, 1e-9);
    EXPECT_EQ(o.longest_len, 81920u);
    ASSERT_EQ(o.errors.size(), 1u);
}

// vllm-project/recipes, Kimi-K2: the same server without and with decode context parallelism.
TEST(EngineLog, TwoRunsInOneText) {
    const EngineLog log = read_engine_log(
        "- TP8\n```shell\n"
        "(Worker_TP0 pid=591236) INFO 11-06 [gpu_worker.py:349] Available KV cache memory: 46.80 "
        "GiB\n"
        "(EngineCore_DP0 pid=591074) INFO 11-06 [kv_cache_utils.py:1229] GPU KV cache size: "
        "715,072 tokens\n"
        "- TP8+DCP8\n"
        "(Worker_TP0 pid=666845) INFO 11-06 [gpu_worker.py:349] Available KV cache memory: 46.80 "
        "GiB\n"
        "(EngineCore_DP0 pid=666657) INFO [kv_cache_utils.py:1224] Multiplying the GPU KV cache "
        "size by the "
        "dcp_world_size 8.\n"
        "(EngineCore_DP0 pid=666657) INFO [kv_cache_utils.py:1229] GPU KV cache size: 5,721,088 "
        "tokens\n");
    ASSERT_EQ(log.runs.size(), 2u);
    EXPECT_EQ(log.runs[0].kv_tokens, 715072u);
    EXPECT_FALSE(log.runs[0].dcp);
    EXPECT_EQ(log.runs[1].kv_tokens, 5721088u);
    EXPECT_EQ(log.runs[1].dcp, 8u);
}

TEST(EngineLog, SeveralRanksInAnyOrder) {
    const Observation o = only(
        "(Worker_TP3 pid=13) INFO [gpu_worker.py:440] Available KV cache memory: 8.20 GiB\n"
        "(Worker_TP0 pid=10) INFO [gpu_worker.py:440] Available KV cache memory: 8.02 GiB\n"
        "(Worker_TP1 pid=11) INFO [gpu_worker.py:440] Available KV cache memory: 8.11 GiB\n"
        "(Worker_TP0 pid=10) INFO rank 3 in world size 4 is assigned as DP rank 0, PP rank 0, TP "
        "rank 3, EP\n"
        "(EngineCore pid=9) INFO [kv_cache_utils.py:1319] GPU KV cache size: 178,880 tokens\n");
    EXPECT_EQ(o.kv_available.size(), 3u);
    EXPECT_EQ(o.ranks, 4u);
    EXPECT_EQ(o.kv_tokens, 178880u);
}

TEST(EngineLog, Sglang) {
    const Observation o = only(
        "[2025-03-08 12:29:13 TP3] Load weight begin. avail mem=21.63 GB\n"
        "[2025-03-08 12:29:21 TP2] Load weight end. type=Qwen2ForCausalLM, dtype=torch.bfloat16, "
        "avail "
        "mem=6.09 GB, mem usage=15.54 GB.\n"
        "[2025-03-08 12:29:21 TP0] KV Cache is allocated. #tokens: 46611, K size: 1.42 GB, V size: "
        "1.42 GB\n"
        "[2025-03-08 12:29:21 TP1] KV Cache is allocated. #tokens: 46611, K size: 1.42 GB, V size: "
        "1.42 GB\n"
        "[2025-03-08 12:29:21 TP1] Memory pool end. avail mem=2.09 GB\n"
        "  0%|        | 0/13 [00:00<?, ?it/s][2025-03-08 12:29:28 TP0] Capture cuda graph end. "
        "Time elapsed: "
        "7.23 s. avail mem=0.53 GB. mem usage=0.93 GB.\n"
        "[2025-03-08 12:29:29 TP3] max_total_num_tokens=46611, chunked_prefill_size=2048, "
        "max_prefill_tokens=16384, max_running_requests=2049, context_len=131072\n");
    EXPECT_EQ(o.engine, EngineId::sglang);
    EXPECT_EQ(o.ranks, 4u);
    EXPECT_EQ(o.kv_tokens, 46611u);
    EXPECT_NEAR(*o.k_bytes / kGib, 1.42, 1e-9);
    EXPECT_NEAR(*o.kv_bytes / kGib, 2.84, 1e-9);
    EXPECT_NEAR(*o.weights / kGib, 15.54, 1e-9);
    EXPECT_NEAR(*o.before_weights / kGib, 21.63, 1e-9);
    EXPECT_NEAR(*o.after_pools / kGib, 2.09, 1e-9);
    EXPECT_NEAR(*o.graphs / kGib, 0.93, 1e-9);
    EXPECT_EQ(o.max_batched, 2048u);
    EXPECT_EQ(o.max_seqs, 2049u);
    EXPECT_EQ(o.ctx, 131072u);
    EXPECT_EQ(o.model_class, "Qwen2ForCausalLM");
}

TEST(EngineLog, TensorRtLlm) {
    const Observation o = only(
        "[TensorRT-LLM][INFO] Memory usage when calculating max tokens in paged kv cache: total: "
        "31.84 GiB, "
        "available: 17.83 GiB\n"
        "[TensorRT-LLM][INFO] Number of blocks in KV cache primary pool: 8219\n"
        "[TensorRT-LLM][INFO] Number of blocks in KV cache secondary pool: 0, onboard blocks\n"
        "[TensorRT-LLM][INFO] Number of tokens per block: 32.\n"
        "[TensorRT-LLM][INFO] [MemUsageChange] Allocated 16.05 GiB for max tokens in paged KV "
        "cache "
        "(263008)\n");
    EXPECT_EQ(o.engine, EngineId::trtllm);
    EXPECT_EQ(o.blocks, 8219u);
    EXPECT_EQ(o.block_tokens, 32u);
    EXPECT_EQ(o.kv_tokens, 263008u);
    EXPECT_NEAR(*o.kv_bytes / kGib, 16.05, 1e-9);
    EXPECT_NEAR(*o.total / kGib, 31.84, 1e-9);
    EXPECT_NEAR(*o.free_at_start / kGib, 17.83, 1e-9);
}

TEST(EngineLog, AutoDeployBytesAreNotKnown) {
    const Observation o = only(
        "[TensorRT-LLM] TensorRT LLM version: 1.2.0rc5\n"
        "[12/20/2025] [TRT-LLM AUTO-DEPLOY] [RANK 0] [I] Using fake cache manager with head_dim=0\n"
        "[TensorRT-LLM][INFO] [MemUsageChange] Allocated 0.00 GiB for max tokens in paged KV cache "
        "(3958272).\n");
    EXPECT_EQ(o.wrapper, "AutoDeploy");
    EXPECT_EQ(o.version, (Version{1, 2, 0, false, 3}));
    EXPECT_EQ(o.kv_tokens, 3958272u);
    EXPECT_FALSE(o.kv_bytes);
}

TEST(EngineLog, LlamaCppWindows) {
    const Observation o = only(
        "build: 6699 (c08002a1) with cc for x86_64-linux-gnu\n"
        "llama_model_loader: loaded meta data with 35 key-value pairs and 459 tensors from "
        "gpt-oss-20b.gguf "
        "(version GGUF V3 (latest))\n"
        "llama_model_loader: - kv   2:   general.name str              = Gpt Oss 20b\n"
        "print_info: n_ctx_train      = 131072\n"
        "print_info: file size   = 11.27 GiB (4.63 BPW)\n"
        "print_info: model params     = 20.91 B\n"
        "load_tensors:        CUDA0 model buffer size =  1242.03 MiB\n"
        "load_tensors:   CPU_Mapped model buffer size = 10949.33 MiB\n"
        "llama_context: n_seq_max     = 1\n"
        "llama_context: n_ctx         = 131072\n"
        "llama_context: n_ubatch      = 512\n"
        "llama_kv_cache:      CUDA0 KV buffer size =  3072.00 MiB\n"
        "llama_kv_cache: size = 3072.00 MiB (131072 cells,  12 layers,  1/1 seqs), K (f16): "
        "1536.00 MiB, V "
        "(f16): 1536.00 MiB\n"
        "llama_kv_cache:      CUDA0 KV buffer size =    18.00 MiB\n"
        "llama_kv_cache: size =   18.00 MiB (   768 cells,  12 layers,  1/1 seqs), K (f16):    "
        "9.00 MiB, V "
        "(f16):    9.00 MiB\n"
        "llama_context:      CUDA0 compute buffer size =   456.98 MiB\n");
    EXPECT_EQ(o.engine, EngineId::llamacpp);
    EXPECT_EQ(o.version_text, "b6699 (c08002a1)");
    EXPECT_EQ(o.model, "Gpt Oss 20b");
    EXPECT_EQ(o.ctx, 131072u);
    EXPECT_EQ(o.ubatch, 512u);
    EXPECT_EQ(o.slots, 1u);
    ASSERT_EQ(o.model_buffers.size(), 2u);
    EXPECT_EQ(o.model_buffers[1], (DeviceBytes{"CPU_Mapped", 10949.33 * kMib}));
    ASSERT_EQ(o.caches.size(), 2u);
    EXPECT_EQ(o.caches[1].cells, 768u);
    EXPECT_EQ(o.caches[1].layers, 12u);
    EXPECT_EQ(o.caches[0].k_type, "f16");
    EXPECT_NEAR(*o.caches[0].v_bytes / kMib, 1536, 1e-9);
    EXPECT_NEAR(*o.kv_bytes / kMib, 3090, 1e-9);
    EXPECT_NEAR(*o.file_bytes / kGib, 11.27, 1e-9);
    EXPECT_NEAR(*o.params, 20.91e9, 1);
}

// ikawrakow/ik_llama.cpp#386: a locale with decimal commas, a latent cache.
TEST(EngineLog, DecimalCommas) {
    const Observation o = only(
        "main: build = 3673 (4084ca73)\n"
        "llm_load_print_meta: model params     = 235,741 B\n"
        "llm_load_print_meta: model size       = 84,604 GiB (3,083 BPW) \n"
        "llm_load_tensors:        CPU buffer size = 37343,30 MiB\n"
        "llama_new_context_with_model: n_ctx      = 32768\n"
        "llama_new_context_with_model: mla_attn   = 3\n"
        "llama_kv_cache_init:      CUDA0 KV buffer size =  2160,00 MiB\n"
        "llama_new_context_with_model: KV self size  = 2160,00 MiB, c^KV (f16): 2160,00 MiB, kv^T: "
        "not used\n");
    EXPECT_EQ(o.fork, "ik_llama.cpp");
    EXPECT_EQ(o.ctx, 32768u);
    EXPECT_NEAR(*o.params, 235.741e9, 1);
    EXPECT_NEAR(*o.file_bytes / kGib, 84.604, 1e-9);
    ASSERT_EQ(o.caches.size(), 1u);
    EXPECT_EQ(o.caches[0].k_type, "f16");
    EXPECT_EQ(o.caches[0].v_type, "");
    EXPECT_NEAR(o.caches[0].bytes / kMib, 2160, 1e-9);
}

TEST(EngineLog, OllamaSlots) {
    const Observation o = only(
        "llama_context: n_seq_max             = 2\n"
        "llama_context: n_ctx                 = 8192\n"
        "llama_context: n_ctx_seq             = 4096\n"
        "llama_context: kv_unified            = false\n"
        "llama_kv_cache: size =  832.00 MiB (  4096 cells,  26 layers,  2/2 seqs), K (f16):  "
        "416.00 MiB, V "
        "(f16):  416.00 MiB\n"
        "llama_memory_recurrent: size =  149.62 MiB (     1 cells,  64 layers,  1 seqs), R (f32):  "
        "  5.62 MiB, "
        "S (f32):  144.00 MiB\n"
        "time=2026-09-02T16:53:11.045Z level=INFO source=llama_server.go:1362 msg=\"llama-server "
        "started\"\n");
    EXPECT_EQ(o.wrapper, "ollama");
    EXPECT_EQ(o.slots, 2u);
    EXPECT_EQ(o.n_ctx_seq, 4096u);
    EXPECT_EQ(o.unified, false);
    ASSERT_EQ(o.caches.size(), 2u);
    EXPECT_EQ(o.caches[0].seqs, 2u);
    EXPECT_EQ(o.caches[0].streams, 2u);
    EXPECT_TRUE(o.caches[1].recurrent);
    EXPECT_NEAR(*o.caches[1].v_bytes / kMib, 144, 1e-9);
}

TEST(EngineLog, OtherEngines) {
    EXPECT_EQ(
        only("[TM][INFO] [BlockManager] block_size = 0.844 MB, max_block_count = 1740\n").blocks,
        1740u);
    EXPECT_EQ(only("INFO KV-cache blocks: 20480, size: 16\n").kv_tokens, 327680u);
}

// A number that the end of the text may have cut is not read.
TEST(EngineLog, TruncatedAnywhere) {
    const Observation whole = only(kR1);
    for (std::size_t n = 0; n < kR1.size(); ++n) {
        const EngineLog log = read_engine_log(kR1.substr(0, n));
        if (log.runs.empty()) continue;
        const Observation& o = log.runs[0];
        if (o.kv_tokens) {
            EXPECT_EQ(o.kv_tokens, whole.kv_tokens) << n;
        }
        if (o.weights) {
            EXPECT_EQ(o.weights, whole.weights) << n;
        }
        if (!o.kv_available.empty()) {
            EXPECT_EQ(o.kv_available, whole.kv_available) << n;
        }
        if (o.concurrency) {
            EXPECT_EQ(o.concurrency, whole.concurrency) << n;
        }
        if (o.tp) {
            EXPECT_EQ(o.tp, whole.tp) << n;
        }
    }
}

TEST(EngineLog, PiecesOfAnySize) {
    const Observation whole = only(kR1);
    for (std::size_t size : {1u, 2u, 7u, 64u, 1000u}) {
        EngineLogReader reader;
        for (std::size_t at = 0; at < kR1.size(); at += size) reader.feed(kR1.substr(at, size));
        const EngineLog log = reader.finish();
        ASSERT_EQ(log.runs.size(), 1u);
        EXPECT_EQ(log.runs[0], whole) << size;
    }
}

TEST(EngineLog, BoundedOnNoise) {
    // 16 MiB without a line break, with escapes, and ten thousand runs.
    std::string noise(16 << 20, 'x');
    for (std::size_t i = 0; i < noise.size(); i += 97) noise[i] = '\x1b';
    EXPECT_TRUE(read_engine_log(noise).runs.empty());
    std::string many;
    for (int i = 0; i < 10000; ++i) {
        many +=
            "INFO Initializing a V1 LLM engine (v0.20.0) with config: model='a'\n"
            "INFO Available KV cache memory: 1.00 GiB\nRuntimeError x GiB KV cache unknown\n";
    }
    const EngineLog log = read_engine_log(many);
    EXPECT_EQ(log.runs.size(), 16u);
    EXPECT_EQ(log.more_runs, 10000u - 16u);
    EXPECT_EQ(log.unknown.size(), 16u);
}

}  // namespace
}  // namespace kvgauge
