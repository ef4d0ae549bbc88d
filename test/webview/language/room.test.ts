import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, describe, test } from "node:test";
import { z } from "zod";
import { pseudoBundle, pseudoLanguage } from "../../../scripts/l10n/pseudo.ts";
import { sentencesOf } from "../../../scripts/l10n/sentences.ts";
import { repository } from "../../host/repository.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { shownStates } from "./states.ts";

const pseudo = { language: pseudoLanguage, messages: pseudoBundle(sentencesOf(repository).messages) };
/** The languages that purser is translated into. */
const translations = globSync("l10n/bundle.l10n.*.json", { cwd: repository }).map((file) => ({
  language: /^bundle\.l10n\.(?<language>.+)\.json$/u.exec(basename(file))?.groups?.["language"] ?? "",
  messages: z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(join(repository, file), "utf8"))),
}));

const views = [
  { translation: pseudo, width: 1180 },
  ...[pseudo, ...translations].map((translation) => ({ translation, width: 420 })),
];

/**
 * Lists what is wider than its place, in the page. A table that is too wide scrolls in its own frame, the arrow of a sorted column is beside its
 * heading on purpose, and what is cut must be whole in a tooltip.
 */
const tooWide = `(() => {
  const found = [];
  const describe = (each) => each.tagName.toLowerCase() + "." + each.className + ": " + each.textContent.trim().slice(0, 60);
  if (document.documentElement.scrollWidth > window.innerWidth) found.push("the page");
  const isIn = (each, ...names) => names.some((name) => each.closest("." + name) !== null);
  const walk = (root) => {
    for (const each of root.querySelectorAll("*")) {
      if (each.shadowRoot) walk(each.shadowRoot);
      const own = each.getBoundingClientRect();
      if (own.width === 0 || own.height === 0) continue;
      if (each instanceof SVGTextElement) {
        const picture = each.ownerSVGElement.getBoundingClientRect();
        if (own.left < picture.left - 1 || own.right > picture.right + 1) found.push(describe(each));
      }
      if (each instanceof SVGElement || isIn(each, "hidden-text", "frame")) continue;
      const style = getComputedStyle(each);
      if (style.display === "inline" || each.scrollWidth - each.clientWidth <= 1) continue;
      if (["INPUT", "SELECT", "OPTION", "PROGRESS"].includes(each.tagName)) continue;
      const isCut = style.overflowX === "hidden" || style.overflowX === "clip";
      if (isCut && each.closest("[title]") !== null) continue;
      found.push(describe(each));
    }
  };
  walk(document);
  return found;
})()`;

describe("words that are 40 % longer have room in a panel", { timeout: 240_000 }, () => {
  const panels = new Map<string, Promise<PanelPage<{ readonly type: string }>>>();
  after(async () => {
    for (const panel of panels.values()) await (await panel).close();
  });
  for (const { translation, width } of views)
    for (const { name, kind, state, reply } of shownStates)
      test(`${translation.language}, ${width} pixels: ${name}`, async () => {
        const size = { width, height: 900 };
        const starting = panels.get(kind.folder) ?? startPanel(kind);
        panels.set(kind.folder, starting);
        const panel = await starting;
        const page = await panel.open({ size, state, reply, translation, linkedAs: "ledger" });
        await page
          .locator("main[aria-busy=false] h1, main[aria-busy=false] h2")
          .first()
          .waitFor({ state: "attached" });
        assert.deepEqual(z.array(z.string()).parse(await page.evaluate(tooWide)), []);
      });
});
