/* Compares the page's source with the server's current version, and replaces pictures in place. Uses
   `reload` from state.js. */

/** Matches image paths in any text; the digest in a name makes them unmistakable. */
const addresses = /assets\/[0-9a-f]{2}\/[0-9a-f]{64}\.\w+/g;

/** The page's source as loaded, before its scripts ran. */
let source;

const textOf = (root) => {
  root.querySelectorAll("script[src$='/-/live.js'], noscript, sitegen-live")
    .forEach((element) => element.remove());
  // The parser moves text that follows the body into the body.
  return root.outerHTML.replace(/\s*<\/body>/, "</body>");
};

// Copy into a separate document, which does not load resources or run scripts.
const keepSource = () =>
  source = textOf(
    document.implementation.createHTMLDocument("").importNode(document.documentElement, true));
if (document.readyState === "loading") {
  // This event fires before deferred scripts run. If a script that blocks the parser changes the
  // page, the source always differs from the server's, and each update reloads the page.
  document.addEventListener("readystatechange", keepSource, { once: true });
} else {
  keepSource();
}

/** Maps old picture addresses to new ones; undefined if the texts differ in anything else. */
const swaps = (old, fresh) => {
  // Ignore the attributes for placeholders, which depend on the picture.
  const frame = (text) =>
    text.replace(addresses, "").replace(/ data-(color|thumbhash)="[^"]*"/g, "");
  if (frame(old) !== frame(fresh)) return undefined;
  const news = fresh.match(addresses) ?? [];
  const swaps = new Map();
  for (const [index, address] of (old.match(addresses) ?? []).entries()) {
    // Two people shared a picture, and now have different ones.
    if (swaps.has(address) && swaps.get(address) !== news[index]) return undefined;
    swaps.set(address, news[index]);
  }
  return swaps;
};

/** Waits until a picture is decoded or cannot be loaded. */
const loaded = async (address) => {
  const image = new Image();
  image.src = address;
  await new Promise((resolve) => (image.onload = image.onerror = resolve));
  // Hidden pages do not decode pictures.
  if (!document.hidden) await image.decode().catch(() => {});
  return image;
};

/** Changes all addresses together, once the new pictures for displayed images are ready. */
const swap = async (swaps) => {
  const renewed = (text) => text.replace(addresses, (old) => swaps.get(old) ?? old);
  const seen = [...document.images]
    .filter((image) => image.naturalWidth && renewed(image.currentSrc) !== image.currentSrc);
  const copies = await Promise.all(seen.map((image) => loaded(renewed(image.currentSrc))));
  // With `async`, a picture could be missing for one frame.
  for (const image of seen) image.decoding = "sync";
  for (const element of document.getElementsByTagName("*")) {
    for (const { name, value } of [...element.attributes]) {
      const next = renewed(value);
      if (next !== value) element.setAttribute(name, next);
    }
  }
  return copies;
};

/** Reloads the page's source and applies the differences. */
const reread = async (revision) => {
  const response = await fetch(location.href, { cache: "no-store" });
  // The user may be looking at the server's error page, which is updated too.
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
