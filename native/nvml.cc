// SPDX-License-Identifier: MIT
#include "native/nvml.h"

#include <dlfcn.h>

#include <cstdint>
#include <utility>

namespace kvgauge {
namespace {

// Values of nvml.h that are part of its binary interface.
constexpr int success = 0;
constexpr int clock_sm = 1;
constexpr int clock_memory = 2;
constexpr int sensor_gpu = 0;

struct Reason {
    std::uint64_t bit;
    const char* text;
};
// Idle, application clocks, sync boost and display clocks are settings, not trouble.
constexpr Reason reasons[] = {
    {0x04, "power cap"},
    {0x08, "hardware slowdown"},
    {0x20, "software thermal slowdown"},
    {0x40, "hardware thermal slowdown"},
    {0x80, "power brake"},
};

}  // namespace

struct Nvml::Functions {
    void* library = nullptr;
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*driver_version)(char*, unsigned) = nullptr;
    int (*by_bus_id)(const char*, void**) = nullptr;
    int (*clock)(void*, int, unsigned*) = nullptr;
    int (*max_clock)(void*, int, unsigned*) = nullptr;
    int (*temperature)(void*, int, unsigned*) = nullptr;
    int (*power)(void*, unsigned*) = nullptr;
    int (*power_limit)(void*, unsigned*) = nullptr;
    int (*reasons)(void*, unsigned long long*) = nullptr;
    int (*mig_mode)(void*, unsigned*, unsigned*) = nullptr;

    template <class F>
    bool find(F& function, const char* name) const {
        function = reinterpret_cast<F>(dlsym(library, name));
        return function != nullptr;
    }
};

std::unique_ptr<Nvml> Nvml::open() {
    auto f = std::make_unique<Functions>();
    f->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (f->library == nullptr) return nullptr;
    const bool needed = f->find(f->init, "nvmlInit_v2") && f->find(f->shutdown, "nvmlShutdown") &&
                        f->find(f->driver_version, "nvmlSystemGetDriverVersion") &&
                        f->find(f->by_bus_id, "nvmlDeviceGetHandleByPciBusId_v2") &&
                        f->find(f->clock, "nvmlDeviceGetClockInfo");
    // Older and newer drivers lack some of these; each answers "unknown" then.
    f->find(f->max_clock, "nvmlDeviceGetMaxClockInfo");
    f->find(f->temperature, "nvmlDeviceGetTemperature");
    f->find(f->power, "nvmlDeviceGetPowerUsage");
    f->find(f->power_limit, "nvmlDeviceGetEnforcedPowerLimit");
    f->find(f->mig_mode, "nvmlDeviceGetMigMode");
    if (!f->find(f->reasons, "nvmlDeviceGetCurrentClocksEventReasons"))
        f->find(f->reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
    if (!needed || f->init() != success) {
        dlclose(f->library);
        return nullptr;
    }
    return std::unique_ptr<Nvml>(new Nvml(std::move(f)));
}

Nvml::Nvml(std::unique_ptr<Functions> f) : f_(std::move(f)) {}

Nvml::~Nvml() {
    f_->shutdown();
    dlclose(f_->library);
}

void* Nvml::device(const std::string& bus_id) const {
    void* handle = nullptr;
    return f_->by_bus_id(bus_id.c_str(), &handle) == success ? handle : nullptr;
}

std::string Nvml::driver_version() const {
    char text[96] = "";
    return f_->driver_version(text, sizeof text) == success ? text : "";
}

ClockState Nvml::clocks(const std::string& bus_id) const {
    ClockState state;
    void* const handle = device(bus_id);
    unsigned value = 0;
    if (handle == nullptr || f_->clock(handle, clock_sm, &value) != success) return state;
    state.known = true;
    state.sm_mhz = value;
    if (f_->clock(handle, clock_memory, &value) == success) state.memory_mhz = value;
    if (f_->max_clock && f_->max_clock(handle, clock_memory, &value) == success)
        state.max_memory_mhz = value;
    if (f_->temperature && f_->temperature(handle, sensor_gpu, &value) == success)
        state.temperature_c = value;
    if (f_->power && f_->power(handle, &value) == success) state.power_w = value / 1000.0;
    unsigned long long bits = 0;
    if (f_->reasons && f_->reasons(handle, &bits) == success) {
        for (const Reason& reason : reasons) {
            if (bits & reason.bit) state.throttled.emplace_back(reason.text);
        }
    }
    return state;
}

std::optional<double> Nvml::power_limit_w(const std::string& bus_id) const {
    void* const handle = device(bus_id);
    unsigned milliwatts = 0;
    if (handle == nullptr || !f_->power_limit || f_->power_limit(handle, &milliwatts) != success)
        return std::nullopt;
    return milliwatts / 1000.0;
}

std::optional<bool> Nvml::mig_enabled(const std::string& bus_id) const {
    void* const handle = device(bus_id);
    unsigned now = 0;
    unsigned later = 0;
    if (handle == nullptr || !f_->mig_mode || f_->mig_mode(handle, &now, &later) != success)
        return std::nullopt;
    return now != 0;
}

}  // namespace kvgauge
