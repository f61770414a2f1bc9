/* Until a picture has come, its ThumbHash is shown: a blurred copy in at most 25 bytes. What it says
   is painted as stripes of gradients, since the page's policy allows neither `data:` nor inline
   styles. Without this script nothing is missing but that. */

"use strict";

(() => {
  const columns = 12;

  /** The cosine waves of one channel: what they add to its mean at a place from 0 to 1. */
  const waves = (across, down, scale, next) => {
    const terms = [];
    for (let y = 0; y < down; y++) {
      for (let x = y ? 0 : 1; x * down < across * (down - y); x++) {
        terms.push([x * Math.PI, y * Math.PI, (next() / 7.5 - 1) * scale * 2]);
      }
    }
    return (left, top) =>
      terms.reduce((sum, [x, y, size]) => sum + Math.cos(x * left) * Math.cos(y * top) * size, 0);
  };

  /** The colour of a ThumbHash at a place, as CSS. */
  const painter = (hash) => {
    const bytes = Array.from(atob(hash), (character) => character.charCodeAt(0));
    const means = bytes[0] | (bytes[1] << 8) | (bytes[2] << 16);
    const scales = bytes[3] | (bytes[4] << 8);
    const hasAlpha = means >> 23;
    const longer = hasAlpha ? 5 : 7;
    const shorter = Math.max(3, scales & 7);
    const isWide = scales >> 15;
    let nibble = hasAlpha ? 12 : 10;
    const next = () => (bytes[nibble >> 1] >> (nibble++ & 1 ? 4 : 0)) & 15;
    const light = waves(
      isWide ? longer : shorter, isWide ? shorter : longer, ((means >> 18) & 31) / 31, next);
    // Rounding to 16 steps has paled the colours; a quarter more makes up for it.
    const blue = waves(3, 3, (((scales >> 3) & 63) / 63) * 1.25, next);
    const red = waves(3, 3, (((scales >> 9) & 63) / 63) * 1.25, next);
    const alpha = hasAlpha ? waves(5, 5, (bytes[5] >> 4) / 15, next) : () => 0;
    const within = (value) => Math.min(1, Math.max(0, value));
    return (x, y) => {
      const l = (means & 63) / 63 + light(x, y);
      const p = ((means >> 6) & 63) / 31.5 - 1 + blue(x, y);
      const q = ((means >> 12) & 63) / 31.5 - 1 + red(x, y);
      const a = hasAlpha ? (bytes[5] & 15) / 15 + alpha(x, y) : 1;
      const b = l - (p * 2) / 3;
      const r = (l * 3 - b + q) / 2;
      const color = [r, r - q, b].map((value) => Math.round(within(value) * 255));
      return `rgba(${color},${within(a).toFixed(2)})`;
    };
  };

  const show = (image, height) => {
    const { color, thumbhash } = image.dataset;
    const { style } = image;
    if (thumbhash) {
      const paint = painter(thumbhash);
      // Four CSS pixels are whole ones at 1.25, 1.5 and 1.75 too, so no line of light is between.
      const stripe = 4 * Math.ceil(height / 96);
      const rows = Math.ceil(height / stripe);
      const stripes = Array.from({ length: rows }, (_, row) => {
        const stops = Array.from({ length: columns }, (_, column) =>
          paint(column / (columns - 1), (row + 0.5) / rows));
        return `linear-gradient(90deg,${stops}) 0 ${row * stripe}px/100% ${stripe}px no-repeat`;
      });
      style.background = stripes.join();
    } else {
      style.backgroundColor = color;
    }
    const clear = () => (style.cssText = "");
    image.addEventListener("load", clear, { once: true });
    image.addEventListener("error", clear, { once: true });
  };

  // Only for pictures that somebody sees: a page may have thousands.
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      if (!target.complete) show(target, boundingClientRect.height);
    }
  });
  for (const image of document.querySelectorAll("img[data-color]")) {
    if (!image.complete) watch.observe(image);
  }
})();
