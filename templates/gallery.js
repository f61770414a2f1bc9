/* The script of every page, which works without it too. `find.js` and `detail.js` build on it. */

"use strict";

/* Data files are scripts that call `sitegen`, because pages in a folder may load nothing else. */

(() => {
  const { root = "" } = document.currentScript.dataset;
  const come = new Map();
  const asked = new Map();
  /** The number of pages whose people are kept in memory; the browser caches the others. */
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

  /** The value of a data file, which is loaded once, and again after a failure. */
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
    // The most recently used file goes to the end.
    asked.delete(path);
    asked.set(path, promise);
    const pages = [...asked.keys()].filter((path) => path.startsWith("data/people-"));
    if (pages.length > keptPages) asked.delete(pages[0]);
    return promise;
  };

  const header = () => file("data/search.js");

  /** Formats as browsers shall try them: AVIF first, and for the `img` one that most can read. */
  const inOrder = (images) => {
    const formats = [...new Set(images.map((image) => image[1]))];
    const last = formats.findLast((name) => /^(png|jpeg)$/.test(name))
      ?? formats.findLast((name) => name !== "avif") ?? formats.at(-1);
    const rank = (name) => name === last ? 2 : name === "avif" ? 0 : 1;
    return formats.sort((left, right) => rank(left) - rank(right));
  };

  /** A `picture` of one style as in person.mustache, with some of its formats and scales. */
  const picture = (style, alt, { format, scale, zoom = 1 } = {}) => {
    const wanted = style.images.filter((image) =>
      (!format || image[1] === format) && (!scale || image[0] === scale));
    const images = wanted.length ? wanted : style.images;
    const formats = inOrder(images);
    const final = formats.pop();
    const element = document.createElement("picture");
    const set = (name) =>
      images.filter((image) => image[1] === name)
        .map((image) => `${root}${address(image)} ${image[0]}x`).join(", ");
    for (const name of formats) {
      const source = document.createElement("source");
      source.type = `image/${name}`;
      source.srcset = set(name);
      element.append(source);
    }
    const plain = images.filter((image) => image[1] === final);
    const image = document.createElement("img");
    image.width = style.width * zoom;
    image.height = style.height * zoom;
    image.alt = alt;
    image.decoding = "async";
    if (style.color) {
      image.dataset.color = style.color;
      if (style.thumbhash) image.dataset.thumbhash = style.thumbhash;
    }
    image.srcset = set(final);
    image.src = root + address(plain.find((image) => image[0] >= 1) ?? plain.at(-1));
    element.append(image);
    return element;
  };

  /** The path of an image of a person's `styles`, from the output folder. */
  const address = ([, format, , , , hash]) =>
    `assets/${hash.slice(0, 2)}/${hash}.${format === "jpeg" ? "jpg" : format}`;

  window.sitegen = {
    // Called by the data files.
    search: (value) => come.set("data/search.js", value),
    index: (number, value) => come.set(`data/search-${number}.js`, value),
    people: (number, value) => come.set(`data/people-${number}.js`, value),
    // Called by the other scripts.
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
    inOrder,
    /** The link of a card that opens the detail view: the name has the person's own link if there is one. */
    opener: (card) => card?.querySelector(".cover") ?? card?.querySelector("h3 a"),
    /** Whether a click asks for nothing special, such as a new tab. */
    isPlain: (event) =>
      !event.defaultPrevented && event.button === 0
      && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey),
  };
})();

/* The search script loads when the pointer or focus reaches its form, or the address has a search. */

(() => {
  const { sitegen } = window;
  const form = document.getElementById("find");
  if (!form) return;
  const come = () => {
    sitegen.finding ??= sitegen.load("find.js").catch(() => {
      sitegen.finding = undefined;
      document.getElementById("find-said").textContent = form.dataset.findFailed;
    });
  };
  for (const name of ["pointerover", "focusin", "input"]) form.addEventListener(name, come);
  form.addEventListener("submit", (event) => event.preventDefault());
  if (/[?&](q|tag|status|sort)=/.test(location.search)) come();
})();

/* The script of the detail view loads when a click or the address opens it. */

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
    const link = event.target.closest("a");
    // A tag's list has no page number, because its people are on other pages.
    const isListed = card?.parentElement === list ? list.dataset.page : card?.dataset.number;
    if (!isListed || !link || link !== sitegen.opener(card) || !sitegen.isPlain(event)) return;
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
      // The address still leads to the card.
    }
  };
  addEventListener("hashchange", follow);
  // By then the search results may contain the person.
  addEventListener("DOMContentLoaded", follow);
})();

/* Until a picture has loaded, its ThumbHash is shown: a blurred copy in at most 25 bytes. It is painted
   as stripes of gradients, because the page's policy allows neither `data:` nor inline styles. The
   picture then fades in over it, except with reduced motion. */

(() => {
  const columns = 12;

  /** The cosine waves of one channel: their sum at a position from 0 to 1, to add to the mean. */
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

  /** The colour of a ThumbHash at a position, as CSS. */
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
    // Rounding to 16 steps makes the colours pale; a quarter more compensates for it.
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
      // Four CSS pixels are whole device pixels at 1.25, 1.5 and 1.75 too, so stripes have no gaps.
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
    // Paints the `picture` if it has the box of its `img`, so that the image can fade in over it.
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

  // Only for visible pictures, because a page may have thousands.
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
