// SPDX-License-Identifier: MIT
// Owns: a part of the window that scrolls when its content is higher than its place.
#pragma once
#include <imgui.h>

#include "ui/ui.h"

namespace kvgauge::ui {

class Pane {
  public:
    Pane(Ui& base, std::string_view id, Rect place, float height)
        : u(begin(base, id, place, height)),
          rect{place.x, 0, place.w, height},
          scrolls(height > place.h + 0.5f) {
        rect.y = ImGui::GetCursorScreenPos().y;
        bottom_ = rect.bottom();
    }
    ~Pane() {
        // ImGui learns the height from the last item.
        ImGui::SetCursorScreenPos({rect.x, bottom_ - 1});
        ImGui::Dummy({1, 1});
        ImGui::EndChild();
    }
    Pane(const Pane&) = delete;
    Pane& operator=(const Pane&) = delete;

    Ui u;
    Rect rect;  // of the whole content, scrolled
    bool scrolls;

  private:
    static Ui begin(Ui& base, std::string_view id, Rect place, float height) {
        ImGui::SetCursorScreenPos({place.x, place.y});
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
        const std::string name(id);
        ImGui::BeginChild(name.c_str(), {place.w, place.h}, false,
                          ImGuiWindowFlags_NoNav |
                              (height <= place.h + 0.5f ? ImGuiWindowFlags_NoScrollbar |
                                                              ImGuiWindowFlags_NoScrollWithMouse
                                                        : 0));
        ImGui::PopStyleVar();
        return base.here();
    }
    float bottom_ = 0;
};

}  // namespace kvgauge::ui
