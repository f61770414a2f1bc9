/* Receives the server's messages, with one stream for all tabs.
   From the other files: `script`, `revision`, `isStale` (state); `swap` (swap); `change` (files);
   `memory` (leave); `board` (board). */

const hear = (message) => {
  const { type, revision: theirs } = message;
  // A page may be newer than the messages that other tabs pass on.
  const isKnown = theirs <= revision;
  const isMissed = type === "hello" && (theirs !== revision || isStale);
  revision = type === "hello" ? theirs : Math.max(revision, theirs);
  switch (type) {
    case "hello":
    case "flawed":
      board.show(message.problems, false, message.isBuilt);
      break;
    case "swapped":
      swap(message.images, theirs);
      break;
    case "changed":
      if (!isKnown) change(message.paths ?? undefined, theirs);
      break;
    case "failed":
      board.show(message.problems, true);
      break;
    case "mended":
      board.show([], true);
      break;
  }
  if (isMissed) {
    isStale = false;
    change(undefined, theirs);
  } else if (type === "hello") {
    memory.arrive();
  }
};

let lostTimer;
const lose = (isLost) => {
  if (!isLost) {
    clearTimeout(lostTimer);
    lostTimer = undefined;
    board.showLost(false);
  } else {
    // The next server may be another one, with its own revisions.
    isStale = true;
    lostTimer ??= setTimeout(() => board.showLost(true), 2000);
  }
};

// MARK: The stream

/* A browser opens six connections to a server, and a stream occupies one. So all tabs share a stream:
   the tab that holds the lock has it and tells the others. Locks do not exist if the server is on
   another machine; then only visible pages have a stream. */

const lockName = "sitegen-live";
const canShare = Boolean(navigator.locks && window.BroadcastChannel);
const shortestWait = 250;
const longestWait = 4000;
let isOpen = false;
let stream;
let retry;
let wait = shortestWait;

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
    const message = JSON.parse(data);
    news = {
      revision: message.revision,
      problems: message.problems ?? (message.type === "mended" ? [] : news?.problems ?? []),
      isBuilt: message.problems ? message.isBuilt : news?.isBuilt,
    };
    channel?.postMessage({ message });
    lose(false);
    hear(message);
  });
  // An EventSource gives up after some errors and waits long after others, so we reconnect.
  stream.addEventListener("error", () => {
    disconnect();
    news = undefined;
    channel?.postMessage({ isLost: true });
    lose(true);
    retry = setTimeout(connect, wait);
    wait = Math.min(2 * wait, longestWait);
  });
};

/** What the leading tab tells a new tab; undefined while the connection is lost. */
let news;
let channel;
let isLeading = false;
let letGo;
let isAnswered = false;

const lead = (options = {}) => {
  const giveUp = new AbortController();
  letGo = () => giveUp.abort();
  const leading = () =>
    new Promise((resolve) => {
      if (giveUp.signal.aborted) {
        resolve();
        return;
      }
      isLeading = true;
      letGo = () => resolve(giveUp.abort());
      connect();
    });
  // Stealing a lock does not wait, so it takes no signal.
  const { signal } = giveUp;
  navigator.locks.request(lockName, options.steal ? options : { signal }, leading).catch(() => {
    if (signal.aborted || !isLeading) return;
    // Another tab stole the lock because this one seemed asleep.
    isLeading = false;
    disconnect();
    if (isOpen) lead();
  });
};

/** Asks for news. Without an answer this tab takes over: a sleeping tab may hold the lock. */
const ask = () => {
  if (isLeading || !channel) return;
  isAnswered = false;
  channel.postMessage({ isQuestion: true });
  setTimeout(() => {
    if (isAnswered || isLeading || !isOpen) return;
    letGo();
    lead({ steal: true });
  }, 2000);
};

const listen = ({ data: { message, isLost, isQuestion, answer } }) => {
  isAnswered = true;
  if (isQuestion) {
    if (isLeading) channel.postMessage({ answer: { news } });
  } else if (message || isLost) {
    lose(Boolean(isLost));
    if (message) hear(message);
  } else if (answer) {
    lose(!answer.news);
    if (!answer.news) return;
    // If the leading tab is behind this page, its next messages will catch up.
    const isBehind = answer.news.revision < revision && !isStale;
    if (isBehind) board.show(answer.news.problems, false, answer.news.isBuilt);
    else hear({ type: "hello", ...answer.news });
  }
};
