import assert from "node:assert/strict";
import { test } from "node:test";
import { Candidate } from "../../../../src/engine/guard/calls/candidate.ts";
import { matchesCommand } from "../../../../src/engine/guard/calls/match.ts";
import { readOptions } from "../../../../src/engine/guard/calls/read-options.ts";
import type { CommandMatch } from "../../../../src/engine/guard/calls/rule.ts";
import { plainArgument } from "../../../../src/engine/guard/commands/invocation.ts";
import { readCommandLine } from "../../../../src/engine/guard/commands/shell-reader.ts";
import { matchingEffort } from "../../../../src/engine/guard/effort.ts";
import { testContext } from "../support/shell-context.ts";

function optionsOf(line: string): {
  readonly flags: readonly string[];
  readonly operands: readonly string[];
  readonly values: Readonly<Record<string, readonly string[]>>;
} {
  const [program = "", ...words] = line.split(" ");
  const { flags, operands, values } = readOptions(program, words.map(plainArgument));
  const entries = [...values].map(([option, given]) => [option, given.map(({ text }) => text)] as const);
  return { flags, operands: operands.map(({ text }) => text), values: Object.fromEntries(entries) };
}

test("a repeated option has all its values", () => {
  assert.deepEqual(optionsOf("docker run -v /:/host -v /x:/y --volume=/z:/z alpine"), {
    flags: ["-v", "-v", "--volume"],
    operands: ["run", "alpine"],
    values: { "-v": ["/:/host", "/x:/y"], "--volume": ["/z:/z"] },
  });
});

test("a program's first word decides which options take values", () => {
  assert.deepEqual(optionsOf("docker system prune -f --volumes").flags, ["-f", "--volumes"]);
  assert.deepEqual(optionsOf("docker compose -f prod.yml down -v").operands, ["compose", "down"]);
});

test("programs with long options after one dash have values after an equals sign", () => {
  const { flags, values } = optionsOf("terraform -chdir=infra apply -auto-approve=true");
  assert.deepEqual(flags, ["-chdir", "-auto-approve"]);
  assert.deepEqual(values, { "-chdir": ["infra"], "-auto-approve": ["true"] });
});

test("a value may follow the last of several letters directly", () => {
  assert.deepEqual(optionsOf("curl -sXDELETE http://es:9200/a"), {
    flags: ["-sXDELETE", "-s", "-X"],
    operands: ["http://es:9200/a"],
    values: { "-X": ["DELETE"] },
  });
  assert.deepEqual(optionsOf("tar -xzf a.tgz").values, { "-f": ["a.tgz"] });
  assert.deepEqual(optionsOf("mysql -uroot -psecret shop").operands, ["shop"]);
});

function gitOptionsOf(line: string): { flags: readonly string[]; operands: string[]; values: string[] } {
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

test("git's options take a value depending on the command before them", () => {
  assert.deepEqual(gitOptionsOf("git push -u origin main").operands, ["push", "origin", "main"]);
  assert.deepEqual(gitOptionsOf("git branch -u origin/main").operands, ["branch"]);
  assert.deepEqual(gitOptionsOf("git -C ../shop clean -x -f -d").flags, ["-C", "-x", "-f", "-d"]);
  assert.deepEqual(gitOptionsOf("git commit -am text").values, ["-m text"]);
});

test("every value of a repeated option counts", () => {
  assert.deepEqual(gitOptionsOf("git -c a.b=1 -c core.hooksPath=/dev/null commit").values, [
    "-c a.b=1",
    "-c core.hooksPath=/dev/null",
  ]);
});

test("a command that prints its help does nothing else", () => {
  const match = { program: "git", words: "reset", flags: ["--hard"] };
  assert.equal(matches(match, "git reset --hard"), true);
  assert.equal(matches(match, "git reset --hard --help"), false);
});

test("an operand is recognized by the program that prints it", () => {
  const match = { program: "git", words: "branch", operand: { from: "git" } };
  assert.equal(matches(match, "git branch -D $(git branch --list 'fix/*')"), true);
  assert.equal(matches(match, "git branch -D $(cat branches.txt)"), false);
});

test("assignments before a command count as those of env", () => {
  const match = { program: "env", operand: { like: "HUSKY=0" } };
  assert.equal(matches(match, "HUSKY=0 CI=1 git commit -m x"), true);
  assert.equal(matches(match, "env HUSKY=0 git commit -m x"), true);
  assert.equal(matches(match, "git commit -m HUSKY=0"), false);
});

test("reads commands that git, repo and lerna run elsewhere", () => {
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
