// SPDX-License-Identifier: MIT
// Owns: the script that holds Emscripten's part. It only leaves the factory where page.js (a classic
// script, so that it loads in sandboxed frames and from file://) and module.js find it.
import create from 'kvgauge-glue';

globalThis.kvgauge_create = create;
