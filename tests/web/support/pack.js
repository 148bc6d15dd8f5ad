// SPDX-License-Identifier: MIT
// Owns: the site packed once more from the built module, with other settings, into a temporary folder.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './browser.js';

// Debian's Python, which has python3-markdown, before another that a version manager put first.
export const python = process.env.KVGAUGE_PYTHON ||
    (existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3');
const module = path.resolve(root, process.env.KVGAUGE_MODULE || 'build/web/module');
const fonts = path.resolve(root, process.env.KVGAUGE_FONTS || 'build/web/generated/fonts/web');

// { site, single, remove }; `hubs`: bases for "load from hub".
export function pack(hubs = []) {
    const folder = mkdtempSync(path.join(tmpdir(), 'kvgauge-pack-'));
    const out = path.join(folder, 'site');
    const single = path.join(folder, 'single');
    execFileSync(process.execPath, [path.join(root, 'web/tools/pack.js'),
        '--glue', path.join(module, 'kvgauge.mjs'), '--wasm', path.join(module, 'kvgauge.wasm'),
        '--fonts', fonts, '--version', '0.0.0', '--python', python,
        '--out', out, '--single', single, ...hubs.flatMap((base) => ['--hub', base])],
    { env: { ...process.env,
        PATH: path.join(root, 'tests/web/node_modules/.bin') + path.delimiter + process.env.PATH } });
    return { site: out, single: path.join(single, 'kvgauge.html'),
        remove: () => rmSync(folder, { recursive: true }) };
}
