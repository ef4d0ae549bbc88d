import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { z } from "zod";
import { pseudoBundle } from "../../../scripts/l10n/pseudo.ts";
import { sentencesOf } from "../../../scripts/l10n/sentences.ts";
import { repository } from "../../host/repository.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { shownStates } from "./states.ts";

/** Japanese dates have no Latin letters. */
const translation = { language: "ja", messages: pseudoBundle(sentencesOf(repository).messages) };

/**
 * Every text on the page, shown or spoken, except code and what an isolate marks as foreign. Runs in the
 * page.
 */
const collect = `(() => {
  const found = [];
  const spoken = ["aria-label", "title", "placeholder", "aria-valuetext"];
  const walk = (node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE && child.data.trim() !== "") found.push(child.data.trim());
      if (!(child instanceof Element)) continue;
      if (["BDI", "CODE", "KBD", "PRE", "STYLE", "SCRIPT"].includes(child.tagName)) continue;
      for (const name of spoken) if (child.hasAttribute(name)) found.push(child.getAttribute(name));
      walk(child);
      if (child.shadowRoot) walk(child.shadowRoot);
    }
  };
  walk(document.body);
  return [...new Set(found)];
})()`;

/** Members of answers with purser's own words, not with foreign names. */
const codes =
  /^(?:type|kind|action|basis|cause|decision|done|driver|family|outcome|phase|source|state|status|stop|trigger|verdict)$/u;

/** Adds every text of an answer that is shown as it is: names, paths, models, sentences of the service. */
function addNames(answer: unknown, names: Set<string>): void {
  if (typeof answer === "string") {
    for (const part of [answer, ...answer.split(/[\s/,:()"…]+/u)]) if (part.length > 1) names.add(part);
    return;
  }
  if (typeof answer !== "object" || answer === null) return;
  for (const [key, value] of Object.entries(answer)) if (!codes.test(key)) addNames(value, names);
}

const products = ["Claude Code", "Codex", "Copilot CLI", "Gemini CLI", "VS Code"];

/** Returns a text that is not translated: one with Latin letters without accents outside the brackets of the pseudo-language. */
function untranslated(text: string, names: ReadonlySet<string>): string | null {
  let own = text;
  for (let before = ""; before !== own;) [before, own] = [own, own.replaceAll(/\[[^[\]]*(?:\]|…)/gu, " ")];
  for (const product of products) own = own.replaceAll(product, " ");
  const words = own.split(/[\s/,:()"·…]+/u).filter((word) => /[A-Za-z]{2,}/u.test(word));
  return words.every((word) => names.has(word)) ? null : own.trim();
}

async function textsOf(page: Page): Promise<string[]> {
  return z.array(z.string()).parse(await page.evaluate(collect));
}

describe("a panel shows nothing in English in another language", { timeout: 240_000 }, () => {
  const panels = new Map<string, Promise<PanelPage<{ readonly type: string }>>>();
  after(async () => {
    for (const panel of panels.values()) await (await panel).close();
  });
  for (const { name, kind, state, reply } of shownStates)
    test(name, async () => {
      const starting = panels.get(kind.folder) ?? startPanel(kind);
      panels.set(kind.folder, starting);
      const panel = await starting;
      const names = new Set<string>();
      const remembered: typeof reply = (message) => {
        const answer = reply(message);
        addNames(answer, names);
        return answer;
      };
      const page = await panel.open({ state, reply: remembered, translation, linkedAs: "ledger" });
      await page
        .locator("main[aria-busy=false] h1, main[aria-busy=false] h2")
        .first()
        .waitFor({ state: "attached" });
      const texts = [...(await textsOf(page))];
      // Charts as tables, and the keys of the Rules panel.
      for (const toggle of await page.locator("[slot=actions] button.tool").all()) await toggle.click();
      if (kind.folder === "rules") await page.keyboard.press("?");
      texts.push(...(await textsOf(page)));
      assert.ok(texts.some((text) => text.startsWith("[")));
      assert.deepEqual(
        [...new Set(texts)].flatMap((text) => untranslated(text, names) ?? []),
        [],
      );
      assert.deepEqual(panel.pageErrors, []);
    });
});
