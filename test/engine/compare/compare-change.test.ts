import { plainSentence } from "../../../src/engine/base/language.ts";
import { test } from "node:test";
import { configurationHash, type Configuration } from "../../../src/engine/bench/configuration.ts";
import { changedPair, type Change } from "../../../src/engine/compare/compare-change.ts";
import { assert } from "../support/assert-texts.ts";

const base: Configuration = {
  label: plainSentence("base"),
  agent: "backend",
  model: "sonnet",
  effort: null,
  definition: null,
  memory: null,
  role: "active",
  overlay: [{ path: "CLAUDE.md", text: "# A\nold\n" }],
};
const sidesOf = (change: Change) => {
  const made = changedPair(base, change);
  assert.ok(made.ok);
  return made.value;
};

test("A change is on one side alone, and all else the same on both", () => {
  const changes: readonly [Change, keyof Configuration][] = [
    [{ kind: "model", model: "haiku" }, "model"],
    [{ kind: "effort", effort: "low" }, "effort"],
    [{ kind: "guard", mode: "on" }, "guard"],
    [{ kind: "prompt", name: "short.md", definition: "---\nname: backend\n---\nx" }, "definition"],
    [
      {
        kind: "setting",
        name: plainSentence("settings.json"),
        files: [{ path: ".claude/settings.json", text: "{}" }],
      },
      "overlay",
    ],
  ];
  for (const [change, changed] of changes) {
    const [before, after] = sidesOf(change).configurations;
    assert.equal(configurationHash(before), configurationHash(base));
    assert.notDeepEqual(before[changed], after[changed]);
    assert.deepEqual({ ...before, label: "", [changed]: null }, { ...after, label: "", [changed]: null });
    assert.notEqual(before.label, after.label);
  }
});

test("An existing part is measured by leaving it out: a section, or a file", () => {
  const file = { is: "file", path: "CLAUDE.md" } as const;
  const text = "# A\nkeep\n# B\ndrop\n";
  const section = sidesOf({ kind: "without", file, text, heading: "B" });
  assert.deepEqual(section.subject, { kind: "ablation", id: "without:CLAUDE.md#B", title: "CLAUDE.md#b" });
  assert.deepEqual(
    section.configurations.map(({ overlay }) => overlay),
    [[{ path: "CLAUDE.md", text }], [{ path: "CLAUDE.md", text: "# A\nkeep\n" }]],
  );
  const whole = sidesOf({ kind: "without", file, text, heading: null });
  assert.deepEqual(whole.configurations[1].overlay, [{ path: "CLAUDE.md", text: null }]);
  const memory = sidesOf({ kind: "without", file: { is: "memory" }, text, heading: "A" });
  assert.deepEqual(
    memory.configurations.map(({ memory: own }) => own),
    [text, "# B\ndrop\n"],
  );
});

test("A change without effect, outside the project or without an agent is refused before anything runs", () => {
  const refused: readonly [Change, string][] = [
    [{ kind: "model", model: "sonnet" }, "no_change"],
    [{ kind: "setting", name: plainSentence("x"), files: [{ path: "../x", text: "" }] }, "outside"],
    [{ kind: "without", file: { is: "file", path: "/etc/passwd" }, text: "x", heading: null }, "outside"],
    [{ kind: "without", file: { is: "definition" }, text: "x", heading: null }, "whole_agent"],
    [{ kind: "without", file: { is: "memory" }, text: "# A\n", heading: "B" }, "no_section"],
  ];
  for (const [change, reason] of refused) {
    const made = changedPair(base, change);
    assert.ok(!made.ok && made.reason === reason, JSON.stringify(change));
  }
});
