// SPDX-License-Identifier: MIT
// The canvas and the keyboard: what it takes, what stays with the browser, how Tab and Escape pass
// through it, and the clipboard. Keys go to the product's own controls; what they did is read from the
// address, the table and the list of controls.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cell, hash, host, launch, open, sleep, until } from './support/browser.js';
import { active, click, drawn, find, focused, settle, state } from './support/canvas.js';

let browser;
let server;
let page;
before(async () => {
    server = await host();
    browser = await launch();
    page = await open(browser, server.url);
    await drawn(page);
});
after(async () => {
    await browser.close();
    server.close();
});

// Every key press as the page's last listener sees it; harmful ones are cancelled there.
const watch = () => page.evaluate(() => {
    if (window.test_keys) return;
    window.test_keys = [];
    window.addEventListener('keydown', (e) => {
        window.test_keys.push([e.key, e.defaultPrevented]);
        if (!window.test_let && (e.ctrlKey || /^F\d/.test(e.key) || e.altKey)) e.preventDefault();
    });
});
const last = () => page.evaluate(() => window.test_keys.at(-1));
const type = async (...keys) => {
    for (const key of keys) {
        await page.keyboard.press(key);
        await settle(page);
    }
};
const reset = async () => {
    await page.evaluate(() => { location.hash = 'v=1'; scrollTo(0, 0); });
    await settle(page);
};

test('typing beside the canvas stays there', async () => {
    await page.evaluate(() => {
        const note = document.createElement('input');
        note.id = 'beside';
        document.getElementById('kvg-results').prepend(note);
    });
    await page.click('#beside');
    await page.keyboard.type('hello 9');
    assert.equal(await page.inputValue('#beside'), 'hello 9');
    assert.equal(await hash(page), '');
});

test('a click focuses the canvas; characters, Backspace and arrows reach its field', async () => {
    await reset();
    await click(page, 'batch');
    assert.equal(await active(page), 'canvas');
    await type('Control+a', '1', '2', '3', 'Backspace', 'ArrowLeft', '7', 'Enter');
    await until(page, () => location.hash === '#v=1&batch=172');
    assert.equal(await page.evaluate(() => scrollY), 0);
});

test('Space does not scroll the page', async () => {
    await type('Space', 'Space');
    assert.equal(await page.evaluate(() => scrollY), 0);
});

test('browser keys pass', async () => {
    await watch();
    await click(page, 'batch');
    for (const key of ['Control+f', 'Control+l', 'Control+Equal', 'Control+Minus', 'Control+0',
        'Control+t', 'Control+p', 'Control+s', 'Control+r', 'Control+Shift+c', 'F5', 'F12', 'F1',
        'F11', 'Alt+ArrowLeft']) {
        await page.keyboard.press(key);
        assert.equal((await last())[1], false, key);
    }
    await type('Escape');
});

test('keys of a text field are taken', async () => {
    for (const key of ['ArrowLeft', 'Backspace', 'Delete', 'Home', 'End', 'Control+z', 'Control+a']) {
        await click(page, 'batch');
        await page.keyboard.press(key);
        assert.equal((await last())[1], true, key);
        await settle(page);
        await type('Escape');
    }
});

test('Escape leaves the field, then the canvas; Tab goes on to what follows the canvas', async () => {
    await reset();
    await click(page, 'batch');
    await type('Escape');
    assert.equal(await active(page), 'canvas');
    await type('Escape');
    assert.equal(await active(page), 'BODY');
    await page.keyboard.press('Tab');
    assert.notEqual(await active(page), 'canvas');
    assert.ok(await page.evaluate(() => !!document.activeElement.closest('#kvg-results, .foot')));
});

test('Tab walks every control once and leaves at both ends', async () => {
    await reset();
    await page.evaluate(() => {
        window.test_let = true;
        document.querySelector('.skips button:last-child').focus();
    });
    await page.keyboard.press('Tab');
    await settle(page);
    assert.equal(await active(page), 'kvg-field');  // the search box, an input of the page
    await page.keyboard.press('Tab');
    await settle(page);
    assert.equal(await active(page), 'canvas');
    let held = await state(page);
    const ids = held.items.filter((i) => i.stop).map((i) => i.id);
    assert.ok(ids.length > 20, ids.join());
    assert.equal(focused(held), ids[0]);
    const walked = [focused(held)];
    for (let n = 0; n < 120; ++n) {
        await page.keyboard.press('Tab');
        await settle(page);
        if (await active(page) !== 'canvas') break;
        walked.push(focused(await state(page)));
    }
    assert.notEqual(await active(page), 'canvas');
    assert.deepEqual(walked, ids);
    await page.keyboard.press('Shift+Tab');
    await settle(page);
    assert.equal(await active(page), 'canvas');
    held = await state(page);
    assert.equal(focused(held), held.items.filter((i) => i.stop).at(-1).id);
    for (let n = 0; n < 120 && await active(page) === 'canvas'; ++n) {
        await page.keyboard.press('Shift+Tab');
        await settle(page);
    }
    assert.equal(await active(page), 'kvg-field');
    await page.keyboard.press('Shift+Tab');
    assert.equal(await page.evaluate(() => !!document.activeElement.closest('.skips')), true);
});

test('no key stays down when the focus leaves', async () => {
    await reset();
    await page.evaluate(() => { window.test_let = false; });
    await click(page, 'batch');
    await page.keyboard.down('Control');
    await page.focus('#beside');
    await page.keyboard.up('Control');
    await page.evaluate(() => scrollTo(0, 0));
    await click(page, 'batch');
    await type('Control+a', '4', 'Enter');
    await until(page, () => location.hash === '#v=1&batch=4');
});

test('copy, cut and paste go both ways without a permission', async () => {
    await reset();
    await page.evaluate(() => { window.test_let = true; });
    await page.context().grantPermissions([]);
    await click(page, 'batch');
    await type('Control+a', '3', '7', 'Control+a', 'Control+c', 'Escape', 'Escape');
    await page.click('#beside');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+v');
    assert.equal(await page.inputValue('#beside'), '37');
    await page.fill('#beside', '58');
    await page.focus('#beside');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await page.evaluate(() => scrollTo(0, 0));
    await click(page, 'batch');
    await type('Control+a', 'Control+v', 'Enter');
    await until(page, () => location.hash === '#v=1&batch=58');
    await click(page, 'batch');
    await type('Control+a', 'Control+x', '6', 'Enter');
    await until(page, () => location.hash === '#v=1&batch=6');
    await page.click('#beside');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+v');
    assert.equal(await page.inputValue('#beside'), '58');
});

test('copying in the table is the browser\'s', async () => {
    assert.equal(await page.evaluate(() => {
        document.activeElement.blur();
        const e = new ClipboardEvent('copy', { bubbles: true, cancelable: true,
            clipboardData: new DataTransfer() });
        document.dispatchEvent(e);
        return e.defaultPrevented;
    }), false);
});

test('a config.json pasted over the canvas becomes the model', async () => {
    await reset();
    // GPT-2 small by its published shape: 12 heads x 64 x 12 layers x 2 x 2 B = 36,864 B.
    const config = JSON.stringify({ architectures: ['GPT2LMHeadModel'], model_type: 'gpt2',
        n_embd: 768, n_head: 12, n_layer: 12, n_positions: 1024, vocab_size: 50257,
        torch_dtype: 'float16' });
    await page.evaluate(() => scrollTo(0, 0));
    const [x, y] = [700, 560];
    await page.mouse.click(x, y);
    await settle(page);
    await page.evaluate((text) => {
        const data = new DataTransfer();
        data.setData('text/plain', text);
        document.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true,
            clipboardData: data }));
    }, config);
    await until(page, () => /36,864 B/.test(document.querySelector(
        '[data-row="kv.bytes_per_token"] .c-exact').textContent));
    assert.equal(await cell(page, 'kv.bytes_per_token'), '36 KiB');
});

test('the search takes Korean by an input method; nothing of it reaches the canvas', async () => {
    await reset();
    await page.mouse.click(700, 560);
    await type('Control+k');
    await until(page, () => document.activeElement.id === 'kvg-field');
    const held = await state(page);
    const [box, field] = [find(held, 'palette').rect,
        await page.locator('#kvg-field').boundingBox()];
    assert.ok(Math.abs(box[0] - field.x) < 0.6 && Math.abs(box[2] - field.width) < 0.6);
    const session = await page.context().newCDPSession(page);
    for (const text of ['ㄹ', '라', '람', '라마']) {
        await session.send('Input.imeSetComposition', { text, selectionStart: text.length,
            selectionEnd: text.length });
        await settle(page);
        assert.equal(await page.inputValue('#kvg-field'), text);
    }
    await session.send('Input.insertText', { text: '라마' });
    await page.keyboard.type(' 3');
    await settle(page);
    assert.equal(await page.inputValue('#kvg-field'), '라마 3');
    assert.equal((await page.evaluate(() => window.kvgauge.canvas.field())).text, '라마 3');
    await page.keyboard.press('Escape');
    await settle(page);
    await until(page, () => document.activeElement.id === 'canvas');
    assert.equal(await page.inputValue('#kvg-field'), '');
});

test('the search opens by keys, chooses with Enter, and gives the focus back', async () => {
    await reset();
    await page.mouse.click(700, 560);
    await type('Control+k');
    await until(page, () => document.activeElement.id === 'kvg-field');
    await page.keyboard.type('mistral 7b');
    await settle(page);
    await page.keyboard.press('Enter');
    await until(page, () => /model=mistral-7b/.test(location.hash));
    await sleep(100);
    assert.equal(await active(page), 'canvas');
});

test('a click into the search box opens it; a list of the canvas is searched by the same input', async () => {
    await reset();
    await page.click('#kvg-field');
    await until(page, () => window.kvgauge.canvas.field().open);
    assert.equal(await active(page), 'kvg-field');
    await page.keyboard.press('Escape');
    await until(page, () => !window.kvgauge.canvas.field().open);
    await settle(page);  // the frame that closes it still holds its rows
    await click(page, 'gpu');
    await until(page, () => document.activeElement.id === 'kvg-field');
    await page.keyboard.type('h200');
    await settle(page);
    await page.keyboard.press('Enter');
    await until(page, () => /gpu=h200/.test(location.hash));
    await until(page, () => document.activeElement.id === 'canvas');
});
