import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { readExample } from "../../../../src/engine/guard/calls/example.ts";
import { findHits } from "../../../../src/engine/guard/calls/find-hits.ts";
import type { GuardRule } from "../../../../src/engine/guard/calls/rule.ts";
import { identityOf, RuleSet } from "../../../../src/engine/guard/calls/rule-set.ts";
import type { Argument, Invocation, Redirection } from "../../../../src/engine/guard/commands/invocation.ts";
import { testContext } from "../support/shell-context.ts";

/** Few texts, so that parts of two invocations are often equal, or could be taken for each other. */
const text = fc.constantFrom("", "a", "b", "1", "0", '"', ",", "\0", "null", "false");
const texts = fc.array(text, { maxLength: 2 });
/** Every invocation is a plain object. */
const plain = { noNullPrototype: true } as const;
const argument: fc.Arbitrary<Argument> = fc.record({ text, isPattern: fc.boolean(), from: texts }, plain);
const redirection: fc.Arbitrary<Redirection> = fc.record(
  { kind: fc.constantFrom("write", "append", "read"), target: argument, isOutput: fc.boolean() },
  plain,
);
const invocation: fc.Arbitrary<Invocation> = fc.record(
  {
    program: text,
    args: fc.array(argument, { maxLength: 2 }),
    redirections: fc.array(redirection, { maxLength: 1 }),
    from: texts,
    runs: texts,
    input: fc.option(text),
    via: texts,
    folder: fc.option(text),
    place: fc.constantFrom("here", "remote"),
    shown: fc.constantFrom("whole", "none"),
    environment: fc.array(fc.tuple(text, text), { maxLength: 1 }),
    isGuess: fc.boolean(),
    isStored: fc.constant(true),
  },
  {
    ...plain,
    requiredKeys: [
      "program",
      "args",
      "redirections",
      "from",
      "runs",
      "input",
      "via",
      "folder",
      "place",
      "shown",
      "environment",
      "isGuess",
    ],
  },
);

/** Two invocations of which the second differs from the first in one part, or in none. */
const pair = fc.tuple(invocation, invocation, fc.nat(12)).map(([one, other, at]) => {
  const key = Object.keys(other)[at];
  const changed = Object.fromEntries(Object.entries(other).filter(([name]) => name === key));
  return [one, { ...one, ...changed }] as const;
});

test("two invocations have the same identity if they are equal in all parts, and only then", () => {
  fc.assert(
    fc.property(pair, ([one, other]) => {
      assert.equal(identityOf(one) === identityOf(other), isDeepStrictEqual(one, other));
    }),
    { numRuns: 3000 },
  );
});

test("words that move from one list to the next change the identity", () => {
  fc.assert(
    fc.property(invocation, texts, texts, (base, from, runs) => {
      const one = { ...base, from: [...from, ...runs], runs: [] };
      const other = { ...base, from, runs };
      assert.equal(identityOf(one) === identityOf(other), runs.length === 0);
    }),
  );
});

test("A program that no rule names does not hide rules on redirections without a program", () => {
  const rule = (id: string, program: string): GuardRule => ({
    id,
    family: "safety",
    match: [{ program, writes: { path: "home-entry" } }],
    message: "It empties a file of the home.",
    remedy: "",
    fires: [],
    passes: [],
  });
  const rules = new RuleSet([rule("bare-write", ":|true|"), rule("any-write", "*")]);
  const fired = (line: string) =>
    findHits(readExample(line), rules, testContext).map(({ rule: { id } }) => id);
  assert.deepEqual(fired("unheard-of > ~/.gitconfig"), ["any-write"]);
  assert.deepEqual(fired("> ~/.gitconfig"), ["bare-write", "any-write"]);
  assert.deepEqual(fired("unheard-of > ~/.gitconfig"), ["any-write"]);
});
