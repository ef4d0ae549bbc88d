import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { budgetJson } from "../../../../src/engine/cli/budgets/budgets-schema.ts";
import { responseRow } from "../support/support.ts";
import { makeLedgerSetup } from "../support/ledger-place.ts";

it("A budget is right when it is made, in folders below too, and the same after a restart of the service", async (t) => {
  const { box, purser } = makeLedgerSetup(t);
  const project = path.join(box.folder, "harbor");
  const below = path.join(project, "packages", "web");
  mkdirSync(below, { recursive: true });
  const row = (id: string, cwd: string) =>
    responseRow({ id, cwd }).replace(/"timestamp":"[^"]*"/u, `"timestamp":"${new Date().toISOString()}"`);
  box.transcript("s-1.jsonl", row("1", project));
  box.transcript("s-2.jsonl", row("2", below));
  const run = async (...argv: string[]) => {
    const { code, stdout, stderr } = await purser(argv, { cwd: project });
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const made = await run(
    "budget",
    "create",
    "all",
    "--branch",
    "*",
    "--project",
    "10k/day",
    "--convoy",
    "none",
  );
  assert.match(made, /^used so far: project 2,020 of 10,000 today \(20%\)$/mu);
  const used = async () => {
    const { budgets } = budgetJson.parse(JSON.parse(await run("budget", "report", "--json")));
    return budgets[0]?.standings
      ?.map(({ level, subject, used: tokens }) => `${level} ${subject} ${tokens}`)
      .sort();
  };
  const expected = ["agent main 1010", "agent main 1010", "project null 2020"];
  assert.deepEqual(await used(), expected);
  await run("service", "restart");
  assert.deepEqual(await used(), expected);
  await run("service", "stop");
  assert.deepEqual(await used(), expected, "and from a service that is begun to tell it");
  box.transcript("s-3.jsonl", row("3", below));
  assert.deepEqual(await used(), ["agent main 1010", ...expected.with(-1, "project null 3030")]);
});
