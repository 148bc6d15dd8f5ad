// SPDX-License-Identifier: MIT
// Owns: what the CPU probe must ask the system for: memory on large pages, clocks, the processor's
// name and cache.
#pragma once
#include <cstdint>

#include "probe/device.h"

namespace kvgauge {

// Memory for streams: its own mapping, on large pages where the system gives them, 4 KiB aligned.
class CpuBuffer {
  public:
    CpuBuffer() = default;
    explicit CpuBuffer(std::uint64_t bytes);
    ~CpuBuffer();
    CpuBuffer(const CpuBuffer&) = delete;
    CpuBuffer& operator=(const CpuBuffer&) = delete;
    CpuBuffer& operator=(CpuBuffer&& other) noexcept;
    unsigned char* data() const { return data_; }  // null: none was to be had
    std::uint64_t size() const { return data_ ? size_ : 0; }

  private:
    unsigned char* data_ = nullptr;
    std::uint64_t size_ = 0;
};

// Time this thread has had a processor: what other programs take away does not count.
bool has_thread_clock();
double cpu_seconds(bool of_this_thread);

DeviceInfo describe_cpu();

}  // namespace kvgauge
