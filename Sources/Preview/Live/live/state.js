/* What every part of the script knows. It uses nothing of the others. */

const script = document.currentScript;

/** Whatever was sent up to this one is in the page, or is being brought into it. */
let revision = Number(script.dataset.revision);
/** Something is not known to be of now, so the page looks at all of it when the server says hello:
    whoever goes back gets sheets and scripts as the browser kept them, without its asking. */
let isStale = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
/** The page is about to be loaded again. */
let isLeaving = false;

const painted = () =>
  new Promise((resolve) => {
    // In a tab that is not seen there are no frames.
    if (document.hidden) resolve();
    else requestAnimationFrame(() => setTimeout(resolve));
  });
