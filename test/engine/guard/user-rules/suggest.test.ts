import { test } from "node:test";
import fc from "fast-check";
import { suggestAt, describeKey, outlineOf } from "../../../../src/engine/guard/user-rules/suggest.ts";
import { placeAt } from "../../../../src/engine/guard/user-rules/place-at.ts";
import { assert } from "../../support/assert-texts.ts";

const facts = { family: "safety", action: "ask", message: "M.", remedy: "R.", example: "" } as const;
const rules = [
  { ...facts, id: "delete-home", isCode: false },
  { ...facts, id: "same-failure", isCode: true },
];

/** Suggestions at the mark `|` in a text. */
function at(text: string, scope: "user" | "project" = "user"): string[] {
  const [before = ""] = text.split("^");
  const lines = before.split("\n");
  const cursor = { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 };
  const found = suggestAt(text.replace("^", ""), cursor, { scope, rules, days: ["2026-12-31"] });
  return (found?.suggestions ?? []).map(({ text: each }) => each);
}

test("suggests keys that fit the place", () => {
  assert.deepEqual(at("^"), ["set", "exceptions", "rules"]);
  assert.deepEqual(at("se^", "project"), ["set", "rules"]);
  assert.deepEqual(at("exceptions:\n  - ru^"), ["rule", "like", "folder", "until"]);
  assert.deepEqual(at("exceptions:\n- rule: delete-home\n  ^"), ["rule", "like", "folder", "until"]);
  assert.deepEqual(at("exceptions:\n  - { rule: delete-home, ^"), ["rule", "like", "folder", "until"]);
  assert.deepEqual(at("set:\n  x: off\nrules:\n  - id: a-b\n    # why\n\n    fam^").slice(0, 3), [
    "id",
    "family",
    "action",
  ]);
  const match = at("rules:\n  - id: a-b\n    match:\n      - pro^");
  assert.ok(match.includes("program") && match.includes("tool") && match.includes("content"));
  const flow = at("rules:\n  - id: a-b\n    match: [{ program: rm, operand: { ^");
  assert.deepEqual(flow.slice(0, 3), ["path", "notPath", "like"]);
});

test("suggests values: ids of rules, actions, families, kinds of paths, and days", () => {
  assert.deepEqual(at("set:\n  ^"), ["delete-home", "same-failure"]);
  assert.deepEqual(at("set: { delete-home: ^"), ["off", "advise", "ask", "deny"]);
  assert.deepEqual(at("set:\n  same-failure: ^"), ["off", "advise"]);
  assert.deepEqual(at("set:\n  delete-home: a^", "project"), ["advise", "ask"]);
  assert.deepEqual(at("exceptions:\n  - rule: del^"), ["delete-home", "same-failure"]);
  assert.deepEqual(at("exceptions: [{ rule: ^"), ["delete-home", "same-failure"]);
  assert.deepEqual(at("exceptions:\n  - rule: x\n    until: ^"), ["2026-12-31"]);
  assert.ok(at("rules:\n  - family: ^").includes("secrets"));
  assert.deepEqual(at("rules:\n  - action: ^", "project"), ["advise", "ask"]);
  assert.ok(at("rules:\n  - match:\n      - tool: read\n        path: home|^").includes("secret"));
  assert.deepEqual(at("rules:\n  - match:\n      - program: x\n        place: ^"), [
    "here",
    "container",
    "remote",
  ]);
});

test("suggests nothing in a comment or a quoted text", () => {
  assert.deepEqual(at("# ^"), []);
  assert.deepEqual(at('rules:\n  - message: "a ^'), []);
  assert.deepEqual(at("rules:\n  - message: a word ^"), []);
});

test("keys have the schema's descriptions", () => {
  assert.match(describeKey(["exceptions", "*", "until"]), /Only before this day/u);
  assert.match(describeKey(["rules", "*", "match", "*", "program"]), /Programs without folder/u);
  assert.equal(describeKey(["nothing", "here"]), null);
});

test("the outline has each part with its line, even for a half-written file", () => {
  const text =
    "set:\n  delete-home: off\nexceptions:\n  - rule: a-b\n    until: 2026-12-31\nrules:\n  - id: c-d\n    message: [";
  assert.deepEqual(
    outlineOf(text).map(({ kind, id, line, until }) => [kind, id, line, until]),
    [
      ["set", "delete-home", 1, null],
      ["exception", "a-b", 3, "2026-12-31"],
      ["rule", "c-d", 6, null],
    ],
  );
  assert.deepEqual(outlineOf("- a"), []);
});

test("never throws, whatever the text and place", () => {
  const piece = fc.constantFrom(
    "set:",
    "rules:",
    "- ",
    "  ",
    "\n",
    "{",
    "}",
    "[",
    "]",
    "'",
    '"',
    "#",
    "match:",
    ": ",
    "a",
    ",",
    "\r\n",
    "\t",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 40 }).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(text, fc.nat(20), fc.nat(40), (written, line, column) => {
      const place = placeAt(written, { line, column });
      if (place !== null) assert.ok(place.column <= column);
      suggestAt(written, { line, column }, { scope: "user", rules, days: [] });
      for (const item of outlineOf(written)) assert.ok(item.line >= 0);
    }),
  );
});
