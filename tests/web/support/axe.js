// SPDX-License-Identifier: MIT
// Owns: axe-core over a page as it stands. The page is to be opened with bypassCSP: its own policy
// refuses injected scripts, as it should.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const kRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export async function violations_of(page) {
    await page.evaluate(source);
    const found = await page.evaluate((rules) => window.axe.run(document, { runOnly: rules }), kRules);
    return found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target).join(' ; ')}`);
}
