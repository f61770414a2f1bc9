/* Receives the server's messages; the last of the files.
   From the other files: `script`, `revision`, `reload` (state); `change` (files); `board` (board). */

const hear = ({ revision: theirs, paths, problems, isBuilt }) => {
  // The first message of a stream has no paths: nothing may be missed before it.
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
  // An EventSource gives up after some errors and waits long after others, so we reconnect.
  stream.addEventListener("error", () => {
    disconnect();
    lostTimer ??= setTimeout(() => board.showLost(true), 2000);
    retry = setTimeout(connect, wait);
    wait = Math.min(2 * wait, longestWait);
  });
};

/* A browser opens six connections to a server, and a stream occupies one. So only pages that can be
   seen have a stream; the others catch up when they are shown. */
const followVisibility = () => (document.hidden ? disconnect() : connect());
document.addEventListener("visibilitychange", followVisibility);
addEventListener("pageshow", followVisibility);
addEventListener("pagehide", disconnect);
