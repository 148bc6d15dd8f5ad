#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""PyTorch's scaled_dot_product_attention on the decode shapes of device_check.cu, cold and timed alike."""
import torch
import torch.nn.functional as F

# batch, ctx, q_heads, kv_heads, head_dim: those of device_check.cu.
SHAPES = [(1, 32768, 8, 8, 128), (1, 32768, 32, 8, 128), (8, 16384, 64, 8, 128), (32, 8192, 32, 8, 128)]


def measure(batch, ctx, q_heads, kv_heads, dim):
    kv_bytes = 2 * batch * ctx * kv_heads * dim * 2
    l2 = getattr(torch.cuda.get_device_properties(0), 'L2_cache_size', 50 << 20)
    copies = 1 if kv_bytes >= 5 * l2 else max(2, -(-5 * l2 // kv_bytes) + 1)
    q = torch.randn(batch, q_heads, 1, dim, device='cuda', dtype=torch.bfloat16)
    caches = [torch.randn(2, batch, kv_heads, ctx, dim, device='cuda', dtype=torch.bfloat16)
              for _ in range(copies)]

    def call(i):
        k, v = caches[i % copies]
        return F.scaled_dot_product_attention(q, k, v, enable_gqa=q_heads != kv_heads)

    for i in range(10):
        call(i)
    times = []
    for i in range(30):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        call(i)
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e3)
    median = sorted(times)[len(times) // 2]
    return median, kv_bytes / median / 1e3


def main():
    print(f'\n| PyTorch {torch.__version__}, bf16 | us | GB/s |\n|---|---|---|')
    for shape in SHAPES:
        median, rate = measure(*shape)
        batch, ctx, q_heads, kv_heads, dim = shape
        print(f'| {batch} x {ctx}, {q_heads}/{kv_heads} heads of {dim} | {median:.1f} | {rate:.0f} |')


if __name__ == '__main__':
    main()
