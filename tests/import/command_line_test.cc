// SPDX-License-Identifier: MIT
// Command lines as people publish them (anonymised), with what a reader must find.
#include "import/command_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "import/manifest.h"
#include "import/shell_words.h"

namespace kvgauge {
namespace {

using Map = std::map<std::string, std::string>;

Map settings(const CommandLine& c) {
    Map out;
    for (const CommandSetting& s : c.settings) out[s.key] = s.text;
    return out;
}

TEST(Shell, WordsQuotesAndRedirections) {
    const ShellText t =
        read_shell("A=1 run 'a b' \"c \\\"d\\\"\" e\\ f --x=1 > out.txt 2>&1 && next # end\n");
    ASSERT_EQ(t.commands.size(), 2u);
    std::vector<std::string> words;
    for (const ShellWord& w : t.commands[0]) words.push_back(w.text);
    EXPECT_EQ(words, (std::vector<std::string>{"A=1", "run", "a b", "c \"d\"", "e f", "--x=1"}));
    EXPECT_EQ(t.commands[1][0].text, "next");
}

TEST(Shell, Variables) {
    EXPECT_TRUE(resolve_word("$X").unresolved);
    EXPECT_TRUE(resolve_word("/models/${X}").unresolved);
    EXPECT_TRUE(resolve_word("$(X)").unresolved);
    EXPECT_TRUE(resolve_word("<number of GPUs>").unresolved);
    EXPECT_TRUE(resolve_word("${X:-$Y}").unresolved);
    const ShellWord w = resolve_word("${X:-8192}");
    EXPECT_FALSE(w.unresolved);
    EXPECT_EQ(w.text, "8192");
    EXPECT_EQ(resolve_word("${A:-${B:-4}}").text, "4");
}

TEST(CommandLine, Vllm) {
    const CommandLine c = read_command_line(
        "vllm serve meta-llama/Llama-3.1-8B-Instruct \\\n  --tensor-parallel-size=2 \\\n"
        "  --max_model_len 32768 --kv-cache-dtype fp8 --gpu-memory-util 0.9 \\\n"
        "  --no-enable-prefix-caching --enforce-eager --api-key s3cret --port 8000 \\\n"
        "  --speculative-config '{\"method\": \"eagle3\", \"num_speculative_tokens\": 3}' > log "
        "2>&1 &");
    EXPECT_EQ(c.engine, EngineId::vllm);
    EXPECT_EQ(settings(c), (Map{{"model", "meta-llama/Llama-3.1-8B-Instruct"},
                                {"tp", "2"},
                                {"ctx", "32768"},
                                {"kv", "fp8"},
                                {"util", "0.9"},
                                {"prefix-caching", "off"},
                                {"eager", "on"},
                                {"spec", "3"}}));
    EXPECT_EQ(c.ignored, (std::vector<std::string>{"--api-key", "--port"}));
    EXPECT_TRUE(c.unresolved.empty());
    for (const CommandSetting& s : c.settings) EXPECT_EQ(s.text.find("s3cret"), std::string::npos);
}

// vLLM's own short numbers: 32k is 32,000 and 32K is 32,768.
TEST(CommandLine, VllmShortNumbers) {
    EXPECT_EQ(settings(read_command_line("vllm serve m --max-model-len 32k"))["ctx"], "32000");
    EXPECT_EQ(settings(read_command_line("vllm serve m --max-model-len 32K"))["ctx"], "32768");
    EXPECT_EQ(settings(read_command_line("vllm serve m --max-model-len 25.6k"))["ctx"], "25600");
}

TEST(CommandLine, WhatCannotBeKnown) {
    const CommandLine c = read_command_line(
        "vllm serve $MODEL --tensor-parallel-size ${TP} --max-model-len <length> --max-num-seqs 8 "
        "$MORE");
    EXPECT_EQ(settings(c), (Map{{"max-seqs", "8"}}));
    EXPECT_EQ(c.unresolved,
              (std::vector<std::string>{"(model)", "--tensor-parallel-size", "--max-model-len"}));
}

TEST(CommandLine, OtherEngines) {
    const CommandLine s = read_command_line(
        "python3 -m sglang.launch_server --model-path a/b --tp 8 --ep 8 --dp 8 "
        "--enable-dp-attention "
        "--mem-frac 0.85 --disable-radix-cache --page-size 64");
    EXPECT_EQ(s.engine, EngineId::sglang);
    EXPECT_EQ(settings(s), (Map{{"model", "a/b"},
                                {"tp", "8"},
                                {"ep", "on"},
                                {"dp", "8"},
                                {"dp-attention", "on"},
                                {"util", "0.85"},
                                {"prefix-caching", "off"},
                                {"block", "64"}}));
    const CommandLine t = read_command_line(
        "mkdir -p x && trtllm-serve serve /m --tp_size 4 --max_batch_size 32 --max_num_tokens 8192 "
        "--max_seq_len 4096 --kv_cache_free_gpu_memory_fraction 0.6");
    EXPECT_EQ(t.engine, EngineId::trtllm);
    EXPECT_EQ(settings(t), (Map{{"model", "/m"},
                                {"tp", "4"},
                                {"max-seqs", "32"},
                                {"max-batched", "8192"},
                                {"ctx", "4096"},
                                {"util", "0.6"}}));
    const CommandLine l = read_command_line(
        "./build/bin/llama-server -m 'my model.gguf' -c 65536 -fa -ctk q8_0 -ctv f16 -ub 1024 -np "
        "4 "
        "-ngl 99 --slots -ot exps=CPU");
    EXPECT_EQ(l.engine, EngineId::llamacpp);
    EXPECT_EQ(settings(l), (Map{{"gguf", "my model.gguf"},
                                {"ctx", "65536"},
                                {"kv-k", "q8_0"},
                                {"kv-v", "f16"},
                                {"ubatch", "1024"},
                                {"slots", "4"},
                                {"ngl", "99"}}));
    const CommandLine m = read_command_line(
        "lmdeploy serve api_server org/m --tp 2 --session-len 65536 --cache-max-entry-count 0.2 "
        "--quant-policy 8");
    EXPECT_EQ(
        settings(m),
        (Map{{"model", "org/m"}, {"tp", "2"}, {"ctx", "65536"}, {"util", "0.2"}, {"kv", "int8"}}));
    const CommandLine g = read_command_line(
        "text-generation-launcher --model-id org/m --num-shard 8 --max-total-tokens 1024");
    EXPECT_EQ(settings(g), (Map{{"model", "org/m"}, {"tp", "8"}, {"ctx", "1024"}}));
}

TEST(CommandLine, DockerFlagsAreNotTheEngines) {
    const CommandLine c = read_command_line(
        "docker run -d --gpus all -p 5020:5020 -e A=b -v ~/.cache/vllm:/root --name tp8 "
        "vllm/vllm-openai:v0.11.2 --model=org/m --tensor-parallel-size=8 &>> log.txt");
    EXPECT_EQ(c.engine, EngineId::vllm);
    EXPECT_EQ(c.version, "0.11.2");
    EXPECT_EQ(settings(c), (Map{{"model", "org/m"}, {"tp", "8"}}));
    EXPECT_TRUE(c.ignored.empty());
}

TEST(CommandLine, TrtOptionsBesideTheCommand) {
    const CommandLine c = read_command_line(
        "cat > x.yml << EOF\nkv_cache_config:\n    dtype: fp8\n    free_gpu_memory_fraction: 0.85\n"
        "cuda_graph_config:\n    max_batch_size: 7\nEOF\ntrtllm-serve m --tp_size 2 --config "
        "x.yml\n");
    EXPECT_EQ(settings(c), (Map{{"kv", "fp8"}, {"util", "0.85"}, {"model", "m"}, {"tp", "2"}}));
}

TEST(CommandLine, LogOfArguments) {
    const CommandLine c = read_command_line(
        "INFO [api_utils.py:273] non-default args: {'model': '~/m', 'max_model_len': 262144, "
        "'enable_prefix_caching': True, 'served_model_name': ['a', 'b'], 'x': {'y': 1.0}, "
        "'kv_cache_dtype': 'fp8'}");
    EXPECT_EQ(settings(c),
              (Map{{"model", "~/m"}, {"ctx", "262144"}, {"prefix-caching", "on"}, {"kv", "fp8"}}));
    EXPECT_EQ(c.ignored, (std::vector<std::string>{"served_model_name", "x"}));
}

TEST(Manifest, Compose) {
    const CommandLine c = read_command_line(
        "services:\n  llm:\n    image: vllm/vllm-openai:v0.8.5\n    command: # a remark\n"
        "      --model ${MODEL:-org/m}\n      --tensor-parallel-size ${GPUS:-2}\n"
        "      --rope-scaling '{\"factor\": 4.0}'\n      # --max-model-len 1\n      "
        "--kv_cache_dtype fp8\n"
        "    environment:\n      - TOKEN=x\n");
    EXPECT_EQ(c.engine, EngineId::vllm);
    EXPECT_EQ(c.version, "0.8.5");
    EXPECT_EQ(settings(c), (Map{{"model", "org/m"}, {"tp", "2"}, {"kv", "fp8"}}));
    EXPECT_EQ(c.ignored, (std::vector<std::string>{"--rope-scaling"}));
}

TEST(Manifest, Kubernetes) {
    const CommandLine list = read_command_line(
        "containers:\n- name: x\n  image: \"org/vllm-openai:2025-05-05-v1\"\n"
        "  command: [\"python3\", \"-m\", \"vllm.entrypoints.openai.api_server\"]\n  args:\n"
        "  - \"--model\"\n  - \"org/m\"\n  - \"--max-num-seq\"\n  - \"1024\"\n  - --enforce-eager\n"
        "  env:\n  - name: A\n    value: \"1\"\n");
    EXPECT_EQ(settings(list), (Map{{"model", "org/m"}, {"max-seqs", "1024"}, {"eager", "on"}}));
    EXPECT_EQ(list.version, "");
    const CommandLine split = read_command_line(
        "containers:\n- image: vllm/vllm-openai:v0.9.1\n  command: [\"vllm\"]\n"
        "  args: [\"serve\", \"org/m\", \"--tensor-parallel-size\", \"4\"]\n");
    EXPECT_EQ(settings(split), (Map{{"model", "org/m"}, {"tp", "4"}}));
    EXPECT_EQ(split.version, "0.9.1");
    const CommandLine script = read_command_line(
        "command: [\"/bin/bash\", \"-c\"]\nargs: [\"ulimit -n 65536; vllm serve org/m "
        "--pipeline_parallel_size 2\"]\n");
    EXPECT_EQ(settings(script), (Map{{"model", "org/m"}, {"pp", "2"}}));
}

TEST(Manifest, HelmAndKserve) {
    const CommandLine helm = read_command_line(
        "modelSpec:\n- name: q\n  repository: \"vllm/vllm-openai\"\n  tag: \"v0.8.5\"\n"
        "  modelURL: \"org/m\"\n  vllmConfig:\n    tensorParallelSize: 2\n    maxModelLen: 8192\n"
        "    enablePrefixCaching: false\n    extraArgs: [\"--gpu-memory-utilization\", \"0.8\"]\n");
    EXPECT_EQ(helm.version, "0.8.5");
    EXPECT_EQ(settings(helm), (Map{{"model", "org/m"},
                                   {"tp", "2"},
                                   {"ctx", "8192"},
                                   {"prefix-caching", "off"},
                                   {"util", "0.8"}}));
    const CommandLine kserve = read_command_line(
        "spec:\n  model:\n    uri: hf://org/m\n  parallelism:\n    data: 16\n    expert: true\n"
        "    tensor: 1\n  template:\n    containers:\n    - name: main\n      env:\n"
        "      - name: VLLM_ADDITIONAL_ARGS\n        value: \"--max-model-len 8192 "
        "--enforce-eager\"\n");
    EXPECT_EQ(settings(kserve), (Map{{"model", "org/m"},
                                     {"dp", "16"},
                                     {"ep", "on"},
                                     {"tp", "1"},
                                     {"ctx", "8192"},
                                     {"eager", "on"}}));
}

// A script handed to a shell, with the container before it.
TEST(CommandLine, ScriptOfAShell) {
    for (const char* text :
         {"sh -c 'vllm serve a/b --tensor-parallel-size=4 --max-model-len 8192'",
          "bash -lc \"exec vllm serve a/b --tensor-parallel-size 4 --max_model_len 8192\"",
          "docker run -it vllm/vllm-openai:v0.9.2 bash -c \"pip list && vllm serve a/b "
          "--tensor-parallel-size 4 --max-model-len 8192\""}) {
        const CommandLine c = read_command_line(text);
        EXPECT_EQ(c.engine, EngineId::vllm) << text;
        Map m = settings(c);
        EXPECT_EQ(m["model"], "a/b") << text;
        EXPECT_EQ(m["tp"], "4") << text;
        EXPECT_EQ(m["ctx"], "8192") << text;
    }
    EXPECT_EQ(
        read_command_line("docker run x/vllm/vllm-openai:v0.9.2 sh -c 'vllm serve a/b'").version,
        "0.9.2");
}

// Variables that the text itself sets.
TEST(CommandLine, VariablesOfTheText) {
    Map m = settings(read_command_line(
        "export TP=2\nMODEL=a/b\nLEN=4096 NOTHING=\nvllm serve $MODEL --tensor-parallel-size "
        "\"${TP}\" --max-model-len ${LEN:-1} --max-num-seqs ${SEQS:=64}"));
    EXPECT_EQ(m["model"], "a/b");
    EXPECT_EQ(m["tp"], "2");
    EXPECT_EQ(m["ctx"], "4096");
    EXPECT_EQ(m["max-seqs"], "64");
    EXPECT_EQ(read_command_line("vllm serve a/b --tensor-parallel-size $TP").unresolved,
              std::vector<std::string>{"--tensor-parallel-size"});
}

TEST(CommandLine, OtherWaysToWriteIt) {
    const Map want{{"model", "a/b"}, {"tp", "2"}, {"ctx", "4096"}};
    for (const char* text :
         {"vllm serve a/b `\n  --tensor-parallel-size 2 `\n  --max-model-len 4096",
          "[\"vllm\", \"serve\", \"a/b\", \"--tensor-parallel-size\", \"2\", "
          "\"--max-model-len=4096\"]",
          "FROM vllm/vllm-openai\nENTRYPOINT [\"vllm\", \"serve\"]\nCMD [\"a/b\",\n  "
          "\"--tensor-parallel-size\", \"2\", \"--max-model-len\", \"4096\"]\n",
          "from vllm import LLM\nllm = LLM(model=\"a/b\", tensor_parallel_size=2,\n  "
          "max_model_len=4096,  # short\n  seed=s)\n"}) {
        const CommandLine c = read_command_line(text);
        EXPECT_EQ(c.engine, EngineId::vllm) << text;
        EXPECT_EQ(settings(c), want) << text;
    }
    const CommandLine s = read_command_line(
        "import sglang as sgl\nllm = sgl.Engine(model_path='a/b', tp_size=4, "
        "mem_fraction_static=0.7)");
    EXPECT_EQ(s.engine, EngineId::sglang);
    EXPECT_EQ(settings(s), (Map{{"model", "a/b"}, {"tp", "4"}, {"util", "0.7"}}));
}

// The release that an installer is asked for, or that stands in an image's tag.
TEST(CommandLine, Releases) {
    for (const auto& [text, release] : std::map<const char*, const char*>{
             {"uvx --from vllm==0.10.2 vllm serve a/b", "0.10.2"},
             {"uvx vllm@0.10.2 serve a/b", "0.10.2"},
             {"uv run --with 'vllm[audio]==0.10.2' vllm serve a/b", "0.10.2"},
             {"pip install -q sglang==0.5.2\nsglang serve --model-path a/b", "0.5.2"},
             {"pip install vllm && vllm serve a/b", ""},
             {"docker run rocm/vllm:rocm6.4.1_vllm_0.9.1_20250715 vllm serve a/b", "0.9.1"},
             {"docker run nvcr.io/nvidia/vllm:25.09-py3 vllm serve a/b", ""}}) {
        const CommandLine c = read_command_line(text);
        EXPECT_EQ(c.version, release) << text;
        EXPECT_EQ(settings(c).at("model"), "a/b") << text;
    }
}

// Variables that stand for flags; Ollama's length is for one request.
TEST(CommandLine, Environment) {
    const Map ollama{
        {"ctx", "16384"}, {"slots", "2"}, {"kv-k", "q8_0"}, {"kv-v", "q8_0"}, {"unified", "off"}};
    for (const char* text :
         {"OLLAMA_CONTEXT_LENGTH=8192 OLLAMA_NUM_PARALLEL=2 OLLAMA_KV_CACHE_TYPE=q8_0 ollama serve",
          "export OLLAMA_CONTEXT_LENGTH=8192\nexport OLLAMA_NUM_PARALLEL=2\n"
          "export OLLAMA_KV_CACHE_TYPE=q8_0\nollama serve &\n",
          "docker run -d --gpus=all -v ollama:/data -e OLLAMA_CONTEXT_LENGTH=8192 "
          "-e OLLAMA_NUM_PARALLEL=2 --env=OLLAMA_KV_CACHE_TYPE=q8_0 ollama/ollama:0.12.3",
          "[Service]\nEnvironment=\"OLLAMA_CONTEXT_LENGTH=8192\"\n"
          "Environment=\"OLLAMA_NUM_PARALLEL=2\"\nEnvironment=OLLAMA_KV_CACHE_TYPE=q8_0\n"
          "ExecStart=/usr/local/bin/ollama serve\n",
          "services:\n  o:\n    environment:\n      - OLLAMA_CONTEXT_LENGTH=8192\n"
          "      - OLLAMA_NUM_PARALLEL=2\n      - OLLAMA_KV_CACHE_TYPE=q8_0\n"
          "    image: ollama/ollama:0.12.3\n"}) {
        const CommandLine c = read_command_line(text);
        EXPECT_EQ(c.engine, EngineId::llamacpp) << text;
        EXPECT_EQ(c.version, "") << text;
        EXPECT_EQ(settings(c), ollama) << text;
    }
    const CommandLine tgi = read_command_line(
        "docker run -e MODEL_ID=a/b -e NUM_SHARD=2 x/text-generation-inference:3.3.4 "
        "--max-total-tokens 4096");
    EXPECT_EQ(settings(tgi), (Map{{"model", "a/b"}, {"tp", "2"}, {"ctx", "4096"}}));
    // A flag wins over its variable.
    EXPECT_EQ(settings(read_command_line("LLAMA_ARG_CTX_SIZE=1 llama-server -c 4096"))["ctx"],
              "4096");
}

// Words that a variable or a list of the shell holds.
TEST(CommandLine, WordsOfVariables) {
    const Map want{{"model", "a/b"}, {"tp", "4"}, {"ctx", "8192"}};
    for (const char* text :
         {"ARGS=\"--tensor-parallel-size 4 --max-model-len 8192\"\nvllm serve a/b $ARGS",
          "N=4\nARGS=(\n  a/b # the model\n  --tensor-parallel-size $N\n)\n"
          "ARGS+=(--max-model-len 8192)\nvllm serve \"${ARGS[@]}\"",
          "```bash\nvllm serve a/b \\\n  --tensor-parallel-size 4 --max-model-len 8192\n```",
          "ssh host \"vllm serve a/b --tensor-parallel-size 4 --max-model-len 8192\"",
          "tmux new -d 'vllm serve a/b --tensor-parallel-size 4 --max-model-len 8192'",
          "{\"command\": [\n \"vllm\", \"serve\", \"a/b\",\n \"--tensor-parallel-size\", \"4\", "
          "\"--max-model-len\", \"8192\"]}",
          "subprocess.run(['vllm', 'serve', 'a/b', '--tensor-parallel-size=4', "
          "'--max-model-len=8192'])",
          "model: a/b\ntensor-parallel-size: 4\nmax-model-len: 8192\n"}) {
        EXPECT_EQ(settings(read_command_line(text)), want) << text;
    }
    const CommandLine c =
        read_command_line("ARGS=(--tensor-parallel-size $N)\nvllm serve a/b \"${ARGS[@]}\"");
    EXPECT_EQ(c.unresolved, std::vector<std::string>{"--tensor-parallel-size"});
}

// Engines made as Python objects; nested objects and names of the script.
TEST(CommandLine, PythonObjects) {
    const CommandLine pipeline = read_command_line(
        "from lmdeploy import pipeline, TurbomindEngineConfig\n"
        "config = TurbomindEngineConfig(tp=2, session_len=8192, cache_max_entry_count=0.6)\n"
        "pipe = pipeline('a/b',\n    backend_config=config, log_level=level)\n");
    EXPECT_EQ(pipeline.engine, EngineId::lmdeploy);
    EXPECT_EQ(settings(pipeline),
              (Map{{"model", "a/b"}, {"tp", "2"}, {"ctx", "8192"}, {"util", "0.6"}}));
    EXPECT_EQ(pipeline.ignored, std::vector<std::string>{"log_level"});
    const CommandLine trt = read_command_line(
        "from tensorrt_llm import LLM\nname = 'a/b'\nllm = LLM(name, tensor_parallel_size=size,\n"
        "  kv_cache_config=KvCacheConfig(free_gpu_memory_fraction=0.7, dtype='fp8'))\n");
    EXPECT_EQ(trt.engine, EngineId::trtllm);
    EXPECT_EQ(settings(trt), (Map{{"model", "a/b"}, {"util", "0.7"}, {"kv", "fp8"}}));
    EXPECT_EQ(trt.unresolved, std::vector<std::string>{"tensor_parallel_size"});
    const CommandLine llama =
        read_command_line("llm = Llama(model_path='x.gguf', n_ctx=4096, n_gpu_layers=-1)");
    EXPECT_EQ(llama.engine, EngineId::llamacpp);
    EXPECT_EQ(settings(llama), (Map{{"gguf", "x.gguf"}, {"ctx", "4096"}}));
    const CommandLine sgl = read_command_line(
        "server_args=ServerArgs(model_path='a/b', mem_fraction_static=0.85, page_size=None)");
    EXPECT_EQ(settings(sgl), (Map{{"model", "a/b"}, {"util", "0.85"}}));
}

TEST(CommandLine, TrtOptionsByEchoAndBenchmark) {
    EXPECT_EQ(settings(read_command_line("echo -e 'kv_cache_config:\\n  dtype: fp8' > o.yaml\n"
                                         "trtllm-serve a/b --tp_size 2 --config o.yaml")),
              (Map{{"model", "a/b"}, {"tp", "2"}, {"kv", "fp8"}}));
    EXPECT_EQ(settings(read_command_line("trtllm-bench --model a/b throughput --tp 4 "
                                         "--kv_cache_free_gpu_mem_fraction 0.8")),
              (Map{{"model", "a/b"}, {"tp", "4"}, {"util", "0.8"}}));
}

TEST(Manifest, RayServeAndHelmModel) {
    EXPECT_EQ(
        settings(read_command_line(
            "spec:\n  serveConfigV2: |\n    applications:\n    - args:\n        llm_configs:\n"
            "        - model_loading_config:\n            model_source: a/b\n"
            "          engine_kwargs:\n            tensor_parallel_size: 2\n"
            "            max_model_len: 8192\n")),
        (Map{{"model", "a/b"}, {"tp", "2"}, {"ctx", "8192"}}));
    EXPECT_EQ(settings(read_command_line(
                  "image:\n  repository: vllm/vllm-openai\n  tag: v0.11.0\nmodel: a/b\n"
                  "extraArgs:\n  - --tensor-parallel-size\n  - \"2\"\n")),
              (Map{{"model", "a/b"}, {"tp", "2"}}));
}

// Values that the manifest gives in its environment.
TEST(Manifest, Environment) {
    Map m = settings(read_command_line(
        "containers:\n- name: x\n  image: vllm/vllm-openai:v0.9.0\n  args:\n  - --model=a/b\n"
        "  - --tensor-parallel-size=$(TP)\n  env:\n  - name: TP\n    value: \"4\"\n"));
    EXPECT_EQ(m["tp"], "4");

    const CommandLine tgi = read_command_line(
        "services:\n  tgi:\n    image: ghcr.io/huggingface/text-generation-inference:2.4.0\n"
        "    environment:\n      MODEL_ID: a/b\n      NUM_SHARD: 2\n      MAX_TOTAL_TOKENS: "
        "\"8192\"\n");
    EXPECT_EQ(tgi.engine, EngineId::tgi);
    m = settings(tgi);
    EXPECT_EQ(m["model"], "a/b");
    EXPECT_EQ(m["tp"], "2");
    EXPECT_EQ(m["ctx"], "8192");

    const CommandLine llama = read_command_line(
        "services:\n  llama:\n    image: ghcr.io/ggml-org/llama.cpp:server-cuda\n    environment:"
        "\n      - LLAMA_ARG_CTX_SIZE=16384\n      - LLAMA_ARG_N_PARALLEL=2\n");
    EXPECT_EQ(llama.engine, EngineId::llamacpp);
    m = settings(llama);
    EXPECT_EQ(m["ctx"], "16384");
    EXPECT_EQ(m["slots"], "2");
}

TEST(Manifest, ScriptAsAListItem) {
    const CommandLine c = read_command_line(
        "containers:\n- name: vllm\n  image: vllm/vllm-openai:v0.9.2\n  command: [\"/bin/sh\", "
        "\"-c\"]\n  args:\n    - |\n      vllm serve a/b \\\n        --tensor-parallel-size 4 "
        "\\\n        --max-model-len 32768\n  resources:\n    limits: {cpu: 4}\n");
    EXPECT_EQ(c.version, "0.9.2");
    Map m = settings(c);
    EXPECT_EQ(m["model"], "a/b");
    EXPECT_EQ(m["tp"], "4");
    EXPECT_EQ(m["ctx"], "32768");
}

// The chunk decides SGLang's default fraction; -1 turns chunks off.
TEST(CommandLine, SglangChunk) {
    const std::string head = "sglang serve --model-path a/b --chunked-prefill-size ";
    EXPECT_EQ(settings(read_command_line(head + "4096"))["max-batched"], "4096");
    EXPECT_EQ(settings(read_command_line(head + "-1")).count("max-batched"), 0u);
}

TEST(CommandLine, SecondCommandsAreCounted) {
    const CommandLine c =
        read_command_line("vllm serve a --max-num-seqs 1; vllm serve b --max-num-seqs 2");
    EXPECT_EQ(settings(c)["model"], "a");
    EXPECT_EQ(c.others, 1u);
    EXPECT_FALSE(read_command_line("ls -l").engine);
    EXPECT_FALSE(read_command_line("").engine);
}

TEST(CommandLineProperty, GarbageIsRead) {
    std::mt19937 random(5);
    const std::string pieces[] = {"vllm serve ",
                                  "--",
                                  "-",
                                  "'",
                                  "\"",
                                  "\\",
                                  "\n",
                                  "$(",
                                  "${",
                                  "}",
                                  ")",
                                  "<<EOF\n",
                                  "image: ",
                                  "command: >\n",
                                  "args: [",
                                  "]",
                                  "- ",
                                  "  ",
                                  "|",
                                  ">",
                                  "<x>",
                                  "--tp=",
                                  "#",
                                  "`",
                                  "key: ",
                                  "{'a': ",
                                  "non-default args:",
                                  "\xff",
                                  "--max-model-len 8k "};
    for (int round = 0; round < 4000; ++round) {
        std::string text;
        for (std::size_t n = random() % 30; n > 0; --n)
            text += pieces[random() % std::size(pieces)];
        const CommandLine c = read_command_line(text);
        EXPECT_LE(c.settings.size(), text.size());
    }
    // Long runs of one sign end as well.
    for (char sign : {'{', '[', '(', '\'', '"', '$', '<', '-', '\\', ':', '\n'}) {
        read_command_line(std::string(50'000, sign));
    }
}

}  // namespace
}  // namespace kvgauge
