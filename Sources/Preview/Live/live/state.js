/* State that all files of the script share. It uses none of the others. */

const script = document.currentScript;

/** The page has, or is applying, all changes up to this revision. */
let revision = Number(script.dataset.revision);
/** The page may be out of date, so it checks everything when the server greets it. After going back,
    for example, the browser uses cached sheets and scripts without asking the server. */
let isStale = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
/** The page is about to be reloaded. */
let isLeaving = false;

const painted = () =>
  new Promise((resolve) => {
    // A hidden tab has no frames.
    if (document.hidden) resolve();
    else requestAnimationFrame(() => setTimeout(resolve));
  });
