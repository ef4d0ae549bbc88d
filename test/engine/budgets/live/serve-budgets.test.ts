import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { succeed } from "../../../../src/engine/base/result.ts";
import { createBudget } from "../../../../src/engine/budgets/convoys/convoys-store.ts";
import type { BudgetMode } from "../../../../src/engine/settings/guard.ts";
import { noHistory } from "../../../../src/engine/budgets/projection.ts";
import { recordUsage } from "../../../../src/engine/budgets/spending/record-usage.ts";
import { BudgetRecorder } from "../../../../src/engine/budgets/live/budgets-recorder.ts";
import type { ProjectBudgets } from "../../../../src/engine/budgets/budgets-answers.ts";
import { markFor } from "../../../../src/engine/hooks/install/settings/install-settings-entry.ts";
import type { SpentTokens } from "../../../../src/engine/ledger/questions/spent-tokens.ts";
import { LedgerHost } from "../../../../src/engine/ledger/host/ledger-host.ts";
import { projectBudgets } from "../../../../src/engine/budgets/live/project.ts";
import { formatDay } from "../../../../src/engine/usage/local-day.ts";
import { valueOf } from "../support/ports.ts";
import { waitFor } from "../../support/wait-for.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ServiceSandbox, machine } from "../../service/support/box.ts";
import { FakeCollecting, FakeLedger } from "../../service/support/fake-ledger.ts";
import { hook, placeOf, post } from "../../service/support/hooks.ts";

const ledgerId = "0123456789abcdef";

/** Usage of a Codex session that worked in the project. */
const ofCodex = (cwd: string): SpentTokens => ({
  sessionId: "s-9",
  program: "codex",
  cwd,
  branch: "fleet",
  model: "gpt-9",
  runSince: null,
  mainAt: 1,
  spent: [
    {
      agentId: "main",
      type: null,
      branch: "fleet",
      day: formatDay(new Date()),
      tokens: 340,
      ofRun: 0,
      usd: 0,
      usdOfRun: 0,
      unpriced: 0,
      unpricedOfRun: 0,
      at: Date.now(),
    },
  ],
});

async function scene(
  t: TestContext,
  mode: BudgetMode = "hard",
  spent: (cwd: string) => SpentTokens[] = () => [],
) {
  const box = new ServiceSandbox(t);
  const project = path.join(box.folder, "argo");
  mkdirSync(path.join(project, ".git"), { recursive: true });
  writeFileSync(path.join(project, ".git", "HEAD"), "ref: refs/heads/fleet\n");
  const { log, clock, home } = box.servicePorts();
  const portsOf = (of: string) =>
    projectBudgets(of, {
      pid: process.pid,
      machine,
      clock,
      history: noHistory,
      apart: { folder: home.spending, isTrusted: null },
    });
  const fake = new FakeLedger();
  fake.answersTo.spentIn = () => spent(project);
  fake.answersTo.sessionFolders = () => spent(project).flatMap(({ cwd }) => cwd ?? []);
  const ledger = new LedgerHost({
    log,
    clock,
    places: [],
    open: () => Promise.resolve(succeed(fake)),
    collect: () => new FakeCollecting([]),
    budgets: (of) => new BudgetRecorder({ ledger: of, ledgerId, budgetsOf: portsOf, log, clock }),
  });
  const client = await box.host({ ledger, budgetMode: () => mode });
  const ports = portsOf(project);
  const call = { sessionId: "s-1", agentId: "main", convoyId: "fleet" };
  const use = (usage: number) => recordUsage({ call, usage, as: { kind: "total" } }, ports);
  return { box, project, client, ports, use };
}

const levelsOf = (projects: readonly ProjectBudgets[]) =>
  projects.flatMap(({ convoys }) =>
    convoys.flatMap(({ levels }) =>
      levels.map(({ level, who, used, amount, state }) => `${level} ${who} ${used}/${amount} ${state}`),
    ),
  );

describe("budgets through the service", () => {
  it("are sent to a window, with every change by anyone", async (t) => {
    const { client, project, ports, use } = await scene(t);
    const reported: (readonly ProjectBudgets[])[] = [];
    client.on("budgetsChanged", ({ projects }) => void reported.push(projects));
    const first = await client.ask("budgetsFollow", { folders: [path.join(project, ".git"), "/"] });
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
      const levels = levelsOf(reported.at(-1) ?? []).sort();
      return JSON.stringify(levels) === JSON.stringify(expected);
    });
    const raised = await client.ask("budgetLimit", {
      folder: project,
      convoyId: "fleet",
      level: "agent",
      amount: 200_000,
      unit: "tokens",
    });
    assert.ok(raised.ok && levelsOf(raised.value.projects).includes("agent main 85000/200000 ok"));
    await waitUntil(() => levelsOf(reported.at(-1) ?? []).includes("agent main 85000/200000 ok"));
    const count = reported.length;
    writeFileSync(path.join(project, ".purser", "budgets", "fleet.json"), "{}");
    await waitUntil(() => (reported.at(-1)?.[0]?.faults.length ?? 0) === 1);
    const [damaged] = reported.at(-1) ?? [];
    assert.equal(damaged?.faults[0]?.file, path.join(project, ".purser", "budgets", "fleet.json"));
    assert.equal(damaged.faults[0].reason, "corrupt");
    assert.ok(reported.length > count);
    const none = await client.ask("budgetLimit", {
      folder: project,
      convoyId: "fleet",
      level: "agent",
      amount: 1,
      unit: "tokens",
    });
    assert.ok(!none.ok && none.detail.text.includes("cannot be used"));
    assert.ok((await client.ask("budgetsFollow", { folders: [] })).ok);
  });

  it("hold an agent: its next call is denied when the limit is passed, and allowed when it is raised", async (t) => {
    const { box, client, project, ports, use } = await scene(t);
    await waitUntil(() => box.log().includes("Hooks are answered at"));
    const address = placeOf(box.home);
    const call = () => post(address, hook("PreToolUse", { cwd: project, tool_name: "Bash" }));
    assert.equal((await call()).body, "");
    valueOf(await createBudget({ convoyId: "fleet" }, ports));
    await use(100_000);
    await waitFor(async () => (await call()).body !== "");
    const { body } = await call();
    assert.match(body, /"permissionDecision":"deny","permissionDecisionReason":"\[agent_budget_exceeded\] /u);
    const raised = await client.ask("budgetLimit", {
      folder: project,
      convoyId: "fleet",
      level: "agent",
      amount: 300_000,
      unit: "tokens",
    });
    assert.ok(raised.ok);
    assert.equal((await call()).body, "");
  });

  it("list agents that worked there without a hook to hold them", async (t) => {
    for (const isHooked of [false, true]) {
      const { box, client, project, ports } = await scene(t, "hard", (cwd) => [ofCodex(cwd)]);
      if (isHooked) {
        mkdirSync(path.join(box.folder, ".codex"));
        const entry = { type: "command", command: markFor("codex", "Stop") };
        writeFileSync(path.join(box.folder, ".codex", "hooks.json"), JSON.stringify({ hooks: [entry] }));
      }
      const notHeld = async () => {
        assert.ok((await client.ask("budgetsReckon", { folder: project })).ok);
        const answer = await client.ask("budgetsFollow", { folders: [project] });
        assert.ok(answer.ok);
        return answer.value.projects.flatMap((each) => each.notHeld);
      };
      assert.deepEqual(await notHeld(), [], "nobody is to be held where there is no budget");
      valueOf(await createBudget({ convoyId: "fleet" }, ports));
      assert.deepEqual(await notHeld(), isHooked ? [] : ["codex"]);
    }
  });

  it("are proposed with what was used, before and after there is one", async (t) => {
    const { client, project } = await scene(t, "warn", (cwd) => [ofCodex(cwd)]);
    const asked = { folder: project, convoyId: "fleet", branches: [], lines: 1000 };
    const answer = await client.ask("budgetProposals", asked);
    assert.ok(answer.ok);
    const convoy = answer.value.proposals.filter(({ level }) => level === "convoy");
    const reported = (period: string) => convoy.find((each) => each.period === period);
    assert.deepEqual(
      [reported("day")?.used, reported("total")?.used, reported("run")?.used],
      [340, 340, null],
    );
    assert.deepEqual([reported("total")?.limit, reported("total")?.basis], [60_000, "default"]);
    const elsewhere = await client.ask("budgetProposals", { ...asked, folder: "relative" });
    assert.deepEqual(elsewhere.ok && elsewhere.value.proposals, []);
  });

  it("have the ledger's content once added up, and earlier usage of agents", async (t) => {
    const { client, project, ports } = await scene(t, "warn", (cwd) => [ofCodex(cwd)]);
    valueOf(await createBudget({ convoyId: "fleet" }, ports));
    assert.ok((await client.ask("budgetsReckon", { folder: project })).ok);
    const spending = valueOf(await ports.spending.read());
    assert.deepEqual(
      spending.totals.flatMap(({ agents }) => agents.map(({ tokens }) => tokens)),
      [340],
    );
    assert.ok((await client.ask("budgetsReckon", { folder: "relative" })).ok);
    const history = await client.ask("budgetHistory", { agentId: "main", model: null });
    assert.deepEqual(history.ok && history.value.tokens, [9, 8]);
  });
});
