// SPDX-License-Identifier: MIT
// Owns: the first views that the first part of the module is cut for: what a person may see before touching
// anything. tests/web/first_view.mjs lists their functions, tests/web/parts.test.js holds the cut to it.
import { answered, sleep } from './browser.js';
import { drawn } from './canvas.js';

const kModels = ['llama-2-7b', 'llama-3-8b', 'llama-3-70b', 'llama-3.1-405b', 'mistral-7b-v0.1',
    'mixtral-8x7b', 'qwen2.5-7b', 'qwen3-32b', 'qwen3-30b-a3b', 'deepseek-v3', 'gemma-3-27b',
    'gpt-oss-120b'];
const kEngines = ['vllm', 'sglang', 'trtllm', 'llamacpp', 'none'];

export const kLinks = ['', 'v=1&engine=vllm@0.20&tp=2&kv=fp8',
    'v=1&model=llama-3-70b&gpu=h100-80gb-sxm&tp=4&weights=fp8&ctx=32k',
    'v=1&model=qwen2.5-7b&gpu=h100-80gb-sxm&tp=8', 'v=1&model=llama-3-70b&gpu=l4-24gb',
    'v=1&model=mixtral-8x7b&gpu=h100-80gb-sxm&tp=2&ep=on',
    'v=1&kv-heads=1&engine=none&kv-budget=64424509440',
    'v=1&batch=32&in=2k&out=512&tpot-max=30&ttft-max=500', 'v=1&ctx=banana&future=7',
    ...kModels.map((model) => `v=1&model=${model}&gpu=h200-141gb-sxm&tp=8`),
    ...kEngines.map((engine) => `v=1&engine=${engine}`)];

// [link, options of open(), what is done]: nothing that a person does with pointer or keys.
export const kViews = [
    ...kLinks.map((link) => [link && '#' + link, {}]),
    ...kLinks.slice(0, 9).map((link) => [link && '#' + link, { form: true }]),
    ['', { colorScheme: 'light' }],
    ['', { viewport: { width: 900, height: 700 } }],
    ['', { viewport: { width: 390, height: 844 } }],
    ['', { deviceScaleFactor: 2 }],
    ['embed.html#v=1&ctx=4k', {}],
    // Other windows come and go, the size changes; what tests ask.
    ['', {}, async (page) => {
        await page.evaluate(() => {
            window.dispatchEvent(new Event('blur'));
            window.dispatchEvent(new Event('focus'));
            document.dispatchEvent(new Event('visibilitychange'));
        });
        await page.setViewportSize({ width: 1180, height: 760 });
        await sleep(500);
        await page.evaluate(() => window.kvgauge.canvas.state());
    }],
];

// All of a view is there.
export async function shown(page, [link, options, use]) {
    await answered(page);
    const chart = !link.startsWith('embed') && !options.form && !(options.viewport?.width < 700);
    if (chart) await drawn(page);
    await use?.(page);
    await sleep(400);
}
