/* Loads the page again, at most once for each revision, and comes back to where one was.
   Uses of the others: `script`, `isLeaving` (state). */

/** What a page tells itself across being loaded again. */
const memory = {
  key: `sitegen-live ${location.pathname}`,
  get value() {
    try {
      return JSON.parse(sessionStorage.getItem(this.key));
    } catch {
      return undefined;
    }
  },
  /** Whether it will be remembered. */
  keep(value) {
    try {
      sessionStorage.setItem(this.key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
  /** It is known that the page is of now: loading it has helped. */
  arrive() {
    if (this.value?.reason) this.keep({ ...this.value, reason: undefined });
  },
};

/** What is typed is in the page's address a moment later: a timer, since other timers that are due
    earlier run before it, however busy the page is. */
let typing;
addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => (typing = undefined), 400);
}, true);

const reload = (revision) => {
  // The same page and the same news as before it was loaded: once more would not help.
  const reason = `${script.dataset.revision} ${revision}`;
  if (isLeaving || memory.value?.reason === reason) return;
  const { scrollRestoration } = history;
  const focus = document.activeElement?.id;
  const leave = () => {
    if (typing !== undefined && performance.now() < latest) {
      setTimeout(leave, 50);
      return;
    }
    const place = { x: scrollX, y: scrollY };
    // Without a memory it could be a loop.
    isLeaving = memory.keep({ reason, isComing: true, scrollRestoration, focus, ...place });
    if (!isLeaving) return;
    history.scrollRestoration = "manual";
    location.reload();
  };
  isLeaving = true;
  const latest = performance.now() + 3000;
  leave();
};

/** To where somebody was, as soon as the page is long enough, unless he goes elsewhere himself. */
const comeBack = () => {
  const { value } = memory;
  if (!value?.isComing) return;
  memory.keep({ reason: value.reason });
  const listening = new AbortController();
  const end = () => {
    listening.abort();
    history.scrollRestoration = value.scrollRestoration;
  };
  for (const name of ["wheel", "touchstart", "pointerdown", "keydown"]) {
    addEventListener(name, end, { capture: true, passive: true, signal: listening.signal });
  }
  let since;
  const step = (time = 0) => {
    if (listening.signal.aborted) return;
    const isThere = Math.abs(scrollX - value.x) <= 1 && Math.abs(scrollY - value.y) <= 1;
    if (!isThere) scrollTo({ left: value.x, top: value.y, behavior: "instant" });
    if (document.readyState === "complete") since ??= time;
    // Other scripts may still scroll, or make the page longer.
    const patience = isThere ? 500 : 3000;
    if (time - since > patience) end();
    else requestAnimationFrame(step);
  };
  step();
  const focus = () => {
    if (value.focus && document.activeElement === document.body) {
      document.getElementById(value.focus)?.focus({ preventScroll: true });
    }
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", focus, { once: true });
  else focus();
};
