/* Maps old addresses of pictures to new ones.
   From the other files: `watch` (swap). */

/** Images are named by their content, so a match is an image in any text. */
const addresses = /assets\/[0-9a-f]{2}\/[0-9a-f]{64}\.\w+/g;

/** The new address of each old one, for elements that scripts make later from older data. */
const swaps = new Map();

/** No script uses older addresses than these. */
const mostSwaps = 2000;

const rewritten = (text, swaps) => text.replace(addresses, (old) => swaps.get(old)?.to ?? old);

/** Applies all pairs at once, because two people may have exchanged their pictures. */
const learn = (pairs, revision) => {
  const batch = new Map(
    pairs.filter(([old, to]) => old !== to).map(([old, to]) => [old, { to, revision }]));
  for (const [old, swap] of swaps) {
    const next = batch.get(swap.to);
    if (next?.to === old) swaps.delete(old);
    else if (next) swaps.set(old, next);
  }
  for (const { to } of batch.values()) if (!batch.has(to)) swaps.delete(to);
  // The newest go to the end.
  for (const [old, swap] of batch) {
    swaps.delete(old);
    swaps.set(old, swap);
  }
  for (const old of swaps.keys()) {
    if (swaps.size <= Math.max(mostSwaps, batch.size)) break;
    swaps.delete(old);
  }
  if (swaps.size) watch();
  return batch;
};
