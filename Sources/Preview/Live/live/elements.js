/* Brings what elements show to other addresses, each when its new picture can be seen.
   Uses of the others: `sources` (source). */

/** Of inline styles only the object model is allowed by the policy of pages. */
const read = (element, name) =>
  name === "style" ? element.style.cssText : element.getAttribute(name);

const write = (element, name, value) => {
  if (name === "style") {
    element.style.cssText = value;
  } else if (value === null) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value);
  }
  if (!written.has(element)) written.set(element, new Map());
  written.get(element).set(name, value);
};

/** What this script wrote: what stands there since is the newest that is known. */
const written = new WeakMap();
const isWritten = (element, name, value) => written.get(element)?.get(name) === value;

/** What a text was before it was swapped, for when the swap does not come true. */
const origins = new WeakMap();
const originOf = (element, name, value) => {
  const origin = origins.get(element)?.get(name);
  return origin?.value === value ? origin.text : value;
};
const noteOrigin = (element, name, text, value) => {
  if (text === value) {
    origins.get(element)?.delete(name);
    return;
  }
  if (!origins.has(element)) origins.set(element, new Map());
  origins.get(element).set(name, { text, value });
};

/** Attributes that decide on a picture, or tell what it looks like until it has come. */
const pictureNames = ["src", "srcset", "data-color", "data-thumbhash"];
const isPicture = (element) => /^(picture|source|img)$/.test(element.localName);

/** Where an element may have an address. */
const names = (element) => {
  const names = new Set(sources.has(element) && isPicture(element) ? pictureNames : []);
  for (const { name, value } of element.attributes) {
    if (value.includes("assets/")) names.add(name);
  }
  return names;
};

/** What changes together: a picture with its sources, or one element. */
const unitOf = (element) => (isPicture(element) && element.closest("picture")) || element;
const imageOf = (unit) =>
  unit.localName === "picture" ? unit.querySelector("img") : unit.localName === "img" && unit;

/** What units become as soon as their new pictures have come, or would if these had not failed. */
const plans = new WeakMap();

const planned = (element, name) => {
  const value = read(element, name);
  const change = plans.get(unitOf(element))?.changes
    .find((change) => change.element === element && change.name === name);
  return change?.from === value ? change.to : value;
};

/** Brings every address in a part of the page to what is wanted; tells how many units changed. */
const sweep = async (elements, wanted) => {
  const units = new Map();
  for (const element of elements) {
    const unit = unitOf(element);
    if (plans.has(unit) && !units.has(unit)) units.set(unit, []);
    for (const name of names(element)) {
      const from = read(element, name);
      const to = wanted(element, name, planned(element, name));
      if (to === from) continue;
      if (!units.has(unit)) units.set(unit, []);
      units.get(unit).push({ element, name, from, to });
    }
  }
  const ends = await Promise.all([...units].map(([unit, changes]) => renew(unit, changes)));
  return {
    swapped: ends.filter((end) => end === true).length,
    failed: ends.filter((end) => end === false).length,
  };
};

/** True when all of a unit has changed, false when it stays since the new picture cannot be had. */
const renew = (unit, changes) => {
  const known = plans.get(unit);
  if (!changes.length) {
    plans.delete(unit);
    return undefined;
  }
  const isSame = known?.changes.length === changes.length
    && known.changes.every((change, place) =>
      ["element", "name", "from", "to"].every((key) => change[key] === changes[place][key]));
  if (isSame && known.isLoading) return known.end;
  const plan = { changes, isLoading: true };
  plans.set(unit, plan);
  const image = imageOf(unit);
  const isSeen = image
    ? image.complete && image.naturalWidth > 0 && changes.some(({ name }) => /^src(set)?$/.test(name))
    : unit.localName === "image" || changes.some(({ name }) => /^(style|src|poster)$/.test(name));
  if (!isSeen) {
    // Nothing of the old is seen, so nothing is lost.
    carryOut(unit, plan);
    return true;
  }
  plan.end = (async () => {
    try {
      const rehearsed = await (image ? rehearse(unit, changes) : fetched(changes));
      if (plans.get(unit) !== plan) return undefined;
      const calm = image && paintAtOnce(image);
      const isDone = carryOut(unit, plan);
      if (image) await come(image).catch(() => {});
      painted().then(painted).then(calm);
      // What was rehearsed is kept until it is seen.
      return isDone && Boolean(rehearsed);
    } catch {
      plan.isLoading = false;
      return false;
    }
  })();
  return plan.end;
};

/** Unless a script has meanwhile had other ideas. */
const carryOut = (unit, { changes }) => {
  plans.delete(unit);
  if (!changes.every(({ element, name, from }) => read(element, name) === from)) return undefined;
  for (const { element, name, to } of changes) write(element, name, to);
  return true;
};

/** Allows no frame without a picture, as `decoding="async"` would; until it is undone. */
const paintAtOnce = (image) => {
  const decoding = image.getAttribute("decoding");
  if (decoding === "sync") return undefined;
  image.decoding = "sync";
  return () => {
    if (decoding === null) image.removeAttribute("decoding");
    else image.setAttribute("decoding", decoding);
  };
};

/** Until an image could be shown in the very next frame. */
const come = (image) =>
  new Promise((resolve, reject) => {
    const listening = new AbortController();
    const end = (settle) => (value) => {
      listening.abort();
      settle(value);
    };
    image.decode().then(end(resolve), end(reject));
    // Where nothing is painted, nothing is decoded.
    const look = () => {
      if (document.hidden && image.complete && image.naturalWidth) end(resolve)();
    };
    image.addEventListener("load", look, listening);
    document.addEventListener("visibilitychange", look, listening);
    setTimeout(look);
  });

/** A copy of a picture that chooses as the real one will, and has what it chose. */
const rehearse = async (unit, changes) => {
  const copy = unit.cloneNode(true);
  const theirs = [copy, ...copy.querySelectorAll("*")];
  const ours = [unit, ...unit.querySelectorAll("*")];
  for (const { element, name, to } of changes) {
    const copied = theirs[ours.indexOf(element)];
    if (to === null) copied.removeAttribute(name);
    else if (name !== "style") copied.setAttribute(name, to);
  }
  const stand = imageOf(copy);
  for (const name of stand.getAttributeNames()) {
    if (name === "loading" || name.startsWith("on")) stand.removeAttribute(name);
  }
  await come(stand);
  return stand;
};

/** Images that are no `img` in the page. */
const fetched = (changes) =>
  Promise.all(
    changes.flatMap(({ to }) => to?.match(/[^\s"'(),]*assets\/[0-9a-f]{2}\/[0-9a-f]{64}\.\w+/g) ?? [])
      .map(async (address) => {
        const image = new Image();
        image.src = new URL(address, document.baseURI);
        await come(image);
        return image;
      }));
