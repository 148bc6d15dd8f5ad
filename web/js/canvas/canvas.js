// SPDX-License-Identifier: MIT
// Owns: the canvas: its clock, size, graphics context and the order of life (open, frames, lost, closed).
// The page owns clock and policy, the module only draws when asked: no frame is drawn unless something
// happened, none while the page is hidden, none when idle.
import { on } from '../dom.js';
import { listen_clipboard } from './clipboard.js';
import { hold } from './early.js';
import { CanvasField } from './field.js';
import { listen_keys } from './keys.js';
import { listen_pointer } from './pointer.js';

// ImGui's renderer reads state before a frame to put it back after. Nobody else draws here, and each of
// these reads waits until the graphics process has done all that was sent to it: most of a second at
// the first frame without a GPU. So they are answered here; every frame sets its own state anyway.
function ask_nothing(gl) {
    const real = gl.getParameter.bind(gl);
    const blend = new Map([[gl.BLEND_SRC_RGB, gl.ONE], [gl.BLEND_SRC_ALPHA, gl.ONE],
        [gl.BLEND_DST_RGB, gl.ZERO], [gl.BLEND_DST_ALPHA, gl.ZERO],
        [gl.BLEND_EQUATION_RGB, gl.FUNC_ADD], [gl.BLEND_EQUATION_ALPHA, gl.FUNC_ADD]]);
    gl.getParameter = (name) => {
        if (name === gl.VIEWPORT || name === gl.SCISSOR_BOX) {
            return new Int32Array([0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight]);
        }
        return blend.get(name) ?? real(name);
    };
}

export class Canvas {
    // parts: { host, element, field, engine, use(act), waits(), say(key), take(text), after_frame(),
    //          first_frame() }
    constructor(parts) {
        Object.assign(this, parts);
        this.open = false;
        this.without_gl = false;
        this.tab_direction = 0;
        this.frame_asked = 0;
        this.timer = 0;
        this.waiting = false;
        this.ratio = 0;
        this.drawn = 0;
        this.overlay = new CanvasField(this);
        hold(this);
        listen_keys(this);
        listen_pointer(this);
        listen_clipboard(this, this.take);
        this.watch_size();
        this.watch_context();
        on(document, 'visibilitychange', () => (document.hidden ? this.stop() : this.kick()));
        // Off screen the graphics context goes back: browsers keep few of them alive at once.
        this.seen = new IntersectionObserver((list) => {
            this.is_seen = list[list.length - 1].isIntersecting;
            if (this.is_seen) this.show();
            else this.use(() => { if (!this.is_seen) this.release(); });
        }, { rootMargin: '200px' });
        this.seen.observe(this.host);
    }

    owns = (e) => this.open && e.target === this.element;
    get busy() {
        return this.waits() || (this.open && (this.frame_asked !== 0 || this.waiting));
    }
    has_focus = () => document.activeElement === this.element;
    call = (name, ...numbers) => (this.open || name === 'open' ?
        this.engine.number(name, ...numbers) : 0);

    // Clock.
    kick = () => {
        if (this.frame_asked || !this.open || document.hidden || this.engine.dead) return;
        this.frame_asked = requestAnimationFrame(this.tick);
    };

    tick = () => {
        this.frame_asked = 0;
        this.wait(-1);
        if (!this.open) return;
        if (this.ratio !== devicePixelRatio) this.fit();
        const wait = this.engine.number('frame');
        if (wait === 0) this.kick();
        else this.wait(wait);
        this.framed();
    };

    framed() {
        this.overlay.place(true);
        this.after_frame();
        if (++this.drawn === 1) this.first_frame();
    }

    // A frame after that many ms; below 0: none.
    wait(ms) {
        clearTimeout(this.timer);
        this.waiting = ms > 0;
        if (ms > 0) {
            this.timer = setTimeout(() => {
                this.waiting = false;
                this.kick();
            }, ms);
        }
    }

    stop() {
        cancelAnimationFrame(this.frame_asked);
        this.frame_asked = 0;
        this.wait(-1);
    }

    // Size: canvas pixels = CSS size x devicePixelRatio, on whole pixels.
    fit = () => {
        if (!this.open || this.host.clientWidth === 0) return;
        this.ratio = devicePixelRatio;
        this.engine.number('resize', this.host.clientWidth, this.host.clientHeight);
        this.element.style.width = this.element.width / devicePixelRatio + 'px';
        this.element.style.height = this.element.height / devicePixelRatio + 'px';
        this.overlay.place(true);
    };

    watch_size() {
        new ResizeObserver(this.fit).observe(this.host);
        on(window, 'resize', this.fit);
        const watch_ratio = () => {
            this.query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);  // kept, or collected
            on(this.query, 'change', () => { this.fit(); watch_ratio(); }, { once: true });
        };
        watch_ratio();
    }

    // Context: absent, lost, restored, given back.
    show() {
        if (this.open || this.without_gl || this.engine.dead) return;
        if (this.host.clientWidth === 0) return;
        this.open = !!this.engine.number('open', this.host.clientWidth, this.host.clientHeight);
        if (!this.open) {
            this.without_gl = true;
            this.say('no_webgl');
            return;
        }
        ask_nothing(this.element.getContext('webgl2'));
        this.fit();
        this.framed();  // setting the size drew the first
        this.kick();
    }

    release() {
        if (!this.open) return;
        this.stop();
        this.engine.number('close');
        this.put_away();
    }

    // A canvas keeps its lost context, so another element takes its place; listeners are on the host.
    put_away() {
        const gl = this.open ? this.element.getContext('webgl2') : null;
        this.open = false;
        gl?.getExtension('WEBGL_lose_context')?.loseContext();
        const fresh = this.element.cloneNode();
        this.element.replaceWith(fresh);
        this.element = this.engine.raw['canvas'] = fresh;
        this.drawn = 0;
        this.overlay.place(false);
    }

    // The module stopped, and another one comes: what SDL listens to elsewhere ends here.
    drop() {
        this.stop();
        this.engine.raw['forget']?.();
        this.put_away();
    }

    renew(engine) {
        this.engine = engine;
        engine.raw['canvas'] = this.element;
        this.show();
    }

    watch_context() {
        on(this.host, 'webglcontextlost', (e) => {
            if (!this.open) return;
            e.preventDefault();
            if (!this.engine.whole) {
                this.engine.miss(new Error('the graphics context was lost'));
                return;
            }
            this.engine.number('lost', 1);
            this.say('lost');
        }, true);
        on(this.host, 'webglcontextrestored', () => {
            if (!this.open || this.engine.dead) return;
            this.engine.number('lost', 0);
            this.say('');
            this.kick();
        }, true);
    }
}
