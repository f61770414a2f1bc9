/* The detail view shows everything about one person. With `pages: { styles: true }`, it also shows every
   picture at its real size, with tools to inspect it. It opens from a card's name, has the same
   address as the card, and steps through the listed people. */

"use strict";

(() => {
  const sitegen = window.sitegen;
  const dialog = document.getElementById("detail");
  if (!sitegen || !dialog) return;

  const words = dialog.dataset;
  /** These texts are for site authors, so they are not translated. */
  const states = {
    ok: "as asked for", fallback: "plain colour", stale: "an earlier one", skipped: "none", failed: "failed",
  };
  const placeText = (place, count) =>
    words.place.replace("{place}", (place + 1).toLocaleString(language))
      .replace("{count}", count.toLocaleString(language));

  const language = document.documentElement.lang || undefined;
  const list = document.getElementById("people-list");
  const part = (name) => dialog.querySelector(`[data-${name}]`);
  const [title, about, tags, facts, links, stage, variants, said] =
    ["title", "about", "tags", "facts", "links", "stage", "variants", "said"].map(part);
  const heading = part("name");
  const [portrait, files, source, whole] = ["portrait", "files", "source", "whole"].map(part);
  const silhouette = portrait?.firstElementChild;
  const row = part("row")?.content.firstElementChild;
  const goes = (where) => dialog.querySelector(`[data-go="${where}"]`);
  const bench = (name) => dialog.querySelector(`[data-bench="${name}"]`);

  // MARK: The list

  /** The number of the first person in this page's list. */
  let first = 0;
  let everyone = 0;
  /** The site's URL; undefined if the manifest does not specify it. */
  let site;
  /** The path of each tag's page, by the tag's name. */
  let tagPages = new Map();
  /** The cards on this page, which may be in several sections. */
  const cards = list ? [...list.querySelectorAll(".person")] : [];
  const found = () => (sitegen.found?.isShown ? sitegen.found : undefined);
  const count = () => found()?.count ?? everyone;
  const numberAt = (place) => (found() ? found().at(place) : place);
  const placeOf = (number) => (found() ? found().placeOf(number) : number);
  const linkOf = (number) =>
    sitegen.opener(found() ? found().card(number) : cards[number - first]);

  const learn = async () => {
    const header = await sitegen.header();
    everyone = header.people;
    site = header.site;
    tagPages = new Map(header.tags.map(([name, , path]) => [name, path]));
    first = (Number(list?.dataset.page || 1) - 1) * header.pageSize;
  };

  // MARK: Opening

  /** The person shown, with number and position; the newest request wins. */
  let current;
  /** The position of the newest request in the list, so that two quick steps move by two. */
  let place = -1;
  let newest = 0;
  let opener;

  /** The fragment for a person's card; includes the person's number if the card is on another page. */
  const hashOf = (number, { anchor }) => {
    const isHere = number >= first && number < first + cards.length;
    return isHere ? `#${anchor}` : `#${anchor}:${number}`;
  };

  const open = async (number) => {
    const mine = ++newest;
    place = placeOf(number);
    const person = await sitegen.person(number);
    if (mine !== newest || !person) return;
    current = { number, place, person };
    fill();
    const address = location.pathname + location.search + hashOf(number, person);
    history.replaceState(history.state, "", address);
    const isOpen = dialog.open;
    if (!isOpen) dialog.showModal();
    dialog.scrollTop = 0;
    if (isOpen && place >= 0) say(`${person.name}, ${placeText(place, count())}`);
    else heading.focus();
  };

  const go = (step) => {
    const number = place < 0 ? undefined : numberAt(place + step);
    if (number === undefined || number < 0 || number >= everyone) return;
    open(number).catch(() => {
      place = current.place;
      say(words.personFailed);
    });
  };

  dialog.addEventListener("close", () => {
    newest++;
    if (location.hash.startsWith("#person-")) {
      history.replaceState(history.state, "", location.pathname + location.search);
    }
    (linkOf(current?.number) ?? opener)?.focus();
    stage?.replaceChildren();
    variants?.replaceChildren();
    portrait?.replaceChildren();
    byHand?.remove();
  });

  /** The number of the person in the address, who may be on another page. */
  const named = async () => {
    const [, anchor, number] = /^#(person-[^:]*)(?::(\d+))?$/.exec(decodeURIComponent(location.hash)) ?? [];
    if (!anchor) return undefined;
    await learn();
    const card = document.getElementById(anchor);
    if (cards.includes(card)) return first + cards.indexOf(card);
    // Wait until the search results are complete and sorted.
    await sitegen.finding;
    await sitegen.found?.isSettled;
    if (number === undefined || number >= everyone) return undefined;
    // The site may have changed since the address was created.
    return (await sitegen.person(Number(number)))?.anchor === anchor ? Number(number) : undefined;
  };

  sitegen.detail = {
    /** Opens the person whose card contains the link. */
    open: async (link) => {
      opener = link;
      await learn();
      const card = link.closest(".person");
      await open(Number(card.dataset.number ?? first + cards.indexOf(card)));
    },
    /** Opens the person in the address; closes the view if the address does not contain one. */
    follow: async () => {
      const number = await named();
      if (number === undefined) {
        if (dialog.open) dialog.close();
        return;
      }
      opener = linkOf(number);
      await open(number);
    },
  };

  // MARK: Texts

  const item = (...content) => {
    const element = document.createElement("li");
    element.append(...content);
    return element;
  };

  const anchor = (href, text) => {
    const element = document.createElement("a");
    element.href = href;
    element.textContent = text;
    return element;
  };

  /** A tag, as on a card. */
  const chip = (name) => {
    const path = tagPages.get(name);
    const element = path ? anchor(sitegen.root + path, name) : document.createElement("span");
    element.textContent = name;
    element.dir = "auto";
    return element;
  };

  const fill = () => {
    const { person, place } = current;
    byHand?.remove();
    heading.textContent = person.name;
    title.textContent = person.title ?? "";
    title.hidden = !person.title;
    const state = states[person.status];
    facts.hidden = !state;
    const reason = person.reason ? `, ${person.reason}` : "";
    facts.replaceChildren(...(state ? [item(`Picture: ${state}${reason}`)] : []));
    // Custom templates may lack these three.
    if (tags) {
      tags.hidden = !person.tags?.length;
      tags.replaceChildren(...(person.tags ?? []).map(chip));
    }
    if (about) {
      about.textContent = person.about ?? "";
      about.hidden = !person.about;
    }
    if (links) {
      const own = [[person.page, words.ownPage, "page"], [person.vcard, words.card, "card"]]
        .filter(([path]) => path).map(([path, ...rest]) => [sitegen.root + path, ...rest]);
      const all = [...(person.links ?? []), ...own];
      links.hidden = !all.length;
      links.replaceChildren(...all.map(([href, label, kind]) => {
        const link = anchor(href, label);
        link.className = kind;
        link.dir = "auto";
        return item(link);
      }));
    }
    goes("previous").disabled = place <= 0;
    goes("next").disabled = place < 0 || place + 1 >= count();
    // A disabled button cannot keep the focus, so move it to the heading.
    if (dialog.open && document.activeElement?.disabled !== false) heading.focus();
    show();
    if (stage) {
      fillBench();
      draw();
    }
    if (variants) fillVariants();
    said.textContent = "";
  };

  // MARK: The large picture

  /** The side of the largest picture, in CSS pixels. */
  const largeSide = 192;
  const tallest = ({ images }) => Math.max(...images.map((image) => image[3]));

  /** Shows the tallest picture at up to `largeSide` and 1 CSS pixel per file pixel (3/4 on dense screens). */
  const show = () => {
    const { person } = current;
    const styles = person.styles.filter(({ images }) => images.length);
    const style = styles.reduce((a, b) => (a && tallest(a) >= tallest(b) ? a : b), undefined);
    if (files) files.hidden = !style;
    if (whole) whole.hidden = !style;
    if (source) source.textContent = `${words.madeFrom}: ${person.source}`;
    if (!style) {
      portrait?.replaceChildren(silhouette);
      return;
    }
    const scale = Math.max(...style.images.map((image) => image[0]));
    const sharp = scale / Math.min(Math.max(1, devicePixelRatio), 4 / 3);
    const zoom = Math.max(1, Math.min(sharp, largeSide / Math.max(style.width, style.height)));
    portrait?.replaceChildren(sitegen.picture(style, person.name, { scale, zoom }));
    if (whole) texts.set(whole, markup(person, style));
  };

  // MARK: Stage

  const options = (name, kept, values) => {
    const select = bench(name);
    const { value } = select;
    select.replaceChildren(...kept, ...values.map(([value, text]) => new Option(text, value)));
    select.value = value;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
    const label = select.closest("label");
    if (label) label.hidden = values.length < 2;
  };

  const fillBench = () => {
    const { styles } = current.person;
    const images = styles.flatMap((style) => style.images);
    const distinct = (place) => [...new Set(images.map((image) => image[place]))];
    const all = styles.length > 1 ? [new Option(words.allStyles, "")] : [];
    options("style", all, styles.map(({ name }) => [name, name]));
    options("density", [bench("density").options[0]],
      distinct(0).sort((a, b) => a - b).map((scale) => [scale, `${scale}×`]));
    options("format", [new Option(words.formats, "")], distinct(1).map((name) => [name, name]));
  };

  const draw = () => {
    // The stage is not visible while the list of files is closed.
    if (files && !files.open) {
      stage.replaceChildren();
      return;
    }
    const { name, styles } = current.person;
    const zoom = Number(bench("zoom").value) || 1;
    const scale = Number(bench("density").value) || undefined;
    const format = bench("format").value || undefined;
    const shown = styles.filter((style) =>
      style.images.length && (!bench("style").value || style.name === bench("style").value));
    stage.replaceChildren(
      ...shown.map((style) => {
        const alt = `${name}, ${style.name}`;
        if (!bench("overlay").checked) return sitegen.picture(style, alt, { format, scale, zoom });
        const layers = document.createElement("div");
        layers.className = "layers";
        const scales = [...new Set(style.images.map((image) => image[0]))].sort((a, b) => a - b);
        layers.append(...scales.map((scale, place) =>
          sitegen.picture(style, place ? "" : alt, { format, scale, zoom })));
        return layers;
      }));
    stage.classList.toggle("is-zoomed", zoom > 1);
    stage.dataset.ground = bench("ground").value;
    part(`only="colour"`).hidden = bench("ground").value !== "colour";
    stage.style.setProperty("--colour", bench("colour").value);
  };

  dialog.querySelector(".bench")?.addEventListener("input", draw);
  files?.addEventListener("toggle", () => current && draw());

  // MARK: Files

  /** The text that each button copies. */
  const texts = new WeakMap();

  const address = (image) => {
    const path = sitegen.address(image);
    const isServed = /^https?:$/.test(location.protocol);
    if (site) return site + path;
    return isServed ? new URL(sitegen.root + path, location.href).href : path;
  };

  const escaped = (text) =>
    text.replace(/[&"<>]/g, (character) => `&#${character.codePointAt(0)};`);

  /** The HTML of a `picture` with all formats. */
  const markup = ({ name }, { images, width, height }) => {
    const formats = sitegen.inOrder(images);
    const last = formats.pop();
    const of = (format) => images.filter((image) => image[1] === format);
    const set = (format) =>
      escaped(of(format).map((image) => `${address(image)} ${image[0]}x`).join(", "));
    const plain = of(last).find((image) => image[0] >= 1) ?? of(last).at(-1);
    return [
      "<picture>",
      ...formats
        .map((format) => `  <source type="image/${format}" srcset="${set(format)}">`),
      `  <img src="${escaped(address(plain))}" srcset="${set(last)}" `
        + `width="${width}" height="${height}" alt="${escaped(name)}">`,
      "</picture>",
    ].join("\n");
  };

  const snippets = (person, style, image) => {
    const { images, width, height } = style;
    const same = images.filter((other) => other[1] === image[1]);
    const layers = same.map((other) => `url("${address(other)}") ${other[0]}x`).join(", ");
    return {
      url: address(image),
      picture: markup(person, style),
      css: `background-image: image-set(${layers});\nbackground-size: ${width}px ${height}px;`,
    };
  };

  const fillVariants = () => {
    const { person } = current;
    variants.replaceChildren(
      ...person.styles.flatMap((style) => style.images.map((image) => {
        const [scale, format, width, height, bytes, hash] = image;
        const element = row.cloneNode(true);
        const values = [
          style.name, `${scale}×`, format, `${width} × ${height}`, bytes.toLocaleString(language),
        ];
        values.forEach((value, place) => (element.children[place].textContent = value));
        element.querySelector("code").textContent = hash;
        const all = snippets(person, style, image);
        for (const button of element.querySelectorAll("[data-copy]")) {
          texts.set(button, all[button.dataset.copy]);
          button.setAttribute("aria-label", `${words.copy}: ${button.textContent}, ${style.name}, ${image[0]}×, ${image[1]}`);
        }
        return element;
      })));
  };

  let byHand;
  const copy = async (text) => {
    byHand?.remove();
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // The clipboard needs HTTPS and permission, so fall back to `execCommand`.
    }
    const focused = document.activeElement;
    byHand = document.createElement("textarea");
    byHand.readOnly = true;
    byHand.value = text;
    byHand.setAttribute("aria-label", words.copyRefused);
    said.before(byHand);
    byHand.select();
    if (!document.execCommand("copy")) return false;
    byHand.remove();
    focused?.focus({ preventScroll: true });
    return true;
  };

  const say = (sentence) => {
    // Clear the text first, so that a repeated sentence is announced again.
    said.textContent = "";
    requestAnimationFrame(() => (said.textContent = sentence));
  };

  // MARK: Events

  dialog.addEventListener("click", async (event) => {
    const button = event.target.closest("button");
    switch (button?.dataset.go) {
      case "previous": return go(-1);
      case "next": return go(1);
      case "close": return dialog.close();
    }
    const text = button && texts.get(button);
    if (text) say((await copy(text)) ? words.copied : words.copyRefused);
  });

  // A click outside the box is on the backdrop; a drag that only ends there is ignored.
  let isDownOutside = false;
  const isOutside = ({ target, clientX, clientY }) => {
    const box = dialog.getBoundingClientRect();
    const isInside =
      clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
    return target === dialog && !isInside;
  };
  dialog.addEventListener("pointerdown", (event) => (isDownOutside = isOutside(event)));
  dialog.addEventListener("pointerup", (event) => {
    if (isDownOutside && isOutside(event)) dialog.close();
  });

  dialog.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const isTaken = event.target.closest("select, input, textarea, [tabindex='0']");
    if (!step || isTaken || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(getComputedStyle(dialog).direction === "rtl" ? -step : step);
  });
})();
