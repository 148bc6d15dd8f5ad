// SPDX-License-Identifier: MIT
// Owns: a static file server for one folder on this machine alone: `node web/tools/serve.js [folder]`,
// PORT chooses the port (8080). Correct MIME types, precompressed siblings (.br, .gz) when the browser
// takes them, long caching for hashed names only. The browser tests use the same server.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const kTypes = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.mjs': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.wasm': 'application/wasm',
    '.json': 'application/json',
    '.webmanifest': 'application/manifest+json',
    '.svg': 'image/svg+xml',
    '.png': 'image/png',
    '.woff2': 'font/woff2',
    '.otf': 'font/otf',
    '.ts': 'text/plain; charset=utf-8',
    '.txt': 'text/plain; charset=utf-8',
    '.zip': 'application/zip',
};

const is_file = (name) => stat(name).then((s) => s.isFile(), () => false);

async function find(root, url) {
    let name;
    try {
        name = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    } catch {
        return null;
    }
    const file = path.join(root, name.endsWith('/') ? name + 'index.html' : name);
    if (!file.startsWith(root + path.sep) || file.includes('\0')) return null;
    return (await is_file(file)) ? file : null;
}

// options.types replaces MIME types, options.log is called with every path asked for.
export async function serve(folder, port = 0, options = {}) {
    const root = path.resolve(folder);
    const types = { ...kTypes, ...options.types };
    const server = createServer(async (request, response) => {
        options.log?.(request.url);
        const file = ['GET', 'HEAD'].includes(request.method) ? await find(root, request.url) : null;
        if (!file) {
            response.writeHead(404, { 'content-type': 'text/plain' });
            return response.end('not found\n');
        }
        const headers = {
            'content-type': types[path.extname(file)] || 'application/octet-stream',
            'cache-control': /\.[0-9a-f]{10}\.\w+$/.test(file) ?
                'public, max-age=31536000, immutable' : 'no-cache',
            'x-content-type-options': 'nosniff',
            vary: 'accept-encoding',
        };
        const takes = String(request.headers['accept-encoding'] || '');
        let body = file;
        for (const [coding, suffix] of [['br', '.br'], ['gzip', '.gz']]) {
            if (takes.includes(coding) && await is_file(file + suffix)) {
                headers['content-encoding'] = coding;
                body = file + suffix;
                break;
            }
        }
        headers['content-length'] = (await stat(body)).size;
        response.writeHead(200, headers);
        if (request.method === 'HEAD') return response.end();
        createReadStream(body).pipe(response);
    });
    await new Promise((done, failed) => {
        server.once('error', failed);
        server.listen(port, options.host || 'localhost', done);
    });
    const url = `http://localhost:${server.address().port}/`;
    return { url, close: () => { server.closeAllConnections(); server.close(); } };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const here = path.dirname(fileURLToPath(import.meta.url));
    const folder = process.argv[2] || path.join(here, '../../build/site');
    const port = Number(process.env.PORT || 8080);
    serve(folder, port).then(
        (server) => console.log(`kvgauge: ${server.url} (Ctrl+C stops)`),
        (error) => {
            console.error(error.code === 'EADDRINUSE' ?
                `port ${port} is in use; another one: PORT=8081` : error.message);
            process.exit(1);
        });
}
