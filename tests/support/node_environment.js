// SPDX-License-Identifier: MIT
// Test programs under node see the environment of the shell, as native ones do.
Module['preRun'] = (Module['preRun'] || []).concat(() => Object.assign(ENV, process.env));
