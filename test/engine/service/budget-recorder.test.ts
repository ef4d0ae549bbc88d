import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { NewBudget } from "../../../src/engine/budget/budget.ts";
import { acceptBudget, createBudget, deleteBudget } from "../../../src/engine/budget/budget-store.ts";
import { noHistory } from "../../../src/engine/budget/projection.ts";
import { getBudgetReport } from "../../../src/engine/budget/report.ts";
import { tokensOf } from "../../../src/engine/budget/spending.ts";
import type { Ledger } from "../../../src/engine/ledger/ledger.ts";
import { BudgetRecorder } from "../../../src/engine/service/budget-recorder.ts";
import { newKeeper } from "../../../src/engine/service/new-keeper.ts";
import { sourcePrograms } from "../../../src/engine/service/programs.ts";
import { projectBudgets } from "../../../src/engine/service/project-budgets.ts";
import { localDays } from "../../../src/engine/usage/local-day.ts";
import { responseRow } from "../cli/support.ts";
import { open, response, tell } from "../ledger/support.ts";
import { scratchFolder } from "../support/scratch.ts";
import { waitUntil } from "../support/wait-until.ts";
import { valueOf } from "../budget/support/ports.ts";
import { Box, machine } from "./support/box.ts";

const noon = new Date(2026, 10, 18, 12).getTime();
const clock = { now: () => noon };
const dayOf = localDays();
const budget: NewBudget = {
  convoyId: "fleet",
  levels: { project: { limit: 1000, period: "month" }, convoy: { limit: 500, period: "day" } },
};

/** A ledger, and a project beside it. */
async function scene(t: TestContext) {
  const folder = scratchFolder(t);
  const project = path.join(folder, "argo");
  mkdirSync(path.join(project, ".git"), { recursive: true });
  const ledger = await open(t, path.join(folder, "home"));
  const budgetsOf = (of: string) =>
    projectBudgets(of, { pid: process.pid, machine, clock, history: noHistory });
  const ports = budgetsOf(project);
  const log: string[] = [];
  /** As at a service's start. */
  const recorderOf = (of: Ledger) => {
    const recorder = new BudgetRecorder({
      takeSpent: (since) => Promise.resolve(of.takeSpent(since, { dayOf })),
      budgetsOf,
      log: { write: (_, message) => void log.push(message) },
      clock,
    });
    t.after(() => recorder.dispose());
    return recorder;
  };
  const rows = async () => {
    const { usage } = valueOf(await ports.spending.read());
    return usage.map((row) => `${row.day} ${row.sessionId} ${row.agentId} ${tokensOf(row)}`).sort();
  };
  const use = (number: number, input: number, over: Parameters<typeof response>[1] = {}) => {
    const usage = { input, output: 1, cacheCreation5m: 2, cacheCreation1h: 3, cacheRead: 1e6 };
    return response(number, { cwd: path.join(project, "stern"), at: noon, usage, ...over });
  };
  const session = (id: string, cwd: string) =>
    ({ kind: "session", id, cwd, program: "claude-code", lastAt: noon }) as const;
  await tell(ledger, session("session-1", path.join(project, "stern")), session("session-2", project));
  return { folder, project, ledger, ports, log, recorderOf, rows, use };
}

describe("the recorder of what agents used", () => {
  it("tells a project's budgets the ledger's exact totals, as they grow and after a restart", async (t) => {
    const { ledger, ports, log, recorderOf, rows, use, folder } = await scene(t);
    valueOf(await createBudget(budget, ports));
    const subagent = { kind: "subagent", sessionId: "session-1", agentId: "a1", type: "Explore" } as const;
    await tell(
      ledger,
      subagent,
      use(1, 10),
      use(2, 20, { agentId: "a1" }),
      use(3, 5, { sessionId: "session-2" }),
    );
    await tell(
      ledger,
      use(4, 7, { at: new Date(2026, 10, 17, 23, 59).getTime() }),
      use(5, 1, { agentId: "a2" }),
    );
    await tell(ledger, use(6, 99, { at: new Date(2026, 9, 31, 12).getTime() }));
    const recorder = recorderOf(ledger);
    await recorder.record();
    const first = [
      "2026-11-17 session-1 main 13",
      "2026-11-18 session-1 Explore 26",
      "2026-11-18 session-1 main 16",
      "2026-11-18 session-1 subagent 7",
      "2026-11-18 session-2 main 11",
    ];
    assert.deepEqual(await rows(), first);
    await recorder.record();
    assert.deepEqual(await rows(), first, "nothing is new");
    // The same response with a larger output, and another one.
    const grown = { input: 10, output: 101, cacheCreation5m: 2, cacheCreation1h: 3, cacheRead: 1e6 };
    await tell(ledger, use(1, 10, { usage: grown }), use(7, 4));
    await recorder.record();
    const second = first.with(2, "2026-11-18 session-1 main 126");
    assert.deepEqual(await rows(), second);
    const [level] = valueOf(await getBudgetReport("fleet", ports)).levels.filter(
      (each) => each.level === "project",
    );
    assert.equal(level?.used, 13 + 26 + 126 + 7 + 11);
    // What was told while nobody recorded is recorded by the next.
    await tell(ledger, use(8, 3, { sessionId: "session-2" }));
    await ledger.close();
    const next = await open(t, path.join(folder, "home"));
    await recorderOf(next).record();
    assert.deepEqual(await rows(), second.with(4, "2026-11-18 session-2 main 20"));
    assert.deepEqual(log, []);
  });

  it("writes nothing into a project without budgets, and all that was used once it has one", async (t) => {
    const { project, ledger, ports, recorderOf, rows, use } = await scene(t);
    await tell(ledger, use(1, 10), use(2, 5, { sessionId: "session-2" }));
    const recorder = recorderOf(ledger);
    await recorder.record();
    assert.equal(existsSync(path.join(project, ".purser")), false);
    valueOf(await createBudget(budget, ports));
    await tell(ledger, use(3, 2, { sessionId: "session-2" }));
    await recorder.record();
    assert.deepEqual(await rows(), ["2026-11-18 session-1 main 16", "2026-11-18 session-2 main 19"]);
    valueOf(await deleteBudget("fleet", ports));
    await tell(ledger, use(4, 2));
    await recorder.record();
    assert.equal((await rows()).length, 2);
    assert.equal((await rows())[0], "2026-11-18 session-1 main 16", "nobody is limited by it");
  });

  it("puts what is told into the convoys of the branches it was used on", async (t) => {
    const { project, ledger, ports, recorderOf, use } = await scene(t);
    valueOf(await createBudget(budget, ports));
    valueOf(await createBudget({ convoyId: "oars", members: { branches: ["oars/*"] } }, ports));
    writeFileSync(path.join(project, ".git", "HEAD"), "ref: refs/heads/fleet\n");
    await tell(ledger, use(1, 10, { branch: "oars/port" }), use(2, 20, { branch: "main" }));
    // Of an agent that tells of no branch, it is the one that is checked out.
    await tell(ledger, use(3, 40, { sessionId: "session-2", branch: null }));
    await recorderOf(ledger).record();
    const { usage } = valueOf(await ports.spending.read());
    assert.deepEqual(usage.map((row) => `${row.convoyId} ${row.sessionId} ${tokensOf(row)}`).sort(), [
      "fleet session-2 46",
      "null session-1 26",
      "oars session-1 16",
    ]);
  });

  it("says once that a budget is damaged, records all the same, and others stop until it is mended", async (t) => {
    const { project, ledger, ports, log, recorderOf, rows, use } = await scene(t);
    valueOf(await createBudget(budget, ports));
    valueOf(await createBudget({ ...budget, convoyId: "oars" }, ports));
    const file = path.join(project, ".purser", "budgets", "oars.json");
    writeFileSync(
      file,
      JSON.stringify({ schema: 1, convoyId: "oars", warnPercent: 80, levels: budget.levels }),
    );
    const recorder = recorderOf(ledger);
    for (const number of [1, 2]) {
      await tell(ledger, use(number, 10));
      await recorder.record();
    }
    assert.deepEqual(await rows(), ["2026-11-18 session-1 main 32"]);
    assert.equal(log.length, 1);
    assert.match(log[0] ?? "", /oars\.json cannot be used: .*--accept/u);
    assert.deepEqual(
      recorder.problems.map((problem) => problem.path),
      [file],
    );
    const report = await getBudgetReport("fleet", ports);
    assert.equal(report.ok || report.reason, "corrupt");
    valueOf(await acceptBudget("oars", ports));
    await tell(ledger, use(3, 10));
    await recorder.record();
    assert.deepEqual([recorder.problems, log.length], [[], 1]);
  });

  it("keeps what could not be written, and writes it with the next", async (t) => {
    const { project, ledger, ports, log, recorderOf, rows, use } = await scene(t);
    valueOf(await createBudget(budget, ports));
    const damaged = path.join(project, ".purser", "spending", "spending.9.json");
    writeFileSync(damaged, "{");
    const recorder = recorderOf(ledger);
    await tell(ledger, use(1, 10));
    await recorder.record();
    assert.deepEqual([recorder.problems.length, log.length], [1, 1]);
    rmSync(damaged);
    await tell(ledger, use(2, 5, { sessionId: "session-2" }));
    await recorder.record();
    assert.deepEqual(await rows(), ["2026-11-18 session-1 main 16", "2026-11-18 session-2 main 11"]);
    assert.deepEqual(recorder.problems, []);
  });
});

const { ledgerPrograms } = sourcePrograms(path.join(import.meta.dirname, "../../../src/engine"));

it("A service that reads transcripts tells a project's budgets what they say, and shows which budget is damaged", async (t) => {
  const box = new Box(t);
  const project = path.join(box.folder, "argo");
  const ports = box.servicePorts();
  const budgets = projectBudgets(project, { ...ports, history: noHistory });
  valueOf(await createBudget(budget, budgets));
  const text = (id: string) =>
    responseRow({ id, cwd: project }).replace(
      /"timestamp":"[^"]*"/u,
      `"timestamp":"${new Date().toISOString()}"`,
    );
  box.transcript("s-1.jsonl", text("1"));
  const client = await box.host({ ledger: newKeeper({ ...ports, programs: ledgerPrograms }) });
  await client.catchUp();
  const rows = async () => valueOf(await budgets.spending.read()).usage.map(tokensOf);
  const deadline = performance.now() + 10_000;
  while ((await rows()).length === 0 && performance.now() < deadline) await pause(50);
  const { levels } = valueOf(await getBudgetReport("fleet", budgets));
  // The session is of no convoy that anybody told of: it spends the project's tokens, not the convoy's.
  assert.deepEqual(
    levels.map(({ level, used }) => [level, used]),
    [
      ["convoy", 0],
      ["project", 1010],
    ],
  );
  writeFileSync(path.join(project, ".purser", "budgets", "oars.json"), "{");
  box.transcript("s-2.jsonl", text("2"));
  await client.catchUp();
  await waitUntil(() => box.log().includes("oars.json"), 10_000);
  const status = await client.ledgerStatus();
  assert.ok(status.ok);
  assert.match(status.value.freshness.problems.map((problem) => problem.path).join(" "), /oars\.json$/u);
  await client.shutdown("asked", 5000);
  assert.deepEqual(await rows(), [1010, 1010]);
});
