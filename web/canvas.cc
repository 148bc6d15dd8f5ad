// SPDX-License-Identifier: MIT
// Owns: the functions by which the page drives the canvas. The page has clock and policy: nothing
// is drawn unless kvg_frame is called, and no event is heard that the page did not let through.
// What the module asks of the page goes through Module.host: kick (one frame is wanted), copy,
// open_url, need_fonts.
#include <emscripten.h>
#include <emscripten/html5.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "canvas.h"
#include "measure.h"
#include "session.h"
#include "text/page_json.h"
#include "ui/sdl/window.h"

// clang-format off: JavaScript
EM_JS(void, kvg_js_kick, (), { Module['host']['kick'](); })
EM_JS(void, kvg_js_copy, (const char* text), { Module['host']['copy'](UTF8ToString(text)); })
EM_JS(void, kvg_js_open_url, (const char* url), { Module['host']['open_url'](UTF8ToString(url)); })
EM_JS(void, kvg_js_save, (const char* name, const char* text),
      { Module['host']['save'](UTF8ToString(name), UTF8ToString(text)); })
// For a page that puts another instance in this one's place: what SDL hears outside the canvas
// ends.
EM_JS(void, kvg_js_offer_forget, (), {
    Module['forget'] = function() {
        JSEvents.removeAllEventListeners();
    };
})
EM_JS(void, kvg_js_need_korean, (), { Module['host']['need_korean'](); })
// clang-format on

namespace kvgauge::web {
namespace {

std::vector<unsigned char> faces[2][2];  // by language: regular, semibold; kept for the window

ui::Window& window() {
    static ui::Window one(session().app());
    return one;
}

std::string json_text(std::string_view text) {
    return page_string_json(text);
}

void append_rect(std::string& out, float x, float y, float w, float h) {
    for (const float v : {x, y, w, h}) {
        out += out.back() == '[' ? "" : ",";
        out += std::to_string(v);
    }
}

std::string_view name(ui::ItemKind k) {
    switch (k) {
        case ui::ItemKind::button:
            return "button";
        case ui::ItemKind::slider:
            return "slider";
        case ui::ItemKind::text:
            return "text";
        case ui::ItemKind::link:
            return "link";
        case ui::ItemKind::plot:
            break;
    }
    return "plot";
}

}  // namespace

ui::Host page_host() {
    return {.copy_text = [](std::string_view text) { kvg_js_copy(std::string(text).c_str()); },
            .open_url = [](std::string_view url) { kvg_js_open_url(std::string(url).c_str()); },
            .need_fonts =
                [](Lang lang) {
                    if (lang == Lang::ko) kvg_js_need_korean();
                },
            .save_text =
                [](std::string_view name, std::string_view text) {
                    kvg_js_save(std::string(name).c_str(), std::string(text).c_str());
                    return std::string(name);
                },
            .measurer = make_page_measurer(),
            .dom_text_fields = true};
}

std::string canvas_field_json() {
    const auto field = session().app().text_field();
    if (!field) return "null";
    std::string out = "{\"id\":" + json_text(field->id) + ",\"text\":" + json_text(field->text) +
                      ",\"placeholder\":" + json_text(field->placeholder) + ",\"rect\":[";
    append_rect(out, field->x, field->y, field->w, field->h);
    return out + "],\"open\":" + (field->open ? "true}" : "false}");
}

std::string canvas_state_json() {
    std::string out = "{\"frames\":" + std::to_string(window().frames()) + ",\"items\":[";
    bool first = true;
    for (const ui::Item& i : session().app().items()) {
        out += first ? "" : ",";
        first = false;
        out += "{\"id\":" + json_text(i.id) + ",\"kind\":\"" + std::string(name(i.kind)) +
               "\",\"focused\":" + (i.focused ? "true" : "false") +
               ",\"stop\":" + (i.stop ? "true" : "false") + ",\"rect\":[";
        append_rect(out, i.x, i.y, i.w, i.h);
        out += "]}";
    }
    return out + "]}";
}

void canvas_text_input(std::string_view id, std::string_view text, bool composing) {
    session().app().text_input(id, text, composing);
    if (window().is_open()) window().count_input();
}

void canvas_take_fonts(Lang lang, std::string_view regular, std::string_view semibold) {
    auto& kept = faces[static_cast<std::size_t>(lang)];
    kept[0].assign(regular.begin(), regular.end());
    kept[1].assign(semibold.begin(), semibold.end());
    window().add_faces(lang, kept[0], kept[1]);
}

void canvas_paste(std::string_view text) {
    window().paste(text);
}

}  // namespace kvgauge::web

using kvgauge::web::session;
using kvgauge::web::window;

extern "C" {

// 1: drawing; 0: there is no WebGL 2 here, and the page goes on without a canvas.
EMSCRIPTEN_KEEPALIVE int kvg_open(int width, int height) {
    kvg_js_offer_forget();
    kvgauge::ui::WindowOptions options;
    options.width = width;
    options.height = height;
    options.wake = [] { kvg_js_kick(); };
    options.device_ratio = [] { return static_cast<float>(emscripten_get_device_pixel_ratio()); };
    options.drawable = [](int& w, int& h) {
        emscripten_get_canvas_element_size("#canvas", &w, &h);
    };
    options.copy = [](const char* text) { kvg_js_copy(text); };
    return window().open(options).empty() ? 1 : 0;
}

// Gives the graphics context back.
EMSCRIPTEN_KEEPALIVE void kvg_close() {
    window().close();
}

// Draws. Milliseconds to the next wanted frame: 0 at once, -1 when nothing moves.
EMSCRIPTEN_KEEPALIVE int kvg_frame() {
    window().poll();
    return window().frame();
}

EMSCRIPTEN_KEEPALIVE void kvg_resize(int width, int height) {
    window().resize(width, height);
}
EMSCRIPTEN_KEEPALIVE unsigned kvg_wants(float x, float y) {
    return window().wants(x, y);
}
EMSCRIPTEN_KEEPALIVE void kvg_focus(int on, int direction) {
    window().focus(on != 0, direction);
}
EMSCRIPTEN_KEEPALIVE void kvg_touch(int phase, float x, float y) {
    window().touch(phase, x, y);
}
EMSCRIPTEN_KEEPALIVE void kvg_lost(int on) {
    window().context_lost(on != 0);
}

// Until ImGui has read all its input: before a copy event is answered.
EMSCRIPTEN_KEEPALIVE void kvg_flush() {
    window().poll();
    window().flush();
}

// The search was asked for from outside the canvas.
EMSCRIPTEN_KEEPALIVE void kvg_search() {
    session().app().open_search();
}
EMSCRIPTEN_KEEPALIVE void kvg_system_dark(int dark) {
    session().app().set_system_dark(dark != 0);
}
EMSCRIPTEN_KEEPALIVE void kvg_drop_target(int over) {
    session().app().set_drop_target(over != 0);
}
// What a narrow page gives the canvas, CSS px; 0: the window's own height.
EMSCRIPTEN_KEEPALIVE float kvg_content_height() {
    return session().app().content_height();
}
EMSCRIPTEN_KEEPALIVE double kvg_revision() {
    return static_cast<double>(session().revision());
}

}  // extern "C"
