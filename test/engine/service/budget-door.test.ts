import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { succeed } from "../../../src/engine/base/result.ts";
import { createBudget } from "../../../src/engine/budget/budget-store.ts";
import type { BudgetMode } from "../../../src/engine/budget/budget-mode.ts";
import { noHistory } from "../../../src/engine/budget/projection.ts";
import { recordUsage } from "../../../src/engine/budget/record-usage.ts";
import type { ProjectBudgets } from "../../../src/engine/service/budget-protocol.ts";
import { LedgerKeeper } from "../../../src/engine/service/ledger-keeper.ts";
import { projectBudgets } from "../../../src/engine/service/project-budgets.ts";
import { valueOf } from "../budget/support/ports.ts";
import { waitFor } from "../support/wait-for.ts";
import { waitUntil } from "../support/wait-until.ts";
import { Box, machine } from "./support/box.ts";
import { FakeCollecting, FakeLedger } from "./support/fake-ledger.ts";
import { hook, placeOf, post } from "./support/hooks.ts";

async function scene(t: TestContext, mode: BudgetMode = "hard") {
  const box = new Box(t);
  const project = path.join(box.folder, "argo");
  mkdirSync(path.join(project, ".git"), { recursive: true });
  writeFileSync(path.join(project, ".git", "HEAD"), "ref: refs/heads/fleet\n");
  const { log, clock } = box.servicePorts();
  const ledger = new LedgerKeeper({
    ...{ log, clock, places: [] },
    open: () => Promise.resolve(succeed(new FakeLedger())),
    collect: () => new FakeCollecting([]),
  });
  const client = await box.host({ ledger, budgetMode: () => mode });
  const ports = projectBudgets(project, { pid: process.pid, machine, clock, history: noHistory });
  const call = { sessionId: "s-1", agentId: "main", convoyId: "fleet" };
  const use = (usage: number) => recordUsage({ call, usage, as: { kind: "total" } }, ports);
  return { box, project, client, ports, use };
}

const levelsOf = (projects: readonly ProjectBudgets[]) =>
  projects.flatMap(({ convoys }) =>
    convoys.flatMap(({ levels }) =>
      levels.map(({ level, who, used, limit, state }) => `${level} ${who} ${used}/${limit} ${state}`),
    ),
  );

describe("budgets through the service", () => {
  it("are told to a window, and every change of them, whoever made it", async (t) => {
    const { client, project, ports, use } = await scene(t);
    const told: (readonly ProjectBudgets[])[] = [];
    client.budgets.onChange((projects) => void told.push(projects));
    const first = await client.budgets.follow([path.join(project, ".git"), "/"]);
    assert.ok(first.ok);
    assert.deepEqual(
      first.value.projects.map(({ mode, convoys, faults }) => [mode, convoys, faults]),
      [
        ["hard", [], []],
        ["hard", [], []],
      ],
    );
    valueOf(await createBudget({ convoyId: "fleet" }, ports));
    await use(85_000);
    const expected = ["convoy fleet 85000/500000 ok", "agent main 85000/100000 warning"].sort();
    await waitUntil(() => {
      const levels = levelsOf(told.at(-1) ?? []).sort();
      return JSON.stringify(levels) === JSON.stringify(expected);
    });
    const raised = await client.budgets.setLimit({
      ...{ folder: project, convoyId: "fleet", level: "agent", limit: 200_000 },
    });
    assert.ok(raised.ok && levelsOf(raised.value.projects).includes("agent main 85000/200000 ok"));
    await waitUntil(() => levelsOf(told.at(-1) ?? []).includes("agent main 85000/200000 ok"));
    const count = told.length;
    writeFileSync(path.join(project, ".purser", "budgets", "fleet.json"), "{}");
    await waitUntil(() => (told.at(-1)?.[0]?.faults.length ?? 0) === 1);
    const [damaged] = told.at(-1) ?? [];
    assert.equal(damaged?.faults[0]?.file, path.join(project, ".purser", "budgets", "fleet.json"));
    assert.equal(damaged.faults[0].reason, "corrupt");
    assert.ok(told.length > count);
    const none = await client.budgets.setLimit({
      ...{ folder: project, convoyId: "fleet", level: "agent", limit: 1 },
    });
    assert.ok(!none.ok && none.detail.includes("cannot be used"));
    assert.ok((await client.budgets.follow([])).ok);
  });

  it("hold an agent: its next call is denied when the limit is passed, and allowed when it is raised", async (t) => {
    const { box, client, project, ports, use } = await scene(t);
    await waitUntil(() => box.log().includes("Hooks are answered at"));
    const place = placeOf(box.home);
    const call = () => post(place, hook("PreToolUse", { cwd: project, tool_name: "Bash" }));
    assert.equal((await call()).body, "");
    valueOf(await createBudget({ convoyId: "fleet" }, ports));
    await use(100_000);
    await waitFor(async () => (await call()).body !== "");
    const { body } = await call();
    assert.match(body, /"permissionDecision":"deny","permissionDecisionReason":"\[agent_budget_exceeded\] /u);
    const raised = await client.budgets.setLimit({
      ...{ folder: project, convoyId: "fleet", level: "agent", limit: 300_000 },
    });
    assert.ok(raised.ok);
    assert.equal((await call()).body, "");
  });
});
