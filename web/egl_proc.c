// SPDX-License-Identifier: MIT
// SDL's EGL path asks for every GL entry point by name, which would pull all of them into the glue
// (60 kB of JavaScript). It calls only these three; ImGui links its own functions directly. This
// definition is taken before the one of Emscripten's JavaScript library.
#include <GLES3/gl3.h>
#include <string.h>

typedef void (*EglFunction)(void);

EglFunction eglGetProcAddress(const char* name);

EglFunction eglGetProcAddress(const char* name) {
    if (strcmp(name, "glGetString") == 0) return (EglFunction)glGetString;
    if (strcmp(name, "glGetIntegerv") == 0) return (EglFunction)glGetIntegerv;
    if (strcmp(name, "glGetError") == 0) return (EglFunction)glGetError;
    return 0;
}
