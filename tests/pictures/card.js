// SPDX-License-Identifier: MIT
// Draws the picture of link previews from the embed of the built site, 1200 x 630:
//   node tests/pictures/card.js site/icons/card.png
import { answered, host, launch, open } from '../web/support/browser.js';

const server = await host();
const browser = await launch();
const page = await open(browser, server.url + 'embed.html#v=1&kv=bf16&theme=dark', {
    viewport: { width: 600, height: 315 }, deviceScaleFactor: 2, bypassCSP: true });
await answered(page);
await page.addStyleTag({ content: '.all-rows, .foot, .readouts { display: none !important } .words { font-size: 15px; } ' +
    '.result { padding: 44px 32px } .answer::after { content: "kvgauge"; display: block; ' +
    'margin-top: 44px; font-size: 30px; font-weight: 600; color: var(--accent) }' });
await page.waitForTimeout(700);
await page.screenshot({ path: process.argv[2] });
await browser.close();
server.close();
