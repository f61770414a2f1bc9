/* Applies changes to style sheets, scripts and the page. Uses `isLeaving` and `reload` from state.js,
   and `reread` from pictures.js. */

const pathOf = (address) => {
  const url = new URL(address, document.baseURI);
  if (url.origin !== location.origin) return undefined;
  try {
    return decodeURIComponent(url.pathname.slice(1));
  } catch {
    return undefined;
  }
};

/** The paths of all scripts loaded so far; some may no longer be in the document. */
const scripts = new Set();
const noteScripts = (entries) => {
  for (const { initiatorType, name } of entries) {
    if (initiatorType === "script") scripts.add(pathOf(name));
  }
};
const resources = new PerformanceObserver((list) => noteScripts(list.getEntries()));
resources.observe({ type: "resource", buffered: true });

/** Maps each replaced sheet to its new version until the new one has loaded. */
const sheets = new Map();

const sheetPaths = (sheet) => {
  const paths = [];
  try {
    for (const rule of sheet?.cssRules ?? []) {
      if (rule.styleSheet) paths.push(pathOf(rule.styleSheet.href), ...sheetPaths(rule.styleSheet));
    }
  } catch {
    // The rules in style sheets from other sites cannot be read.
  }
  return paths;
};

const restyle = (paths, revision) => {
  const coming = new Set(sheets.values());
  for (const link of document.querySelectorAll("link[rel~='stylesheet'][href]")) {
    const path = pathOf(link.href);
    if (path === undefined || coming.has(link)) continue;
    if ([path, ...sheetPaths(link.sheet)].some((path) => paths.has(path))) {
      replaceSheet(link, revision);
    }
  }
};

const replaceSheet = (link, revision) => {
  const url = new URL(link.href);
  url.searchParams.set("live", revision);
  if (link.disabled) {
    link.href = url;
    return;
  }
  // The newest sheet wins, regardless of the order in which the sheets load.
  sheets.get(link)?.remove();
  const next = link.cloneNode();
  next.href = url;
  sheets.set(link, next);
  const end = (loser) => () => {
    if (sheets.get(link) !== next) return;
    sheets.delete(link);
    loser.remove();
  };
  next.addEventListener("load", end(link));
  next.addEventListener("error", end(next));
  link.after(next);
};

/** Whether one of the paths may be this page. */
const isThisPage = (paths) => {
  const path = pathOf(location.href);
  const folder = path === "" || path.endsWith("/") ? path : `${path}/`;
  return [path, `${folder}index.html`].some((path) => paths.has(path));
};

const follow = async (paths, revision) => {
  noteScripts(resources.takeRecords());
  if ([...scripts].some((path) => paths.has(path))) {
    // A script or data file has changed since it ran.
    reload(revision);
    return;
  }
  restyle(paths, revision);
  if (isThisPage(paths)) await reread(revision);
};

/** The changes that have not been applied yet. */
let waiting;
let isFollowing = false;
const change = async (paths, revision) => {
  waiting = { paths: new Set([...(waiting?.paths ?? []), ...paths]), revision };
  if (isFollowing) return;
  isFollowing = true;
  while (waiting && !isLeaving) {
    const { paths, revision } = waiting;
    waiting = undefined;
    // The server may have stopped; when it is back, the page is reloaded.
    await follow(paths, revision).catch(() => {});
  }
  isFollowing = false;
};
