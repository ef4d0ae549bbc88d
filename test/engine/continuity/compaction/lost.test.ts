import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  itemsOf,
  type WorkItem,
  compareWithSummary,
} from "../../../../src/engine/continuity/compaction/lost.ts";
import { lostKinds } from "../../../../src/engine/ledger/entries.ts";
import { fileOf, packetOf } from "./packets.ts";

function lostOf(kind: "file" | "decision", texts: readonly string[], summary: string): string[] {
  const packet = packetOf(
    kind === "file"
      ? { files: texts.map((path) => fileOf(path)) }
      : { decisions: texts.map((text) => ({ turn: 1, text })) },
  );
  return compareWithSummary(itemsOf(packet), summary).lost.map(({ text }) => text);
}

describe("files in a summary", () => {
  const cases: readonly (readonly [string, readonly string[], string, readonly string[]])[] = [
    ["by path", ["src/quay/plan.ts"], "We changed src/quay/plan.ts.", []],
    ["by path with a line", ["src/quay/plan.ts"], "See `src/quay/plan.ts:12`.", []],
    ["by an absolute path", ["src/quay/plan.ts"], "In /home/me/harbor/src/quay/plan.ts it says", []],
    ["with the other slashes", ["src/quay/plan.ts"], String.raw`In src\quay\plan.ts it says`, []],
    ["by the end of it", ["src/quay/plan.ts"], "quay/plan.ts has it", []],
    ["by name", ["src/quay/plan.ts"], "- **plan.ts**: the plan", []],
    ["in capitals", ["README.md"], "the readme.md", []],
    [
      "not by a longer name",
      ["src/plan.ts"],
      "my-plan.ts, plan.tsx, plan.ts.snap, xplan.ts",
      ["src/plan.ts"],
    ],
    ["not in another folder", ["src/quay/plan.ts"], "see docs/plan.ts", ["src/quay/plan.ts"]],
    ["not below the project for one at its root", ["plan.md"], "see docs/plan.md", ["plan.md"]],
    ["at the root, by an absolute path", ["plan.md"], "see /home/me/harbor/plan.md", []],
    [
      "not by a name that two have",
      ["a/index.ts", "b/index.ts"],
      "index.ts changed",
      ["a/index.ts", "b/index.ts"],
    ],
    ["by what tells two apart", ["a/index.ts", "b/index.ts"], "b/index.ts changed", ["a/index.ts"]],
    ["of which one's path ends another's", ["x/a/i.ts", "a/i.ts"], "x/a/i.ts changed", ["a/i.ts"]],
    ["by a path that ends another's", ["x/a/i.ts", "a/i.ts"], "a/i.ts changed", ["x/a/i.ts"]],
    ["nothing in an empty summary", ["a.ts"], "", ["a.ts"]],
  ];
  for (const [name, files, summary, lost] of cases)
    it(name, () => assert.deepEqual(lostOf("file", files, summary), lost));
});

describe("sentences in a summary", () => {
  const decision = "Never use tabs in the tide tables, use two spaces.";
  const cases: readonly (readonly [string, string, boolean])[] = [
    ["word for word", `1. ${decision}`, true],
    [
      "in other order and endings",
      "User: in tide table files, two spaces are to be used, and tabs never.",
      true,
    ],
    ["turned around", "Use tabs in the tide tables.", false],
    [
      "with its words all over the summary",
      `Never ${"x ".repeat(90)} tabs ${"y ".repeat(90)} tide ${"z ".repeat(90)} tables spaces`,
      false,
    ],
    ["not at all", "The quay is painted.", false],
  ];
  for (const [name, summary, isKept] of cases)
    it(name, () => assert.deepEqual(lostOf("decision", [decision], summary), isKept ? [] : [decision]));

  it("recognizes the short form of a negation", () => {
    assert.deepEqual(lostOf("decision", ["Don't touch the lighthouse."], "Do not touch the lighthouse"), []);
    assert.deepEqual(lostOf("decision", ["Don't touch the lighthouse."], "Touch the lighthouse"), [
      "Don't touch the lighthouse.",
    ]);
  });
  it("reads scripts without spaces", () => {
    assert.deepEqual(lostOf("decision", ["总是使用制表符缩进"], "用户要求总是使用制表符缩进。"), []);
    assert.deepEqual(lostOf("decision", ["总是使用制表符缩进"], "用户要求写测试。"), ["总是使用制表符缩进"]);
  });
  it("keeps an item without searchable words", () => {
    assert.deepEqual(lostOf("decision", ["🙂"], "Nothing."), []);
  });
});

describe("any packet and any summary", () => {
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}[A-Za-z0-9_]$/u);
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const sentence = fc.string({ unit: "grapheme", minLength: 1, maxLength: 120 });
  const text = fc.string({ unit: "grapheme", maxLength: 600 });
  const arbitraryItem: fc.Arbitrary<Pick<WorkItem, "kind" | "text">> = fc
    .constantFrom(...lostKinds)
    .chain((kind) => (kind === "file" ? path : sentence).map((each) => ({ kind, text: each })));
  const items = fc
    .uniqueArray(arbitraryItem, { maxLength: 20, selector: ({ kind, text: each }) => `${kind} ${each}` })
    .map((all) => all.map((item, at): WorkItem => ({ ...item, id: String(at).padStart(12, "0"), turn: at })));

  it("never reports as lost what the summary contains", () => {
    fc.assert(
      fc.property(items, text, text, fc.nat(), (all, before, after, pick) => {
        const item = all[pick % Math.max(1, all.length)];
        fc.pre(item !== undefined);
        const { lost } = compareWithSummary(all, `${before}\n${item.text}\n${after}`);
        assert.ok(!lost.includes(item), JSON.stringify(item.text));
      }),
    );
  });
  it("puts each thing on one side, in the same order, the same each time", () => {
    fc.assert(
      fc.property(items, text, (all, summary) => {
        const { kept, lost } = compareWithSummary(all, summary);
        assert.deepEqual(compareWithSummary(all, summary), { kept, lost });
        assert.deepEqual(
          all.filter((item) => kept.includes(item)),
          kept,
        );
        assert.deepEqual(
          all.filter((item) => !kept.includes(item)),
          lost,
        );
      }),
    );
  });
  it("loses at least as much from a shorter summary", () => {
    fc.assert(
      fc.property(items, fc.array(sentence, { maxLength: 8 }), (all, sentences) => {
        const whole = compareWithSummary(all, sentences.join("\n"));
        const half = compareWithSummary(all, sentences.slice(0, sentences.length / 2).join("\n"));
        for (const item of half.kept) assert.ok(whole.kept.includes(item), JSON.stringify(item.text));
      }),
    );
  });
});
