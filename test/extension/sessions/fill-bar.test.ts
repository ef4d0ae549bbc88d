import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fillBar, sharesOf } from "../../../src/extension/sessions/context-fill.ts";
import { measured, session, t, unknown } from "../support/session.ts";

const fill = (parts: Record<string, number>) => ({
  at: 1,
  parts: Object.entries(parts).map(([name, chars]) => ({ name, chars })),
});
/** Widths of a bar's blocks, by colour. */
const widths = (bar: string) =>
  [...bar.matchAll(/var\(--vscode-([a-zA-Z-]+)\);">((?:&nbsp;)+)<\/span>/gu)].map(
    ([, colour = "", spaces = ""]) => [colour, spaces.length / "&nbsp;".length] as const,
  );
/** The legend as it is read. */
const read = (line = "") =>
  line
    .replaceAll(/<[^>]*>/gu, "")
    .replaceAll("&ensp;", "")
    .replaceAll("\u00a0", " ");

test("the bar is as wide as the window, and its legend names each part", () => {
  const context = session({ occupancy: measured(100_000), window: measured(200_000) });
  const parts = { system: 10, tools: 15, "mcp-tools": 5, memory: 10, "result:Read": 30, "result:Bash": 10 };
  const [bar = "", legend] = fillBar(context, fill({ ...parts, user: 10, assistant: 5, thinking: 5 }), t);
  assert.deepEqual(widths(bar), [
    ["descriptionForeground", 5],
    ["charts-blue", 10],
    ["charts-green", 5],
    ["charts-yellow", 15],
    ["terminal-ansiCyan", 5],
    ["charts-foreground", 5],
    ["charts-purple", 5],
    ["scrollbarSlider-background", 50],
  ]);
  assert.equal(
    read(legend),
    "■ System ~10k ■ Tools ~20k ■ Memory ~10k ■ Files ~30k ■ Tool output ~10k ■ Prompts ~10k ■ Agent output ~10k ■ Free 100k",
  );
});

test("names what is unknown, and draws no bar without a window", () => {
  const [bar = "", legend] = fillBar(session(), null, t);
  assert.deepEqual(widths(bar), [
    ["charts-blue", 38],
    ["scrollbarSlider-background", 62],
  ]);
  assert.equal(read(legend), "■ In use 76k ■ Free 124k");
  assert.deepEqual(fillBar(session({ window: unknown }), fill({ system: 1 }), t), []);
  assert.deepEqual(fillBar(session({ occupancy: unknown }), fill({ system: 1 }), t), []);
});

test("shares add up to the tokens in use, and only spans are written, for any transcript", () => {
  const parts = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom("system", "result:<b>")),
    fc.nat(1_000_000),
  );
  fc.assert(
    fc.property(parts, fc.nat(2_000_000), fc.nat(2_000_000), (made, occupancy, window) => {
      const context = session({ occupancy: measured(occupancy), window: measured(window) });
      const shares = sharesOf(context, fill(made)) ?? [];
      if (shares.length > 0)
        assert.equal(
          shares.reduce((sum, { tokens }) => sum + tokens, 0),
          occupancy,
        );
      for (const line of fillBar(context, fill(made), t)) {
        const rest = line.replaceAll(
          /<span style="(?:background-)?color:var\(--vscode-[a-zA-Z-]+\);">|<\/span>/gu,
          "",
        );
        assert.doesNotMatch(rest, /[<>[\]]/u);
      }
    }),
  );
});
