// SPDX-License-Identifier: MIT
// Which of these models holds 16 requests of 32,768 tokens on two H100?   node choose.mjs
import { sweep } from '../kvgauge.js';

const answers = sweep('v=1&gpu=h100-80gb-sxm&tp=2&ctx=32k', {
    model: ['llama-3.1-8b', 'qwen3-32b', 'llama-3.3-70b', 'qwen3-30b-a3b'],
    kv: ['bf16', 'fp8'],
});
for (const { scenario, rows } of answers) {
    const most = rows.find((row) => row.id === 'batch.max')?.value ?? 0;
    console.log(scenario.model.padEnd(16), scenario.kv.padEnd(5), String(most).padStart(4),
        most >= 16 ? 'enough' : '');
}
