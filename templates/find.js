/* Searches for people as the user types, filters them by tag and status, and sorts them. The index is
   not loaded until the pointer or focus reaches the form. It then loads in parts, and each part's results
   are shown immediately. The search is part of the address, so it can be shared and survives going back. */

"use strict";

/** Folds text for comparison, in the same way as `Folding.swift` folds the index. */
const folding = (() => {
  const plain = {
    ø: "o", đ: "d", ł: "l", ħ: "h", ŧ: "t", ı: "i", ß: "ss", æ: "ae", œ: "oe", þ: "th", ð: "d", ς: "σ",
  };
  const isMark = /\p{M}/u;

  const foldedCharacter = (character) => {
    let folded = "";
    for (const part of character.normalize("NFKD")) {
      if (isMark.test(part)) continue;
      const lower = part.toLowerCase();
      folded += plain[lower] ?? lower;
    }
    return folded;
  };

  return {
    folded: (text) => Array.from(text, foldedCharacter).join(""),

    /** Splits a text into pieces; every second piece matches one or more of the words. */
    pieces: (text, words) => {
      let folded = "";
      const starts = [];
      const ends = [];
      let place = 0;
      for (const character of text) {
        const start = place;
        place += character.length;
        const unit = foldedCharacter(character);
        for (let n = 0; n < unit.length; n++) {
          starts.push(start);
          ends.push(place);
        }
        // A combining mark belongs to its base character.
        if (!unit) {
          const last = starts.at(-1);
          for (let n = starts.length - 1; n >= 0 && starts[n] === last; n--) ends[n] = place;
        }
        folded += unit;
      }
      const ranges = [];
      for (const word of words) {
        for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1)) {
          ranges.push([starts[at], ends[at + word.length - 1]]);
        }
      }
      ranges.sort(([a], [b]) => a - b);
      const pieces = [];
      let end = 0;
      for (const [from, to] of ranges) {
        if (from < end || (from === end && pieces.length)) {
          if (to > end) {
            pieces[pieces.length - 1] += text.slice(end, to);
            end = to;
          }
        } else {
          pieces.push(text.slice(end, from), text.slice(from, to));
          end = to;
        }
      }
      return [...pieces, text.slice(end)];
    },
  };
})();

/** The search index: loads its parts, and finds the matching people in each part. */
const index = (() => {
  const blockSize = 1024;
  const asked = [];

  /** Keeps each part as a few long strings, because 100,000 people would become a million objects. */
  const part = (text) => {
    const lines = text.split("\n");
    const starts = new Uint32Array(lines.length + 1);
    const folded = [];
    const statuses = [];
    lines.forEach((line, number) => {
      const title = line.indexOf("\t");
      const tags = line.indexOf("\t", title + 1);
      const status = line.indexOf("\t", tags + 1);
      statuses.push(line[status + 1]);
      const own = line.length > status + 2;
      folded.push(own ? line.slice(status + 3) : line.slice(0, status).toLowerCase());
      starts[number + 1] = starts[number] + folded[number].length + 1;
    });
    return { lines, starts, folded: folded.join("\n"), statuses: statuses.join(""), blocks: [] };
  };

  const tagsOf = (line) => {
    const tags = line.split("\t", 3)[2];
    return tags ? tags.split("\f") : [];
  };

  const ask = (number) => {
    asked[number] ??= window.sitegen.part(number + 1).then(part);
    asked[number].catch(() => delete asked[number]);
    return asked[number];
  };

  return {
    tagsOf,

    /** Loads the first part, together with the header but without the next parts. */
    first: () => ask(0),

    /** Loads one part, counted from 0, and begins to load the next ones. */
    part: (number, count) => {
      for (let next = number; next < Math.min(number + 4, count); next++) ask(next);
      return ask(number);
    },

    /** The numbers of the matching lines in a part, in order. */
    lines: ({ lines, starts, folded, statuses }, { words, tag, status }) => {
      const [first, ...others] = words;
      const isAsked = (number) => {
        if (status && statuses[number] !== status) return false;
        if (others.length) {
          const line = folded.slice(starts[number], starts[number + 1]);
          if (!others.every((word) => line.includes(word))) return false;
        }
        return !tag || (lines[number].includes(tag) && tagsOf(lines[number]).includes(tag));
      };
      const found = [];
      if (!first) {
        for (let number = 0; number < lines.length; number++) {
          if (isAsked(number)) found.push(number);
        }
        return found;
      }
      // Jump from match to match, and skip the lines in between.
      let number = 0;
      let at = folded.indexOf(first);
      while (at >= 0) {
        while (starts[number + 1] <= at) number++;
        if (isAsked(number)) found.push(number);
        at = folded.indexOf(first, starts[number + 1]);
      }
      return found;
    },

    /** Sorts a part by name in blocks, with pauses; each block is sorted only once. */
    sort: async (part, collator, pause) => {
      const name = (number) => part.lines[number].slice(0, part.lines[number].indexOf("\t"));
      for (let from = part.blocks.length * blockSize; from < part.lines.length; from += blockSize) {
        const length = Math.min(blockSize, part.lines.length - from);
        const names = Array.from({ length }, (_, place) => name(from + place));
        part.blocks[from / blockSize] = Uint16Array.from(names.keys())
          .sort((a, b) => collator.compare(names[a], names[b]) || a - b)
          .map((place) => from + place);
        await pause();
      }
    },
  };
})();

(() => {
  const sitegen = window.sitegen;
  const form = document.getElementById("find");
  if (!sitegen || !form) return;

  const [text, tag, status, sort] = ["text", "tag", "status", "sort"]
    .map((name) => document.getElementById(`find-${name}`));
  /** Pages omit a list if it would not offer a choice. */
  const selects = [tag, status, sort].filter(Boolean);
  const said = document.getElementById("find-said");
  const found = document.getElementById("found");
  const results = document.getElementById("results");
  const nobody = document.getElementById("found-nobody");
  const more = document.getElementById("more");
  const template = document.getElementById("found-template").content.firstElementChild;
  const list = document.getElementById("people-list");
  /** The elements that are shown without a search. */
  const others = [list?.closest("section") ?? list, document.getElementById("pages")].filter(Boolean);

  const language = document.documentElement.lang || undefined;
  const words = form.dataset;
  const isOne = (count) => new Intl.PluralRules(language).select(count) === "one";
  const foundText = (count) =>
    words[isOne(count) ? "foundOne" : "found"].replace("{count}", count.toLocaleString(language));
  /** As in person.mustache; these texts are for site authors, so they are not translated. */
  const notices = { f: "Plain colour", s: "Earlier picture", x: "Failed" };
  const everybody = said.textContent;
  const pageful = 60;
  /** Enough results to fill a screen. */
  const handful = 20;
  const collator = new Intl.Collator(language, { numeric: true });

  /** The sizes of the pictures on a card, so that cards keep their size when pictures load. */
  const boxes = [...(list?.querySelector(".person")?.querySelectorAll("picture > img, .no-picture") ?? [])]
    .map((box) => [box.getAttribute("width"), box.getAttribute("height")]);

  // MARK: The query

  const asked = () => ({
    words: [...new Set(folding.folded(text.value.slice(0, 200)).split(/\s+/).filter(Boolean))]
      .sort((a, b) => b.length - a.length),
    tag: tag?.value ?? "",
    status: { ok: "o", fallback: "f", stale: "s", skipped: "k", failed: "x" }[status?.value] ?? "",
    sort: sort.value,
  });

  const isSomething = ({ words, tag, status, sort }) => Boolean(words.length || tag || status || sort);

  const choose = (select, value) => {
    if (value && select === tag && ![...select.options].some((option) => option.value === value)) {
      select.add(new Option(value, value));
    }
    select.value = value;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
  };

  const readAddress = () => {
    const parameters = new URLSearchParams(location.search);
    text.value = parameters.get("q") ?? "";
    for (const select of selects) choose(select, parameters.get(select.name) ?? "");
  };

  const writeAddress = () => {
    const parameters = new URLSearchParams();
    for (const field of [text, ...selects]) {
      const value = field.value.trim();
      if (value) parameters.set(field.name, value);
    }
    const query = parameters.size ? `?${parameters}` : "";
    if (query === location.search) return;
    history.replaceState(history.state, "", location.pathname + query + location.hash);
  };

  // MARK: Searching

  let query;
  /** Whether the index failed to load; the next keystroke tries again. */
  let hasFailed = false;
  /** The number of the newest search; older searches stop when it changes. */
  let newest = 0;
  let numbers = [];
  /** Sorted lists that are merged into `numbers` on demand; empty for the default order. */
  let sorted = [];
  let count = 0;
  let limit = pageful;
  let chunk = 4096;
  let pageSize = 100;
  const parts = [];
  let settle;
  let settled = Promise.resolve();

  const channel = new MessageChannel();
  const pauses = [];
  channel.port1.onmessage = () => pauses.shift()();
  /** Lets the browser paint and handle input. */
  const pause = () =>
    new Promise((resolve) => {
      pauses.push(resolve);
      channel.port2.postMessage(0);
    });

  const painted = () =>
    document.hidden || new Promise(requestAnimationFrame).then(pause);

  const line = (number) => parts[Math.floor(number / chunk)].lines[number % chunk];
  const nameOf = (number) => line(number).slice(0, line(number).indexOf("\t"));

  /** The result at a position; undefined after the last one. */
  const at = (place) => {
    const sign = query.sort === "name" ? 1 : -1;
    while (numbers.length <= place && sorted.length) {
      let best;
      for (const entry of sorted) {
        entry.name ??= nameOf(entry.numbers[entry.place]);
        if (!best || sign * collator.compare(entry.name, best.name) < 0) best = entry;
      }
      numbers.push(best.numbers[best.place++]);
      best.name = undefined;
      if (best.place === best.numbers.length) sorted = sorted.filter((entry) => entry !== best);
    }
    return numbers[place];
  };

  const search = async () => {
    const wish = asked();
    if (!hasFailed && query && JSON.stringify(wish) === JSON.stringify(query)) return;
    hasFailed = false;
    const mine = ++newest;
    const isOld = () => mine !== newest;
    query = wish;
    limit = pageful;
    if (!isSomething(query)) {
      showEverybody();
      return;
    }
    settle?.();
    settled = new Promise((resolve) => (settle = resolve));
    numbers = [];
    sorted = [];
    count = 0;
    isFresh = true;
    try {
      const [header] = await Promise.all([sitegen.header(), index.first()]);
      if (isOld()) return;
      ({ chunk, pageSize } = header);
      let start = performance.now();
      const rest = async () => {
        if (performance.now() - start < 8) return;
        if (numbers.length && cards.size < handful) show(handful);
        await pause();
        start = performance.now();
      };
      for (let number = 0; number < header.chunks; number++) {
        if (!parts[number]) {
          if (numbers.length) show();
          parts[number] = await (number ? index.part(number, header.chunks) : index.first());
          start = performance.now();
        }
        if (isOld()) return;
        const lines = index.lines(parts[number], query);
        count += lines.length;
        if (query.sort) {
          await index.sort(parts[number], collator, rest);
          if (isOld()) return;
          addSorted(parts[number], lines, number * chunk);
        } else {
          for (const line of lines) numbers.push(number * chunk + line);
          if (isFresh && lines.length) show(handful);
        }
        await rest();
        if (isOld()) return;
      }
      if (isFresh) show(handful);
      if (cards.size < Math.min(limit, count)) await painted();
      if (isOld()) return;
      show();
      say(count ? foundText(count) : words.nobodyFound);
    } catch {
      if (!isOld()) {
        hasFailed = true;
        say(words.searchFailed);
      }
    }
    settle();
  };

  const addSorted = ({ blocks, lines: { length } }, lines, first) => {
    const isFound = new Uint8Array(length);
    for (const line of lines) isFound[line] = 1;
    for (const block of blocks) {
      const numbers = Array.from(block.filter((line) => isFound[line]), (line) => first + line);
      if (query.sort !== "name") numbers.reverse();
      if (numbers.length) sorted.push({ numbers, place: 0, name: undefined });
    }
  };

  // MARK: Showing

  /** The cards that are shown, by number. */
  let cards = new Map();
  let isFresh = true;
  let timer;

  const say = (sentence) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (said.textContent !== sentence) said.textContent = sentence;
    }, 400);
  };

  const reveal = (isFound) => {
    found.hidden = !isFound;
    for (const other of others) other.hidden = isFound;
  };

  /** Scrolls a new list to its beginning. */
  const bringBack = (list) => {
    const hidden = form.getBoundingClientRect().bottom - list.getBoundingClientRect().top;
    if (hidden > 1) scrollBy({ top: -hidden - 8, behavior: "instant" });
  };

  const showEverybody = () => {
    reveal(false);
    if (others[0]) bringBack(others[0]);
    results.replaceChildren();
    cards.forEach((card) => nearby.unobserve(card));
    cards.clear();
    say(everybody);
  };

  const show = (most = limit) => {
    const wasFresh = isFresh;
    const shown = isFresh ? 0 : cards.size;
    const old = cards;
    if (isFresh) cards = new Map();
    const added = [];
    for (let place = shown; place < most && at(place) !== undefined; place++) {
      const number = at(place);
      const card = old.get(number) ?? made(number);
      dress(card, number);
      cards.set(number, card);
      added.push(card);
    }
    if (isFresh) {
      old.forEach((card, number) => cards.has(number) || nearby.unobserve(card));
      results.replaceChildren(...added);
    } else {
      results.append(...added);
    }
    isFresh = false;
    nobody.hidden = count > 0;
    more.hidden = cards.size < limit || at(cards.size) === undefined;
    reveal(true);
    if (wasFresh) bringBack(found);
    return added;
  };

  /** Creates an empty card; details that are not in the index load when the card becomes visible. */
  const made = (number) => {
    const card = template.cloneNode(true);
    card.dataset.number = number;
    const box = card.querySelector(".no-picture");
    for (const [width, height] of boxes) {
      const copy = box.cloneNode(true);
      copy.setAttribute("width", width);
      copy.setAttribute("height", height);
      box.before(copy);
    }
    box.remove();
    nearby.observe(card);
    return card;
  };

  const write = (element, text) => {
    if (element.textContent === text && !element.firstElementChild && !query.words.length) return;
    element.replaceChildren(
      ...folding.pieces(text, query.words).map((piece, place) => {
        if (place % 2 === 0) return piece;
        const mark = document.createElement("mark");
        mark.textContent = piece;
        return mark;
      }).filter(Boolean));
  };

  const dress = (card, number) => {
    const [name, title, , state] = line(number).split("\t");
    const link = card.querySelector("h3 a");
    write(link, name);
    if (!link.hasAttribute("href")) {
      const page = Math.floor(number / pageSize) + 1;
      link.href = `${sitegen.root}${page === 1 ? "" : `page/${page}/`}index.html`;
    }
    const optional = (selector, isThere, fill) => {
      const element = card.querySelector(selector);
      if (!isThere) element?.remove();
      else if (element) fill(element);
    };
    optional(".title", title, (element) => write(element, title));
    const tags = index.tagsOf(line(number));
    optional(".tags", tags.length, (element) => {
      while (element.childElementCount < tags.length) element.append(document.createElement("a"));
      tags.forEach((name, place) => {
        const link = element.children[place];
        link.dir = "auto";
        link.href = `?${new URLSearchParams({ tag: name })}`;
        link.dataset.tag = name;
        write(link, name);
      });
    });
    const notice = notices[state];
    optional(".notice", notice, (element) => {
      element.textContent = notice;
      element.classList.toggle("bad", state === "x");
    });
  };

  const nearby = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      nearby.unobserve(target);
      wanted.add(target);
    }
    // Wait, because the next keystroke may remove results before their pictures are needed.
    clearTimeout(fetching);
    fetching = setTimeout(fetchDetails, 60);
  }, { rootMargin: "200px" });
  const wanted = new Set();
  let fetching;

  const fetchDetails = () => {
    for (const card of wanted) {
      if (!card.isConnected) continue;
      sitegen.person(Number(card.dataset.number)).then((person) => complete(card, person), () => {});
    }
    wanted.clear();
  };

  const complete = (card, { anchor, page, styles }) => {
    const link = card.querySelector("h3 a");
    link.href = page ? sitegen.root + page : `${link.href.replace(/#.*/, "")}#${anchor}`;
    card.querySelectorAll(".no-picture").forEach((box, place) => {
      // The name is beside the picture, so the alternative text is empty.
      const style = styles[place];
      if (!style?.images.length) return;
      const { zoom = 1 } = style;
      const picture = sitegen.picture(style, "", { zoom, density: zoom });
      box.replaceWith(picture);
      sitegen.wait(picture.lastElementChild);
    });
  };

  // MARK: Events

  /** Adds the tags to their list. */
  const offer = (tags) => {
    // An existing option came from the address, and still lacks its count.
    const known = new Map([...tag.options].map((option) => [option.value, option]));
    const { value } = tag;
    for (const [name, count] of tags) {
      const option = known.get(name) ?? new Option("", name);
      option.textContent = `${name} (${count.toLocaleString(language)})`;
      tag.add(option);
    }
    tag.value = value;
  };

  let isPrepared = false;
  /** Loads the tags, and the whole index if the user is about to type. */
  const prepare = async (isTyping) => {
    try {
      const [header] = await Promise.all([sitegen.header(), isTyping && index.first()]);
      if (!isPrepared) {
        isPrepared = true;
        if (tag) offer(header.tags);
        for (const option of status ? [...status.options] : []) {
          const { value } = option;
          if (value && value !== status.value && !header.statuses[value]) option.remove();
        }
      }
      for (let number = 0; isTyping && number < header.chunks; number++) {
        await index.part(number, header.chunks);
      }
    } catch {
      // The search itself reports the failure.
    }
  };

  let writing;
  form.addEventListener("focusin", ({ target }) => prepare(target === text));
  form.addEventListener("input", ({ target }) => {
    search();
    clearTimeout(writing);
    if (target === text) writing = setTimeout(writeAddress, 250);
    else writeAddress();
  });
  form.addEventListener("submit", writeAddress);
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !text.value) return;
    event.preventDefault();
    text.value = "";
    search();
    writeAddress();
  });

  const clear = () => {
    for (const select of selects) choose(select, "");
    text.value = "";
  };
  document.getElementById("find-clear")?.addEventListener("click", () => {
    clear();
    search();
    writeAddress();
    text.focus();
  });
  more.addEventListener("click", () => {
    limit += pageful;
    show()[0]?.querySelector("h3 a")?.focus();
  });
  results.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-tag]");
    if (!link || !sitegen.isPlain(event)) return;
    event.preventDefault();
    clear();
    choose(tag, link.dataset.tag);
    search();
    writeAddress();
    tag?.focus();
  });
  addEventListener("pagehide", writeAddress);
  addEventListener("popstate", () => {
    readAddress();
    search();
  });

  /** The results, for the detail view. */
  sitegen.found = {
    get isShown() { return !found.hidden; },
    get count() { return count; },
    get isSettled() { return settled; },
    at,
    placeOf: (number) => {
      for (let place = 0; at(place) !== undefined; place++) if (at(place) === number) return place;
      return -1;
    },
    card: (number) => cards.get(number),
  };

  // The user may have typed before this script loaded.
  if (!isSomething(asked())) readAddress();
  prepare(document.activeElement === text);
  if (isSomething(asked())) {
    search();
    writeAddress();
  }
})();
