/* State shared by all files in the script, and the function that reloads the page. */

const script = document.currentScript;

/** All changes up to this revision are applied or being applied. */
let revision = Number(script.dataset.revision);
/** The page is about to be reloaded. */
let isLeaving = false;

/** Reloads the page, but only once for each reason: a second reload would not help either. */
const reload = (to) => {
  const key = `sitegen-live ${location.pathname}`;
  const reason = `${script.dataset.revision} ${to}`;
  try {
    if (sessionStorage.getItem(key) === reason) return;
    sessionStorage.setItem(key, reason);
  } catch {
    // Without storage, the page could reload forever.
    return;
  }
  isLeaving = true;
  location.reload();
};
