/* Resolves to the number of pictures in view, after all of them are loaded and decoded, their
   placeholders are gone, and nothing moves; rejects if a picture cannot be loaded or takes too long. */
(async () => {
  const end = performance.now() + 20_000;
  const frame = () => new Promise(requestAnimationFrame);
  const isInView = (image) => {
    const { left, top, right, bottom } = image.getBoundingClientRect();
    return left < right && top < bottom
      && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  };
  // templates/gallery.js paints the placeholder behind pictures with these classes.
  const isCovered = (image) => image.matches(".waits, .comes");
  const name = (image) => image.currentSrc || image.src;
  for (;;) {
    await frame();
    const images = [...document.images].filter(isInView);
    const failed = images.filter((image) => image.complete && image.naturalWidth === 0);
    if (failed.length > 0) throw new Error(`cannot load ${failed.map(name)}`);
    const late = images.filter((image) => !image.complete || isCovered(image));
    const isStill = document.getAnimations().every(({ playState }) => playState !== "running");
    if (late.length === 0 && document.readyState === "complete" && isStill) {
      await Promise.all(images.map((image) => image.decode()));
      await frame();
      await frame();
      return images.length;
    }
    if (performance.now() > end) throw new Error(`still not shown: ${late.map(name)}`);
  }
})()
