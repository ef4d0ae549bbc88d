import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readDefinition } from "../../../../src/engine/recurring/agents/definition.ts";
import { definitionText } from "../../../../src/engine/recurring/agents/definitions.ts";

const head = (...lines: string[]) =>
  `---\nprogram: claude\nmodel: claude-sonnet-4-5\n${lines.join("\n")}\n---\n`;
const faultsOf = (text: string, name = "keeper") => {
  const read = readDefinition(name, text);
  return read.ok ? [] : (read.faults ?? []);
};

describe("readDefinition", () => {
  it("reads a head with the text below it as the bootstrap, and fills in the rest", () => {
    const read = readDefinition(
      "keeper",
      `${head("wake: Go on.", "skills: [tides]")}\nYou keep the harbor.\n`,
    );
    assert.ok(read.ok);
    const { name, program, bootstrap, wake, skills, tools, budget, instructions, folder } = read.value;
    assert.deepEqual(
      { name, program, bootstrap, wake, skills, tools, budget, instructions, folder },
      {
        name: "keeper",
        program: "claude",
        bootstrap: "You keep the harbor.",
        wake: "Go on.",
        skills: ["tides"],
        tools: ["Bash", "Read", "Edit", "Write"],
        budget: { wake: 500_000, turns: 60, minutes: 30 },
        instructions: "all",
        folder: ".",
      },
    );
  });

  for (const [what, text, expected] of [
    ["a missing head", "You keep the harbor.", [[1, /begin with a head/u]]],
    ["YAML that is none", "---\nprogram: claude\nmodel: [a\n---\n", [[4, /./u]]],
    ["an unknown key", head("shedule: '* * * * *'"), [[4, /Unrecognized key: "shedule"/u]]],
    ["an unknown program", "---\nmodel: m\nprogram: clod\n---\n", [[3, /^program: /u]]],
    ["a nested value", head("budget:", "  wake: 0"), [[5, /^budget\.wake: /u]]],
    ["a schedule that is none", head("schedule: 99 * * * *"), [[4, /^schedule: /u]]],
    ["a schedule that never comes", head("schedule: 0 0 30 2 *"), [[4, /never comes again/u]]],
    ["an unknown time zone", head("schedule: 0 0 * * *", "timezone: Sea/Nowhere"), [[5, /^timezone: /u]]],
    ["a time zone alone", head("timezone: Europe/Berlin"), [[4, /it has no schedule/u]]],
    ["two bootstraps", `${head("bootstrap: A.")}B.`, [[4, /keep one of them/u]]],
    [
      "what its program ignores",
      "---\nprogram: codex\nmodel: m\nskills: [a]\ncache: 1h\n---\n",
      [
        [5, /^cache: Codex/u],
        [4, /^skills: Codex/u],
      ],
    ],
    ["an alias that expands", head("wake: &a x", "skills: [*a]"), [[1, /[Aa]lias/u]]],
  ] as const)
    it(`reports where ${what} is wrong`, () => {
      const faults = faultsOf(text);
      assert.equal(faults.length, expected.length, JSON.stringify(faults));
      for (const [index, [line, message]] of expected.entries()) {
        if (what !== "an alias that expands") assert.equal(faults[index]?.line, line, JSON.stringify(faults));
        assert.match(faults[index]?.message.text ?? "", message);
      }
    });

  it("refuses names that are not a single command word", () => {
    for (const name of ["", "A", "a b", "../a", "-a", "a-", "a".repeat(65), "ä", "a.b"])
      assert.match(faultsOf(head(), name)[0]?.message.text ?? "", /file's name/u, name);
  });

  it("reads a new agent's file, also with Windows line ends and a byte order mark", () => {
    const text = definitionText({ name: "keeper", program: "codex", model: "gpt-5.1-codex: [x]" });
    for (const each of [text, `\uFEFF${text.replaceAll("\n", "\r\n")}`]) {
      const read = readDefinition("keeper", each);
      assert.ok(read.ok, read.ok ? "" : read.detail.text);
      assert.equal(read.value.model, "gpt-5.1-codex: [x]");
      assert.match(read.value.bootstrap, /^You are keeper/u);
    }
  });

  it("has another session hash for another bootstrap, skill or tool, and the same for another wake or budget", () => {
    const hashOf = (text: string) => {
      const read = readDefinition("keeper", text);
      return read.ok ? read.value.sessionHash : read.detail;
    };
    const before = hashOf(head());
    assert.equal(hashOf(head("wake: Other.", "budget: { wake: 9 }", "schedule: 0 0 * * *")), before);
    for (const change of ["skills: [a]", "mcp: [a]", "tools: all", "instructions: none", "bootstrap: A."])
      assert.notEqual(hashOf(head(change)), before, change);
  });

  it("answers any text with an agent, or with faults on lines that it has", () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "---",
        "program: claude",
        "model: m",
        "schedule: '* * * * *'",
        "skills: [a, b]",
        "budget:",
        "  wake: 1",
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = lines.join("\n");
        const read = readDefinition("keeper", text);
        if (read.ok) return;
        assert.ok((read.faults ?? []).length > 0);
        for (const { line: at } of read.faults ?? [])
          assert.ok(at >= 1 && at <= text.split("\n").length + 1, `${at} of ${JSON.stringify(text)}`);
      }),
    );
  });
});
