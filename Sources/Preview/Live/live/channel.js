/* Hears what the server says, with one stream for all tabs.
   Uses of the others: `script`, `revision`, `isStale` (state); `swap` (swap); `change` (files);
   `memory` (leave); `board` (board). */

const hear = (message) => {
  const { type, revision: theirs } = message;
  // A page may have come after what others still have to tell.
  const isKnown = theirs <= revision;
  const isMissed = type === "hello" && (theirs !== revision || isStale);
  revision = type === "hello" ? theirs : Math.max(revision, theirs);
  switch (type) {
    case "hello":
      board.show(message.problems, false);
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
    // It may be another server that comes back, and it counts anew.
    isStale = true;
    lostTimer ??= setTimeout(() => board.showLost(true), 2000);
  }
};

// MARK: The stream

/* A browser opens six connections to a server, and a stream keeps one for itself. So all tabs share
   one: whoever holds the lock has it and tells the others. Where there are no locks, which is where
   the server is not on this machine, only pages that are seen have one. */

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
    };
    channel?.postMessage({ message });
    lose(false);
    hear(message);
  });
  // After some errors a stream gives up, after others it waits for long.
  stream.addEventListener("error", () => {
    disconnect();
    news = undefined;
    channel?.postMessage({ isLost: true });
    lose(true);
    retry = setTimeout(connect, wait);
    wait = Math.min(2 * wait, longestWait);
  });
};

/** What a tab that comes is told by the one that has the stream; nothing while that is lost. */
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
  // A lock that is taken from somebody is not waited for.
  const { signal } = giveUp;
  navigator.locks.request(lockName, options.steal ? options : { signal }, leading).catch(() => {
    if (signal.aborted || !isLeading) return;
    // Another tab believed this one to be asleep.
    isLeading = false;
    disconnect();
    if (isOpen) lead();
  });
};

/** What is new; who is not answered takes over, since a tab may sleep with the lock in its hand. */
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
    // Of what this page knows already it is told soon.
    const isBehind = answer.news.revision < revision && !isStale;
    if (isBehind) board.show(answer.news.problems, false);
    else hear({ type: "hello", ...answer.news });
  }
};
