import { describe, it } from "node:test";
import fc from "fast-check";
import { describeHeadKey, suggestInHead } from "../../../../src/engine/recurring/agents/head-help.ts";
import { definitionHead } from "../../../../src/engine/recurring/agents/recurring-agents-schema.ts";
import { assert } from "../../support/assert-texts.ts";

/** Suggests at the `|` of a text. */
function at(text: string): string[] | null {
  const before = text.slice(0, text.indexOf("|")).split("\n");
  const place = { line: before.length - 1, column: (before.at(-1) ?? "").length };
  const found = suggestInHead(text.replace("|", ""), place);
  return found === null ? null : found.suggestions.map((each) => each.text);
}

describe("help with the head of an agent's file", () => {
  it("suggests each missing key of the schema, with its meaning", () => {
    const keys = Object.keys(definitionHead.shape);
    assert.deepEqual(at("---\n|\n---\n"), keys);
    assert.deepEqual(
      at("---\nprogram: claude\n|\nmodel: x\n---\n"),
      keys.filter((key) => !["program", "model"].includes(key)),
    );
    for (const { text, description } of suggestInHead("---\n\n---\n", { line: 1, column: 0 })?.suggestions ??
      [])
      if (text !== "rotation" && text !== "budget") assert.notEqual(description, "", text);
  });

  it("suggests the keys inside of a key, in lines and between braces", () => {
    assert.deepEqual(at("---\nbudget:\n  |\n---\n"), ["wake", "day", "turns", "minutes"]);
    assert.deepEqual(at("---\nbudget: { wake: 1, | }\n---\n"), ["wake", "day", "turns", "minutes"]);
    assert.deepEqual(at("---\ntasks:\n  |\n---\n"), ["command", "seconds"]);
  });

  it("suggests values from the schema, the programs or the machine", () => {
    assert.deepEqual(at("---\nprogram: |\n---\n"), ["claude", "codex", "copilot", "gemini"]);
    assert.deepEqual(at("---\ncache: |\n---\n"), ["auto", "5m", "1h"]);
    assert.deepEqual(at("---\nskills: |\n---\n"), ["all"]);
    assert.deepEqual(at("---\npermissions:\n  network: |\n---\n"), ["true", "false"]);
    assert.deepEqual(at("---\ntools:\n  - |\n---\n"), ["Bash", "Read", "Edit", "Write"]);
    assert.ok(at("---\ntimezone: |\n---\n")?.includes("Europe/Berlin"));
    assert.deepEqual(at("---\nmodel: |\n---\n"), []);
  });

  it("returns nothing outside of the head", () => {
    for (const text of [
      "|",
      "---|\n---\n",
      "---\n---|\n",
      "---\n---\n|",
      "no head\n|",
      "---\n---\nprogram: |\n",
    ])
      assert.equal(at(text), null, JSON.stringify(text));
    assert.notEqual(at("---\n|"), null, "a head that has no end yet");
  });

  it("describes a key at any position", () => {
    const text = "---\nprogram: claude\nbudget:\n  wake: 1\nwake: go on\n---\nprogram: x\n";
    assert.equal(describeHeadKey(text, { line: 1, column: 0 }, "program"), "The agent's program.");
    assert.match(
      describeHeadKey(text, { line: 3, column: 2 }, "wake"),
      /^Most processing tokens of one wake/u,
    );
    assert.match(describeHeadKey(text, { line: 4, column: 0 }, "wake"), /^What each wake is told/u);
    assert.equal(describeHeadKey(text, { line: 6, column: 0 }, "program"), null);
    assert.equal(describeHeadKey(text, { line: 1, column: 9 }, "claude"), null);
    assert.equal(describeHeadKey(text, { line: 1, column: 0 }, "constructor"), null);
  });

  it("takes any text and place", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("---", "budget:", "  - ", "tasks: {")),
          {
            maxLength: 12,
          },
        ),
        fc.nat(14),
        fc.nat(20),
        (lines, line, column) => {
          const found = suggestInHead(lines.join("\n"), { line, column });
          assert.ok(found === null || found.place.column <= column);
        },
      ),
    );
  });
});
