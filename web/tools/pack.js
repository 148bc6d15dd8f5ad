// SPDX-License-Identifier: MIT
// Owns: the step from sources and the linked module to what is hosted.
//   node pack.js --glue kvgauge.js --wasm kvgauge.wasm [--more more.wasm --whole whole.wasm]
//                --out build/site --single build/site-single
//                [--fonts DIR] [--hub BASE ...] [--version TEXT] [--python PROGRAM]
// Writes the site folder (hashed assets, .gz and .br siblings), and one file that holds everything and
// works from file://. All URLs are relative. The Content-Security-Policy is made here: the site allows
// its own scripts, the single file allows its two blocks by hash; neither allows inline code.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync }
    from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { make_docs } from './docs.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const { values: args } = parseArgs({ options: {
    glue: { type: 'string' }, wasm: { type: 'string' }, out: { type: 'string' },
    single: { type: 'string' }, fonts: { type: 'string' }, version: { type: 'string' },
    python: { type: 'string', default: 'python3' }, hub: { type: 'string', multiple: true },
    more: { type: 'string' }, whole: { type: 'string' },
} });
const site = path.join(root, 'site');
const hubs = (args.hub || []).map((base) => base.replace(/\/+$/, ''));

// Names that people and other pages refer to keep theirs; everything else carries its hash.
const hashed = (name, bytes) => {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
    return name.replace(/(\.\w+)$/, `.${hash}$1`);
};
const csp_hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function bundle(entry, format, defines = {}) {
    const flags = Object.entries({ KVG_HUBS: hubs, ...defines }).map(([name, value]) =>
        `--define:${name}=${JSON.stringify(value)}`);
    return execFileSync('esbuild', [path.join(root, 'web/js', entry), '--bundle', '--minify',
        `--format=${format}`, '--target=es2022', '--charset=utf8', '--legal-comments=none',
        '--log-level=warning', '--external:node:*', `--alias:kvgauge-glue=${path.resolve(args.glue)}`,
        ...flags], { maxBuffer: 64 << 20 }).toString();
}

const styles = (name) => execFileSync('esbuild', [path.join(site, name), '--minify',
    '--log-level=warning']).toString();

// `from`: where a page may fetch.
const policy = (script, style, from) => [
    "default-src 'none'", `script-src ${script} 'wasm-unsafe-eval'`, `style-src ${style}`,
    "img-src 'self' data: blob:", "font-src 'self' data:",
    `connect-src ${from}`, "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'",
    "form-action 'none'"].join('; ');
// A mirror may lie below a path; after a redirect browsers compare the origin alone.
const origins = hubs.map((base) => new URL(base).origin);

const fill = (text, values) => text.replace(/\{\{([\w.-]+)\}\}/g, (whole, name) => {
    if (!(name in values)) throw new Error(`site: no value for ${whole}`);
    return values[name];
});

const files = new Map();
const put = (name, content) => { files.set(name, Buffer.from(content)); return name; };

// The fonts, by hashed names, so that style sheet and canvas fetch each once.
const fonts = {};
if (args.fonts && existsSync(args.fonts)) {
    for (const name of readdirSync(args.fonts)) {
        const bytes = readFileSync(path.join(args.fonts, name));
        fonts[name.replace('.otf', '')] = put('fonts/' + hashed(name, bytes), bytes);
    }
}
const wasm = readFileSync(args.wasm);
// Where nothing can be fetched later, the module is whole.
const base64 = readFileSync(args.whole || args.wasm).toString('base64');
const names = { csp: policy("'self'", "'self'", ["'self'", ...origins].join(' ')),
    embed_csp: policy("'self'", "'self'", "'self'") };
names['kvgauge.wasm'] = put(hashed('kvgauge.wasm', wasm), wasm);
names['more.wasm'] = '';
if (args.more) {
    const more = readFileSync(args.more);
    names['more.wasm'] = put('later/' + hashed('more.wasm', more), more);
}
const font = (name) => files.get(fonts[name]).toString('base64');
const kFaces = ['latin-regular', 'latin-semibold'].filter((name) => fonts[name]);
const carrier = `globalThis.kvgauge_wasm="${base64}";\nglobalThis.kvgauge_fonts=` +
    JSON.stringify(Object.fromEntries(kFaces.map((name) => [name, font(name)]))) + ';\n';
names['wasm.js'] = put('fallback/' + hashed('wasm.js', carrier), carrier);
// The glue would look for its module beside itself; it is always handed one.
const core = bundle('core_entry.js', 'iife', { 'import.meta.url': 'file:///' });
names['core.js'] = put(hashed('core.js', core), core);
const page_js = bundle('page.js', 'iife', {
    KVG_WASM: names['kvgauge.wasm'], KVG_MORE: names['more.wasm'],
    KVG_WASM_SCRIPT: names['wasm.js'], KVG_FONTS: fonts });
names['page.js'] = put(hashed('page.js', page_js), page_js);
const page_css = styles('page.css').replace(/url\(fonts\/([\w-]+)\.otf\)/g, (whole, name) =>
    fonts[name] ? `url(${fonts[name]})` : whole);
names['page.css'] = put(hashed('page.css', page_css), page_css);
const docs_css = styles('docs/docs.css');
names['docs.css'] = put('docs/' + hashed('docs.css', docs_css), docs_css);
// The documents hold frames of the page itself and no module of their own.
names.docs_csp = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "font-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'";
put('kvgauge.js', bundle('module.js', 'esm', {
    KVG_WASM: './' + names['kvgauge.wasm'], KVG_MORE: args.more ? './' + names['more.wasm'] : '',
    KVG_CORE: './' + names['core.js'] })
    .replace(/^/, '// kvgauge, MIT licence; see kvgauge.d.ts\n'));
put('package.json', JSON.stringify({ name: 'kvgauge', version: args.version || '0.0.0',
    type: 'module', main: 'kvgauge.js', types: 'kvgauge.d.ts', license: 'MIT' }, null, 2) + '\n');

const walk = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((e) =>
    e.isDirectory() ? walk(path.join(folder, e.name)) : [path.join(folder, e.name)]);
// With the fonts inside: for the single file, and for sandboxed frames, which may not fetch any.
const one_css = page_css.replace(/url\((fonts\/[\w.-]+\.otf)\)/g, (whole, name) => files.has(name) ?
    `url(data:font/otf;base64,${files.get(name).toString('base64')})` : whole);
names['embed.css'] = put('fallback/' + hashed('embed.css', one_css), one_css);

// site/ as it is; pages and the service worker get the names.
for (const file of walk(site)) {
    const name = path.relative(site, file);
    if (name === 'page.css' || name === 'sw.js' || name.startsWith('docs/')) continue;
    const text = /\.(html|js|webmanifest)$/.test(name);
    put(name, text ? fill(readFileSync(file, 'utf8'), names) : readFileSync(file));
}
const docs = await make_docs({ root, core, wasm: readFileSync(args.whole || args.wasm), names, python: args.python });
for (const [name, html] of docs) put('docs/' + name, html);
if (existsSync(path.join(site, 'sw.js'))) {
    // Everything the page needs offline; fallbacks and docs are fetched when asked for.
    const first = [...files.keys()].filter((n) => !n.startsWith('fallback/') &&
        !/^(docs|examples)\//.test(n) &&
        !/korean|\.d\.ts$|package\.json|_headers|card\.png/.test(n)).sort();
    const stamp = createHash('sha256');
    for (const n of first) stamp.update(n).update(files.get(n));
    put('sw.js', fill(readFileSync(path.join(site, 'sw.js'), 'utf8'), {
        ...names, cache: stamp.digest('hex').slice(0, 10), files: JSON.stringify(first) }));
}

const kPacked = /\.(html|js|css|wasm|svg|json|webmanifest|otf|ts)$/;
rmSync(args.out, { recursive: true, force: true });
for (const [name, bytes] of files) {
    const file = path.join(args.out, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    if (!kPacked.test(name)) continue;
    writeFileSync(file + '.gz', gzipSync(bytes, { level: 9 }));
    writeFileSync(file + '.br', brotliCompressSync(bytes, { params: {
        [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
}

// One file: the same page with scripts, styles and fonts inside; nothing to fetch but what a person asks.
const one_script = core + page_js;
if (/<\/script|<!--/i.test(one_script)) throw new Error('a script would end its own element');
const single = fill(readFileSync(path.join(site, 'index.html'), 'utf8'), {
    ...names, csp: policy(csp_hash(one_script), csp_hash(one_css), origins.join(' ') || "'none'") })
    .replace(/<link rel="(?:manifest|preload|apple-touch-icon|icon)"[^>]*>\n/g, '')
    .replace(/<meta property="og:image[^>]*>\n/g, '')
    .replace(/ *<a href="docs\/[^>]*>[^<]*<\/a>/g, '')
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${one_css}</style>`)
    .replace(/<script defer[^>]*><\/script>\n/g, '')
    .replace('</body>', () => '<script type="text/plain" id="kvg-wasm">' + base64 +
        '</script>\n' + kFaces.map((name) => `<script type="text/plain" id="kvg-font-${name}">` +
            font(name) + '</script>\n').join('') + `<script>${one_script}</script>\n</body>`);
mkdirSync(args.single, { recursive: true });
writeFileSync(path.join(args.single, 'kvgauge.html'), single);

const kb = (bytes) => (bytes.length / 1000).toFixed(1).padStart(7);
const report = [...files].filter(([n]) => !n.includes('/') && /\.(wasm|js|css|html)$/.test(n));
for (const [name, bytes] of report) {
    console.log(`${kb(bytes)} kB ${kb(gzipSync(bytes, { level: 9 }))} kB gzip  ${name}`);
}
console.log(`${kb(Buffer.from(single))} kB ${kb(gzipSync(single, { level: 9 }))} kB gzip  kvgauge.html`);
