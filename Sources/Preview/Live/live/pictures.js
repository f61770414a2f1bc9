/* Compares the page's source with the page that the server has now, and changes pictures in place.
   From the other files: `reload` (state). */

/** Images are named by their content, so a match is an image in any text. */
const addresses = /assets\/[0-9a-f]{2}\/[0-9a-f]{64}\.\w+/g;

/** The page as it was loaded, before its scripts ran. */
let source;

const textOf = (root) => {
  root.querySelectorAll("script[src$='/-/live.js'], noscript, sitegen-live")
    .forEach((element) => element.remove());
  // The parser moves text after the body to its end.
  return root.outerHTML.replace(/\s*<\/body>/, "</body>");
};

// A separate document loads and runs nothing.
const keepSource = () =>
  source = textOf(
    document.implementation.createHTMLDocument("").importNode(document.documentElement, true));
if (document.readyState === "loading") {
  // Deferred scripts have not run by then. Changes by a script that blocks the parser look like
  // source: such a page always differs from the server's and is reloaded each time.
  document.addEventListener("readystatechange", keepSource, { once: true });
} else {
  keepSource();
}

/** The new address of each picture; undefined if the texts differ in more than pictures. */
const swaps = (old, fresh) => {
  // These describe a picture until it has loaded.
  const frame = (text) =>
    text.replace(addresses, "").replace(/ data-(color|thumbhash)="[^"]*"/g, "");
  if (frame(old) !== frame(fresh)) return undefined;
  const news = fresh.match(addresses) ?? [];
  const swaps = new Map();
  for (const [index, address] of (old.match(addresses) ?? []).entries()) {
    // Two people had the same picture, and only one of them has a new one.
    if (swaps.has(address) && swaps.get(address) !== news[index]) return undefined;
    swaps.set(address, news[index]);
  }
  return swaps;
};

/** Waits until a picture can be shown in the next frame, or cannot be loaded. */
const loaded = async (address) => {
  const image = new Image();
  image.src = address;
  await new Promise((resolve) => (image.onload = image.onerror = resolve));
  // A hidden page decodes nothing.
  if (!document.hidden) await image.decode().catch(() => {});
  return image;
};

/** Changes all addresses at once, when the new pictures that can be seen are ready. */
const swap = async (swaps) => {
  const renewed = (text) => text.replace(addresses, (old) => swaps.get(old) ?? old);
  const seen = [...document.images]
    .filter((image) => image.naturalWidth && renewed(image.currentSrc) !== image.currentSrc);
  const copies = await Promise.all(seen.map((image) => loaded(renewed(image.currentSrc))));
  // As `async` it could be painted a frame late, and be missing in that frame.
  for (const image of seen) image.decoding = "sync";
  for (const element of document.getElementsByTagName("*")) {
    for (const { name, value } of [...element.attributes]) {
      const next = renewed(value);
      if (next !== value) element.setAttribute(name, next);
    }
  }
  return copies;
};

/** Loads the page's source again and applies the differences. */
const reread = async (revision) => {
  const response = await fetch(location.href, { cache: "no-store" });
  // A page that says that there is none is a page too, and the user may be looking at it.
  if (![200, 404, 503].includes(response.status)) throw new Error(response.statusText);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = textOf(page.documentElement);
  const change = source && swaps(source, fresh);
  if (!change) {
    reload(revision);
    return;
  }
  source = fresh;
  await swap(change);
};
