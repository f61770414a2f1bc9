/* What became of the addresses of pictures.
   Uses of the others: `watch` (elements). */

/** Images are named by their content, so such a text means one of them wherever it stands. */
const addresses = /assets\/[0-9a-f]{2}\/[0-9a-f]{64}\.\w+/g;

/** What became of old addresses, for elements that scripts make of data that came before. */
const swaps = new Map();

/** Of older ones nobody makes anything any more. */
const mostSwaps = 2000;

const rewritten = (text, swaps) => text.replace(addresses, (old) => swaps.get(old)?.to ?? old);

/** All pairs hold at once: two people may have exchanged their pictures. */
const learn = (pairs, revision) => {
  const batch = new Map(
    pairs.filter(([old, to]) => old !== to).map(([old, to]) => [old, { to, revision }]));
  for (const [old, swap] of swaps) {
    const next = batch.get(swap.to);
    if (next?.to === old) swaps.delete(old);
    else if (next) swaps.set(old, next);
  }
  for (const { to } of batch.values()) if (!batch.has(to)) swaps.delete(to);
  // The newest come last.
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
