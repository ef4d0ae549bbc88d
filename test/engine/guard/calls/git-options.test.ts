import assert from "node:assert/strict";
import { test } from "node:test";
import { Candidate } from "../../../../src/engine/guard/calls/candidate.ts";
import { matchesCommand } from "../../../../src/engine/guard/calls/match.ts";
import { readOptions } from "../../../../src/engine/guard/calls/read-options.ts";
import type { CommandMatch } from "../../../../src/engine/guard/calls/rule.ts";
import { plainArgument } from "../../../../src/engine/guard/commands/invocation.ts";
import { matchingEffort } from "../../../../src/engine/guard/effort.ts";
import { readCommandLine } from "../../../../src/engine/guard/commands/shell-reader.ts";
import { testContext } from "../support/shell-context.ts";

function optionsOf(line: string): { flags: readonly string[]; operands: string[]; values: string[] } {
  const [program = "", ...words] = line.split(" ");
  const { flags, operands, values } = readOptions(program, words.map(plainArgument));
  const given = [...values].flatMap(([option, all]) => all.map(({ text }) => `${option} ${text}`));
  return { flags, operands: operands.map(({ text }) => text), values: given };
}

function matches(match: CommandMatch, line: string): boolean {
  return readCommandLine(line, testContext).some(
    (each) =>
      each.program === match.program &&
      matchesCommand(match, new Candidate(each, testContext, matchingEffort())),
  );
}

test("options of git's commands take a value by the command that they stand behind", () => {
  assert.deepEqual(optionsOf("git push -u origin main").operands, ["push", "origin", "main"]);
  assert.deepEqual(optionsOf("git branch -u origin/main").operands, ["branch"]);
  assert.deepEqual(optionsOf("git -C ../shop clean -x -f -d").flags, ["-C", "-x", "-f", "-d"]);
  assert.deepEqual(optionsOf("git commit -am text").values, ["-m text"]);
});

test("every value of a repeated option counts", () => {
  assert.deepEqual(optionsOf("git -c a.b=1 -c core.hooksPath=/dev/null commit").values, [
    "-c a.b=1",
    "-c core.hooksPath=/dev/null",
  ]);
});

test("a command that is asked for its help does nothing else", () => {
  const match = { program: "git", words: "reset", flags: ["--hard"] };
  assert.equal(matches(match, "git reset --hard"), true);
  assert.equal(matches(match, "git reset --hard --help"), false);
});

test("an operand is told by the program that prints it", () => {
  const match = { program: "git", words: "branch", operand: { from: "git" } };
  assert.equal(matches(match, "git branch -D $(git branch --list 'fix/*')"), true);
  assert.equal(matches(match, "git branch -D $(cat branches.txt)"), false);
});

test("assignments before a command are those of env", () => {
  const match = { program: "env", operand: { like: "HUSKY=0" } };
  assert.equal(matches(match, "HUSKY=0 CI=1 git commit -m x"), true);
  assert.equal(matches(match, "env HUSKY=0 git commit -m x"), true);
  assert.equal(matches(match, "git commit -m HUSKY=0"), false);
});

test("commands that git, repo and lerna run elsewhere are read", () => {
  const match = { program: "rm", operand: { like: "x" } };
  for (const line of [
    "git submodule foreach --recursive 'rm x'",
    "git -C libs submodule --quiet foreach rm x",
    "git bisect run rm x",
    "repo forall -c 'rm x'",
    "lerna exec -- rm x",
  ])
    assert.equal(matches(match, line), true, line);
  for (const line of ["git commit -m 'rm x'", "git submodule add rm x", "repo sync rm x"])
    assert.equal(matches(match, line), false, line);
});
