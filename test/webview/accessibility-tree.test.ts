import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { z } from "zod";
import { shownStates } from "./language/states.ts";
import type { PanelPage } from "./panel-page.ts";
import { startPanel } from "./start-panel.ts";

const text = z.object({ value: z.string() }).optional();
const node = z.object({
  nodeId: z.string(),
  ignored: z.boolean(),
  role: text,
  name: text,
  description: text,
  childIds: z.array(z.string()).optional(),
  properties: z
    .array(z.object({ name: z.string(), value: z.object({ value: z.unknown().optional() }) }))
    .optional(),
});
type Node = z.infer<typeof node>;

/** The tree that Chromium hands to screen readers. */
class Tree {
  readonly #nodes: ReadonlyMap<string, Node>;
  /** The nodes read aloud, in order. */
  readonly read: readonly Node[];

  constructor(nodes: readonly Node[]) {
    this.#nodes = new Map(nodes.map((each) => [each.nodeId, each]));
    const [root] = nodes;
    this.read = root === undefined ? [] : this.below(root).filter(({ ignored }) => !ignored);
  }

  /** The node and all nodes below it, in reading order. */
  below(top: Node): readonly Node[] {
    const children = (top.childIds ?? []).flatMap((id) => this.#nodes.get(id) ?? []);
    return [top, ...children.flatMap((child) => this.below(child))];
  }
}

async function treeOf(page: Page): Promise<Tree> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return new Tree(z.array(node).parse(nodes));
}

const roleOf = ({ role }: Node) => role?.value ?? "";
const nameOf = ({ name }: Node) => (name?.value ?? "").trim();
const property = ({ properties = [] }: Node, wanted: string) =>
  properties.find(({ name }) => name === wanted)?.value.value;

/** Parts that need a unique name, as nobody can operate or find them without one. */
const named = new Set(
  `button link checkbox radio switch textbox searchbox spinbutton slider combobox listbox option menuitem tab tablist
  tabpanel heading image img graphics-symbol table grid columnheader rowheader dialog alertdialog region navigation article search
  progressbar meter DisclosureTriangle`.split(/\s+/u),
);
/** Parts that may hold the focus without being operated: the page, and what scrolls; also a frame around a table. */
const holders = new Set(["RootWebArea", "article", "heading", "table", "region"]);
const unreadable: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/[\u{E000}-\u{F8FF}\u{F0000}-\u{10FFFD}]/u, "an icon's code point"],
  [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^r\d{8,}$/u, "an id"],
  [/\[object |undefined|\bNaN\b|^null$/u, "a value that is none"],
];

/** Whether two words of a name became one, as the space between their elements was lost. */
function runsTogether(tree: Tree, part: Node): boolean {
  const name = nameOf(part);
  const words = tree
    .below(part)
    .filter((each) => roleOf(each) === "StaticText")
    .map((each) => each.name?.value ?? "");
  return words.some((word, index) => {
    const next = words[index + 1] ?? "";
    return /[\p{L}\p{N}.…:]$/u.test(word) && /^[\p{L}\p{N}·(]/u.test(next) && name.includes(word + next);
  });
}

function faultsOfPart(tree: Tree, part: Node): readonly string[] {
  const [role, name] = [roleOf(part), nameOf(part)];
  const faults: string[] = [];
  if (name === "" && named.has(role)) faults.push("has no name");
  const holdsTable = role === "generic" && tree.below(part).some((inner) => roleOf(inner) === "table");
  if (property(part, "focusable") === true && !named.has(role) && !holders.has(role) && !holdsTable)
    faults.push("takes the focus, but has no role of a control");
  for (const [pattern, what] of unreadable) if (pattern.test(name)) faults.push(`is named by ${what}`);
  if (name !== "" && part.description?.value === name) faults.push("is read twice, by its description");
  if (!["StaticText", "InlineTextBox"].includes(role) && runsTogether(tree, part))
    faults.push("runs words together");
  return faults.map((fault) => `${role} “${name}” ${fault}`);
}

/** Headings that are more than one level below the heading before them. */
function gaps(tree: Tree): readonly string[] {
  let before = 0;
  return tree.read
    .filter((part) => roleOf(part) === "heading")
    .flatMap((part) => {
      const level = Number(property(part, "level"));
      const isGap = level > before + 1;
      const fault = `heading “${nameOf(part)}” of level ${level} follows level ${before}`;
      before = level;
      return isGap ? [fault] : [];
    });
}

function withoutHeaders(tree: Tree): readonly string[] {
  return tree.read
    .filter((part) => ["table", "grid"].includes(roleOf(part)))
    .flatMap((table) => {
      const roles = tree.below(table).map(roleOf);
      return [
        ...(roles.includes("columnheader") ? [] : ["has no column headers"]),
        ...(roles.includes("cell") && !roles.includes("rowheader") ? ["has no row headers"] : []),
      ].map((fault) => `table “${nameOf(table)}” ${fault}`);
    });
}

/** Live regions within others, which would announce a change twice. */
function nestedRegions(tree: Tree): readonly string[] {
  const isLive = (part: Node) =>
    property(part, "live") === "polite" || property(part, "live") === "assertive";
  return tree.read
    .filter((part) => ["status", "alert", "log"].includes(roleOf(part)))
    .flatMap((outer) =>
      tree
        .below(outer)
        .filter(
          (inner) => inner !== outer && ["status", "alert", "log"].includes(roleOf(inner)) && isLive(inner),
        )
        .map((inner) => `${roleOf(inner)} “${nameOf(inner)}” is announced twice`),
    );
}

/** Counts the changes of each live region of the page. Runs in the page. */
const watchRegions = `(() => {
  window.announced = [];
  const walk = (root) => {
    for (const each of root.querySelectorAll("*")) {
      if (each.matches("[role=status], [role=alert], [role=log], [aria-live]")) {
        let before = each.textContent;
        new MutationObserver(() => {
          if (each.textContent !== before) window.announced.push(each.textContent.trim());
          before = each.textContent;
        }).observe(each, { childList: true, characterData: true, subtree: true });
      }
      if (each.shadowRoot) walk(each.shadowRoot);
    }
  };
  walk(document);
})()`;

describe("each panel for a screen reader", { timeout: 240_000 }, () => {
  const panels = new Map<string, Promise<PanelPage<{ readonly type: string }>>>();
  after(async () => {
    for (const panel of panels.values()) await (await panel).close();
  });
  for (const { name, kind, state, reply } of shownStates)
    test(name, async () => {
      const starting = panels.get(kind.folder) ?? startPanel(kind);
      panels.set(kind.folder, starting);
      const panel = await starting;
      const page = await panel.open({ state, reply, linkedAs: "ledger" });
      await page
        .locator("main[aria-busy=false] h1, main[aria-busy=false] h2")
        .first()
        .waitFor({ state: "attached" });
      const tree = await treeOf(page);
      const faults = [
        ...tree.read.flatMap((part) => faultsOfPart(tree, part)),
        ...gaps(tree),
        ...withoutHeaders(tree),
        ...nestedRegions(tree),
      ];
      assert.deepEqual([...new Set(faults)], []);

      await page.evaluate(watchRegions);
      const frame = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))";
      const ready = panel.panelMessages[0] ?? { type: "ready" };
      for (const message of [reply(ready) ?? []].flat()) await panel.postToPanel(message);
      await page.evaluate(frame);
      assert.deepEqual(await page.evaluate("window.announced"), [], "what did not change is not announced");
      await panel.postToPanel({ type: "offline", message: "The service ended just now." });
      await page.evaluate(frame);
      assert.deepEqual(await page.evaluate("window.announced"), ["The service ended just now."], "once");
    });
});
