/* State that all files of the script share, and the reload. It uses none of the others. */

const script = document.currentScript;

/** The page has, or is applying, all changes up to this revision. */
let revision = Number(script.dataset.revision);
/** The page is about to be reloaded. */
let isLeaving = false;

/** Reloads the page, once for each reason: if the first reload has not helped, another will not. */
const reload = (to) => {
  const key = `sitegen-live ${location.pathname}`;
  const reason = `${script.dataset.revision} ${to}`;
  try {
    if (sessionStorage.getItem(key) === reason) return;
    sessionStorage.setItem(key, reason);
  } catch {
    // Without storage the page could reload forever.
    return;
  }
  isLeaving = true;
  location.reload();
};
