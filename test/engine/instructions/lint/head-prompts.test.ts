import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { stringify } from "yaml";
import { lintFile } from "../../../../src/engine/instructions/lint.ts";
import type { LintFinding } from "../../../../src/engine/instructions/lint/found-text.ts";
import { headPrompts } from "../../../../src/engine/instructions/lint/head-prompts.ts";
import { wakesThatSend } from "../../../../src/engine/instructions/section-rent.ts";
import { readDefinition } from "../../../../src/engine/recurring/agents/definition.ts";
import { wake } from "../../../extension/support/recurring.ts";

const lint = (text: string) =>
  lintFile(
    {
      kind: "recurring",
      name: "keeper",
      folder: "/home/kim/orrery",
      programs: ["claude-code"],
      path: ".purser/agents/keeper.md",
      file: "/home/kim/orrery/.purser/agents/keeper.md",
      text,
    },
    [],
    {
      read: () => Promise.resolve(null),
      home: "/home/kim",
      folders: ["/home/kim/orrery"],
      charactersPerToken: [],
    },
  );

/** The text of a file at a finding's place. */
const placed = (text: string, { span }: LintFinding) =>
  text
    .split(/\r?\n/u)
    [span.line]?.slice(span.column, span.endLine === span.line ? span.endColumn : undefined);

const wakeText = [
  "Oil the gears.",
  "Last updated: 2026-11-20",
  "HEAD is now at 3f2a91c",
  "Look into /home/kim/orrery/src first.",
];
const fileWith = (head: string, ending = "\n") =>
  ["---", "program: claude", "model: m", head, "schedule: '@daily'", "---", "Body.", ""]
    .join("\n")
    .replaceAll("\n", ending);

describe("prompts in the head of a recurring agent's file", () => {
  it("are checked like its body, each finding at its place, in any YAML style", async () => {
    const styles: Readonly<Record<string, string>> = {
      literal: `wake: |\n${wakeText.map((line) => `  ${line}`).join("\n")}`,
      "folded, deeper": `wake: >-\n${wakeText.map((line) => `      ${line}`).join("\n")}`,
      bootstrap: `bootstrap: |\n${wakeText.map((line) => `  ${line}`).join("\n")}`,
      plain: `wake: Oil the gears.\n  HEAD is now at 3f2a91c\n  Look into /home/kim/orrery/src first.\n  Last updated 2026-11-20`,
      "in double quotes": `wake: "Oil the gears.\\nLast updated: 2026-11-20\\nHEAD is now at 3f2a91c\\nLook into /home/kim/orrery/src first."`,
      "in single quotes": `wake: 'Last updated: 2026-11-20, HEAD is now at 3f2a91c, in /home/kim/orrery/src'`,
    };
    for (const [style, head] of Object.entries(styles))
      for (const ending of ["\n", "\r\n"]) {
        const text = fileWith(head, ending);
        const found = await lint(text);
        assert.deepEqual(found.map((each) => each.kind).sort(), ["date", "git-state", "machine-path"], style);
        for (const each of found) {
          const words = placed(text, each);
          if (each.kind === "machine-path") assert.equal(words, "/home/kim/orrery/src", style);
          if (each.kind === "date") assert.match(words ?? "", /^Last updated:? 2026-11-20$/u, style);
          if (each.kind === "git-state") assert.equal(words, "HEAD is now at 3f2a91c", style);
          assert.equal(each.prompt, style === "bootstrap" ? "bootstrap" : "wake");
        }
      }
  });

  it("are checked behind an alias, and with doubled backslashes in quotes", async () => {
    const shared = ["bootstrap: &both |", ...wakeText.map((line) => `  ${line}`), "wake: *both"].join("\n");
    const found = (await lint(fileWith(shared))).filter(({ prompt }) => prompt === "wake");
    assert.deepEqual(found.map(({ kind }) => kind).sort(), ["date", "git-state", "machine-path"]);
    const quoted = await lint(fileWith(String.raw`wake: "Look into C:\\Users\\kim\\orrery first."`));
    assert.deepEqual(
      quoted.map(({ kind }) => kind),
      ["machine-path"],
    );
  });

  it("have a fix only if it replaces a part of a line in a block, and keeps the file readable", async () => {
    const text = fileWith(`wake: |\n${wakeText.map((line) => `  ${line}`).join("\n")}`);
    const fixes = (await lint(text)).flatMap(({ kind, fix }) => (fix === null ? [] : [{ kind, fix }]));
    assert.deepEqual(
      fixes.map(({ kind }) => kind),
      ["machine-path"],
    );
    for (const { fix } of fixes) {
      const lines = text.split("\n");
      const line = lines[fix.span.line] ?? "";
      lines[fix.span.line] = `${line.slice(0, fix.span.column)}${fix.text}${line.slice(fix.span.endColumn)}`;
      const after = lines.join("\n");
      assert.match(after, /^ {2}Look into src first\.$/mu);
      assert.ok(readDefinition("keeper", after.replace("'@daily'", "0 9 * * *")).ok);
    }
    const quoted = await lint(fileWith(`wake: '/home/kim/orrery'`));
    assert.deepEqual(
      quoted.map(({ kind, fix }) => [kind, fix]),
      [["machine-path", null]],
    );
  });

  it("are long from 4,000 characters if each wake sends them, but not if only a new session does", async () => {
    const long = "Oil every gear of brass. ".repeat(600);
    const kinds = async (head: string) => (await lint(fileWith(head))).map(({ kind }) => kind);
    assert.deepEqual(await kinds(`wake: |\n  ${long}`), ["long-prompt"]);
    assert.deepEqual(await kinds(`bootstrap: |\n  ${long}`), []);
    assert.deepEqual(await kinds(`wake: |\n  ${"a".repeat(3998)}`), []);
    const [found] = await lint(fileWith(`wake: |\n\n  Short line.\n  ${long}`));
    assert.ok(found?.fix === null && found.text.length > 15_000);
    assert.equal(found.span.line, 5);
    assert.match(found.message.text, /has 15,?\d{3} characters/u);
  });

  it("are empty if the head is invalid YAML, or has no text", () => {
    for (const head of ["wake: [a", "wake: 12", "wake: {a: b}", "wake:", "other: x"])
      assert.deepEqual(headPrompts(fileWith(head)), []);
    assert.deepEqual(headPrompts("wake: x"), []);
  });

  it("have as many columns as lines, and never lead outside of the file, for any content", async () => {
    const lines = fc.array(fc.constantFrom(...wakeText, "", "# Notes", "  - item", "```", "\tx", ": y"), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(
        lines,
        fc.constantFrom("BLOCK_LITERAL", "BLOCK_FOLDED", "QUOTE_DOUBLE", "QUOTE_SINGLE", "PLAIN"),
        async (own, type) => {
          const text = fileWith(
            stringify(
              { wake: own.join("\n") },
              { defaultStringType: type, defaultKeyType: "PLAIN" },
            ).trimEnd(),
          );
          const all = text.split("\n");
          for (const { span } of await lint(text)) {
            assert.ok(span.line < all.length && span.column <= (all[span.line]?.length ?? 0));
            assert.ok(span.endLine <= all.length && span.endColumn <= (all[span.endLine]?.length ?? 0));
          }
        },
      ),
    );
  });
});

describe("wakesThatSend", () => {
  it("counts each wake for the prompt of wakes, and new sessions for the rest", () => {
    const file = { name: "keeper", folder: "/home/dev/harbor" };
    const wakes = [
      wake(),
      wake({ reason: "first" }),
      wake({ outcome: "environment" }),
      wake({ agent: "clerk" }),
      wake({ project: "/home/dev/quay" }),
    ];
    assert.equal(wakesThatSend({ prompt: "wake" }, file, wakes), 2);
    assert.equal(wakesThatSend({ prompt: "bootstrap" }, file, wakes), 1);
    assert.equal(wakesThatSend({}, file, wakes), 1);
  });
});
