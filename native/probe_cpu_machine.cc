// SPDX-License-Identifier: MIT
#include "native/probe_cpu_machine.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "kernels/cpu/isa.h"
#include "kernels/cpu/workers.h"

#if !defined(__EMSCRIPTEN__)
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#endif

namespace kvgauge {
namespace {

constexpr std::uint64_t usual_cache = std::uint64_t{32} << 20;

#if !defined(__EMSCRIPTEN__)
// The value of the first line that starts with `key`, of a file of "key : value" lines.
std::string line_value(const char* path, const std::string& key) {
    std::FILE* const file = std::fopen(path, "r");
    if (file == nullptr) return {};
    char line[512];
    std::string value;
    while (value.empty() && std::fgets(line, sizeof line, file) != nullptr) {
        const std::string text(line);
        if (text.rfind(key, 0) != 0) continue;
        const std::size_t colon = text.find(':');
        if (colon == std::string::npos) continue;
        const std::size_t first = text.find_first_not_of(" \t", colon + 1);
        const std::size_t last = text.find_last_not_of(" \t\n");
        if (first != std::string::npos && last >= first)
            value = text.substr(first, last - first + 1);
    }
    std::fclose(file);
    return value;
}

// What one processor can use of it: the C library adds up those of all core complexes.
std::uint64_t last_level_cache() {
    std::uint64_t largest = 0;
    for (char index = '0'; index <= '5'; ++index) {
        const std::string path =
            std::string("/sys/devices/system/cpu/cpu0/cache/index") + index + "/size";
        std::FILE* const file = std::fopen(path.c_str(), "r");
        if (file == nullptr) break;
        unsigned long long size = 0;
        char unit = 0;
        const int got = std::fscanf(file, "%llu%c", &size, &unit);
        std::fclose(file);
        if (got == 2 && (unit == 'K' || unit == 'M'))
            largest = std::max<std::uint64_t>(largest, size << (unit == 'K' ? 10 : 20));
    }
    return largest == 0 ? usual_cache : largest;
}
#endif

}  // namespace

#if defined(__EMSCRIPTEN__)

CpuBuffer::CpuBuffer(std::uint64_t bytes) : size_(bytes) {
    void* memory = nullptr;
    if (bytes != 0 && posix_memalign(&memory, 4096, static_cast<std::size_t>(bytes)) == 0)
        data_ = static_cast<unsigned char*>(memory);
}
CpuBuffer::~CpuBuffer() {
    std::free(data_);
}

bool has_thread_clock() {
    return false;
}
double cpu_seconds(bool) {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

DeviceInfo describe_cpu() {
    DeviceInfo info;
    info.id = "cpu";
    info.name = "Browser CPU";
    info.arch = kernels::cpu::isa_name(kernels::cpu::best_isa());
    info.runtime = "WebAssembly";
    info.cache_bytes = usual_cache;
    info.units = 1;
    info.browser = true;
    return info;
}

#else

CpuBuffer::CpuBuffer(std::uint64_t bytes) : size_(bytes) {
    if (bytes == 0) return;
    void* const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
#if defined(MADV_HUGEPAGE)
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    data_ = static_cast<unsigned char*>(memory);
}
CpuBuffer::~CpuBuffer() {
    if (data_ != nullptr) munmap(data_, size_);
}

bool has_thread_clock() {
    timespec t{};
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0;
}
double cpu_seconds(bool of_this_thread) {
    timespec t{};
    if (!of_this_thread || clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
        clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

DeviceInfo describe_cpu() {
    DeviceInfo info;
    info.id = "cpu";
    info.name = line_value("/proc/cpuinfo", "model name");
    if (info.name.empty()) info.name = "CPU";
    info.arch = kernels::cpu::isa_name(kernels::cpu::best_isa());
    const long page = sysconf(_SC_PAGESIZE);
    const long pages = sysconf(_SC_PHYS_PAGES);
    if (page > 0 && pages > 0)
        info.memory_bytes = static_cast<std::uint64_t>(page) * static_cast<std::uint64_t>(pages);
    info.free_bytes = info.memory_bytes / 2;
    const std::string available = line_value("/proc/meminfo", "MemAvailable");
    if (!available.empty()) info.free_bytes = std::strtoull(available.c_str(), nullptr, 10) * 1024;
    info.cache_bytes = last_level_cache();
    info.units = static_cast<std::uint32_t>(kernels::cpu::Workers::available());
    return info;
}

#endif

CpuBuffer& CpuBuffer::operator=(CpuBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

}  // namespace kvgauge
