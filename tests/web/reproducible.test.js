// SPDX-License-Identifier: MIT
// Equal inputs, equal site: two packs of the module that was built, and their zips, are the same bytes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const python = process.env.KVGAUGE_PYTHON || 'python3';
const module = process.env.KVGAUGE_MODULE;
const folder = mkdtempSync(path.join(tmpdir(), 'kvgauge-pack-'));
after(() => rmSync(folder, { recursive: true }));

const sums = (at) => Object.fromEntries(readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile()).map((e) => path.join(e.parentPath || e.path, e.name)).sort()
    .map((file) => [path.relative(at, file),
        createHash('sha256').update(readFileSync(file)).digest('hex')]));

function packed(name) {
    const at = path.join(folder, name);
    const bin = path.join(root, 'tests/web/node_modules/.bin');
    execFileSync(process.execPath, [path.join(root, 'web/tools/pack.js'),
        '--glue', path.join(module, 'kvgauge.mjs'), '--wasm', path.join(module, 'kvgauge.wasm'),
        '--fonts', process.env.KVGAUGE_FONTS, '--version', '0', '--python', python,
        '--out', path.join(at, 'site'), '--single', path.join(at, 'single')],
    { env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } });
    execFileSync(python, [path.join(root, 'web/tools/archive.py'), path.join(at, 'site'),
        path.join(at, 'site.zip')]);
    return sums(at);
}

test('two packs of one module are the same bytes', { skip: !module && 'no KVGAUGE_MODULE' }, () => {
    const one = packed('one');
    assert.ok(Object.keys(one).length > 20);
    assert.ok(one['site/index.html'] && one['single/kvgauge.html'] && one['site.zip']);
    assert.deepEqual(packed('two'), one);
});
