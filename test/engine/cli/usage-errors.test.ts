import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { commands } from "../../../src/engine/cli/commands.ts";
import { Scratch } from "./support/support.ts";

const scratch = new Scratch();
after(() => scratch.dispose());

describe("purser that is used wrongly", () => {
  const table: readonly [argv: string[], message: string][] = [
    [["stat"], 'purser: unknown command "stat"; did you mean status? See purser --help.'],
    [["bugdet"], 'purser: unknown command "bugdet"; did you mean budget? See purser --help.'],
    [["describe"], 'purser: unknown command "describe"; did you mean guard status? See purser --help.'],
    [["install"], 'purser: unknown command "install"; did you mean hooks install? See purser --help.'],
    [["constructor"], 'purser: unknown command "constructor". See purser --help.'],
    [["frobnicate"], 'purser: unknown command "frobnicate". See purser --help.'],
    [["a\nb\u001b[2J"], 'purser: unknown command "a\\nb\\u001b[2J". See purser --help.'],
    [["--foo"], 'purser: unknown option "--foo". See purser --help.'],
    [["--versoin"], 'purser: unknown option "--versoin"; did you mean --version? See purser --help.'],
    [["help", "stauts"], 'purser: no help on "stauts"; did you mean status? See purser --help.'],
    [["help", "gaurd"], 'purser: no help on "gaurd"; did you mean guard? See purser --help.'],
    [["help", "benchmark"], 'purser: no help on "benchmark"; did you mean benchmarks? See purser --help.'],
    [["help", "toString"], 'purser: no help on "toString". See purser --help.'],
    [
      ["golden", "lst"],
      'purser golden: unknown subcommand "lst"; did you mean list? See purser golden --help.',
    ],
    [
      ["golden", "--json"],
      'purser golden: a subcommand must come before "--json". See purser golden --help.',
    ],
    [
      ["ledger", "check", "--jsn"],
      'purser ledger check: unknown option "--jsn"; did you mean --json? See purser ledger check --help.',
    ],
    [
      ["status", "--wacth"],
      'purser status: unknown option "--wacth"; did you mean --watch? See purser status --help.',
    ],
    [
      ["status", "watch"],
      'purser status: unexpected argument "watch"; did you mean --watch? See purser status --help.',
    ],
    [
      ["bench", "--runz", "2"],
      'purser bench: unknown option "--runz"; did you mean --runs? See purser bench --help.',
    ],
    [["usage", "--by"], "purser usage: --by needs a value: "],
    [
      ["usage", "--json=yes"],
      "purser usage: --json takes no value; give just --json. See purser usage --help.",
    ],
    [["handover", "--no"], 'purser handover: unknown option "--no". See purser handover --help.'],
  ];
  for (const [argv, message] of table)
    it(`names the fault and the help on one line: ${JSON.stringify(argv.join(" "))}`, async () => {
      const { code, stdout, stderr } = await scratch.purser(argv);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
      assert.ok(stderr.startsWith(message), stderr);
      assert.match(stderr, /^.+\. See purser.* --help\.\n$|\? See purser.* --help\.\n$/u);
    });

  for (const name of Object.keys(commands))
    it(`answers an option that it does not have in the same way: purser ${name}`, async () => {
      const command = await commands[name]?.load();
      const isGroup = command?.declaration.run === undefined;
      const { code, stdout, stderr } = await scratch.purser([name, "--no-such-option"]);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
      assert.match(
        stderr,
        new RegExp(`^purser ${name}: .*"--no-such-option".*\\. See purser ${name} --help\\.\\n$`, "u"),
      );
      assert.ok(isGroup || stderr.includes("unknown option"), stderr);
    });
});

describe("purser without a command", () => {
  it("prints all commands: exit code 0", async () => {
    for (const argv of [["help"], ["--help"], ["-h"]]) {
      const { code, stdout, stderr } = await scratch.purser(argv);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
      assert.match(stdout, /^purser: .+\n\nLook\n {2}status /u);
    }
  });

  for (const name of ["golden", "budget", "hooks", "ledger", "guard", "rules", "service", "plan", "compare"])
    it(`prints the help of a group of commands: purser ${name}`, async () => {
      const [alone, asked] = [await scratch.purser([name]), await scratch.purser([name, "--help"])];
      assert.deepEqual({ code: alone.code, stderr: alone.stderr }, { code: 0, stderr: "" });
      assert.match(alone.stdout, new RegExp(`^purser ${name}: `, "u"));
      assert.equal(asked.stdout, alone.stdout);
    });
});
