/* Applies changes of files: style sheets, scripts, the page.
   From the other files: `isStale`, `isLeaving` (state); `reread` (source); `reload` (leave). */

const pathOf = (address) => {
  const url = new URL(address, document.baseURI);
  if (url.origin !== location.origin) return undefined;
  try {
    return decodeURIComponent(url.pathname.slice(1));
  } catch {
    return undefined;
  }
};

/** The version of each loaded script; some are no longer in the document. */
const scripts = new Map();
const version = async (path, cache) => {
  const url = `/${path.split("/").map(encodeURIComponent).join("/")}`;
  const response = await fetch(url, { cache });
  if (!response.ok) return `${response.status}`;
  const tag = response.headers.get("etag");
  if (!tag) return response.text();
  response.body?.cancel();
  return tag;
};
const noteScripts = (entries) => {
  for (const { initiatorType, name } of entries) {
    const path = initiatorType === "script" ? pathOf(name) : undefined;
    if (!path || path.startsWith("-/") || scripts.has(path)) continue;
    scripts.set(path, version(path, "force-cache").catch(() => undefined));
  }
};
const resources = new PerformanceObserver((list) => noteScripts(list.getEntries()));
resources.observe({ type: "resource", buffered: true });

/** Whether a script or a data file that ran has changed in the folder. */
const hasOldScript = async (paths) => {
  noteScripts(resources.takeRecords());
  if (paths) return [...scripts.keys()].some((path) => paths.has(path));
  const changes = await Promise.all(
    [...scripts].map(async ([path, known]) => (await known) !== (await version(path, "no-store"))));
  return changes.includes(true);
};

/** New sheets that have not loaded yet, by the sheets that they replace. */
const sheets = new Map();

const sheetPaths = (sheet) => {
  const paths = [];
  try {
    for (const rule of sheet?.cssRules ?? []) {
      if (rule.styleSheet) paths.push(pathOf(rule.styleSheet.href), ...sheetPaths(rule.styleSheet));
    }
  } catch {
    // The sheet is from another site.
  }
  return paths;
};

const restyle = (paths, revision) => {
  const coming = new Set(sheets.values());
  for (const link of document.querySelectorAll("link[rel~='stylesheet'][href]")) {
    const path = pathOf(link.href);
    if (path === undefined || coming.has(link)) continue;
    const isWanted = !paths || [path, ...sheetPaths(link.sheet)].some((path) => paths.has(path));
    if (isWanted) replaceSheet(link, revision);
  }
};

const replaceSheet = (link, revision) => {
  const url = new URL(link.href);
  url.searchParams.set("live", revision);
  if (link.disabled) {
    link.href = url;
    return;
  }
  // The newest sheet wins, in whatever order they load.
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
  if (await hasOldScript(paths)) {
    reload(revision);
    return;
  }
  restyle(paths, revision);
  if (!paths || isThisPage(paths)) await reread(revision, !paths);
};

/** The changes that wait to be followed; without paths anything may have changed. */
let waiting;
let isFollowing = false;
const change = async (paths, revision) => {
  const isAnything = !paths || (waiting && !waiting.paths);
  waiting = {
    paths: isAnything ? undefined : new Set([...(waiting?.paths ?? []), ...paths]), revision,
  };
  if (isFollowing) return;
  isFollowing = true;
  while (waiting && !isLeaving) {
    const { paths, revision } = waiting;
    waiting = undefined;
    try {
      await follow(paths, revision);
    } catch {
      // The server has gone; the page checks again when it is back.
      isStale = true;
    }
  }
  isFollowing = false;
};
