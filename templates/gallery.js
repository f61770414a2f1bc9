/* The script for all pages, which also work without it. `find.js` and `detail.js` build on it. */

"use strict";

/* Data files are scripts that call `sitegen`, because pages opened from disk cannot load other data. */

(() => {
  const { root = "" } = document.currentScript.dataset;
  const come = new Map();
  const asked = new Map();
  /** How many pages of people are kept in memory; the browser caches the others. */
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

  /** The value in a data file, which is not loaded again while it is in memory. */
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
    // Move the most recently used file to the end.
    asked.delete(path);
    asked.set(path, promise);
    const pages = [...asked.keys()].filter((path) => path.startsWith("data/people-"));
    if (pages.length > keptPages) asked.delete(pages[0]);
    return promise;
  };

  const header = () => file("data/search.js");

  /** Sorts formats for a `picture`: AVIF first, and last a widely supported one for the `img`. */
  const inOrder = (images) => {
    const formats = [...new Set(images.map((image) => image[1]))];
    const last = formats.findLast((name) => /^(png|jpeg)$/.test(name))
      ?? formats.findLast((name) => name !== "avif") ?? formats.at(-1);
    const rank = (name) => name === last ? 2 : name === "avif" ? 0 : 1;
    return formats.sort((left, right) => rank(left) - rank(right));
  };

  /** A `picture` in one style, as in person.mustache, but optionally limited to a format or scale.
      `density` is the number of pixels of the `1x` file per CSS pixel; `zoom` enlarges the box. */
  const picture = (style, alt, { format, scale, zoom = 1, density = 1 } = {}) => {
    const wanted = style.images.filter((image) =>
      (!format || image[1] === format) && (!scale || image[0] === scale));
    const images = wanted.length ? wanted : style.images;
    const formats = inOrder(images);
    const final = formats.pop();
    const element = document.createElement("picture");
    element.className = `shape-${style.name}`;
    const set = (name) =>
      images.filter((image) => image[1] === name)
        .map((image) => `${root}${address(image)} ${image[0] / density}x`).join(", ");
    for (const name of formats) {
      const source = document.createElement("source");
      source.type = `image/${name}`;
      source.srcset = set(name);
      element.append(source);
    }
    const plain = images.filter((image) => image[1] === final);
    const image = document.createElement("img");
    image.width = Math.round(style.width * zoom);
    image.height = Math.round(style.height * zoom);
    image.alt = alt;
    image.decoding = "async";
    if (style.color) image.dataset.color = style.color;
    image.srcset = set(final);
    image.src = root + address(plain.find((image) => image[0] >= density) ?? plain.at(-1));
    element.append(image);
    return element;
  };

  /** The path of an image in a person's `styles`, relative to the output folder. */
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
    /** The card's link to the detail view. */
    opener: (card) => card?.querySelector("h3 a"),
    /** Whether an event is a plain click, which does not open a new tab or do anything else special. */
    isPlain: (event) =>
      !event.defaultPrevented && event.button === 0
      && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey),
  };
})();

/* Loads the search script when the pointer or focus reaches the form, or if the address contains a search. */

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

/* Loads the detail view's script when a click or the address opens it. */

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
    // The list on a tag page lacks a page number: the links on its cards lead to other pages.
    const isListed = list?.contains(card) ? list.dataset.page : card?.dataset.number;
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
  // Wait for this event: the search results may contain the person by then.
  addEventListener("DOMContentLoaded", follow);
})();

/* Until a picture has loaded, a placeholder in its main colour and its style's shape is shown instead.
   The picture then fades in over the placeholder, except with reduced motion. */

(() => {
  const show = (image, { width, height }) => {
    // Require that `picture` and `img` have the same box, so that the image can fade in.
    const picture = image.parentElement;
    const box = picture.getBoundingClientRect();
    if (Math.abs(box.width - width) > 1 || Math.abs(box.height - height) > 1) return;
    if (image.dataset.color) picture.style.setProperty("--color", image.dataset.color);
    image.classList.add("waits");
    const clear = () => {
      picture.style.removeProperty("--color");
      image.classList.remove("waits", "comes");
    };
    image.addEventListener("load", () => {
      image.classList.replace("waits", "comes");
      Promise.allSettled(image.getAnimations().map(({ finished }) => finished)).then(clear);
    }, { once: true });
    image.addEventListener("error", clear, { once: true });
  };

  // Watch for visible pictures only, because a page may contain thousands.
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

/* A click on a button's class, element or colour copies it, even on pages opened from disk. */

(() => {
  const list = document.querySelector(".buttons[data-copied]");
  const said = document.getElementById("copied");
  if (!list || !said) return;
  for (const code of list.querySelectorAll("code")) {
    code.tabIndex = 0;
    code.role = "button";
    code.title = list.dataset.copy;
  }
  const copy = (event) => {
    const code = event.target.closest("code");
    if (!code || !["Enter", " "].includes(event.key ?? "Enter")) return;
    if (event.key) event.preventDefault();
    getSelection().selectAllChildren(code);
    said.textContent = document.execCommand("copy") ? `${list.dataset.copied}: ${code.textContent}` : "";
  };
  list.addEventListener("click", copy);
  list.addEventListener("keydown", copy);
})();
