/* Swaps the images that the server names, also in elements that scripts add later from older data.
   From the other files: `swaps`, `learn`, `rewritten` (addresses); `sweep`, `read`, `isWritten`,
   `originOf`, `noteOrigin`, `unitOf`, `isPicture` (elements); `painted` (state). */

const everything = () => document.getElementsByTagName("*");

/** The value of an attribute after swaps. */
const swapped = (element, name, value, swaps) => {
  if (value === null) return value;
  const next = rewritten(value, swaps);
  if (next !== value) noteOrigin(element, name, originOf(element, name, value), next);
  return next;
};

/** Watches elements that scripts add or change: their data may be older than the swaps. */
const watch = (() => {
  const examine = (elements) =>
    sweep(elements, (element, name, value) => {
      const isKnown = value !== read(element, name) || isWritten(element, name, value);
      return isKnown ? value : swapped(element, name, value, swaps);
    });
  const observer = new MutationObserver((records) => {
    if (!swaps.size) return;
    const elements = new Set();
    for (const { target, attributeName, addedNodes } of records) {
      if (attributeName && target.getAttribute(attributeName)?.includes("assets/")) {
        elements.add(target);
      }
      for (const node of addedNodes) {
        if (node.nodeType !== Node.ELEMENT_NODE || !node.isConnected) continue;
        elements.add(node);
        node.querySelectorAll("*").forEach((element) => elements.add(element));
      }
    }
    // A picture and its sources belong together.
    for (const element of [...elements]) {
      if (isPicture(element)) {
        const unit = unitOf(element);
        elements.add(unit);
        unit.querySelectorAll("*").forEach((element) => elements.add(element));
      }
    }
    if (elements.size) examine(elements);
  });
  return () =>
    observer.observe(document, { subtree: true, childList: true, attributes: true });
})();

/** Tells the page's listeners that the new images are visible. */
const announce = async (images, revision, ends) => {
  const { swapped, failed } = await ends;
  await painted();
  document.dispatchEvent(
    new CustomEvent("sitegen:swapped", { detail: { images, revision, swapped, failed } }));
};

const swap = (images, revision) => {
  const batch = learn(Object.entries(images), revision);
  announce(images, revision, sweep(everything(), (element, name, value) =>
    swapped(element, name, value, batch)));
};
