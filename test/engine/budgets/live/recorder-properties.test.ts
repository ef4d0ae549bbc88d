import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import fc from "fast-check";
import type { Levels } from "../../../../src/engine/budgets/budget.ts";
import { createBudget, deleteBudget } from "../../../../src/engine/budgets/convoys/convoys-store.ts";
import { convoyOf, allBudgets } from "../../../../src/engine/budgets/convoys/members.ts";
import { noHistory } from "../../../../src/engine/budgets/projection.ts";
import { getBudgetReport } from "../../../../src/engine/budgets/budget-report.ts";
import { BudgetRecorder } from "../../../../src/engine/budgets/live/budgets-recorder.ts";
import { projectBudgets } from "../../../../src/engine/budgets/live/project.ts";
import { localDays } from "../../../../src/engine/usage/local-day.ts";
import { open, response, appendEntries } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { valueOf } from "../support/ports.ts";
import { machine } from "../../service/support/box.ts";

const noon = new Date(2026, 10, 18, 12).getTime();
const clock = { now: () => noon };
const dayOf = localDays();
const days = { today: noon, yesterday: noon - 86_400_000, before: new Date(2026, 9, 30, 12).getTime() };
const branches = ["main", "oars", "feature/cart"];
const levels: Levels = {
  convoy: { amount: 1e9, unit: "tokens", period: "total" },
  project: { amount: 1e9, unit: "tokens", period: "day" },
};

const use = fc.record({
  step: fc.constant("use" as const),
  session: fc.constantFrom("root", "below", "tree"),
  agent: fc.constantFrom(null, "a1", "a2"),
  day: fc.constantFrom("today", "yesterday", "before"),
  branch: fc.constantFrom(...branches),
  tokens: fc.integer({ min: 1, max: 1000 }),
  /** Appended again later with a larger output, like a streaming response. */
  grows: fc.nat(20),
});
const step = fc.oneof(
  { weight: 6, arbitrary: use },
  {
    weight: 5,
    arbitrary: fc.record({
      step: fc.constantFrom(
        ...(["record", "record", "restart", "retell", "forget", "create", "delete", "switch"] as const),
      ),
    }),
  },
);

it("In any order of reports, restarts, branches and folders, budgets count the ledger's own sum", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const folder = scratchFolder(t);
      const project = path.join(folder, "argo");
      const cwds = {
        root: project,
        below: path.join(project, "packages", "web"),
        tree: path.join(folder, "fix"),
      };
      for (const cwd of Object.values(cwds)) mkdirSync(cwd, { recursive: true });
      mkdirSync(path.join(project, ".git", "worktrees", "fix"), { recursive: true });
      writeFileSync(
        path.join(cwds.tree, ".git"),
        `gitdir: ${path.join(project, ".git", "worktrees", "fix")}\n`,
      );
      const ledger = await open(t, path.join(folder, "home"));
      const budgetsOf = (of: string) =>
        projectBudgets(of, {
          pid: process.pid,
          machine,
          clock,
          history: noHistory,
          apart: { folder: path.join(folder, "home", "spending"), isTrusted: null },
        });
      const ports = budgetsOf(project);
      const started = () =>
        new BudgetRecorder({
          ledger: { ask: (name, asked) => Promise.resolve(ledger.ask(name, asked, { dayOf })) },
          ledgerId: "test",
          budgetsOf,
          log: { write: () => undefined },
          clock,
        });
      let recorder = started();
      let count = 0;
      let [last, grown] = [0, 0];
      for (const each of steps) {
        if (each.step === "use") {
          const { session, agent, day, branch, tokens, grows } = each;
          const at = days[day];
          const lastAt = Math.max(at, noon - 5 * 86_400_000);
          await appendEntries(ledger, {
            kind: "session",
            id: session,
            cwd: cwds[session],
            program: "claude-code",
            lastAt,
          });
          count += 1;
          const usage = { input: tokens, output: 1, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 9 };
          const one = response(count, {
            sessionId: session,
            agentId: agent,
            at,
            branch,
            cwd: cwds[session],
            usage,
          });
          await appendEntries(ledger, one);
          if (grows > 10) await appendEntries(ledger, { ...one, usage: { ...usage, output: grows } });
        }
        if (each.step === "record") await recorder.record();
        if (each.step === "restart") {
          recorder.dispose();
          recorder = started();
        }
        if (each.step === "retell" && count > 0) {
          [last, grown] = [count, grown + 1];
          const usage = {
            input: 1,
            output: 1000 + grown,
            cacheCreation5m: 0,
            cacheCreation1h: 0,
            cacheRead: 9,
          };
          await appendEntries(
            ledger,
            response(1000 + last, { sessionId: "root", branch: "oars", at: noon, usage }),
          );
        }
        if (each.step === "forget")
          rmSync(path.join(project, ".purser", "spending"), { recursive: true, force: true });
        if (each.step === "create") await createBudget({ convoyId: "oars", levels }, ports);
        if (each.step === "delete") await deleteBudget("oars", ports);
        if (each.step === "switch")
          writeFileSync(path.join(project, ".git", "HEAD"), `ref: refs/heads/${branches[count % 3] ?? ""}\n`);
      }
      await appendEntries(ledger, {
        kind: "session",
        id: "root",
        cwd: cwds.root,
        program: "claude-code",
        lastAt: noon,
      });
      await createBudget({ convoyId: "oars", levels }, ports);
      await createBudget(
        { convoyId: "fleet", levels, members: { branches: ["*"], sessions: ["below"] } },
        ports,
      );
      const budgets = valueOf(await allBudgets(ports));
      await recorder.record();
      await recorder.sync(project, { budgets });
      recorder.dispose();
      const sums: Record<string, number> = { project: 0 };
      for (const { id, branch: lastBranch } of ledger.ask("sessions", {}))
        for (const { usage, agentId, branch, at } of ledger.ask("responses", id)) {
          const tokens = usage.input + usage.output;
          if (at === noon) sums["project"] = (sums["project"] ?? 0) + tokens;
          const of = agentId === null ? [branch ?? lastBranch] : [branch, lastBranch];
          const convoy = convoyOf(budgets, { sessionId: id, branches: of }) ?? "";
          sums[convoy] = (sums[convoy] ?? 0) + tokens;
        }
      for (const convoyId of ["oars", "fleet"]) {
        const { levels: reported } = valueOf(await getBudgetReport(convoyId, ports));
        const usedOf = (level: string) => reported.find((state) => state.level === level)?.used;
        assert.deepEqual(
          [usedOf("project"), usedOf("convoy")],
          [sums["project"], sums[convoyId] ?? 0],
          convoyId,
        );
      }
      await ledger.close();
    }),
    { numRuns: 25 },
  );
});
