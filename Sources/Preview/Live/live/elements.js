/* Changes the addresses in elements, each when its new picture is ready to be shown.
   From the other files: `sources` (source). */

/** The policy of pages forbids inline styles except through the object model. */
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

/** The values that this script wrote, which are newer than those of the source. */
const written = new WeakMap();
const isWritten = (element, name, value) => written.get(element)?.get(name) === value;

/** The text before a swap, in case the build does not keep the swap. */
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

/** Attributes that choose a picture, or describe it until it has loaded. */
const pictureNames = ["src", "srcset", "data-color", "data-thumbhash"];
const isPicture = (element) => /^(picture|source|img)$/.test(element.localName);

/** The attributes of an element that may have an address. */
const names = (element) => {
  const names = new Set(sources.has(element) && isPicture(element) ? pictureNames : []);
  for (const { name, value } of element.attributes) {
    if (value.includes("assets/")) names.add(name);
  }
  return names;
};

/** The unit that changes together: a picture with its sources, or one element. */
const unitOf = (element) => (isPicture(element) && element.closest("picture")) || element;
const imageOf = (unit) =>
  unit.localName === "picture" ? unit.querySelector("img") : unit.localName === "img" && unit;

/** The changes of units that wait for their new pictures, or whose pictures have failed. */
const plans = new WeakMap();

const planned = (element, name) => {
  const value = read(element, name);
  const change = plans.get(unitOf(element))?.changes
    .find((change) => change.element === element && change.name === name);
  return change?.from === value ? change.to : value;
};

/** Changes the addresses of elements to the wanted ones; returns how many units changed. */
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

/** True if the whole unit changed, false if it stays because the new picture cannot be loaded. */
const renew = (unit, changes) => {
  const known = plans.get(unit);
  if (!changes.length) {
    plans.delete(unit);
    return undefined;
  }
  const isSame = known?.changes.length === changes.length
    && known.changes.every((change, index) =>
      ["element", "name", "from", "to"].every((key) => change[key] === changes[index][key]));
  if (isSame && known.isLoading) return known.end;
  const plan = { changes, isLoading: true };
  plans.set(unit, plan);
  const image = imageOf(unit);
  const isSeen = image
    ? image.complete && image.naturalWidth > 0 && changes.some(({ name }) => /^src(set)?$/.test(name))
    : unit.localName === "image" || changes.some(({ name }) => /^(style|src|poster)$/.test(name));
  if (!isSeen) {
    // The old picture is not visible, so the new one need not wait.
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
      // This reference keeps the loaded copy until the picture is painted.
      return isDone && Boolean(rehearsed);
    } catch {
      plan.isLoading = false;
      return false;
    }
  })();
  return plan.end;
};

/** Writes the changes, unless a script has changed the elements meanwhile. */
const carryOut = (unit, { changes }) => {
  plans.delete(unit);
  if (!changes.every(({ element, name, from }) => read(element, name) === from)) return undefined;
  for (const { element, name, to } of changes) write(element, name, to);
  return true;
};

/** Prevents a frame without a picture, as `decoding="async"` allows; returns the undo function. */
const paintAtOnce = (image) => {
  const decoding = image.getAttribute("decoding");
  if (decoding === "sync") return undefined;
  image.decoding = "sync";
  return () => {
    if (decoding === null) image.removeAttribute("decoding");
    else image.setAttribute("decoding", decoding);
  };
};

/** Waits until an image can be shown in the next frame. */
const come = (image) =>
  new Promise((resolve, reject) => {
    const listening = new AbortController();
    const end = (settle) => (value) => {
      listening.abort();
      settle(value);
    };
    image.decode().then(end(resolve), end(reject));
    // A hidden page decodes nothing.
    const look = () => {
      if (document.hidden && image.complete && image.naturalWidth) end(resolve)();
    };
    image.addEventListener("load", look, listening);
    document.addEventListener("visibilitychange", look, listening);
    setTimeout(look);
  });

/** Loads a copy of a picture, which chooses the same source as the original will. */
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

/** Loads images that are no `img` in the page. */
const fetched = (changes) =>
  Promise.all(
    changes.flatMap(({ to }) => to?.match(/[^\s"'(),]*assets\/[0-9a-f]{2}\/[0-9a-f]{64}\.\w+/g) ?? [])
      .map(async (address) => {
        const image = new Image();
        image.src = new URL(address, document.baseURI);
        await come(image);
        return image;
      }));
