import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { it, type TestContext } from "node:test";
import { nodeFiles } from "../../../../src/engine/base/disk/file-port.ts";
import { createBudget, loadBudget } from "../../../../src/engine/budgets/convoys/convoys-store.ts";
import { FileSpending } from "../../../../src/engine/budgets/spending/spending-file.ts";
import { getBudgetReport } from "../../../../src/engine/budgets/budget-report.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { portsOn, valueOf } from "../support/ports.ts";

const racer = path.join(import.meta.dirname, "../support/racer.ts");

/** The number a separate process prints; -1 when it was killed. */
function run(...argv: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [racer, ...argv], (error, stdout) => {
      if (error === null) resolve(Number(stdout));
      else if (error.signal === "SIGKILL") resolve(-1);
      else reject(new Error(error.message));
    });
  });
}

async function projectWith(t: TestContext, limit: number) {
  const project = scratchFolder(t);
  const own = { project, files: nodeFiles, unique: () => "test", pause: () => Promise.resolve() };
  const ports = portsOn(nodeFiles, { ...own, spending: new FileSpending(own) });
  const levels = { convoy: { limit, period: "day" } as const };
  valueOf(await createBudget({ convoyId: "fleet", levels }, ports));
  return { project, ports };
}

it("Two processes that race for a group's tokens use all but the last few, and not one too many", async (t) => {
  const { project, ports } = await projectWith(t, 100);
  const used = await Promise.all([run(project, "spend", "helm", "15"), run(project, "spend", "oars", "15")]);
  const total = used[0] + used[1];
  assert.ok(total <= 100 && total > 93 - 7, `${used.join(" + ")} of 100`);
  const [state] = valueOf(await getBudgetReport("fleet", ports)).levels;
  assert.deepEqual([state?.used, state?.reserved], [total, 0]);
  const left = readdirSync(path.join(project, ".purser", "spending")).filter((name) => name.endsWith(".tmp"));
  assert.deepEqual(left, []);
});

it("A process that was killed keeps its tokens set aside, and others from nothing else", async (t) => {
  const { project, ports } = await projectWith(t, 20);
  assert.equal(await run(project, "die", "helm", "1"), -1);
  assert.equal(await run(project, "spend", "oars", "5"), 12);
  const [state] = valueOf(await getBudgetReport("fleet", ports)).levels;
  assert.deepEqual([state?.used, state?.reserved], [12, 7]);
});

it("Two processes that change one budget lose no change", async (t) => {
  const { project, ports } = await projectWith(t, 100);
  assert.deepEqual(
    await Promise.all([run(project, "edit", "a", "20"), run(project, "edit", "b", "20")]),
    [20, 20],
  );
  assert.equal(valueOf(await loadBudget("fleet", ports)).budget.levels.convoy?.amount, 140);
});
