// SPDX-License-Identifier: MIT
// Owns: what single families count differently, after all common steps. Each function names the
// source of its rule in config_finish.cc.
#pragma once

namespace kvgauge {

struct Draft;

void finish_apertus(Draft&);       // two numbers of the activation
void finish_yuan(Draft&);          // convolutions before attention
void finish_arctic(Draft&);        // a dense FFN beside the experts
void finish_lm_head_bias(Draft&);  // lm_head_bias
void finish_gpt_oss(Draft&);       // sinks, expert biases
void finish_laguna(Draft&);        // query heads by layer, output gate
void finish_step(Draft&);          // shared expert width, head gates
void finish_bitnet(Draft&);        // norms inside attention and FFN
void finish_stablelm(Draft&);      // one norm with parallel residuals
void finish_llama4(Draft&);        // a shared expert of the experts' width
void finish_kimi_linear(Draft&);   // experts in a narrower space
void finish_t5(Draft&);            // the encoder, a norm more
void finish_bart(Draft&);          // the encoder, positions, biases
void finish_jais(Draft&);          // gated by activation, positions without ALiBi
void finish_gemma3n(Draft&);
void finish_gemma4(Draft&);
void finish_deepseek_v4(Draft&);
void finish_lfm2(Draft&);   // FFN width is adjusted
void finish_opt(Draft&);    // embedding projection, norm placement
void finish_bloom(Draft&);  // norm behind the embedding
void finish_mpt(Draft&);    // biases and positions by flags

}  // namespace kvgauge
