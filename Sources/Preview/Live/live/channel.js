/* Receives the server's messages. This file comes last. It uses `script`, `revision` and `reload`
   from state.js, `change` from files.js, and `board` from board.js. */

const hear = ({ revision: theirs, paths, problems, isBuilt }) => {
  // The first message in a stream lacks paths; it only shows whether the page is outdated.
  const isUpdate = paths !== undefined;
  board.show(problems, isUpdate && !isBuilt, isBuilt);
  if (paths) change(paths, theirs);
  else if (theirs !== revision) reload(theirs);
  revision = theirs;
};

const shortestWait = 250;
const longestWait = 4000;
let stream;
let retry;
let wait = shortestWait;
let lostTimer;

const disconnect = () => {
  stream?.close();
  stream = undefined;
  clearTimeout(retry);
};

const connect = () => {
  disconnect();
  stream = new EventSource(new URL("events", script.src));
  stream.addEventListener("message", ({ data }) => {
    wait = shortestWait;
    clearTimeout(lostTimer);
    lostTimer = undefined;
    board.showLost(false);
    hear(JSON.parse(data));
  });
  // An EventSource gives up after some errors and waits too long after others, so reconnect here.
  stream.addEventListener("error", () => {
    disconnect();
    lostTimer ??= setTimeout(() => board.showLost(true), 2000);
    retry = setTimeout(connect, wait);
    wait = Math.min(2 * wait, longestWait);
  });
};

/* Browsers open at most six connections to a server, and each stream occupies one. So only visible
   pages keep a stream; the others catch up when they are shown. */
const followVisibility = () => (document.hidden ? disconnect() : connect());
document.addEventListener("visibilitychange", followVisibility);
addEventListener("pageshow", followVisibility);
addEventListener("pagehide", disconnect);
