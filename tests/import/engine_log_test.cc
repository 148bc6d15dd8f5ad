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

// vllm#10511: 0.6.5 printed its profile as a table. 0.9 x 79.22 - 14.96 - 1.79 - 1.26 = 53.29.
TEST(EngineLog, VllmProfileTable) {
    const Observation o = only(
        "INFO 12-13 19:54:18 worker.py:243] Memory profiling results:\n"
        "INFO 12-13 19:54:18 worker.py:243] total_gpu_memory     79.22GiB\n"
        "INFO 12-13 19:54:18 worker.py:243] gpu_memory_utilization       0.90\n"
        "INFO 12-13 19:54:18 worker.py:243] the current vLLM instance can use    71.29GiB\n"
        "INFO 12-13 19:54:18 worker.py:243] model weights take   14.96GiB\n"
        "INFO 12-13 19:54:18 worker.py:243] non_torch_memory     1.79GiB\n"
        "INFO 12-13 19:54:18 worker.py:243] PyTorch activation peak memory       1.26GiB\n"
        "INFO 12-13 19:54:18 worker.py:243] available_kv_cache_memory    53.29GiB\n");
    EXPECT_NEAR(*o.total / kGib, 79.22, 1e-9);
    EXPECT_NEAR(*o.util, 0.90, 1e-9);
    EXPECT_NEAR(*o.usable / kGib, 71.29, 1e-9);
    EXPECT_NEAR(*o.weights / kGib, 14.96, 1e-9);
    EXPECT_NEAR(*o.non_torch / kGib, 1.79, 1e-9);
    EXPECT_NEAR(*o.activation / kGib, 1.26, 1e-9);
    EXPECT_NEAR(o.kv_available.at(0) / kGib, 53.29, 1e-9);
}

// xorbitsai/inference#4926: the refusal as releases to 0.11 spelt it.
TEST(EngineLog, VllmRefusalOldSpelling) {
    const Observation o = only(
        "(EngineCore_DP0 pid=494) ValueError: To serve at least one request with the models's max "
        "seq len (262144), (36.0 GiB KV cache is needed, which is larger than the available KV "
        "cache memory (6.94 GiB). Based on the available memory, the estimated maximum model "
        "length is 50512. Try increasing\n");
    EXPECT_EQ(o.ctx, 262144u);
    EXPECT_NEAR(*o.needed_kv / kGib, 36.0, 1e-9);
    EXPECT_NEAR(o.kv_available.at(0) / kGib, 6.94, 1e-9);
    EXPECT_EQ(o.longest_len, 50512u);
}

// club-3090#104 and #91: a report that quotes the pool before the start; the share in effect stands
// in the line about graphs.
TEST(EngineLog, VllmPoolQuotedBeforeTheStart) {
    const Observation o = only(
        "(Worker_TP0 pid=99) INFO 05-07 20:28:11 [gpu_worker.py:460] Available KV cache memory: "
        "9.84 GiB\n"
        "(Worker_TP0 pid=99) INFO 05-07 20:28:11 [gpu_worker.py:475] CUDA graph memory profiling "
        "is enabled (default since v0.21.0). The current --gpu-memory-utilization=0.8800 is "
        "equivalent to --gpu-memory-utilization=0.8592 without CUDA graph memory profiling.\n"
        "(EngineCore pid=90) INFO 05-07 20:28:11 [kv_cache_utils.py:1710] GPU KV cache size: "
        "619,202 tokens\n"
        "(EngineCore pid=106) INFO 05-06 22:28:36 [core.py:109] Initializing a V1 LLM engine "
        "(v0.20.1) with config: model='qwen3.6-27b-autoround-int4', speculative_config="
        "SpeculativeConfig(method='mtp', model='qwen3.6-27b', num_spec_tokens=3), "
        "max_seq_len=262144, tensor_parallel_size=2, pipeline_parallel_size=1\n");
    EXPECT_EQ(o.model, "qwen3.6-27b-autoround-int4");
    EXPECT_EQ(o.tp, 2u);
    EXPECT_EQ(o.spec_tokens, 3u);
    EXPECT_EQ(o.kv_tokens, 619202u);
    EXPECT_NEAR(*o.util, 0.88, 1e-9);
}

// A restarted server prints its arguments before its engine: they are the second run's.
TEST(EngineLog, ArgumentsOfARestart) {
    const EngineLog log = read_engine_log(
        "INFO non-default args: {'model': 'a/b', 'gpu_memory_utilization': 0.8}\n"
        "INFO Initializing a V1 LLM engine (v0.11.0) with config: model='a/b', max_seq_len=4096\n"
        "INFO GPU KV cache size: 100,000 tokens\n"
        "INFO non-default args: {'model': 'a/b', 'gpu_memory_utilization': 0.9}\n"
        "INFO Initializing a V1 LLM engine (v0.11.0) with config: model='a/b', max_seq_len=8192\n"
        "INFO GPU KV cache size: 120,000 tokens\n");
    ASSERT_EQ(log.runs.size(), 2u);
    EXPECT_NEAR(*log.runs[0].util, 0.8, 1e-9);
    EXPECT_NEAR(*log.runs[1].util, 0.9, 1e-9);
    EXPECT_EQ(log.runs[1].ctx, 8192u);
}

// runpod-workers/worker-vllm#213 prints the Python object.
TEST(EngineLog, VllmEngineArguments) {
    const Observation o = only(
        "engine.py           :27   2025-08-21 15:04:25,163 Engine args: AsyncEngineArgs(model="
        "'Qwen/Qwen3-30B-A3B', tokenizer=None, max_model_len=32768, tensor_parallel_size=2, "
        "gpu_memory_utilization=0.95, max_num_batched_tokens=None, max_num_seqs=256)\n");
    EXPECT_EQ(o.model, "Qwen/Qwen3-30B-A3B");
    EXPECT_EQ(o.ctx, 32768u);
    EXPECT_EQ(o.tp, 2u);
    EXPECT_NEAR(*o.util, 0.95, 1e-9);
    EXPECT_EQ(o.max_batched, std::nullopt);
}

// SGLang of early 2025: the pool without its token count, weights only as the memory left.
TEST(EngineLog, SglangPoolWithoutTokens) {
    const Observation o = only(
        "[2025-02-21 03:10:15 TP0] Load weight begin. avail mem=23.29 GB\n"
        "[2025-02-21 03:10:19 TP0] Load weight end. type=Qwen2ForCausalLM, dtype=torch.bfloat16, "
        "avail mem=8.93 GB\n"
        "[2025-02-21 03:10:19 TP0] Using KV cache dtype: torch.float8_e5m2\n"
        "[2025-02-21 03:10:19 TP0] KV Cache is allocated. K size: 3.07 GB, V size: 3.07 GB.\n"
        "[2025-02-21 03:10:30 TP0] max_total_num_tokens=229822, max_running_requests=2049, "
        "context_len=32768\n");
    EXPECT_NEAR(*o.weights / kGib, 23.29 - 8.93, 1e-9);
    EXPECT_NEAR(*o.kv_bytes / kGib, 6.14, 1e-9);
    EXPECT_EQ(o.kv_tokens, 229822u);
    EXPECT_EQ(o.kv_dtype, "float8_e5m2");
}

// NVIDIA/TensorRT-LLM pull 4028 and #2268: the C++ runtime's settings.
TEST(EngineLog, TensorRtRuntime) {
    const Observation o = only(
        "[TensorRT-LLM][INFO] Engine version 0.21.0rc0 found in the config file, assuming\n"
        "[TensorRT-LLM][INFO] MPI size: 2, MPI local size: 2, rank: 0\n"
        "[TensorRT-LLM][INFO] TRTGptModel maxBatchSize: 64\n"
        "[TensorRT-LLM][INFO] TRTGptModel maxSequenceLen: 384\n"
        "[TensorRT-LLM][INFO] TRTGptModel maxNumTokens: 512\n"
        "[TensorRT-LLM][INFO] Loaded engine size: 240 MiB\n");
    EXPECT_EQ(o.version_text, "0.21.0rc0");
    EXPECT_EQ(o.ranks, 2u);
    EXPECT_EQ(o.max_seqs, 64u);
    EXPECT_EQ(o.ctx, 384u);
    EXPECT_EQ(o.max_batched, 512u);
    EXPECT_NEAR(*o.weights / kMib, 240, 1e-9);
}

// The lines of tensorrt_llm/_torch/pyexecutor/_util.py (1.0).
TEST(EngineLog, TensorRtPyTorchProfile) {
    const Observation o = only(
        "[TRT-LLM] [I] Memory used after loading model weights (inside torch) in memory usage "
        "profiling: 14.99 GiB\n"
        "[TRT-LLM] [I] Peak memory during memory usage profiling (torch + non-torch): 16.42 GiB, "
        "available KV cache memory when calculating max tokens: 108.59 GiB, fraction is set 0.9, "
        "kv size is 131072. device total memory 139.81 GiB, tmp kv_mem 0.50 GiB\n"
        "[TRT-LLM] [I] Estimated max memory in KV cache : 97.73 GiB\n");
    EXPECT_NEAR(*o.weights / kGib, 14.99, 1e-9);
    EXPECT_NEAR(*o.free_at_start / kGib, 108.59, 1e-9);
    EXPECT_NEAR(*o.util, 0.9, 1e-9);
    EXPECT_NEAR(*o.total / kGib, 139.81, 1e-9);
    EXPECT_NEAR(o.kv_available.at(0) / kGib, 97.73, 1e-9);
}

// ollama pulls 12000 (estimates of server.go) and 11090, and the lines of device.go.
TEST(EngineLog, OllamaOwnLines) {
    Observation o = only(
        "Aug 22 17:36:22 host ollama[30907]: time=2025-08-22T17:36:22.027-04:00 level=INFO "
        "source=server.go:175 msg=offload layers.model=49 layers.offload=48 "
        "memory.required.full=\"11.4 GiB\" memory.required.kv=\"992.0 MiB\"\n"
        "Aug 22 17:36:22 host ollama[30907]: time=2025-08-22T17:36:22.176-04:00 level=INFO "
        "source=server.go:438 msg=\"starting llama server\" cmd=\"/usr/bin/ollama runner --model x "
        "--ctx-size 8192 --batch-size 512 --n-gpu-layers 48 --parallel 1 --port 36629\"\n");
    EXPECT_EQ(o.wrapper, "ollama");
    EXPECT_NEAR(*o.kv_bytes / kMib, 992, 1e-9);
    EXPECT_EQ(o.ctx, 8192u);
    EXPECT_EQ(o.slots, 1u);
    EXPECT_EQ(o.ubatch, 512u);

    // The second allocation of a device replaces the first.
    o = only(
        "time=2025-10-07T07:12:01Z level=INFO source=runner.go:1171 msg=load request=\"{Operation:"
        "commit Parallel:2 BatchSize:512 FlashAttention:true KvSize:16384 KvCacheType:q8_0 "
        "NumThreads:8 GPULayers:25}\"\n"
        "time=2025-10-07T07:12:02Z level=INFO source=device.go:212 msg=\"model weights\" "
        "device=CUDA0 size=\"11.8 GiB\"\n"
        "time=2025-10-07T07:12:02Z level=INFO source=device.go:223 msg=\"kv cache\" device=CUDA0 "
        "size=\"200.0 MiB\"\n"
        "time=2025-10-07T07:12:02Z level=INFO source=device.go:223 msg=\"kv cache\" device=CUDA0 "
        "size=\"204.0 MiB\"\n"
        "time=2025-10-07T07:12:02Z level=INFO source=device.go:223 msg=\"kv cache\" device=CPU "
        "size=\"10.0 MiB\"\n"
        "time=2025-10-07T07:12:02Z level=INFO source=device.go:234 msg=\"compute graph\" "
        "device=CUDA0 size=\"128.7 MiB\"\n");
    EXPECT_NEAR(*o.kv_bytes / kMib, 214, 1e-9);
    EXPECT_EQ(o.ctx, 16384u);
    EXPECT_EQ(o.slots, 2u);
    EXPECT_EQ(o.kv_dtype, "q8_0");
    ASSERT_EQ(o.model_buffers.size(), 1u);
    EXPECT_NEAR(o.model_buffers[0].bytes / kGib, 11.8, 1e-9);
    ASSERT_EQ(o.compute_buffers.size(), 1u);
}

// InternLM/lmdeploy#2724 and #3825: 863 blocks of 9 MB, of 64 tokens.
TEST(EngineLog, LmdeployPool) {
    const Observation o = only(
        "lmdeploy - INFO - input backend=turbomind, backend_config=TurbomindEngineConfig(dtype="
        "'float16', tp=2, session_len=32768, max_batch_size=256, cache_max_entry_count=0.8, "
        "cache_block_seq_len=64, enable_prefix_caching=False, quant_policy=8)\n"
        "[TM][INFO] [BlockManager] block_size = 9.000 MB\n"
        "[TM][INFO] [BlockManager] max_block_count = 863\n");
    EXPECT_EQ(o.tp, 2u);
    EXPECT_EQ(o.ctx, 32768u);
    EXPECT_NEAR(*o.util, 0.8, 1e-9);
    EXPECT_EQ(o.kv_dtype, "int8");
    EXPECT_EQ(o.blocks, 863u);
    EXPECT_EQ(o.kv_tokens, 863u * 64);
    EXPECT_NEAR(*o.kv_bytes / kMib, 863 * 9.0, 1e-6);
}

TEST(EngineLog, TgiArguments) {
    const Observation o = only(
        "2024-11-20T12:33:46Z  INFO text_generation_launcher: Args {\n"
        "    model_id: \"meta-llama/Llama-3.1-8B-Instruct\",\n"
        "    cuda_memory_fraction: 0.9,\n"
        "}\n"
        "2024-11-20T12:33:47Z  INFO text_generation_launcher: Sharding model on 4 processes\n"
        "2024-11-20T12:34:40Z  INFO text_generation_launcher: KV-cache blocks: 101242, size: 1\n");
    EXPECT_EQ(o.model, "meta-llama/Llama-3.1-8B-Instruct");
    EXPECT_EQ(o.tp, 4u);
    EXPECT_NEAR(*o.util, 0.9, 1e-9);
    EXPECT_EQ(o.kv_tokens, 101242u);
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
