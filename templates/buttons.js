/* A pressed button stays highlighted only while the finger is near it: up to 70.5 points to its left
   and 70 points in the other directions, as measured on a phone. The style sheet handles the keyboard. */

"use strict";

(() => {
  const left = 70.5;
  const other = 70;
  // Use separate classes, so that a page can still set `is-highlighted` itself.
  const lit = "is-pressed";
  const outside = "is-outside";
  const disabled = ":disabled, .is-disabled, [aria-disabled='true']";
  /** The button that each pointer presses. */
  const held = new Map();

  const isNear = (button, x, y) => {
    const box = button.getBoundingClientRect();
    return (
      box.left - x < left && x - box.right < other && box.top - y < other && y - box.bottom < other);
  };

  const follow = (button, event) => {
    const near = isNear(button, event.clientX, event.clientY);
    button.classList.toggle(lit, near);
    button.classList.toggle(outside, !near);
  };

  const release = (pointer) => {
    held.get(pointer)?.classList.remove(lit, outside);
    held.delete(pointer);
  };

  /** Releases all buttons, except when only an element inside the window loses the focus. */
  const releaseAll = (event) => {
    if (event.target !== event.currentTarget) return;
    for (const pointer of [...held.keys()]) release(pointer);
  };

  const listen = (target, names, action) => {
    // Capture events, because the page's own listeners may stop them.
    for (const name of names) target.addEventListener(name, action, { capture: true, passive: true });
  };

  listen(window, ["pointerdown"], (event) => {
    release(event.pointerId);
    const button = event.target.closest?.("[class^='btn-'], [class*=' btn-']");
    if (!button || event.button !== 0 || button.matches(disabled)) return;
    held.set(event.pointerId, button);
    follow(button, event);
  });

  listen(window, ["pointermove"], (event) => {
    const button = held.get(event.pointerId);
    if (!button) return;
    // The end of the press was missed, or the button was removed or disabled.
    if (event.buttons === 0 || !button.isConnected || button.matches(disabled)) {
      release(event.pointerId);
    } else {
      follow(button, event);
    }
  });

  listen(window, ["pointerup", "pointercancel"], (event) => release(event.pointerId));
  listen(window, ["blur"], releaseAll);
  listen(document, ["visibilitychange"], releaseAll);
})();
