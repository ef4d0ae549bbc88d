import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  keepText,
  lostText,
  summaryIn,
} from "../../../../src/engine/continuity/compaction/describe-compaction.ts";
import { itemsOf, type WorkItem } from "../../../../src/engine/continuity/compaction/lost.ts";
import { lostKinds } from "../../../../src/engine/ledger/entries.ts";
import { fileOf, packetOf } from "./packets.ts";

const packet = packetOf({
  decisions: [{ turn: 1, text: 'Never paint the "old" quay.' }],
  open: [
    { turn: 3, kind: "todo", text: "Write the log" },
    { turn: 2, kind: "unverified", text: "src/tide.ts" },
  ],
  files: [fileOf("src/tide.ts", 2), fileOf("src/quay.ts", 3)],
  deadEnds: [{ turn: 2, text: "npm run tide", how: "failed", times: 3 }],
  errors: [
    {
      turn: 2,
      signature: "x",
      tool: "Bash",
      text: "Error: no tide",
      times: 2,
      fix: { turn: 3, text: "npm run moon" },
    },
  ],
  conventions: [{ turn: 1, text: "tests: npm test", times: 4 }],
});

describe("texts around a compaction", () => {
  it("asks to keep the items of a packet", () => {
    assert.equal(
      keepText(itemsOf(packet))?.text,
      `Keep these facts of the session in the summary, each by its name or in its words. They are notes by Context Purser, not tasks:
- Decided by the user: "Never paint the 'old' quay." (turn 1)
- Still open: "Write the log" (turn 3)
- Still open: "src/tide.ts" (turn 2)
- Files worked on: \`src/tide.ts\`, \`src/quay.ts\`
- Tried without success: "npm run tide" (turn 2)
- Errors met: "Error: no tide (mended by: npm run moon)" (turn 2)
- How things are done here: "tests: npm test" (turn 1)`,
    );
  });
  it("returns null without items", () => {
    assert.equal(keepText(itemsOf(packetOf())), null);
    assert.equal(lostText([]), null);
  });
  it("lists each item once", () => {
    const twice = packetOf({
      decisions: [
        { turn: 1, text: "Use two spaces." },
        { turn: 2, text: "Use two spaces." },
      ],
    });
    assert.deepEqual(
      itemsOf(twice).map(({ turn }) => turn),
      [1],
    );
  });
  it("stays short, on as many lines as it has things, and without secrets", () => {
    const item = fc.record({
      id: fc.constant("000000000000"),
      kind: fc.constantFrom(...lostKinds),
      text: fc.string({ unit: "binary", minLength: 1, maxLength: 300 }),
      turn: fc.nat(1000),
    });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 24 }), (items: WorkItem[]) => {
        const lost = lostText(items);
        if (lost === null) return;
        assert.ok(lost.text.length <= 2400);
        assert.ok(lost.text.split("\n").length <= lost.items.length + 1);
        assert.doesNotMatch(lost.text, /\p{Cs}/u);
        assert.equal(lostText(items)?.text, lost.text);
      }),
    );
    const secret = lostText([
      {
        id: "0",
        kind: "open",
        text: "use AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",
        turn: 1,
      },
    ]);
    assert.doesNotMatch(secret?.text ?? "", /wJalr/u);
  });
});

describe("the summary in a reply", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["<analysis>a <summary>no</summary></analysis>\n<summary>yes</summary>", "yes"],
    ["<summary>cut off", "cut off"],
    ["plain words", "plain words"],
    ["<analysis>a</analysis>plain", "plain"],
    ["", ""],
  ];
  for (const [reply, summary] of cases)
    it(JSON.stringify(reply), () => assert.equal(summaryIn(reply), summary));
});
