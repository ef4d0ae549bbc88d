import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { createBudget } from "../../../../src/engine/budgets/convoys/convoys-store.ts";
import { allBudgets } from "../../../../src/engine/budgets/convoys/members.ts";
import { projectFolder } from "../../../../src/engine/base/disk/project-folder.ts";
import { getBudgetReport } from "../../../../src/engine/budgets/budget-report.ts";
import { valueOf } from "../support/ports.ts";
import { appendEntries } from "../../ledger/support/support.ts";
import { budget, noon, scene } from "../../service/support/recorder-scene.ts";

describe("the recorder of what agents used, and time", () => {
  for (const [name, early] of [
    ["while it ran", false],
    ["when it began", true],
  ] as const)
    it(`counts what is of today after the clock was a year ahead ${name}`, async (t) => {
      let now = noon;
      const { ledger, ports, recorderOf, use, usedOf } = await scene(t, true, () => now);
      valueOf(await createBudget(budget, ports));
      const jump = () => (now = new Date(2027, 10, 18).getTime());
      if (early) jump();
      const recorder = recorderOf(ledger);
      await appendEntries(ledger, use(1, 10));
      await recorder.record();
      jump();
      await appendEntries(ledger, use(2, 20, { sessionId: "session-2" }));
      await recorder.record();
      now = noon;
      await recorder.sync(ports.project, { budgets: valueOf(await allBudgets(ports)) });
      assert.equal((await usedOf())["project"], 16 + 26);
      await appendEntries(ledger, use(3, 1));
      await recorder.record();
      assert.equal((await usedOf())["project"], 16 + 26 + 7);
    });

  it("counts all of a resumed session where a session's or an agent's limit is for that", async (t) => {
    const { ledger, ports, recorderOf, use } = await scene(t);
    const levels = { agent: { limit: 1000, period: "total" } } as const;
    valueOf(await createBudget({ convoyId: "fleet", levels, members: { branches: ["*"] } }, ports));
    const long = new Date(2026, 5, 1).getTime();
    await appendEntries(ledger, {
      kind: "session",
      id: "old",
      cwd: ports.project,
      program: "claude-code",
      lastAt: long,
    });
    await appendEntries(ledger, use(1, 70, { sessionId: "old", at: long, branch: "fleet" }));
    await recorderOf(ledger).record();
    const { levels: reported } = valueOf(await getBudgetReport("fleet", ports));
    assert.deepEqual(
      reported.map(({ sessionId, used }) => [sessionId, used]),
      [["old", 76]],
    );
  });
});

it("A project requested through a link is the same project, with the same totals", async (t) => {
  const { folder, ledger, ports, budgetsOf, recorderOf, use, usedOf } = await scene(t);
  mkdirSync(path.join(ports.project, "stern"));
  valueOf(await createBudget(budget, ports));
  await appendEntries(ledger, use(1, 10));
  const recorder = recorderOf(ledger);
  await recorder.record();
  const link = path.join(folder, "link");
  symlinkSync(ports.project, link, "junction");
  const linked = budgetsOf(projectFolder(link));
  await recorder.sync(linked.project, { budgets: valueOf(await allBudgets(linked)) });
  assert.equal((await usedOf())["project"], 16);
  assert.equal((await usedOf(linked))["project"], 16);
});
