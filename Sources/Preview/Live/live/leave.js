/* Reloads the page, at most once for each revision, and restores the scroll position.
   From the other files: `script`, `isLeaving` (state). */

/** State that survives a reload of the page. */
const memory = {
  key: `sitegen-live ${location.pathname}`,
  get value() {
    try {
      return JSON.parse(sessionStorage.getItem(this.key));
    } catch {
      return undefined;
    }
  },
  /** Returns whether the value was stored. */
  keep(value) {
    try {
      sessionStorage.setItem(this.key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
  /** Notes that the page is up to date, so the reload has helped. */
  arrive() {
    if (this.value?.reason) this.keep({ ...this.value, reason: undefined });
  },
};

/** Set while typed text may not be in the page's address yet. A timer clears it, because the page's
    earlier timers run before it, however busy the page is. */
let typing;
addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => (typing = undefined), 400);
}, true);

const reload = (revision) => {
  // The page was reloaded for this reason already; another reload would not help.
  const reason = `${script.dataset.revision} ${revision}`;
  if (isLeaving || memory.value?.reason === reason) return;
  const { scrollRestoration } = history;
  const focus = document.activeElement?.id;
  const leave = () => {
    if (typing !== undefined && performance.now() < latest) {
      setTimeout(leave, 50);
      return;
    }
    const scroll = { x: scrollX, y: scrollY };
    // Without stored state the page could reload for ever.
    isLeaving = memory.keep({ reason, isComing: true, scrollRestoration, focus, ...scroll });
    if (!isLeaving) return;
    history.scrollRestoration = "manual";
    location.reload();
  };
  isLeaving = true;
  const latest = performance.now() + 3000;
  leave();
};

/** Scrolls to the old position as soon as the page is long enough, unless the user scrolls first. */
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
