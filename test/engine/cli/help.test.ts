import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cellsOf } from "../../../src/engine/cli/text-cells.ts";
import { flag, option } from "../../../src/engine/cli/args.ts";
import { commands } from "../../../src/engine/cli/commands.ts";
import { commandTree } from "../../../src/engine/cli/completion/completion-tree.ts";
import type { Declaration, Part } from "../../../src/engine/cli/declaration.ts";
import { pageOf, printHelp, sentencesOf } from "../../../src/engine/cli/help.ts";

function printed(declaration: Declaration, columns: number, isTTY = true): string {
  let text = "";
  const stdout = { isTTY, columns, write: (part: unknown) => (text += String(part)) };
  printHelp(pageOf(declaration), { env: {}, stdout });
  return text;
}

const example: Declaration = {
  name: "example",
  title: "shows how its help is broken",
  words: "FILE",
  does: "with a file, about which there is much to say",
  more: [{ words: "--all [--yes]", does: "with all" }, { words: "--alone" }],
  terms: { FILE: "any file" },
  options: {
    by: option("WHAT", "a word", "group by day or by session (default: day)"),
    all: flag("all of them"),
    yes: flag("do not ask"),
    hidden: {},
    suite: option("S", "a suite", "described by another command"),
  },
  elsewhere: { does: "same as purser other", options: { suite: option("S", "a suite", "") } },
  notes: `
This paragraph has two lines,
of which this is the second.

This is another one.
`,
  examples: { "bash: ~/.bashrc": "source <(purser example)" },
  run: () => 0,
};

describe("the help of a command", () => {
  it("says what the declaration says", () => {
    assert.equal(
      printed(example, 20, false),
      `purser example: shows how its help is broken

  purser example FILE           with a file, about which there is much to say
  purser example --all [--yes]  with all
  purser example --alone

  FILE       any file
  --by WHAT  group by day or by session (default: day)
  --all      all of them
  --yes      do not ask
  --suite S  same as purser other
  --help     print this help

This paragraph has two lines, of which this is the second.

This is another one.

  bash: ~/.bashrc  source <(purser example)
`,
    );
  });

  it("groups subcommands, and has a description below a long line of usage", () => {
    const run = () => 0;
    assert.equal(
      printed(
        {
          name: "group",
          title: "has subcommands",
          subcommands: {
            one: { words: "ID", does: "the first", run },
            two: { words: `[--one A] [--two B] [--three C] [--four D]`, does: "with all of these", run },
            three: {
              heading: "For others:",
              does: "only for completion",
              subcommands: { four: { does: "the last", more: [{ words: "AGAIN" }], run } },
            },
          },
        },
        Infinity,
      ),
      `purser group: has subcommands

  purser group one ID  the first
  purser group two [--one A] [--two B] [--three C] [--four D]
                       with all of these

For others:

  purser group three four  the last
  purser group three four AGAIN

  --help  print this help
`,
    );
  });

  it("wraps in a narrow terminal", () => {
    assert.equal(
      printed(example, 40),
      `purser example: shows how its help is
broken

  purser example FILE
      with a file, about which there is
      much to say
  purser example --all [--yes]
      with all
  purser example --alone

  FILE       any file
  --by WHAT  group by day or by session
             (default: day)
  --all      all of them
  --yes      do not ask
  --suite S  same as purser other
  --help     print this help

This paragraph has two lines, of which
this is the second.

This is another one.

  bash: ~/.bashrc  source <(purser
                   example)
`,
    );
  });

  it("has its sentences for translation, without what is typed", () => {
    assert.deepEqual(sentencesOf(pageOf(example)).slice(0, 4), [
      "shows how its help is broken",
      "with a file, about which there is much to say",
      "with all",
      "any file",
    ]);
    assert.ok(!sentencesOf(pageOf(example)).some((text) => text.includes("source")));
  });

  for (const [name, { load }] of Object.entries(commands))
    it(`fits any terminal, and loses no word: purser ${name}`, async () => {
      const { declaration } = await load();
      const whole = printed(declaration, Infinity);
      for (const columns of [40, 60, 80, 100, 120]) {
        const text = printed(declaration, columns);
        for (const line of text.split("\n")) assert.ok(cellsOf(line) <= columns, `${columns}: ${line}`);
        assert.equal(text.replaceAll(/\s/gu, ""), whole.replaceAll(/\s/gu, ""));
      }
      for (const line of whole.split("\n")) assert.ok(cellsOf(line) <= 140, line);
    });

  it("names every option and subcommand that a command takes", async () => {
    for (const { path, options, subcommands } of await commandTree(commands)) {
      const [name = ""] = path.split(" ");
      const entry = commands[name];
      if (entry === undefined) continue;
      const help = printed((await entry.load()).declaration, Infinity);
      for (const option of options)
        assert.ok(help.includes(`--${option.name}`) || name === "plan", `${path} --${option.name}`);
      for (const word of subcommands) assert.match(help, new RegExp(`\\b${word.name}\\b`, "u"));
    }
  });

  it("names in a line of usage only options that are taken there", async () => {
    for (const [name, { load }] of Object.entries(commands)) {
      const { declaration } = await load();
      const check = (part: Part<string>, path: string, taken: readonly string[]) => {
        for (const { words = "" } of [part, ...(part.more ?? [])])
          for (const [, option = ""] of words.matchAll(/--([a-z-]+)/gu))
            assert.ok(taken.includes(option), `purser ${path} ${words}`);
        for (const [word, child] of Object.entries(part.subcommands ?? {}))
          check(child, `${path} ${word}`, [...(child.takes ?? []), ...Object.keys(child.options ?? {})]);
      };
      check(declaration, name, Object.keys(declaration.options ?? {}));
    }
  });

  it("takes only options that are declared", async () => {
    for (const [name, { load }] of Object.entries(commands)) {
      const { declaration } = await load();
      assert.equal(declaration.name, name);
      for (const { takes = [] } of Object.values(declaration.subcommands ?? {}))
        for (const option of takes) assert.ok(Object.hasOwn(declaration.options ?? {}, option), option);
    }
  });

  it("has the words of the field", async () => {
    for (const { load } of Object.values(commands)) {
      const help = printed((await load()).declaration, Infinity);
      assert.match(help, /^ {2}--help .*print this help$/mu);
      assert.doesNotMatch(help, /when nothing is told|asked wrongly|as of purser|how it is|unless told/u);
    }
  });
});
