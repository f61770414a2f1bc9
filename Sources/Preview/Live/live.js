/* Keeps an open page as its folder is. The server appends this script to the pages that it serves and
   writes it nowhere. Pictures change in place once the new ones are decoded, and style sheets once the
   new ones are applied; for anything else the page is loaded again, at most once for each revision. */

"use strict";

(() => {
  const script = document.currentScript;

  const sentences = {
    failed: "The site could not be made anew",
    kept: "This page is as it was made before.",
    problems: "What is wrong",
    severities: { error: "Error", warning: "Warning" },
    more: (count) => `And ${count.toLocaleString("en")} more`,
    close: "Close",
    lost: "Not connected: is sitegen serve running?",
  };

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

  // MARK: Addresses

  /** Images are named by their content, so such a text means one of them wherever it stands. */
  const addresses = /assets\/[0-9a-f]{2}\/[0-9a-f]{64}\.\w+/g;

  /** What became of old addresses, for elements that scripts make of data that came before. */
  const swaps = new Map();

  const rewritten = (text, swaps) => text.replace(addresses, (old) => swaps.get(old)?.to ?? old);

  /** All pairs hold at once: two people may have exchanged their pictures. */
  const learn = (pairs, revision) => {
    const batch = new Map(
      pairs.filter(([old, to]) => old !== to).map(([old, to]) => [old, { to, revision }]));
    for (const [old, swap] of swaps) {
      const next = batch.get(swap.to);
      if (next?.to === old) swaps.delete(old);
      else if (next) swaps.set(old, next);
    }
    for (const { to } of batch.values()) if (!batch.has(to)) swaps.delete(to);
    for (const [old, swap] of batch) swaps.set(old, swap);
    if (swaps.size) watch();
    return batch;
  };

  // MARK: Elements

  /** Of inline styles only the object model is allowed by the policy of pages. */
  const read = (element, name) =>
    name === "style" ? element.style.cssText : element.getAttribute(name);

  const write = (element, name, value) => {
    if (name === "style") {
      element.style.cssText = value;
    } else if (value === null) {
      element.removeAttribute(name);
    } else {
      element.setAttribute(name, value);
    }
    if (!written.has(element)) written.set(element, new Map());
    written.get(element).set(name, value);
  };

  /** What this script wrote: what stands there since is the newest that is known. */
  const written = new WeakMap();
  const isWritten = (element, name, value) => written.get(element)?.get(name) === value;

  /** Attributes that decide on a picture, or tell what it looks like until it has come. */
  const pictureNames = ["src", "srcset", "data-color", "data-thumbhash"];
  const isPicture = (element) => /^(picture|source|img)$/.test(element.localName);

  /** Where an element may have an address. */
  const names = (element) => {
    const names = new Set(sources.has(element) && isPicture(element) ? pictureNames : []);
    for (const { name, value } of element.attributes) {
      if (value.includes("assets/")) names.add(name);
    }
    return names;
  };

  /** What changes together: a picture with its sources, or one element. */
  const unitOf = (element) => (isPicture(element) && element.closest("picture")) || element;
  const imageOf = (unit) =>
    unit.localName === "picture" ? unit.querySelector("img") : unit.localName === "img" && unit;

  /** What units become as soon as their new pictures have come, or would if these had not failed. */
  const plans = new WeakMap();

  const planned = (element, name) => {
    const value = read(element, name);
    const change = plans.get(unitOf(element))?.changes
      .find((change) => change.element === element && change.name === name);
    return change?.from === value ? change.to : value;
  };

  /** Brings every address in a part of the page to what is wanted; tells how many units changed. */
  const sweep = async (elements, wanted) => {
    const units = new Map();
    for (const element of elements) {
      const unit = unitOf(element);
      if (plans.has(unit) && !units.has(unit)) units.set(unit, []);
      for (const name of names(element)) {
        const from = read(element, name);
        const to = wanted(element, name, planned(element, name));
        if (to === from) continue;
        if (!units.has(unit)) units.set(unit, []);
        units.get(unit).push({ element, name, from, to });
      }
    }
    const ends = await Promise.all([...units].map(([unit, changes]) => renew(unit, changes)));
    return {
      swapped: ends.filter((end) => end === true).length,
      failed: ends.filter((end) => end === false).length,
    };
  };

  /** True when all of a unit has changed, false when it stays since the new picture cannot be had. */
  const renew = (unit, changes) => {
    const known = plans.get(unit);
    if (!changes.length) {
      plans.delete(unit);
      return undefined;
    }
    const isSame = known?.changes.length === changes.length
      && known.changes.every((change, place) =>
        ["element", "name", "from", "to"].every((key) => change[key] === changes[place][key]));
    if (isSame && known.isLoading) return known.end;
    const plan = { changes, isLoading: true };
    plans.set(unit, plan);
    const image = imageOf(unit);
    const isSeen = image
      ? image.complete && image.naturalWidth > 0 && changes.some(({ name }) => /^src(set)?$/.test(name))
      : unit.localName === "image" || changes.some(({ name }) => /^(style|src|poster)$/.test(name));
    if (!isSeen) {
      // Nothing of the old is seen, so nothing is lost.
      carryOut(unit, plan);
      return true;
    }
    plan.end = (async () => {
      try {
        const rehearsed = await (image ? rehearse(unit, changes) : fetched(changes));
        if (plans.get(unit) !== plan) return undefined;
        const calm = image && paintAtOnce(image);
        const isDone = carryOut(unit, plan);
        if (image) await come(image).catch(() => {});
        painted().then(painted).then(calm);
        // What was rehearsed is kept until it is seen.
        return isDone && Boolean(rehearsed);
      } catch {
        plan.isLoading = false;
        return false;
      }
    })();
    return plan.end;
  };

  /** Unless a script has meanwhile had other ideas. */
  const carryOut = (unit, { changes }) => {
    plans.delete(unit);
    if (!changes.every(({ element, name, from }) => read(element, name) === from)) return undefined;
    for (const { element, name, to } of changes) write(element, name, to);
    return true;
  };

  /** Allows no frame without a picture, as `decoding="async"` would; until it is undone. */
  const paintAtOnce = (image) => {
    const decoding = image.getAttribute("decoding");
    if (decoding === "sync") return undefined;
    image.decoding = "sync";
    return () => {
      if (decoding === null) image.removeAttribute("decoding");
      else image.setAttribute("decoding", decoding);
    };
  };

  /** Until an image could be shown in the very next frame. */
  const come = (image) =>
    new Promise((resolve, reject) => {
      const listening = new AbortController();
      const end = (settle) => (value) => {
        listening.abort();
        settle(value);
      };
      image.decode().then(end(resolve), end(reject));
      // Where nothing is painted, nothing is decoded.
      const look = () => {
        if (document.hidden && image.complete && image.naturalWidth) end(resolve)();
      };
      image.addEventListener("load", look, listening);
      document.addEventListener("visibilitychange", look, listening);
      setTimeout(look);
    });

  /** A copy of a picture that chooses as the real one will, and has what it chose. */
  const rehearse = async (unit, changes) => {
    const copy = unit.cloneNode(true);
    const theirs = [copy, ...copy.querySelectorAll("*")];
    const ours = [unit, ...unit.querySelectorAll("*")];
    for (const { element, name, to } of changes) {
      const copied = theirs[ours.indexOf(element)];
      if (to === null) copied.removeAttribute(name);
      else if (name !== "style") copied.setAttribute(name, to);
    }
    const stand = imageOf(copy);
    for (const name of stand.getAttributeNames()) {
      if (name === "loading" || name.startsWith("on")) stand.removeAttribute(name);
    }
    await come(stand);
    return stand;
  };

  /** Images that are no `img` in the page. */
  const fetched = (changes) =>
    Promise.all(
      changes.flatMap(({ to }) => to?.match(/[^\s"'(),]*assets\/[0-9a-f]{2}\/[0-9a-f]{64}\.\w+/g) ?? [])
        .map(async (address) => {
          const image = new Image();
          image.src = new URL(address, document.baseURI);
          await come(image);
          return image;
        }));

  const everything = () => document.getElementsByTagName("*");

  /** What scripts add or change later is of data that came earlier. */
  const watch = (() => {
    const examine = (elements) =>
      sweep(elements, (element, name, value) => {
        const isKnown = value !== read(element, name) || isWritten(element, name, value);
        return value === null || isKnown ? value : rewritten(value, swaps);
      });
    const observer = new MutationObserver((records) => {
      if (!swaps.size) return;
      const elements = new Set();
      for (const { target, attributeName, addedNodes } of records) {
        if (attributeName && target.getAttribute(attributeName)?.includes("assets/")) {
          elements.add(target);
        }
        for (const node of addedNodes) {
          if (node.nodeType !== Node.ELEMENT_NODE || !node.isConnected) continue;
          elements.add(node);
          node.querySelectorAll("*").forEach((element) => elements.add(element));
        }
      }
      // A picture is seen as one.
      for (const element of [...elements]) {
        if (isPicture(element)) {
          const unit = unitOf(element);
          elements.add(unit);
          unit.querySelectorAll("*").forEach((element) => elements.add(element));
        }
      }
      if (elements.size) examine(elements);
    });
    return () =>
      observer.observe(document, { subtree: true, childList: true, attributes: true });
  })();

  /** For whoever waits until it is seen. */
  const announce = async (images, revision, ends) => {
    const { swapped, failed } = await ends;
    await painted();
    document.dispatchEvent(
      new CustomEvent("sitegen:swapped", { detail: { images, revision, swapped, failed } }));
  };

  const swap = (images, revision) => {
    const batch = learn(Object.entries(images), revision);
    announce(images, revision, sweep(everything(), (element, name, value) =>
      value === null ? value : rewritten(value, batch)));
  };

  // MARK: The page's source

  /** The page as it came, before any script of its own, without this one. */
  let source;
  /** What of it an element stands for. */
  const sources = new WeakMap();

  const tidied = (source) => {
    source.querySelectorAll("script[src$='/-/live.js'], noscript, sitegen-live")
      .forEach((element) => element.remove());
    const body = source.querySelector("body");
    const comments = document.createNodeIterator(source, NodeFilter.SHOW_COMMENT);
    for (let node = comments.nextNode(); node; node = comments.nextNode()) node.remove();
    source.normalize();
    // What follows the body goes to its end.
    if (body?.lastChild?.nodeType === Node.TEXT_NODE) {
      body.lastChild.data = body.lastChild.data.trimEnd();
      if (!body.lastChild.data) body.lastChild.remove();
    }
    return source;
  };

  const keepSource = () => {
    // Nothing is loaded or run in a document of its own.
    const copy = document.implementation.createHTMLDocument("").importNode(document.documentElement, true);
    const theirs = [copy, ...copy.getElementsByTagName("*")];
    [...everything()].forEach((element, place) => sources.set(element, theirs[place]));
    source = tidied(copy);
  };
  if (document.readyState === "loading") {
    // Scripts that are deferred have not run by then.
    document.addEventListener("readystatechange", keepSource, { once: true });
  } else {
    keepSource();
  }

  /** What became of the addresses of a text; nothing if more than they differs. */
  const paired = (old, fresh) => {
    if (old === null || fresh === null) return undefined;
    const [from, to] = [old, fresh].map((text) => text.match(addresses) ?? []);
    const [one, other] = [old, fresh].map((text) => text.replace(addresses, "\0"));
    return one === other ? from.map((address, place) => [address, to[place]]) : undefined;
  };

  /** Which element became which, and which address; nothing if more than pictures differs. */
  const compared = (old, fresh) => {
    const elements = new Map();
    const becomes = new Map();
    const current = new Set();
    const children = (node) => [...(node.localName === "template" ? node.content : node).childNodes];
    const rest = [[old, fresh]];
    while (rest.length) {
      const [one, other] = rest.pop();
      if (one.nodeType !== other.nodeType || one.nodeName !== other.nodeName) return undefined;
      if (one.nodeType !== Node.ELEMENT_NODE) {
        if (one.nodeValue !== other.nodeValue) return undefined;
        continue;
      }
      elements.set(one, other);
      for (const name of new Set([...one.getAttributeNames(), ...other.getAttributeNames()])) {
        const [from, to] = [one.getAttribute(name), other.getAttribute(name)];
        for (const address of to?.match(addresses) ?? []) current.add(address);
        if (from === to) continue;
        const pairs = paired(from, to);
        const isFree = isPicture(one) ? pictureNames.includes(name)
          : one.localName === "link" && name === "href" && one.relList.contains("icon");
        if (!pairs && !isFree) return undefined;
        for (const [from, to] of pairs ?? []) {
          becomes.set(from, becomes.has(from) && becomes.get(from) !== to ? undefined : to);
        }
      }
      const [ones, others] = [children(one), children(other)];
      if (ones.length !== others.length) return undefined;
      ones.forEach((child, place) => rest.push([child, others[place]]));
    }
    // Two people may have had the same picture: what became of one's says nothing of the other's.
    const pairs = [...becomes].filter(([old, to]) => to && !current.has(old));
    return { elements, pairs };
  };

  /** Looks at what the page's address says now. */
  const reread = async (revision) => {
    const response = await fetch(location.pathname + location.search, { cache: "no-store" });
    if (response.status === 404 || response.status === 410) return reload(revision);
    if (!response.ok) throw new Error(response.statusText);
    const fresh = tidied(
      new DOMParser().parseFromString(await response.text(), "text/html").documentElement);
    const change = source && compared(source, fresh);
    if (!change) return reload(revision);
    source = fresh;
    // What was swapped before is in the source by now.
    for (const [old, swap] of swaps) if (swap.revision < revision) swaps.delete(old);
    const batch = new Map(change.pairs.map(([old, to]) => [old, { to }]));
    const mine = new Map();
    const ends = sweep(everything(), (element, name, value) => {
      const old = sources.get(element);
      const said = change.elements.get(old);
      const standing = read(element, name);
      const isSaid = said && name !== "style"
        && (standing === old.getAttribute(name) || isWritten(element, name, standing));
      if (!isSaid) return value === null ? value : rewritten(value, batch);
      if (!mine.has(element)) mine.set(element, new Map());
      mine.get(element).set(name, standing);
      const text = said.getAttribute(name);
      return text === null ? text : rewritten(text, swaps);
    });
    for (const element of everything()) {
      const said = change.elements.get(sources.get(element));
      if (said) sources.set(element, said);
    }
    // Until the new picture has come, what stands there is still what the source said.
    for (const [element, values] of mine) {
      for (const [name, value] of values) {
        if (read(element, name) !== value) continue;
        if (!written.has(element)) written.set(element, new Map());
        written.get(element).set(name, value);
      }
    }
    const images = Object.fromEntries(change.pairs);
    if (change.pairs.length) announce(images, revision, ends);
    return undefined;
  };

  // MARK: Changed files

  const pathOf = (address) => {
    const url = new URL(address, document.baseURI);
    if (url.origin !== location.origin) return undefined;
    try {
      return decodeURIComponent(url.pathname.slice(1));
    } catch {
      return undefined;
    }
  };

  /** Scripts that were loaded, and which version of them; some are no longer in the document. */
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

  /** Whether a script that ran, or data that it was given, is not what the folder has now. */
  const hasOldScript = async (paths) => {
    noteScripts(resources.takeRecords());
    if (paths) return [...scripts.keys()].some((path) => paths.has(path));
    const changes = await Promise.all(
      [...scripts].map(async ([path, known]) => (await known) !== (await version(path, "no-store"))));
    return changes.includes(true);
  };

  /** New sheets that are not applied yet, by those whose place they take. */
  const sheets = new Map();

  const sheetPaths = (sheet) => {
    const paths = [];
    try {
      for (const rule of sheet?.cssRules ?? []) {
        if (rule.styleSheet) paths.push(pathOf(rule.styleSheet.href), ...sheetPaths(rule.styleSheet));
      }
    } catch {
      // Another site's.
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
    // The last one wins, however they come.
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

  /** Paths that may be this page's. */
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
    if (!paths || isThisPage(paths)) await reread(revision);
  };

  /** What has changed since it was last looked at; without paths it may be anything. */
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
        // The server is gone in the midst of it; when it is back, the page looks again.
        isStale = true;
      }
    }
    isFollowing = false;
  };

  // MARK: Loading the page again

  /** What a page tells itself across being loaded again. */
  const memory = {
    key: `sitegen-live ${location.pathname}`,
    get value() {
      try {
        return JSON.parse(sessionStorage.getItem(this.key));
      } catch {
        return undefined;
      }
    },
    /** Whether it will be remembered. */
    keep(value) {
      try {
        sessionStorage.setItem(this.key, JSON.stringify(value));
        return true;
      } catch {
        return false;
      }
    },
    /** It is known that the page is of now: loading it has helped. */
    arrive() {
      if (this.value?.reason) this.keep({ ...this.value, reason: undefined });
    },
  };

  /** What is typed is in the page's address a moment later: a timer, since other timers that are due
      earlier run before it, however busy the page is. */
  let typing;
  addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => (typing = undefined), 400);
  }, true);

  const reload = (revision) => {
    // The same page and the same news as before it was loaded: once more would not help.
    const reason = `${script.dataset.revision} ${revision}`;
    if (isLeaving || memory.value?.reason === reason) return;
    const { scrollRestoration } = history;
    const focus = document.activeElement?.id;
    const leave = () => {
      if (typing !== undefined && performance.now() < latest) {
        setTimeout(leave, 50);
        return;
      }
      const place = { x: scrollX, y: scrollY };
      // Without a memory it could be a loop.
      isLeaving = memory.keep({ reason, isComing: true, scrollRestoration, focus, ...place });
      if (!isLeaving) return;
      history.scrollRestoration = "manual";
      location.reload();
    };
    isLeaving = true;
    const latest = performance.now() + 3000;
    leave();
  };

  /** To where somebody was, as soon as the page is long enough, unless he goes elsewhere himself. */
  const comeBack = () => {
    const { value } = memory;
    if (!value?.isComing) return;
    memory.keep({ reason: value.reason });
    const listening = new AbortController();
    const end = () => {
      listening.abort();
      history.scrollRestoration = value.scrollRestoration;
    };
    for (const name of ["wheel", "touchstart", "pointerdown", "keydown"]) {
      addEventListener(name, end, { capture: true, passive: true, signal: listening.signal });
    }
    let since;
    const step = (time = 0) => {
      if (listening.signal.aborted) return;
      const isThere = Math.abs(scrollX - value.x) <= 1 && Math.abs(scrollY - value.y) <= 1;
      if (!isThere) scrollTo({ left: value.x, top: value.y, behavior: "instant" });
      if (document.readyState === "complete") since ??= time;
      // Other scripts may still scroll, or make the page longer.
      const patience = isThere ? 500 : 3000;
      if (time - since > patience) end();
      else requestAnimationFrame(step);
    };
    step();
    const focus = () => {
      if (value.focus && document.activeElement === document.body) {
        document.getElementById(value.focus)?.focus({ preventScroll: true });
      }
    };
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", focus, { once: true });
    else focus();
  };

  // MARK: What is shown

  const style = `
    :host {
      all: initial !important;
      position: fixed !important;
      inset: 0 !important;
      z-index: 2147483647 !important;
      display: flex !important;
      flex-direction: column !important;
      justify-content: flex-end !important;
      align-items: center !important;
      gap: 8px !important;
      padding: 8px !important;
      box-sizing: border-box !important;
      pointer-events: none !important;
      color-scheme: light dark !important;
      font: 15px/1.45 system-ui, sans-serif !important;
      --page: #fff;
      --text: #18181d;
      --quiet: #5c5c68;
      --line: #8a8a97;
      --bad: #b3261e;
      --sunk: #f1f1f5;
    }
    @media (prefers-color-scheme: dark) {
      :host {
        --page: #1a1a1f;
        --text: #f2f2f6;
        --quiet: #b4b4c0;
        --line: #7d7d8a;
        --bad: #ff8a80;
        --sunk: #2d2d36;
      }
    }
    [hidden] { display: none !important; }
    .panel, .badge {
      box-sizing: border-box;
      max-inline-size: 100%;
      pointer-events: auto;
      color: var(--text);
      background: var(--page);
      border: 1px solid var(--line);
      border-radius: 10px;
      box-shadow: 0 8px 32px #0005;
      overflow-wrap: anywhere;
    }
    .panel {
      display: flex;
      flex-direction: column;
      inline-size: 52rem;
      max-block-size: min(70%, 40rem);
      border-block-start: 4px solid var(--bad);
    }
    .head { display: flex; align-items: start; gap: 12px; padding: 12px 16px; }
    .head > div { flex: 1; min-inline-size: 0; }
    p, ol, ul { margin: 0; padding: 0; list-style: none; }
    .title { font-weight: 650; font-size: 1.0625rem; color: var(--bad); }
    .quiet, .badge { font-size: 0.875rem; color: var(--quiet); }
    .list { overflow: auto; padding: 0 16px 14px; border-radius: 0 0 10px 10px; }
    .list > ol > li + li {
      margin-block-start: 14px;
      padding-block-start: 14px;
      border-block-start: 1px solid var(--line);
    }
    .severity { color: var(--bad); }
    .place { font: 0.8125rem/1.6 ui-monospace, monospace; }
    .details { margin-block-start: 4px; color: var(--quiet); white-space: pre-wrap; }
    button {
      flex: none;
      min-block-size: 32px;
      padding: 4px 12px;
      font: inherit;
      color: inherit;
      background: var(--sunk);
      border: 1px solid var(--line);
      border-radius: 6px;
      cursor: pointer;
    }
    button:focus-visible, .list:focus-visible { outline: 2px solid var(--text); outline-offset: -2px; }
    .badge { align-self: flex-start; padding: 4px 12px; }
    .said {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }`;

  const make = (name, properties, ...content) => {
    const element = document.createElement(name);
    for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
    element.append(...content);
    return element;
  };

  const board = (() => {
    /** A page has no use for more. */
    const most = 50;
    let host;
    let parts;
    let opener;
    /** Problems that somebody does not want to see any more, as text. */
    let closed;

    const build = () => {
      host = make("sitegen-live", { popover: "manual" });
      const shadow = host.attachShadow({ mode: "open" });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(style);
      shadow.adoptedStyleSheets = [sheet];
      const close = make("button", { type: "button" }, sentences.close);
      const list = make("ol", {});
      const panel = make("section",
        { class: "panel", role: "alertdialog", "aria-labelledby": "title", "aria-describedby": "kept" },
        make("div", { class: "head" },
          make("div", {},
            make("p", { class: "title", id: "title" }, sentences.failed),
            make("p", { class: "quiet", id: "kept" }, sentences.kept)),
          close),
        make("div",
          { class: "list", role: "group", tabindex: "0", "aria-label": sentences.problems }, list));
      const badge = make("p", { class: "badge", role: "status" }, sentences.lost);
      const said = make("p", { class: "said", role: "alert" });
      panel.hidden = badge.hidden = true;
      shadow.append(badge, panel, said);
      close.addEventListener("click", dismiss);
      shadow.addEventListener("focusin", ({ relatedTarget }) => {
        if (relatedTarget && !shadow.contains(relatedTarget)) opener = relatedTarget;
      });
      parts = { panel, list, badge, said };
    };

    /** Above everything; in the dialog that is open, since nothing outside of it can be used. */
    const place = () => {
      const isShown = parts && !(parts.panel.hidden && parts.badge.hidden);
      if (!isShown) {
        host?.remove();
        return;
      }
      const parent = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.documentElement;
      if (host.parentNode !== parent) parent.append(host);
      if (host.showPopover && !host.matches(":popover-open")) host.showPopover();
    };
    // These do not bubble.
    for (const name of ["toggle", "close"]) {
      document.addEventListener(name, ({ target }) => {
        if (target.localName === "dialog") place();
      }, true);
    }

    const item = ({ severity, message, place, details }) => {
      const word = sentences.severities[severity];
      const line = make("p", { dir: "auto" });
      if (word) line.append(make("b", { class: "severity" }, `${word}: `));
      line.append(message);
      const item = make("li", {}, line);
      if (place) item.append(make("p", { class: "place", dir: "ltr" }, place));
      if (details?.length) {
        item.append(
          make("ul", { class: "details" }, ...details.map((line) => make("li", { dir: "auto" }, line))));
      }
      return item;
    };

    const hide = () => {
      if (!parts || parts.panel.hidden) return;
      const hadFocus = host.shadowRoot.activeElement;
      parts.panel.hidden = true;
      parts.said.textContent = "";
      place();
      if (hadFocus) opener?.focus({ preventScroll: true });
    };

    let shown;
    const dismiss = () => {
      closed = shown;
      hide();
    };
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !parts || parts.panel.hidden) return;
      // What lies beneath is not meant.
      event.preventDefault();
      event.stopImmediatePropagation();
      dismiss();
    }, true);

    return {
      /** `isNews`: it failed just now, so it is shown even if the same was closed before. */
      show: (problems, isNews) => {
        if (!problems.length) {
          closed = undefined;
          hide();
          return;
        }
        shown = JSON.stringify(problems);
        if (!isNews && shown === closed) return;
        closed = undefined;
        if (!host) build();
        const items = problems.slice(0, most).map(item);
        if (problems.length > most) items.push(make("li", {}, sentences.more(problems.length - most)));
        parts.list.replaceChildren(...items);
        parts.panel.hidden = false;
        place();
        parts.said.textContent = `${sentences.failed}: ${problems[0].message}`;
      },
      showLost: (isLost) => {
        if (isLost && !host) build();
        if (!parts || parts.badge.hidden === !isLost) return;
        parts.badge.hidden = !isLost;
        place();
      },
    };
  })();

  // MARK: What is heard

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

  const name = "sitegen-live";
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
    navigator.locks.request(name, options.steal ? options : { signal }, leading).catch(() => {
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

  const start = () => {
    if (isOpen) return;
    isOpen = true;
    if (canShare) {
      channel = new BroadcastChannel(name);
      channel.addEventListener("message", listen);
      lead();
      ask();
    } else if (!document.hidden) {
      connect();
    }
  };

  const stop = () => {
    isOpen = false;
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
      disconnect();
    } else if (!stream) {
      connect();
    }
  });

  comeBack();
  start();
})();
