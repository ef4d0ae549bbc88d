import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { z } from "zod";
import type { RulesView } from "../../../src/engine/rules/rules-answers.ts";
import type { PanelMessage } from "../../../src/webview/rules/rules-protocol.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { makeManyRules, rulesMessage } from "./fixtures.ts";
import { rulesPanel } from "./open-panel.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}
export const wide: Size = { width: 1280, height: 800 };
export const narrow: Size = { width: 560, height: 800 };
export const slim: Size = { width: 400, height: 700 };
/** A window of 1280 by 800 at 200 %. */
export const zoomed: Size = { width: 640, height: 400 };

/** The Rules panel with many rules, and a service played by the test. */
export class ReviewPage {
  readonly panel: PanelPage<PanelMessage>;
  /** The rules in the service's state. */
  view: RulesView = makeManyRules(0);

  private constructor(panel: PanelPage<PanelMessage>) {
    this.panel = panel;
  }

  static async start(): Promise<ReviewPage> {
    return new ReviewPage(await startPanel(rulesPanel));
  }

  get page(): Page {
    return this.panel.page;
  }

  get options(): Locator {
    return this.page.getByRole("navigation").getByRole("option");
  }

  get chosen(): Locator {
    return this.page.getByRole("navigation").getByRole("option", { selected: true });
  }

  /** The sentence of the shown rule. */
  get title(): Locator {
    return this.page.locator(".detail h1");
  }

  get acts() {
    return this.panel.panelMessages.filter((message) => message.type === "act");
  }

  get actsOnMany() {
    return this.panel.panelMessages.filter((message) => message.type === "actOnMany");
  }

  async open(size: Size, count = 200): Promise<void> {
    this.view = makeManyRules(count);
    await this.panel.open({ size });
    await this.panel.postToPanel(rulesMessage(this.view));
    await this.page.getByRole("navigation", { name: "Rules" }).waitFor();
  }

  /** The id of the rule selected in the list. */
  async chosenId(): Promise<string> {
    return (await this.chosen.getAttribute("data-rule")) ?? "";
  }

  /** The id of the shown rule, found by its sentence; the sentence itself if unknown. */
  async shownId(): Promise<string> {
    const words = await this.title.innerText();
    return this.view.rules.find(({ sentence }) => sentence === words)?.id ?? words;
  }

  /** Performs the last requested action like the real service, and reports it. */
  async answer(): Promise<void> {
    const asked = this.acts.at(-1);
    assert.ok(asked !== undefined);
    const { kind } = asked.act;
    const status = ({ reject: "evicted", undo: "candidate", approve: "approved" } as const)[
      kind === "reject" || kind === "undo" ? kind : "approve"
    ];
    const changed = kind === "protect" ? { isProtected: true } : { status, canUndo: kind !== "undo" };
    const rules = this.view.rules.map((rule) => (rule.id === asked.id ? { ...rule, ...changed } : rule));
    this.view = { ...this.view, rules };
    await this.panel.postToPanel(rulesMessage(this.view));
    await this.panel.postToPanel({ type: "done", message: status, follow: null });
    await this.page.locator(".progress").waitFor({ state: "detached" });
  }

  /** Performs the last requested action on several rules like the real service, and reports it. */
  async answerMany(): Promise<void> {
    const asked = this.actsOnMany.at(-1);
    assert.ok(asked !== undefined);
    const { kind } = asked.act;
    const status = ({ reject: "evicted", undo: "candidate", approve: "approved", letIn: "active" } as const)[
      kind
    ];
    const rules = this.view.rules.map((rule) =>
      asked.ids.includes(rule.id) ? { ...rule, status, canUndo: kind !== "undo" } : rule,
    );
    this.view = { ...this.view, rules };
    await this.panel.postToPanel(rulesMessage(this.view));
    const ids = kind === "undo" ? [] : asked.ids;
    await this.panel.postToPanel({ type: "manyDone", message: `${asked.ids.length} rules: ${kind}`, ids });
    await this.page.locator(".progress").waitFor({ state: "detached" });
  }

  /** Asserts that a part is fully visible: inside its scrolling container, which is inside the window. */
  async assertSeen(part: Locator, what: string): Promise<void> {
    const pane = (await part.getAttribute("role")) === "option" ? ".groups" : ".detail";
    const [own, around] = [await part.boundingBox(), await this.page.locator(pane).boundingBox()];
    const height = this.page.viewportSize()?.height ?? 0;
    assert.ok(own !== null && around !== null, `${what} is there`);
    const isWithin = own.y >= around.y - 1 && own.y + own.height <= around.y + around.height + 1;
    const isPaneWithin = around.y >= 0 && around.y + around.height <= height + 1;
    assert.ok(isWithin && isPaneWithin, `${what} is seen: ${JSON.stringify({ own, around, height })}`);
  }

  /** Asserts that the page itself does not scroll. */
  async assertStill(): Promise<void> {
    const scroll = await this.page.evaluate(`(() => {
      const { scrollHeight, scrollWidth } = document.documentElement;
      return [scrollY, scrollHeight - innerHeight, scrollWidth - innerWidth];
    })()`);
    assert.deepEqual(scroll, [0, 0, 0]);
  }

  /** The currently visible sentence; null if none is. */
  async seenSentence(): Promise<string | null> {
    // The part shown last may scroll into view in the next frame.
    const seen = await this.page.evaluate(`(async () => {
      for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
      const title = document.querySelector("purser-rules").shadowRoot.querySelector(".detail h1");
      if (title === null) return null;
      const own = title.getBoundingClientRect();
      const pane = title.closest(".detail").getBoundingClientRect();
      const isSeen = own.top >= pane.top - 1 && own.bottom <= Math.min(pane.bottom, innerHeight) + 1;
      return isSeen ? title.innerText.trim() : null;
    })()`);
    return z.string().nullable().parse(seen);
  }

  async scrollDetail(to: number): Promise<void> {
    await this.page.evaluate(
      `document.querySelector("purser-rules").shadowRoot.querySelector(".detail")?.scrollTo(0, ${to})`,
    );
  }

  /** The entries of the list, top to bottom. */
  async places(): Promise<string[]> {
    const found = await this.page.evaluate(`[...document.querySelector("purser-rules").shadowRoot
      .querySelectorAll('[role="option"]')].map(({ dataset }) => dataset.rule)`);
    return z.array(z.string()).parse(found);
  }

  /** The focused element's text, name and selection. */
  async focused(): Promise<{ readonly text: string; readonly name: string; readonly isChosen: boolean }> {
    const found = await this.page.evaluate(`(() => {
      const part = document.querySelector("purser-rules").shadowRoot.activeElement;
      return { text: part?.textContent.trim() ?? "", name: part?.localName ?? "",
        isChosen: part?.getAttribute("aria-selected") === "true" };
    })()`);
    return z.object({ text: z.string(), name: z.string(), isChosen: z.boolean() }).parse(found);
  }
}
