// SPDX-License-Identifier: MIT
#include "native/measure_thread.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "native/cmd_measure.h"

namespace kvgauge {
namespace {

double seconds_now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

class MeasureThread final : public ui::Measurer {
  public:
    ~MeasureThread() override {
        join();
        if (finder_.joinable()) finder_.join();
    }

    // A driver's first call takes hundreds of milliseconds.
    std::optional<std::vector<DeviceInfo>> devices() override {
        if (!finder_.joinable()) {
            finder_ = std::thread([this] {
                std::vector<DeviceInfo> all = all_devices();
                const std::lock_guard lock(mutex_);
                found_ = std::move(all);
            });
        }
        const std::lock_guard lock(mutex_);
        return found_;
    }

    void start(std::string_view device, const MeasureRequest& request) override {
        join();
        stop_ = false;
        running_ = true;
        {
            const std::lock_guard lock(mutex_);
            progress_ = {};
            result_ = {};
        }
        thread_ = std::thread([this, id = std::string(device), request] { run(id, request); });
    }
    void cancel() override { stop_ = true; }
    bool running() const override { return running_; }
    Progress progress() const override {
        const std::lock_guard lock(mutex_);
        return progress_;
    }
    std::size_t cases() const override {
        const std::lock_guard lock(mutex_);
        return result_.cases.size();
    }
    Measurement result() const override {
        const std::lock_guard lock(mutex_);
        return result_;
    }

  private:
    void join() {
        stop_ = true;
        if (thread_.joinable()) thread_.join();
    }

    void run(const std::string& id, const MeasureRequest& request) {
        std::string problem;
        const std::unique_ptr<Probe> probe = open_probe(id, problem);
        if (probe == nullptr) {
            const std::lock_guard lock(mutex_);
            result_.failure = problem;
            running_ = false;
            return;
        }
        Session session(*probe, request, seconds_now);
        std::size_t done = 0;
        bool more = true;
        while (more) {
            more = session.step(30, &stop_);
            // The samples are copied only when a case has ended; the progress each time.
            const bool ended = session.progress().done != done || !more;
            done = session.progress().done;
            Measurement fresh;
            if (ended) fresh = session.result();
            const std::lock_guard lock(mutex_);
            progress_ = session.progress();
            if (ended) result_ = std::move(fresh);
        }
        running_ = false;
    }

    mutable std::mutex mutex_;
    std::thread thread_, finder_;
    std::optional<std::vector<DeviceInfo>> found_;
    std::atomic<bool> stop_{false}, running_{false};
    Progress progress_;
    Measurement result_;
};

}  // namespace

std::shared_ptr<ui::Measurer> make_measure_thread() {
    return std::make_shared<MeasureThread>();
}

}  // namespace kvgauge
