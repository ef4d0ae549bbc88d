import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { parseJson } from "../../../../src/engine/base/parse.ts";
import { resumePacket } from "../../../../src/engine/continuity/packet/packet.ts";
import { renderPacket } from "../../../../src/engine/continuity/packet/render.ts";
import { Story } from "../../../../src/engine/continuity/story/story.ts";
import { tokensOf } from "../../../../src/engine/rules/rent.ts";
import { agents } from "../../../../src/engine/transcripts/agents.ts";
import { readLine } from "../past-session.ts";

const recordings = fileURLToPath(new URL("../../../recordings", import.meta.url));

/** Files of real sessions, by the agent that wrote them. */
const written = {
  "claude-code": "2.1.332/*/projects/**/*.jsonl",
  codex: "codex-*/*/*sessions/**/*.jsonl",
  copilot: "copilot-*/*/session-state/*/events.jsonl",
  gemini: "gemini-*/*/tmp/**/*.jsonl",
};

/** Replaces some values in a row by others, at any depth. */
function withOthers(value: unknown, others: Iterator<unknown>, often: () => boolean): unknown {
  if (often()) return others.next().value;
  if (Array.isArray(value)) return value.map((each) => withOthers(each, others, often));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withOthers(each, others, often)]),
  );
}

/** How a broken file changes a row. */
type Harm = "whole" | "cut" | "garbage" | "twice" | "gone" | "other";
const harms = fc.array(
  fc.record({
    how: fc.constantFrom<Harm[]>("whole", "whole", "cut", "garbage", "twice", "gone", "other"),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    text: fc.string({ unit: "binary" }),
    values: fc.array(fc.jsonValue(), { minLength: 1, maxLength: 5 }),
  }),
  { minLength: 1, maxLength: 12 },
);

for (const [agent, pattern] of Object.entries(written))
  test(`Any broken file of ${agent} gives a packet, within its size limit`, async () => {
    const files = globSync(pattern, { cwd: recordings }).map((file) =>
      readFileSync(`${recordings}/${file}`, "utf8").trimEnd().split("\n"),
    );
    assert.ok(files.length > 2);
    const adapter = agents.find(({ name }) => name === agent);
    const history = await adapter?.history?.();
    assert.ok(history !== undefined);
    fc.assert(
      fc.property(
        fc.constantFrom(...files),
        harms,
        fc.integer({ min: 200, max: 2000 }),
        (lines, all, tokens) => {
          const [file] = history.session("/home/ann/x.jsonl");
          const rows = file?.rows?.();
          assert.ok(rows !== undefined);
          const story = new Story({ readLine, rootOf: (folder) => folder });
          for (const [place, line] of lines.entries()) {
            const { how, at, text, values } = all[place % all.length] ?? {
              how: "whole",
              at: 0,
              text: "",
              values: [],
            };
            let count = 0;
            const often = () => (count += 1) % Math.ceil(2 + at * 12) === 0;
            const others = (function* () {
              for (;;) yield* values;
            })();
            const told = {
              whole: () => [line],
              cut: () => [line.slice(0, Math.floor(at * line.length))],
              garbage: () => [line.slice(0, Math.floor(at * line.length)) + text],
              twice: () => [line, line],
              gone: () => [],
              other: () => [JSON.stringify(withOthers(parseJson(line), others, often))],
            };
            for (const each of told[how]()) for (const event of rows.read(parseJson(each))) story.add(event);
          }
          const packet = story.packet({ sessionId: "s", agent, folder: null, commit: null });
          const read = resumePacket.safeParse(packet);
          assert.ok(read.success, read.error?.message);
          assert.ok(tokensOf(renderPacket(packet, { tokens }).text) <= tokens);
        },
      ),
      { numRuns: 60 },
    );
  });
