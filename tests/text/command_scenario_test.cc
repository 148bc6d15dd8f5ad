// SPDX-License-Identifier: MIT
// An engine's command over a scenario that stands: what changes and what stays. Flags and their
// meaning: vllm/engine/arg_utils.py (0.20), sglang/srt/server_args.py (0.5).
#include "text/command_scenario.h"

#include <gtest/gtest.h>

#include "text/fields.h"

namespace kvgauge {
namespace {

Scenario base() {
    Scenario s;
    s.model = "qwen2.5-7b";
    s.gpu = "h200-141gb-sxm";
    s.batch = 24;
    s.in = 3000;
    s.tpot_max = 0.03;
    s.kv = DType::int8;
    s.eager = true;
    s.kv_heads = 2;
    return s;
}

CommandScenario of(const char* text, const Scenario& from = base()) {
    return scenario_of_command(read_command_line(text), from, builtin_catalog());
}

bool says(const CommandScenario& c, std::string_view part) {
    for (const Issue& i : c.issues) {
        if (i.text.find(part) != std::string::npos) return true;
    }
    return false;
}

TEST(CommandScenario, OptionsAreTheCommandsAndTheGpuStays) {
    const CommandScenario c =
        of("vllm serve meta-llama/Meta-Llama-3-70B-Instruct --tensor-parallel-size 4 "
           "--max-model-len 8192 --kv-cache-dtype fp8 --gpu-memory-utilization 0.85 --port 8000");
    EXPECT_TRUE(c.model_known);
    EXPECT_EQ(c.scenario.model, "llama-3-70b");
    EXPECT_EQ(c.scenario.engine, EngineId::vllm);
    EXPECT_EQ(c.scenario.tp, 4u);
    EXPECT_EQ(c.scenario.ctx, 8192u);
    EXPECT_EQ(c.scenario.kv, DType::fp8);
    EXPECT_EQ(c.scenario.util, 0.85);
    // Not in the command: the GPU and the workload stay, options go back to the engine's own.
    EXPECT_EQ(c.scenario.gpu, "h200-141gb-sxm");
    EXPECT_EQ(c.scenario.batch, 24u);
    EXPECT_EQ(c.scenario.in, 3000u);
    EXPECT_EQ(c.scenario.tpot_max, 0.03);
    EXPECT_EQ(c.scenario.eager, Scenario{}.eager);
    EXPECT_FALSE(c.scenario.kv_heads);  // of the model that stood there
    EXPECT_TRUE(says(c, "--port"));
}

TEST(CommandScenario, WithoutALengthVllmHasTheModelsOwn) {
    // Llama 3.1's config.json: max_position_embeddings 131072.
    const CommandScenario c = of("vllm serve meta-llama/Llama-3.1-8B-Instruct");
    EXPECT_EQ(c.scenario.ctx, 131072u);
    EXPECT_TRUE(says(c, "131,072"));
    // SGLang's commands do not set it here: the scenario's stays.
    EXPECT_EQ(
        of("python -m sglang.launch_server --model-path meta-llama/Llama-3.1-8B-Instruct --tp 2")
            .scenario.ctx,
        base().ctx);
}

TEST(CommandScenario, AnUnknownModelLeavesTheOldOneAndSaysSo) {
    const CommandScenario c = of("vllm serve ./my-own-checkpoint --tensor-parallel-size 2");
    EXPECT_FALSE(c.model_known);
    EXPECT_EQ(c.scenario.model, "qwen2.5-7b");
    EXPECT_EQ(c.scenario.kv_heads, 2u);
    EXPECT_EQ(c.scenario.tp, 2u);
    EXPECT_TRUE(says(c, "my-own-checkpoint"));
}

TEST(CommandScenario, FewerGpusThanTheCommandTakesAreNotKept) {
    Scenario s = base();
    s.gpus = 2;
    EXPECT_FALSE(of("vllm serve Qwen/Qwen2.5-7B -tp 4", s).scenario.gpus);
    s.gpus = 8;
    EXPECT_EQ(of("vllm serve Qwen/Qwen2.5-7B -tp 4", s).scenario.gpus, 8u);
}

TEST(CommandScenario, AValueOutOfRangeIsSaidAndTheRestStands) {
    const CommandScenario c =
        of("vllm serve Qwen/Qwen2.5-7B --tensor-parallel-size 9999 --max-model-len 4096");
    EXPECT_EQ(c.scenario.tp, 1u);
    EXPECT_EQ(c.scenario.ctx, 4096u);
    EXPECT_TRUE(says(c, "9999"));
}

}  // namespace
}  // namespace kvgauge
