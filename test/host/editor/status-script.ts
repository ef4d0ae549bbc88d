import { z } from "zod";

const itemSchema = z.object({
  /** Text as the extension set it, with icons as `$(name)`. */
  text: z.string(),
  kind: z.enum(["default", "warning", "error", "prominent"]),
  ariaLabel: z.string(),
});

/** Content of a status bar item. */
export type StatusItem = z.infer<typeof itemSchema>;
export const statusSchema = itemSchema.optional();

const watched = itemSchema.extend({
  /** Time it was on the page: milliseconds since 1970, by this machine's clock. */
  at: z.number(),
});
export type WatchedStatus = z.infer<typeof watched>;
export const watchedSchema = z.array(watched);

/** A function for the page, as text, since the tests are compiled without the browser's types. */
const readItem = `(id) => {
  const item = document.querySelector('.statusbar-item[id$=".' + id + '"]');
  const label = item?.querySelector("a");
  if (!item || !label) return undefined;
  const text = [...label.childNodes].map((node) => {
    const icon = [...(node.classList ?? [])].find((name) => name.startsWith("codicon-") && !name.startsWith("codicon-modifier-"));
    return icon ? "$(" + icon.slice("codicon-".length) + ")" : node.textContent;
  }).join("");
  const kind = ["warning", "error", "prominent"].find((name) => item.classList.contains(name + "-kind")) ?? "default";
  return { text: text.trim(), kind, ariaLabel: item.getAttribute("aria-label") ?? "" };
}`;

/** An expression for the page that reads the item with this id. */
export function statusScript(id: string): string {
  return `(${readItem})(${JSON.stringify(id)})`;
}

/** An expression for the page that starts recording the item's changes and returns the name of the global list of them. */
export function watchScript(id: string): string {
  return `(() => {
    const read = ${readItem};
    const name = "purserWatch" + performance.now();
    const seen = globalThis[name] = [];
    const note = () => {
      const item = read(${JSON.stringify(id)});
      const last = seen.at(-1);
      if (!item || (last && last.text === item.text && last.kind === item.kind)) return;
      seen.push({ ...item, at: Date.now() });
    };
    note();
    new MutationObserver(note).observe(document.querySelector(".part.statusbar"), {
      attributes: true, attributeFilter: ["class"], characterData: true, childList: true, subtree: true,
    });
    return name;
  })()`;
}
