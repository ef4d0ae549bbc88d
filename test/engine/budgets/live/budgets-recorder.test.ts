import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { levelNames, type Levels } from "../../../../src/engine/budgets/budget.ts";
import {
  acceptBudget,
  createBudget,
  deleteBudget,
} from "../../../../src/engine/budgets/convoys/convoys-store.ts";
import { allBudgets } from "../../../../src/engine/budgets/convoys/members.ts";
import { noHistory } from "../../../../src/engine/budgets/projection.ts";
import { getBudgetReport } from "../../../../src/engine/budgets/budget-report.ts";
import { composeLedger } from "../../../../src/engine/service/compose-ledger.ts";
import { programs } from "../../support/programs.ts";
import { projectBudgets } from "../../../../src/engine/budgets/live/project.ts";
import { responseRow } from "../../cli/support/support.ts";
import { open, appendEntries } from "../../ledger/support/support.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { valueOf } from "../support/ports.ts";
import { ServiceSandbox } from "../../service/support/box.ts";
import { budget, lastMonth, scene, yesterday } from "../../service/support/recorder-scene.ts";

describe("the recorder of what agents used", () => {
  it("records the ledger's exact totals for a project's budgets, as they grow and after a restart", async (t) => {
    const { ledger, ports, log, recorderOf, rows, use, folder, usedOf } = await scene(t);
    valueOf(await createBudget(budget, ports));
    const subagent = { kind: "subagent", sessionId: "session-1", agentId: "a1", type: "Explore" } as const;
    await appendEntries(
      ledger,
      subagent,
      use(1, 10),
      use(2, 20, { agentId: "a1" }),
      use(3, 5, { sessionId: "session-2" }),
    );
    await appendEntries(ledger, use(4, 7, { at: yesterday }), use(5, 1, { agentId: "a2" }));
    await appendEntries(ledger, use(6, 99, { at: lastMonth }));
    const recorder = recorderOf(ledger);
    await recorder.record();
    const first = [
      "2026-11-17 session-1 main 13",
      "2026-11-18 session-1 a1 26",
      "2026-11-18 session-1 a2 7",
      "2026-11-18 session-1 main 16",
      "2026-11-18 session-2 main 11",
      "before session-1 main 105",
    ];
    assert.deepEqual(await rows(), first);
    await recorder.record();
    assert.deepEqual(await rows(), first, "nothing is new");
    // The same response with a larger output, and another one.
    const grown = { input: 10, output: 101, cacheCreation5m: 2, cacheCreation1h: 3, cacheRead: 1e6 };
    await appendEntries(ledger, use(1, 10, { usage: grown }), use(7, 4));
    await recorder.record();
    const second = first.with(3, "2026-11-18 session-1 main 126");
    assert.deepEqual(await rows(), second);
    assert.equal((await usedOf())["project"], 13 + 26 + 126 + 7 + 11);
    // Entries appended while no recorder ran are recorded by the next one.
    await appendEntries(ledger, use(8, 3, { sessionId: "session-2" }));
    await ledger.close();
    const next = await open(t, path.join(folder, "home"));
    await recorderOf(next).record();
    assert.deepEqual(await rows(), second.with(4, "2026-11-18 session-2 main 20"));
    assert.deepEqual(log, []);
  });

  it("adds up what one agent used on several branches of a group, in one day", async (t) => {
    const { ledger, ports, recorderOf, use, usedOf } = await scene(t);
    const levels: Levels = Object.fromEntries(
      levelNames.map((level) => [level, { limit: 120_000, period: "day" as const }]),
    );
    valueOf(await createBudget({ convoyId: "fleet", members: { branches: ["*"] }, levels }, ports));
    const branches: [string, number][] = [
      ["main", 100_000],
      ["feature/checkout", 90_000],
      ["feature/cart", 80_000],
    ];
    await appendEntries(
      ledger,
      ...branches.map(([branch, input], number) => use(number, input - 6, { branch })),
    );
    await recorderOf(ledger).record();
    assert.deepEqual(await usedOf(), { session: 270_000, agent: 270_000, convoy: 270_000, project: 270_000 });
  });

  it("adds usage from before a budget's creation on the first check", async (t) => {
    const { project, ledger, ports, recorderOf, rows, use, usedOf } = await scene(t);
    await appendEntries(ledger, use(1, 10), use(2, 5, { sessionId: "session-2" }));
    const recorder = recorderOf(ledger);
    await recorder.record();
    assert.equal(existsSync(path.join(project, ".purser")), false, "nothing is written without a budget");
    valueOf(await createBudget(budget, ports));
    await recorder.sync(project, { budgets: valueOf(await allBudgets(ports)) });
    assert.deepEqual(await rows(), ["2026-11-18 session-1 main 16", "2026-11-18 session-2 main 11"]);
    assert.equal((await usedOf())["project"], 27);
  });

  it("counts all that was ever used where a limit is for that, also of sessions long over", async (t) => {
    const { project, ledger, ports, recorderOf, use, session, usedOf } = await scene(t);
    await appendEntries(
      ledger,
      session("old", project, lastMonth),
      use(1, 93, { sessionId: "old", at: lastMonth, branch: "fleet" }),
    );
    const recorder = recorderOf(ledger);
    valueOf(await createBudget({ ...budget, levels: { convoy: { limit: 500, period: "month" } } }, ports));
    await recorder.record();
    assert.deepEqual(await usedOf(), { convoy: 0 });
    valueOf(await deleteBudget("fleet", ports));
    valueOf(await createBudget({ ...budget, levels: { convoy: { limit: 500, period: "total" } } }, ports));
    await recorder.sync(project, { budgets: valueOf(await allBudgets(ports)) });
    assert.deepEqual(await usedOf(), { convoy: 99 });
  });

  it("counts sessions in folders below one outside a repository, at once and after a restart", async (t) => {
    const { folder, project, ledger, ports, recorderOf, use, session, usedOf } = await scene(t, false);
    const below = path.join(project, "packages", "web");
    mkdirSync(below, { recursive: true });
    await appendEntries(ledger, session("deep", below), use(1, 94, { sessionId: "deep", cwd: below }));
    const recorder = recorderOf(ledger);
    await recorder.record();
    valueOf(await createBudget(budget, ports));
    await recorder.sync(project, { budgets: valueOf(await allBudgets(ports)) });
    assert.equal((await usedOf())["project"], 100);
    await appendEntries(ledger, use(2, 44, { sessionId: "deep", cwd: below }));
    await recorder.record();
    assert.equal((await usedOf())["project"], 150);
    await ledger.close();
    await recorderOf(await open(t, path.join(folder, "home"))).record();
    assert.equal((await usedOf())["project"], 150);
  });

  it("assigns sessions to a folder with its own budgets, and takes them back without", async (t) => {
    const { project, ledger, ports, budgetsOf, recorderOf, use, session, usedOf } = await scene(t, false);
    const below = path.join(project, "web");
    mkdirSync(below);
    await appendEntries(ledger, session("deep", below), use(1, 94, { sessionId: "deep" }), use(2, 44));
    valueOf(await createBudget(budget, ports));
    const recorder = recorderOf(ledger);
    await recorder.record();
    assert.equal((await usedOf())["project"], 150);
    const inner = budgetsOf(below);
    valueOf(await createBudget(budget, inner));
    await recorder.sync(below, { budgets: valueOf(await allBudgets(inner)) });
    assert.deepEqual([(await usedOf())["project"], (await usedOf(inner))["project"]], [50, 100]);
    valueOf(await deleteBudget("fleet", inner));
    rmSync(path.join(below, ".purser"), { recursive: true });
    await recorder.record();
    assert.equal((await usedOf())["project"], 150);
  });

  it("keeps counting a worktree's session after the worktree is removed, also after a restart", async (t) => {
    const { folder, project, ledger, ports, recorderOf, use, session, usedOf } = await scene(t);
    const tree = path.join(folder, "argo-fix");
    mkdirSync(path.join(project, ".git", "worktrees", "fix"), { recursive: true });
    mkdirSync(tree);
    writeFileSync(path.join(tree, ".git"), `gitdir: ${path.join(project, ".git", "worktrees", "fix")}\n`);
    await appendEntries(ledger, session("fix", tree), use(1, 94, { sessionId: "fix", cwd: tree }));
    valueOf(await createBudget(budget, ports));
    const recorder = recorderOf(ledger);
    await recorder.record();
    assert.equal((await usedOf())["project"], 100);
    rmSync(tree, { recursive: true });
    await appendEntries(ledger, use(2, 44, { sessionId: "fix", cwd: tree }));
    await recorder.record();
    assert.equal((await usedOf())["project"], 150);
    await ledger.close();
    await recorderOf(await open(t, path.join(folder, "home"))).record();
    assert.equal((await usedOf())["project"], 150);
  });

  it("puts what is used into the convoys of the branches it was used on", async (t) => {
    const { folder, project, ledger, ports, recorderOf, use, usedOf } = await scene(t);
    const levels: Levels = { convoy: { amount: 500, unit: "tokens", period: "day" } };
    for (const convoyId of ["fleet", "none"]) valueOf(await createBudget({ convoyId, levels }, ports));
    valueOf(await createBudget({ convoyId: "oars", levels, members: { branches: ["oars/*"] } }, ports));
    const checkOut = (name: string) =>
      writeFileSync(path.join(project, ".git", "HEAD"), `ref: refs/heads/${name}\n`);
    checkOut("fleet");
    await appendEntries(ledger, use(1, 10, { branch: "oars/port" }), use(2, 20, { branch: "main" }));
    // For an agent that reports no branch, the branch checked out when it was first seen counts.
    await appendEntries(ledger, use(3, 40, { sessionId: "session-2", branch: null }));
    await recorderOf(ledger).record();
    const convoys = async () =>
      Promise.all(["fleet", "oars", "none"].map(async (id) => (await usedOf(ports, id))["convoy"]));
    assert.deepEqual(await convoys(), [46, 16, 0]);
    checkOut("none");
    await ledger.close();
    const next = await open(t, path.join(folder, "home"));
    await recorderOf(next).record();
    assert.deepEqual(await convoys(), [46, 16, 0], "after a restart, on another branch");
  });

  it("reports a damaged budget once and keeps recording; others stop until it is repaired", async (t) => {
    const { project, ledger, ports, log, recorderOf, rows, use } = await scene(t);
    valueOf(await createBudget(budget, ports));
    valueOf(await createBudget({ ...budget, convoyId: "oars" }, ports));
    const file = path.join(project, ".purser", "budgets", "oars.json");
    writeFileSync(
      file,
      JSON.stringify({ schema: 2, convoyId: "oars", warnPercent: 80, levels: budget.levels }),
    );
    const recorder = recorderOf(ledger);
    for (const number of [1, 2]) {
      await appendEntries(ledger, use(number, 10));
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
    await appendEntries(ledger, use(3, 10));
    await recorder.record();
    assert.deepEqual([recorder.problems, log.length], [[], 1]);
  });

  it("writes failed writes with the next one, and restores what was removed or damaged", async (t) => {
    const { project, ledger, ports, log, recorderOf, rows, use } = await scene(t);
    valueOf(await createBudget(budget, ports));
    const spending = path.join(project, ".purser", "spending");
    rmSync(spending, { recursive: true });
    writeFileSync(spending, "");
    const recorder = recorderOf(ledger);
    await appendEntries(ledger, use(1, 10));
    await recorder.record();
    assert.deepEqual([recorder.problems.length, log.length], [1, 1]);
    rmSync(spending);
    const all = ["2026-11-18 session-1 main 16", "2026-11-18 session-2 main 11"];
    await appendEntries(ledger, use(2, 5, { sessionId: "session-2" }));
    await recorder.record();
    assert.deepEqual([await rows(), recorder.problems], [all, []]);
    rmSync(spending, { recursive: true });
    await recorder.record();
    assert.deepEqual(await rows(), all);
    const file = path.join(spending, "ledger.test.json");
    writeFileSync(file, "{");
    const damaged = await ports.spending.read();
    assert.ok(!damaged.ok && damaged.reason === "corrupt" && damaged.detail.text.includes(file));
    await recorder.sync(project, { budgets: [], isDoubted: true });
    assert.deepEqual(await rows(), all);
  });
});

const { ledgerPrograms } = programs;

it("A service that reads transcripts records their usage for budgets, and shows which budget is damaged", async (t) => {
  const box = new ServiceSandbox(t);
  const project = path.join(box.folder, "argo");
  const ports = box.servicePorts();
  const budgets = projectBudgets(project, {
    ...ports,
    history: noHistory,
    apart: { folder: ports.home.spending, isTrusted: null },
  });
  valueOf(await createBudget(budget, budgets));
  const text = (id: string) =>
    responseRow({ id, cwd: project }).replace(
      /"timestamp":"[^"]*"/u,
      `"timestamp":"${new Date().toISOString()}"`,
    );
  box.transcript("s-1.jsonl", text("1"));
  const client = await box.host({ ledger: composeLedger({ ...ports, programs: ledgerPrograms }) });
  await client.ask("catchUp", {});
  const rows = async () =>
    valueOf(await budgets.spending.read()).totals.flatMap(({ agents }) => agents.map(({ tokens }) => tokens));
  const deadline = performance.now() + 10_000;
  while ((await rows()).length === 0 && performance.now() < deadline) await pause(50);
  const { levels } = valueOf(await getBudgetReport("fleet", budgets));
  // No convoy is known for the session: it spends the project's tokens, not a convoy's.
  assert.deepEqual(
    levels.map(({ level, used }) => [level, used]),
    [
      ["convoy", 0],
      ["project", 1010],
    ],
  );
  writeFileSync(path.join(project, ".purser", "budgets", "oars.json"), "{");
  box.transcript("s-2.jsonl", text("2"));
  await client.ask("catchUp", {});
  await waitUntil(() => box.log().includes("oars.json"));
  const status = await client.ask("ledgerStatus", {});
  assert.ok(status.ok);
  assert.match(status.value.freshness.problems.map((problem) => problem.path).join(" "), /oars\.json$/u);
  await client.shutdown("asked", 5000);
  assert.deepEqual(await rows(), [1010, 1010]);
});
