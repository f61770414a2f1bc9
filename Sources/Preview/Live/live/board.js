/* Shows errors above the page, and a lost connection, warnings and notes in its corners. Uses
   `boardStyle`, the text of board.css. */

const sentences = {
  failed: "Rebuild failed",
  kept: "This page is from the last successful build.",
  flawed: "Built with problems",
  unseen: "Visitors to the published site do not see this.",
  problems: "Problems",
  severities: { error: "Error", warning: "Warning", note: "Note" },
  count: (count, severity) => `${count} ${severity}${count === 1 ? "" : "s"}`,
  more: (count) => `And ${count.toLocaleString("en")} more`,
  close: "Close",
  lost: "Not connected: is sitegen serve running?",
};

const make = (name, properties, ...content) => {
  const element = document.createElement(name);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  element.append(...content);
  return element;
};

const board = (() => {
  /** The maximum number of problems shown. */
  const most = 50;
  let host;
  let parts;
  let opener;
  /** The problems that the user has dismissed, as JSON. */
  let closed;
  /** Whether the user has opened the panel from the corner. */
  let isOpened = false;
  /** Dismissed warnings stay dismissed on the site's other pages, if the browser allows storage. */
  const flaws = {
    key: "sitegen-flaws",
    get dismissed() {
      try {
        return sessionStorage.getItem(this.key);
      } catch {
        return closed;
      }
    },
    set dismissed(text) {
      try {
        sessionStorage.setItem(this.key, text);
      } catch {
        // Without storage, `closed` records this for the current page.
      }
    },
  };

  const build = () => {
    host = make("sitegen-live", { popover: "manual" });
    const shadow = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(boardStyle);
    shadow.adoptedStyleSheets = [sheet];
    const close = make("button", { type: "button" }, sentences.close);
    const list = make("ol", {});
    const panel = make("section",
      { class: "panel", role: "alertdialog", "aria-labelledby": "title", "aria-describedby": "kept" },
      make("div", { class: "head" },
        make("div", {},
          make("p", { class: "title", id: "title" }), make("p", { class: "quiet", id: "kept" })),
        close),
      make("div",
        { class: "list", role: "group", tabindex: "0", "aria-label": sentences.problems }, list));
    const badge = make("p", { class: "badge", role: "status" }, sentences.lost);
    const corner = make("button", { class: "corner", type: "button" });
    const said = make("p", { class: "said", role: "alert" });
    panel.hidden = badge.hidden = corner.hidden = true;
    shadow.append(badge, corner, panel, said);
    close.addEventListener("click", dismiss);
    corner.addEventListener("click", () => {
      isOpened = true;
      open();
      close.focus();
    });
    shadow.addEventListener("focusin", ({ relatedTarget }) => {
      if (relatedTarget && !shadow.contains(relatedTarget)) opener = relatedTarget;
    });
    parts = { panel, list, badge, corner, said };
  };

  /** Puts the board on top, inside any open modal dialog: elements outside it are inert. */
  const bringToTop = () => {
    const isShown = parts && !(parts.panel.hidden && parts.badge.hidden && parts.corner.hidden);
    if (!isShown) {
      host?.remove();
      return;
    }
    const parent = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.documentElement;
    if (host.parentNode !== parent) parent.append(host);
    if (host.showPopover && !host.matches(":popover-open")) host.showPopover();
  };
  // Capture these events, because they do not bubble.
  for (const name of ["toggle", "close"]) {
    document.addEventListener(name, ({ target }) => {
      if (target.localName === "dialog") bringToTop();
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

  /** Hides the panel; the corner shows how many problems there are. */
  const hide = (problems) => {
    if (!parts) return;
    const hadFocus = !parts.panel.hidden && host.shadowRoot.activeElement;
    const counts = Object.keys(sentences.severities)
      .map((severity) => [problems.filter((problem) => problem.severity === severity).length, severity])
      .filter(([count]) => count);
    parts.corner.textContent = counts.map((count) => sentences.count(...count)).join(", ");
    parts.corner.hidden = !counts.length;
    parts.panel.hidden = true;
    parts.said.textContent = "";
    isOpened = false;
    bringToTop();
    if (hadFocus) (opener ?? parts.corner).focus({ preventScroll: true });
  };

  const open = () => {
    parts.corner.hidden = true;
    parts.panel.hidden = false;
    bringToTop();
    const title = parts.panel.querySelector(".title").textContent;
    parts.said.textContent = `${title}: ${problems[0].message}`;
  };

  let problems = [];
  let shown;
  let isFlaw;
  const dismiss = () => {
    closed = shown;
    if (isFlaw) flaws.dismissed = shown;
    hide(problems);
  };
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !parts || parts.panel.hidden) return;
    // The page below must not receive the key.
    event.preventDefault();
    event.stopImmediatePropagation();
    dismiss();
  }, true);

  return {
    /** `isNews`: the failure is new, so it is shown even if the same one was dismissed earlier.
        `isBuilt`: the site was built despite the problems. */
    show: (theirs, isNews, isBuilt = false) => {
      problems = theirs;
      if (!problems.length) {
        closed = undefined;
        flaws.dismissed = "";
        hide(problems);
        return;
      }
      shown = JSON.stringify(problems);
      isFlaw = isBuilt;
      if (isBuilt) closed = flaws.dismissed;
      const isQuiet = isBuilt && !problems.some(({ severity }) => severity === "error");
      if (!host) build();
      parts.panel.querySelector(".title").textContent =
        isBuilt ? sentences.flawed : sentences.failed;
      parts.panel.querySelector("#kept").textContent = isBuilt ? sentences.unseen : sentences.kept;
      const items = problems.slice(0, most).map(item);
      if (problems.length > most) items.push(make("li", {}, sentences.more(problems.length - most)));
      parts.list.replaceChildren(...items);
      if (isQuiet ? !isOpened : !isNews && shown === closed) {
        hide(problems);
        return;
      }
      closed = undefined;
      open();
    },
    showLost: (isLost) => {
      if (isLost && !host) build();
      if (!parts || parts.badge.hidden === !isLost) return;
      parts.badge.hidden = !isLost;
      bringToTop();
    },
  };
})();
