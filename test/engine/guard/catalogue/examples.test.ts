import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { readExample } from "../../../../src/engine/guard/calls/example.ts";
import { findHits } from "../../../../src/engine/guard/calls/find-hits.ts";
import { RuleSet } from "../../../../src/engine/guard/calls/rule-set.ts";
import { catalogue } from "../../../../src/engine/guard/catalogue/all.ts";
import { testContext } from "../support/shell-context.ts";

const rules = new RuleSet(catalogue);

function firedOn(example: string): string[] {
  return findHits(readExample(example), rules, testContext).map(({ rule }) => rule.id);
}

test("every rule fires on its examples, and not on its counterexamples", () => {
  const faults = catalogue.flatMap(({ id, fires, passes }) => [
    ...fires.filter((example) => !firedOn(example).includes(id)).map((example) => `${id} passes ${example}`),
    ...passes
      .filter((example) => firedOn(example).includes(id))
      .map((example) => `${id} fires on ${example}`),
  ]);
  assert.deepEqual(faults, []);
});

/** Reads the commands of a folder's lists, one a line. */
function listed(folder: string): string[] {
  const place = path.join(import.meta.dirname, folder);
  return readdirSync(place).flatMap((name) =>
    readFileSync(path.join(place, name), "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#")),
  );
}

test("no destructive command passes, however it is disguised", () => {
  const commands = listed("destructive");
  assert.ok(commands.length >= 100);
  assert.deepEqual(
    commands.filter((command) => firedOn(command).length === 0),
    [],
  );
});

test("ordinary commands pass", () => {
  const commands = listed("ordinary");
  assert.ok(commands.length >= 100);
  assert.deepEqual(
    commands.filter((command) => firedOn(command).length > 0),
    [],
  );
});

test("every rule has a unique id, examples of both kinds, and a remedy", () => {
  const ids = catalogue.map(({ id }) => id);
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  );
  for (const { id, fires, passes, message, remedy } of catalogue) {
    assert.match(id, /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/u);
    assert.ok(fires.length >= 2 && passes.length >= 2, `${id} has two examples of each kind`);
    for (const text of [message, remedy]) assert.match(text, /^[A-Z][^\n]*\.$/u, `${id}: ${text}`);
  }
});
