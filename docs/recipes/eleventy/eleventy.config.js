const fs = require("node:fs");

const escape = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Returns the `<picture>` of a person in one style. */
const picture = (id, style) => {
  const { users } = JSON.parse(fs.readFileSync("avatars/assets.json", "utf8"));
  const images = users[id]?.avatars[style] ?? [];
  if (!images.length) return "";
  const formats = [...new Set(images.map((image) => image.format))];
  const of = (format) => images.filter((image) => image.format === format);
  const set = (format) => of(format).map(({ path, scale }) => `/avatars/${path} ${scale}x`).join(", ");
  const last = formats.at(-1);
  const [first] = of(last);
  const sources = formats.slice(0, -1)
    .map((format) => `<source type="image/${format}" srcset="${set(format)}">`).join("");
  return `<picture>${sources}<img src="/avatars/${first.path}" srcset="${set(last)}" width="${first.width}"`
    + ` height="${first.height}" alt="${escape(users[id].name)}" loading="lazy"></picture>`;
};

module.exports = (config) => {
  config.addPassthroughCopy("avatars");
  config.ignores.add("README.md");
  config.ignores.add("avatars");
  config.addShortcode("avatar", picture);
};
