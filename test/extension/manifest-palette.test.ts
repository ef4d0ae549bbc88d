import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { isTrue, type Keys } from "./support/when.ts";

const when = z.object({ when: z.string().optional() });
const read = (name: string): unknown =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), "utf8"));
const { contributes } = z
  .object({
    contributes: z.looseObject({
      commands: z.array(z.object({ command: z.string(), title: z.string() })),
      menus: z.record(z.string(), z.array(when.extend({ command: z.string() }))),
      views: z.record(z.string(), z.array(when.extend({ id: z.string() }))),
    }),
  })
  .parse(read("package.json"));
const words = z.record(z.string(), z.string()).parse(read("package.nls.json"));

const palette = contributes.menus["commandPalette"] ?? [];
const whenOf = (command: string) => palette.find((item) => item.command === command)?.when ?? "true";

/** The rows of the palette in a window, by title. The editor adds one for each view. */
function rows(keys: Keys): string[] {
  const own = contributes.commands.filter(({ command }) => isTrue(whenOf(command), keys));
  const views = Object.values(contributes.views).flat();
  return [
    ...own.map(({ title }) => words[title.slice(1, -1)] ?? title),
    ...views.filter((view) => isTrue(view.when ?? "true", keys)).map(({ id }) => `Focus on ${id}`),
  ].sort();
}

const empty: Keys = { "purser.state": "ready", workspaceFolderCount: 1, isWorkspaceTrusted: true };
const ordinary: Keys = { ...empty, "purser.hasSessions": true };

describe("the command palette", () => {
  it("has at most 15 rows in an ordinary window", () => {
    assert.deepEqual(rows(ordinary), [
      "Continue From…",
      "Create Budget…",
      "Focus on purser.budgets",
      "Focus on purser.sessions",
      "Get Started",
      "Hand Over…",
      "New Experiment…",
      "Open Guard",
      "Open Sample",
      "Open Settings",
      "Open Usage",
      "Review Rules",
      "Set Up Hooks…",
      "Show Sessions",
      "Watch in a Terminal",
    ]);
    assert.ok(rows(ordinary).length <= 15);
  });

  it("offers nothing that needs a session or a folder where there is none", () => {
    const missing = rows(ordinary).filter(
      (row) => !rows({ ...empty, workspaceFolderCount: 0 }).includes(row),
    );
    assert.deepEqual(missing, ["Continue From…", "Create Budget…", "Hand Over…"]);
  });

  it("has more only where it applies", () => {
    const extra = (keys: Keys) =>
      rows({ ...ordinary, ...keys }).filter((row) => !rows(ordinary).includes(row));
    assert.deepEqual(extra({ "purser.hasUnknownWindow": true }), ["Set Context Window…"]);
    assert.deepEqual(extra({ "purser.hasProblems": true }), ["Show Problems"]);
    assert.deepEqual(extra({ "purser.isChangeShown": true }), [
      "Leave the File Unchanged",
      "Make This Change",
    ]);
    assert.deepEqual(extra({ "purser.hasProposals": true }), ["Open Proposal…"]);
    assert.deepEqual(extra({ resourcePath: "/home/mara/.purser/handovers/2026-11-30 Fix dates.md" }), [
      "Start Agent with Handover…",
      "Summarize Handover with Claude Code…",
    ]);
    assert.deepEqual(extra({ "purser.isSampleOpen": true }), [
      "Close Sample",
      "Focus on purser.sampleAgents",
      "Focus on purser.sampleSessions",
    ]);
    assert.deepEqual(extra({ "purser.hasAgentsFolder": true }), ["Focus on purser.agents"]);
  });

  it("hides only commands that another menu has", () => {
    const elsewhere = Object.entries(contributes.menus)
      .filter(([menu]) => menu !== "commandPalette")
      .flatMap(([, items]) => items.map(({ command }) => command));
    const hidden = contributes.commands.filter(({ command }) => whenOf(command) === "false");
    assert.ok(hidden.length > 20);
    assert.deepEqual(
      hidden.map(({ command }) => command).filter((command) => !elsewhere.includes(command)),
      [],
    );
  });
});

it("clauses are read as the editor reads them", () => {
  const keys: Keys = { count: 2, name: "a && b", isOn: true };
  for (const clause of [
    "isOn",
    "!isOff",
    "count == 2 && isOn",
    "isOff || count != 3",
    "name =~ /a && (b|c)/ && isOn",
    "(isOff || isOn) && !(isOff || isOther)",
  ])
    assert.ok(isTrue(clause, keys), clause);
  for (const clause of ["isOff", "!isOn", "count == 3", "isOn && isOff", "name =~ /^b/", "false"])
    assert.ok(!isTrue(clause, keys), clause);
  assert.throws(() => isTrue("count > 1", keys), /not understood/u);
});
