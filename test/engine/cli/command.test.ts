import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import { sentence } from "../../../src/engine/base/language.ts";
import { flag, option } from "../../../src/engine/cli/args.ts";
import { command } from "../../../src/engine/cli/command.ts";
import type { CommandInput } from "../../../src/engine/cli/declaration.ts";
import { Scratch } from "./support/support.ts";

const scratch = new Scratch();
after(() => scratch.dispose());

const shown = ({ options, first, all }: CommandInput) =>
  JSON.stringify({ first, words: all, isAll: options.has("all"), by: options.value("by") ?? null });

const example = command({
  name: "example",
  title: "is run by a test",
  argument: {},
  options: { all: flag("all of them"), by: option("WHAT", "a word", "by what") },
  run: (asked, { stdout }) => {
    stdout.write(shown(asked));
    return 0;
  },
  subcommands: {
    one: {
      argument: { isMissing: sentence("missing ID") },
      takes: ["by"],
      run: ({ first }) => (first === "no" ? fail("no_rule", sentence("there is no rule no")) : succeed(3)),
    },
    wrong: { run: () => fail("bad_argument", sentence("that is wrong")) },
    many: {
      argument: { isMany: true },
      takes: ["all"],
      run: (asked, { stdout }) => {
        stdout.write(shown(asked));
        return 0;
      },
    },
    group: { subcommands: { last: { run: () => 4 } } },
  },
});

const run = (...argv: string[]) => scratch.purser(argv, {}, (words, host) => example.run(words, host));
const parsed = async (...argv: string[]): Promise<unknown> => JSON.parse((await run(...argv)).stdout);

describe("a declared command", () => {
  it("gets its argument and its options", async () => {
    const asked = { first: "x", words: ["x"], isAll: true, by: "day" };
    assert.deepEqual(await parsed("x", "--all", "--by", "day"), asked);
    assert.deepEqual(await parsed(), { first: "", words: [], isAll: false, by: null });
    const many = { first: "a", words: ["a", "b"], isAll: true, by: null };
    assert.deepEqual(await parsed("many", "a", "--all", "b"), many);
  });

  it("runs a subcommand, and one below it", async () => {
    assert.equal((await run("one", "x")).code, 3);
    assert.equal((await run("group", "last")).code, 4);
    assert.match((await run("group")).stdout, /^purser example: is run by a test\n/u);
  });

  const wrong: readonly [argv: string[], stderr: string, code?: number][] = [
    [["one"], "purser example one: missing ID. See purser example one --help.\n"],
    [["one", ""], 'purser example one: unexpected argument "". See purser example one --help.\n'],
    [["one", "x", "--all"], 'purser example one: unknown option "--all". See purser example one --help.\n'],
    [["x", "y"], 'purser example: unexpected argument "y". See purser example --help.\n'],
    [["wrong"], "purser example wrong: that is wrong. See purser example wrong --help.\n"],
    [["one", "no"], "purser example: there is no rule no\n", 1],
    [
      ["group", "lats"],
      'purser example group: unknown subcommand "lats"; did you mean last? See purser example group --help.\n',
    ],
    [
      ["group", "--all"],
      'purser example group: a subcommand must come before "--all". See purser example group --help.\n',
    ],
  ];
  for (const [argv, stderr, code = 2] of wrong)
    it(`reports in one line: ${argv.join(" ")}`, async () => {
      assert.deepEqual(await run(...argv), { code, stdout: "", stderr });
    });
});
