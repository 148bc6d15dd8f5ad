// SPDX-License-Identifier: MIT
// Owns: the few DOM helpers of the page. Text from outside (links, configs, logs) reaches the page
// only through textContent and value, so it can never become markup.
export const $ = (id) => document.getElementById(id);

// h('td', { class: 'num' }, 'text', child ...): attributes by name; null and false leave one out.
export function h(tag, attributes, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes, ...children) {
    return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
        if (value === null || value === undefined || value === false) continue;
        element.setAttribute(name, value === true ? '' : String(value));
    }
    element.append(...children.filter((c) => c !== null && c !== undefined && c !== ''));
    return element;
}

export const on = (target, type, handler, options) =>
    target.addEventListener(type, handler, options);

// Calls `f` once, `ms` after the last call of the returned function.
export function settled(ms, f) {
    let timer = 0;
    return () => {
        clearTimeout(timer);
        timer = setTimeout(f, ms);
    };
}
