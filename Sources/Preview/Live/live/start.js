/* Starts when the page is shown, and stops while it sleeps; the last of the files.
   From the other files: `isStale` (state), `comeBack` (leave), the stream and the tabs (channel). */

const start = () => {
  if (isOpen) return;
  isOpen = true;
  if (canShare) {
    channel = new BroadcastChannel(lockName);
    channel.addEventListener("message", listen);
    lead();
    ask();
  } else if (!document.hidden) {
    connect();
  }
};

const stop = () => {
  isOpen = false;
  // Messages may be missed, and another server may have reached the same revision.
  isStale = true;
  letGo?.();
  isLeading = false;
  disconnect();
  channel?.close();
  channel = undefined;
};

addEventListener("pagehide", stop);
addEventListener("pageshow", start);
document.addEventListener("freeze", stop);
document.addEventListener("resume", start);
document.addEventListener("visibilitychange", () => {
  if (!isOpen) return;
  if (canShare) {
    if (!document.hidden) ask();
  } else if (document.hidden) {
    isStale = true;
    disconnect();
  } else if (!stream) {
    connect();
  }
});

comeBack();
start();
