/* Compares the page's source with the page that the server has now.
   From the other files: `addresses`, `swaps`, `rewritten` (addresses); `sweep`, `read`, `written`,
   `isWritten`, `originOf`, `noteOrigin`, `isPicture`, `pictureNames` (elements);
   `everything`, `announce` (swap); `reload` (leave). */

/** The page as it was loaded, before its scripts ran, without this script. */
let source;
/** The node of the source that each element comes from. */
const sources = new WeakMap();

const tidied = (source) => {
  source.querySelectorAll("script[src$='/-/live.js'], noscript, sitegen-live")
    .forEach((element) => element.remove());
  const body = source.querySelector("body");
  const comments = document.createNodeIterator(source, NodeFilter.SHOW_COMMENT);
  for (let node = comments.nextNode(); node; node = comments.nextNode()) node.remove();
  source.normalize();
  // The parser moves text after the body to its end.
  if (body?.lastChild?.nodeType === Node.TEXT_NODE) {
    body.lastChild.data = body.lastChild.data.trimEnd();
    if (!body.lastChild.data) body.lastChild.remove();
  }
  return source;
};

const keepSource = () => {
  // A separate document loads and runs nothing.
  const copy = document.implementation.createHTMLDocument("").importNode(document.documentElement, true);
  const theirs = [copy, ...copy.getElementsByTagName("*")];
  [...everything()].forEach((element, index) => sources.set(element, theirs[index]));
  source = tidied(copy);
};
if (document.readyState === "loading") {
  // Deferred scripts have not run by then. Changes by a script that blocks the parser look like
  // source: such a page always differs from the server's and is reloaded each time.
  document.addEventListener("readystatechange", keepSource, { once: true });
} else {
  keepSource();
}

/** The pairs of old and new addresses in a text; undefined if other parts differ. */
const paired = (old, fresh) => {
  if (old === null || fresh === null) return undefined;
  const [from, to] = [old, fresh].map((text) => text.match(addresses) ?? []);
  const [one, other] = [old, fresh].map((text) => text.replace(addresses, "\0"));
  return one === other ? from.map((address, index) => [address, to[index]]) : undefined;
};

/** The pairs of old and new elements and addresses; undefined if more than pictures differs. */
const compared = (old, fresh) => {
  const elements = new Map();
  const becomes = new Map();
  const current = new Set();
  const children = (node) => [...(node.localName === "template" ? node.content : node).childNodes];
  const rest = [[old, fresh]];
  while (rest.length) {
    const [one, other] = rest.pop();
    if (one.nodeType !== other.nodeType || one.nodeName !== other.nodeName) return undefined;
    if (one.nodeType !== Node.ELEMENT_NODE) {
      if (one.nodeValue !== other.nodeValue) return undefined;
      continue;
    }
    elements.set(one, other);
    for (const name of new Set([...one.getAttributeNames(), ...other.getAttributeNames()])) {
      const [from, to] = [one.getAttribute(name), other.getAttribute(name)];
      for (const address of to?.match(addresses) ?? []) current.add(address);
      if (from === to) continue;
      const pairs = paired(from, to);
      const isFree = isPicture(one) ? pictureNames.includes(name)
        : one.localName === "link" && name === "href" && one.relList.contains("icon");
      if (!pairs && !isFree) return undefined;
      for (const [from, to] of pairs ?? []) {
        becomes.set(from, becomes.has(from) && becomes.get(from) !== to ? undefined : to);
      }
    }
    const [ones, others] = [children(one), children(other)];
    if (ones.length !== others.length) return undefined;
    ones.forEach((child, index) => rest.push([child, others[index]]));
  }
  // Two people may have had the same picture, and only one of them a new one.
  const pairs = [...becomes].filter(([old, to]) => to && !current.has(old));
  return { elements, pairs };
};

/** The new value of an attribute that scripts made. If swaps may have failed, this is what scripts
    would make if the page were loaded now. */
const unsaid = (element, name, value, batch, isAnything) => {
  if (value === null) return value;
  const origin = rewritten(originOf(element, name, value), batch);
  const next = isAnything ? rewritten(origin, swaps) : rewritten(value, batch);
  noteOrigin(element, name, origin, next);
  return next;
};

/** Loads the page's source again and applies the differences. */
const reread = async (revision, isAnything) => {
  const response = await fetch(location.pathname + location.search, { cache: "no-store" });
  // An error page is a page too, and the user may be looking at it.
  const isPage = response.ok || response.status === 404 || response.status === 410;
  if (!isPage) throw new Error(response.statusText);
  const fresh = tidied(
    new DOMParser().parseFromString(await response.text(), "text/html").documentElement);
  const change = source && compared(source, fresh);
  if (!change) return reload(revision);
  source = fresh;
  // Earlier swaps are in the new source, or have failed.
  for (const [old, swap] of swaps) if (swap.revision < revision) swaps.delete(old);
  const batch = new Map(change.pairs.map(([old, to]) => [old, { to }]));
  const mine = new Map();
  const ends = sweep(everything(), (element, name, value) => {
    const old = sources.get(element);
    const said = change.elements.get(old);
    const standing = read(element, name);
    const isSaid = said && name !== "style"
      && (standing === old.getAttribute(name) || isWritten(element, name, standing));
    if (!isSaid) return unsaid(element, name, value, batch, isAnything);
    if (!mine.has(element)) mine.set(element, new Map());
    mine.get(element).set(name, standing);
    const text = said.getAttribute(name);
    return text === null ? text : rewritten(text, swaps);
  });
  for (const element of everything()) {
    const said = change.elements.get(sources.get(element));
    if (said) sources.set(element, said);
  }
  // Until the new picture has loaded, the old value still counts as the source's.
  for (const [element, values] of mine) {
    for (const [name, value] of values) {
      if (read(element, name) !== value) continue;
      if (!written.has(element)) written.set(element, new Map());
      written.get(element).set(name, value);
    }
  }
  const images = Object.fromEntries(change.pairs);
  if (change.pairs.length) announce(images, revision, ends);
  return undefined;
};
