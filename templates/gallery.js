/* What every page does with a script; without one nothing is missing but what stands here. `find.js`
   and `detail.js` build on it. */

"use strict";

/* Files of data are scripts that call `sitegen`, since pages in a folder may load nothing else. */

(() => {
  const { root = "" } = document.currentScript.dataset;
  const come = new Map();
  const asked = new Map();
  /** So many pages' worth of people are kept; the browser has the others at hand. */
  const keptPages = 32;

  const load = (path) =>
    new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = root + path;
      const end = (settle) => () => {
        script.remove();
        settle(path);
      };
      script.onload = end(resolve);
      script.onerror = end(reject);
      document.head.append(script);
    });

  /** What a file brings. It is asked for once, and again after it failed. */
  const file = (path) => {
    let promise = asked.get(path);
    if (!promise) {
      promise = load(path).then(() => {
        const value = come.get(path);
        come.delete(path);
        return value;
      });
      promise.catch(() => asked.delete(path));
    }
    // The one that was needed last stands last.
    asked.delete(path);
    asked.set(path, promise);
    const pages = [...asked.keys()].filter((path) => path.startsWith("data/people-"));
    if (pages.length > keptPages) asked.delete(pages[0]);
    return promise;
  };

  const header = () => file("data/search.js");

  /** A `picture` of one style as person.mustache writes it: of some of its formats and scales. */
  const picture = (style, alt, { format, scale, zoom = 1 } = {}) => {
    const wanted = style.images.filter((image) =>
      (!format || image[1] === format) && (!scale || image[0] === scale));
    const images = wanted.length ? wanted : style.images;
    const formats = [...new Set(images.map((image) => image[1]))];
    // One of these is read everywhere.
    const last = formats.findLast((name) => /^(png|jpeg)$/.test(name)) ?? formats.at(-1);
    const element = document.createElement("picture");
    const set = (name) =>
      images.filter((image) => image[1] === name)
        .map((image) => `${root}${address(image)} ${image[0]}x`).join(", ");
    for (const name of formats.filter((name) => name !== last)) {
      const source = document.createElement("source");
      source.type = `image/${name}`;
      source.srcset = set(name);
      element.append(source);
    }
    const plain = images.filter((image) => image[1] === last);
    const image = document.createElement("img");
    image.width = style.width * zoom;
    image.height = style.height * zoom;
    image.alt = alt;
    image.decoding = "async";
    if (style.color) {
      image.dataset.color = style.color;
      if (style.thumbhash) image.dataset.thumbhash = style.thumbhash;
    }
    image.srcset = set(last);
    image.src = root + address(plain.find((image) => image[0] >= 1) ?? plain.at(-1));
    element.append(image);
    return element;
  };

  /** Where an image of a person's `styles` lies, from the output folder. */
  const address = ([, format, , , , hash]) =>
    `assets/${hash.slice(0, 2)}/${hash}.${format === "jpeg" ? "jpg" : format}`;

  window.sitegen = {
    // Called by the files.
    search: (value) => come.set("data/search.js", value),
    index: (number, value) => come.set(`data/search-${number}.js`, value),
    people: (number, value) => come.set(`data/people-${number}.js`, value),
    // Called by our scripts.
    root,
    load,
    header,
    part: (number) => file(`data/search-${number}.js`),
    person: async (number) => {
      const { pageSize } = await header();
      const people = await file(`data/people-${Math.floor(number / pageSize) + 1}.js`);
      return people[number % pageSize];
    },
    picture,
    address,
    /** A click that asks for nothing else, such as a new tab. */
    isPlain: (event) =>
      !event.defaultPrevented && event.button === 0
      && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey),
  };
})();

/* Finding is a script that comes when somebody comes near its form, or when an address asks for it. */

(() => {
  const { sitegen } = window;
  const form = document.getElementById("find");
  if (!form) return;
  const come = () => {
    sitegen.finding ??= sitegen.load("find.js").catch(() => {
      sitegen.finding = undefined;
      document.getElementById("find-said").textContent = "Finding cannot be loaded";
    });
  };
  for (const name of ["pointerover", "focusin", "input"]) form.addEventListener(name, come);
  form.addEventListener("submit", (event) => event.preventDefault());
  if (/[?&](q|tag|status|sort)=/.test(location.search)) come();
})();

/* The detail view is a script that comes when somebody opens it: by a click, or by an address. */

(() => {
  const { sitegen } = window;
  if (!document.getElementById("detail")) return;
  const list = document.getElementById("people-list");
  let coming;
  const detail = async () => {
    coming ??= sitegen.load("detail.js");
    coming.catch(() => (coming = undefined));
    await coming;
    return sitegen.detail;
  };

  document.addEventListener("click", async (event) => {
    const card = event.target.closest(".person");
    const link = event.target.closest("h3 a");
    // A page of a tag lists people who stand on other pages.
    const isListed = card?.parentElement === list ? list.dataset.page : card?.dataset.number;
    if (!isListed || !link || !sitegen.isPlain(event)) return;
    event.preventDefault();
    try {
      await (await detail()).open(link);
    } catch {
      location.assign(link.href);
    }
  });

  const follow = async () => {
    if (!location.hash.startsWith("#person-") && !coming) return;
    try {
      await (await detail()).follow();
    } catch {
      // The card itself is what the address names.
    }
  };
  addEventListener("hashchange", follow);
  // Whoever is found by then may be the one.
  addEventListener("DOMContentLoaded", follow);
})();

/* Until a picture has come, its ThumbHash is shown: a blurred copy in at most 25 bytes. What it says
   is painted as stripes of gradients, since the page's policy allows neither `data:` nor inline
   styles. The picture then comes through it, where motion is not unwanted. */

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

  const paint = ({ dataset: { color, thumbhash } }, style, height) => {
    if (thumbhash) {
      const color = painter(thumbhash);
      // Four CSS pixels are whole ones at 1.25, 1.5 and 1.75 too, so no line of light is between.
      const stripe = 4 * Math.ceil(height / 96);
      const rows = Math.ceil(height / stripe);
      const stripes = Array.from({ length: rows }, (_, row) => {
        const stops = Array.from({ length: columns }, (_, column) =>
          color(column / (columns - 1), (row + 0.5) / rows));
        return `linear-gradient(90deg,${stops}) 0 ${row * stripe}px/100% ${stripe}px no-repeat`;
      });
      style.background = stripes.join();
    } else {
      style.backgroundColor = color;
    }
  };

  const show = (image, { width, height }) => {
    // Behind the picture, so that it can come through: `picture` has the same box as its `img`.
    const box = image.parentElement.getBoundingClientRect();
    const isBehind = Math.abs(box.width - width) < 1 && Math.abs(box.height - height) < 1;
    const { style } = isBehind ? image.parentElement : image;
    if (image.dataset.color) paint(image, style, height);
    if (isBehind) image.classList.add("waits");
    const clear = () => {
      style.background = "";
      image.classList.remove("comes");
    };
    image.addEventListener("load", () => {
      if (isBehind) image.classList.replace("waits", "comes");
      Promise.allSettled(image.getAnimations().map(({ finished }) => finished)).then(clear);
    }, { once: true });
    image.addEventListener("error", () => {
      image.classList.remove("waits");
      clear();
    }, { once: true });
  };

  // Only for pictures that somebody sees: a page may have thousands.
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      if (!target.complete) show(target, boundingClientRect);
    }
  });
  const wait = (image) => image.complete || watch.observe(image);
  document.querySelectorAll("picture > img").forEach(wait);
  window.sitegen.wait = wait;
})();
