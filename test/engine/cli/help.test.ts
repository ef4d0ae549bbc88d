import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cellsOf } from "../../../src/engine/base/text/text-cells.ts";
import { commands } from "../../../src/engine/cli/commands.ts";
import { commandTree } from "../../../src/engine/cli/completion/completion-tree.ts";
import { printHelp } from "../../../src/engine/cli/help.ts";

function printed(help: string, columns: number, isTTY = true): string {
  let text = "";
  printHelp(help, { env: {}, stdout: { isTTY, columns, write: (part) => (text += String(part)) } });
  return text;
}

const help = `purser example: shows how its help is broken

  purser example FILE                with a file, about which there is much to say
  purser example --all [--yes]       with all

  --by WHAT  group by day or by session
             (default: day)
  --help     print this help

This paragraph has two lines,
of which this is the second.
`;

describe("the help of a command", () => {
  it("is unchanged if it fits, and in a pipe or a file", () => {
    assert.equal(printed(help, 90), help);
    assert.equal(printed(help, 20, false), help);
  });

  it("wraps again in a narrow terminal", () => {
    assert.equal(
      printed(help, 40),
      `purser example: shows how its help is
broken

  purser example FILE
      with a file, about which there is
      much to say
  purser example --all [--yes]
      with all

  --by WHAT  group by day or by session
             (default: day)
  --help     print this help

This paragraph has two lines, of which
this is the second.
`,
    );
  });

  for (const [name, { load }] of Object.entries(commands))
    it(`fits any terminal, and loses no word: purser ${name}`, async () => {
      const { help: own } = await load();
      for (const columns of [40, 60, 80, 100, 120]) {
        const text = printed(own, columns);
        for (const line of text.split("\n")) assert.ok(cellsOf(line) <= columns, `${columns}: ${line}`);
        assert.equal(text.replaceAll(/\s/gu, ""), own.replaceAll(/\s/gu, ""));
      }
      for (const line of own.split("\n")) assert.ok(cellsOf(line) <= 150, line);
    });

  it("names every option and subcommand that a command takes", async () => {
    for (const { path, options, subcommands } of await commandTree(commands)) {
      const [name = ""] = path.split(" ");
      if (name === "" || name === "help" || path === "output on") continue;
      const { help: own } = (await commands[name]?.load()) ?? { help: "" };
      for (const option of options)
        assert.ok(own.includes(`--${option.name}`) || path.startsWith("plan"), `${path} --${option.name}`);
      for (const word of subcommands) assert.match(own, new RegExp(`\\b${word.name}\\b`, "u"));
    }
  });

  it("has the words of the field", async () => {
    for (const { load } of Object.values(commands)) {
      const { help: own } = await load();
      assert.match(own, /^ {2}--help .*print this help$/mu);
      assert.doesNotMatch(own, /when nothing is told|asked wrongly|as of purser|how it is|unless told/u);
    }
  });
});
