// SPDX-License-Identifier: MIT
#include "measure.h"

#include <emscripten.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "native/probe_cpu.h"
#include "probe/session.h"

namespace kvgauge::web {
namespace {

// One slice: with the frame around it the tab answers within 33 ms.
constexpr double kSliceMs = 12;

double seconds_now() {
    return emscripten_get_now() * 1e-3;
}

class PageMeasurer final : public ui::Measurer {
  public:
    std::optional<std::vector<DeviceInfo>> devices() override {
        return std::vector{make_cpu_probe()->device()};
    }
    void start(std::string_view, const MeasureRequest& request) override {
        session_.reset();
        probe_ = make_cpu_probe();
        session_ = std::make_unique<kvgauge::Session>(*probe_, request, seconds_now);
        running_ = true;
        stop_ = false;
        result_ = {};
    }
    void cancel() override { stop_ = true; }
    void step() override {
        if (!running_) return;
        const std::size_t done = session_->progress().done;
        running_ = session_->step(kSliceMs, &stop_);
        if (session_->progress().done == done && running_) return;
        result_ = session_->result();
        if (!running_) probe_.reset(), session_.reset();  // and the memory that was read
    }
    int frame_ms() const override { return 0; }
    bool running() const override { return running_; }
    Progress progress() const override { return session_ ? session_->progress() : Progress{}; }
    std::size_t cases() const override { return result_.cases.size(); }
    Measurement result() const override { return result_; }

  private:
    std::unique_ptr<Probe> probe_;
    std::unique_ptr<kvgauge::Session> session_;
    std::atomic<bool> stop_{false};
    bool running_ = false;
    Measurement result_;
};

}  // namespace

std::shared_ptr<ui::Measurer> make_page_measurer() {
    return std::make_shared<PageMeasurer>();
}

}  // namespace kvgauge::web
