import { mkdirSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import type { NewBudget } from "../../../../src/engine/budgets/budget.ts";
import { noHistory } from "../../../../src/engine/budgets/projection.ts";
import { getBudgetReport } from "../../../../src/engine/budgets/budget-report.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import { BudgetRecorder } from "../../../../src/engine/budgets/live/budgets-recorder.ts";
import { projectBudgets } from "../../../../src/engine/budgets/live/project.ts";
import { localDays } from "../../../../src/engine/usage/local-day.ts";
import { valueOf } from "../../budgets/support/ports.ts";
import { open, response, appendEntries } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { machine } from "./box.ts";

export const noon = new Date(2026, 10, 18, 12).getTime();
export const yesterday = new Date(2026, 10, 17, 23, 59).getTime();
export const lastMonth = new Date(2026, 9, 31, 12).getTime();
const clock = { now: () => noon };
const dayOf = localDays();
export const budget: NewBudget = {
  convoyId: "fleet",
  levels: { project: { limit: 1000, period: "month" }, convoy: { limit: 500, period: "day" } },
};

/** A ledger, and a project next to it. */
export async function scene(t: TestContext, isRepository = true, now: () => number = clock.now) {
  const folder = scratchFolder(t);
  const project = path.join(folder, "argo");
  mkdirSync(path.join(project, isRepository ? ".git" : "stern"), { recursive: true });
  const ledger = await open(t, path.join(folder, "home"));
  const budgetsOf = (of: string) =>
    projectBudgets(of, {
      pid: process.pid,
      machine,
      clock: { now },
      history: noHistory,
      apart: { folder: path.join(folder, "home", "spending"), isTrusted: null },
    });
  const ports = budgetsOf(project);
  const log: string[] = [];
  /** Creates a recorder as at a service's start. */
  const recorderOf = (of: Ledger) => {
    const recorder = new BudgetRecorder({
      ledger: { ask: (name, asked) => Promise.resolve(of.ask(name, asked, { dayOf })) },
      ledgerId: "test",
      budgetsOf,
      log: { write: (_, message) => void log.push(message) },
      clock: { now },
    });
    t.after(() => recorder.dispose());
    return recorder;
  };
  const rows = async (of = ports) => {
    const { totals } = valueOf(await of.spending.read());
    return totals
      .flatMap(({ sessionId, agents }) =>
        agents.map(({ day, agentId, tokens }) => `${day ?? "before"} ${sessionId} ${agentId} ${tokens}`),
      )
      .sort();
  };
  const use = (number: number, input: number, over: Parameters<typeof response>[1] = {}) => {
    const usage = { input, output: 1, cacheCreation5m: 2, cacheCreation1h: 3, cacheRead: 1e6 };
    return response(number, { cwd: path.join(project, "stern"), at: noon, usage, ...over });
  };
  const session = (id: string, cwd: string, lastAt = noon) =>
    ({ kind: "session", id, cwd, program: "claude-code", lastAt }) as const;
  await appendEntries(
    ledger,
    session("session-1", path.join(project, "stern")),
    session("session-2", project),
  );
  const usedOf = async (of = ports, convoyId = "fleet") => {
    const { levels } = valueOf(await getBudgetReport(convoyId, of));
    return Object.fromEntries(levels.map(({ level, used }) => [level, used]));
  };
  return { folder, project, ledger, ports, log, budgetsOf, recorderOf, rows, use, session, usedOf };
}
