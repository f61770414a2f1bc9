/* Shows problems, and a lost connection, above the page.
   From the other files: `boardStyle`, the text of board.css. */

const sentences = {
  failed: "Rebuild failed",
  kept: "This page is from the last successful build.",
  flawed: "Built with problems",
  unseen: "Visitors of the published site do not see this.",
  problems: "Problems",
  severities: { error: "Error", warning: "Warning" },
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
  /** The most problems that are shown. */
  const most = 50;
  let host;
  let parts;
  let opener;
  /** The problems that the user has dismissed, as text. */
  let closed;
  /** Flaws of a site stay dismissed on its other pages too, unless the browser keeps nothing. */
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
        // `closed` holds for this page.
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
    const said = make("p", { class: "said", role: "alert" });
    panel.hidden = badge.hidden = true;
    shadow.append(badge, panel, said);
    close.addEventListener("click", dismiss);
    shadow.addEventListener("focusin", ({ relatedTarget }) => {
      if (relatedTarget && !shadow.contains(relatedTarget)) opener = relatedTarget;
    });
    parts = { panel, list, badge, said };
  };

  /** Puts the board on top, inside an open modal dialog because nothing outside it is usable. */
  const bringToTop = () => {
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

  const hide = () => {
    if (!parts || parts.panel.hidden) return;
    const hadFocus = host.shadowRoot.activeElement;
    parts.panel.hidden = true;
    parts.said.textContent = "";
    bringToTop();
    if (hadFocus) opener?.focus({ preventScroll: true });
  };

  let shown;
  let isFlaw;
  const dismiss = () => {
    closed = shown;
    if (isFlaw) flaws.dismissed = shown;
    hide();
  };
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !parts || parts.panel.hidden) return;
    // The key is not meant for the page below.
    event.preventDefault();
    event.stopImmediatePropagation();
    dismiss();
  }, true);

  return {
    /** `isNews`: the failure is new, so it is shown even if the same one was dismissed before.
        `isBuilt`: the site was built all the same. */
    show: (problems, isNews, isBuilt = false) => {
      if (!problems.length) {
        closed = undefined;
        flaws.dismissed = "";
        hide();
        return;
      }
      shown = JSON.stringify(problems);
      isFlaw = isBuilt;
      if (isBuilt) closed = flaws.dismissed;
      if (!isNews && shown === closed) {
        hide();
        return;
      }
      closed = undefined;
      if (!host) build();
      const title = isBuilt ? sentences.flawed : sentences.failed;
      parts.panel.querySelector(".title").textContent = title;
      parts.panel.querySelector("#kept").textContent = isBuilt ? sentences.unseen : sentences.kept;
      const items = problems.slice(0, most).map(item);
      if (problems.length > most) items.push(make("li", {}, sentences.more(problems.length - most)));
      parts.list.replaceChildren(...items);
      parts.panel.hidden = false;
      bringToTop();
      parts.said.textContent = `${title}: ${problems[0].message}`;
    },
    showLost: (isLost) => {
      if (isLost && !host) build();
      if (!parts || parts.badge.hidden === !isLost) return;
      parts.badge.hidden = !isLost;
      bringToTop();
    },
  };
})();
