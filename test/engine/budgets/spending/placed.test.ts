import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { noHistory } from "../../../../src/engine/budgets/projection.ts";
import { createBudget } from "../../../../src/engine/budgets/convoys/convoys-store.ts";
import { projectBudgets } from "../../../../src/engine/budgets/live/project.ts";
import { checkBudget } from "../../../../src/engine/budgets/check/check.ts";
import { releaseLease, reserveTokens } from "../../../../src/engine/budgets/spending/leases.ts";
import { recordUsage } from "../../../../src/engine/budgets/spending/record-usage.ts";
import { FileSpending } from "../../../../src/engine/budgets/spending/spending-file.ts";
import { BudgetWatch } from "../../../../src/engine/budgets/live/watch-budgets.ts";
import { nodeFiles } from "../../../../src/engine/base/disk/file-port.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { machine } from "../../service/support/box.ts";
import { noon, valueOf } from "../support/ports.ts";

const clock = { now: () => noon };

/** A clone with a budget that its repository brought, a service, and its user's commands. */
async function scene(t: TestContext) {
  const folder = scratchFolder(t);
  const project = path.join(folder, "clone");
  mkdirSync(path.join(project, ".git"), { recursive: true });
  const trusted = { is: false };
  const home = path.join(folder, "home", "spending");
  const ports = (isTrusted: (() => boolean) | null, place = home) =>
    projectBudgets(project, {
      pid: process.pid,
      machine,
      clock,
      history: noHistory,
      apart: { folder: place, isTrusted },
    });
  const levels = { convoy: { limit: 1000, period: "total" } } as const;
  // The repository's author has another home.
  valueOf(await createBudget({ convoyId: "fleet", levels }, ports(null, path.join(folder, "author"))));
  const spendingFolder = path.join(project, ".purser", "spending");
  const written = () => readdirSync(spendingFolder).filter((name) => /^(?:spending|ledger)\./u.test(name));
  return { project, written, trusted, service: ports(() => trusted.is), person: ports(null) };
}

const row = { agentId: "main", type: null, branch: "fleet", day: null, tokens: 400, ofRun: 0, at: noon };
const session = {
  sessionId: "s1",
  program: "claude-code",
  cwd: null,
  branch: "fleet",
  runSince: null,
  mainAt: noon,
};
const totals = [{ ...session, agents: [row] }];
const call = { convoyId: "fleet", agentId: "helm", sessionId: "s2", projectedTokens: 300 };
const usedOf = async (ports: Parameters<typeof checkBudget>[1]) => {
  const [level] = valueOf(await checkBudget(call, ports)).levels;
  return [level?.used, level?.reserved];
};

describe("spending of a folder that is not trusted", () => {
  it("is not written to it by the service, and counts for everybody", async (t) => {
    const { written, service, person } = await scene(t);
    valueOf(await service.spending.writeTotals("l1", totals));
    const { lease } = valueOf(await reserveTokens(call, service));
    assert.ok(lease !== null);
    assert.deepEqual(written(), []);
    assert.deepEqual(await usedOf(person), [400, 300]);
    assert.deepEqual(await usedOf(service), [400, 300]);
    assert.equal(await service.spending.hasTotalsBy("l1"), true);
    const second = valueOf(await reserveTokens({ ...call, projectedTokens: 301 }, service));
    assert.equal(second.lease, null, "the limit holds");
    valueOf(await releaseLease(lease.id, service));
    assert.deepEqual(await usedOf(person), [400, 0]);
  });

  it("is written to it once a person's command spends there, and is counted once", async (t) => {
    const { written, service, person } = await scene(t);
    valueOf(await service.spending.writeTotals("l1", totals));
    const { lease: ofService } = valueOf(await reserveTokens(call, service));
    const { lease } = valueOf(await reserveTokens({ ...call, projectedTokens: 200 }, person));
    assert.ok(lease !== null && ofService !== null);
    assert.deepEqual(written(), ["spending.1.json"]);
    const as = { kind: "call", leaseId: lease.id } as const;
    valueOf(await recordUsage({ call, usage: 150, as }, person));
    assert.deepEqual(await usedOf(service), [550, 300]);
    assert.equal(await service.spending.hasTotalsBy("l1"), false, "the ledger writes its totals anew");
    valueOf(await service.spending.writeTotals("l1", totals));
    assert.ok(written().includes("ledger.l1.json"));
    assert.deepEqual(await usedOf(service), [550, 300]);
    assert.deepEqual(await usedOf(person), [550, 300]);
  });

  it("is written to it where a person's command changes its budgets", async (t) => {
    const { written, service, person } = await scene(t);
    valueOf(await createBudget({ convoyId: "mine" }, person));
    valueOf(await service.spending.writeTotals("l1", totals));
    assert.deepEqual(written(), ["ledger.l1.json"]);
  });

  it("is written to it while it is trusted, and stays counted after that", async (t) => {
    const { written, service, trusted, project } = await scene(t);
    trusted.is = true;
    valueOf(await service.spending.writeTotals("l1", totals));
    assert.deepEqual(written(), ["ledger.l1.json"]);
    trusted.is = false;
    const more = [{ ...session, agents: [{ ...row, tokens: 450 }] }];
    valueOf(await service.spending.writeTotals("l1", more));
    assert.deepEqual(await usedOf(service), [450, 0]);
    const own = new FileSpending({ ...service, project, files: nodeFiles });
    assert.deepEqual(valueOf(await own.read()).totals, totals, "the project's file is as it was");
  });

  it("is seen by a service with cached spending", async (t) => {
    const { service, person } = await scene(t);
    let time = 0;
    const watch = new BudgetWatch(person, () => (time += 100));
    await watch.read();
    valueOf(await service.spending.writeTotals("l1", totals));
    const { spending } = await watch.read();
    assert.deepEqual(valueOf(spending).totals, totals);
  });

  it("leaves no mark for a command that only reads", async (t) => {
    const { service, person, written, project } = await scene(t);
    await usedOf(person);
    valueOf(await service.spending.writeTotals("l1", totals));
    assert.deepEqual(written(), []);
    assert.ok(existsSync(path.join(project, ".purser", "budgets", "fleet.json")));
  });
});
