import path from "node:path";
import type { Clock } from "../../base/timing.ts";
import {
  levelNames,
  newBudget,
  periodNames,
  type Budget,
  type LevelName,
  type PeriodName,
} from "../budget.ts";
import { firstDayKept } from "../period.ts";
import { projectFolder } from "../../base/paths.ts";
import { aboveUsed, proposeLimit } from "../propose.ts";
import type { RunHistory } from "../projection.ts";
import { type SessionTotals, totalsOf } from "../spending/session-totals.ts";
import { nothingSpent } from "../spending/spending.ts";
import { Tally } from "../spending/tally.ts";
import type { SpentTokens } from "../../ledger/questions.ts";
import { formatDay } from "../../usage/local-day.ts";
import type { BudgetProposal } from "../budgets-answers.ts";
import type { LedgerApi } from "../../ledger/ledger-thread.ts";

interface ProposalAsked {
  readonly folder: string;
  readonly convoyId: string;
  readonly branches: readonly string[];
  readonly lines: number | null;
}

export type ProposalMaker = (asked: ProposalAsked) => Promise<BudgetProposal[]>;

type Sums = Pick<LedgerApi, "ask">;

export interface ProposalPorts {
  /** Resolves with undefined if the ledger is unavailable. */
  readonly ask: <Answer>(question: (ledger: Sums) => Promise<Answer>) => Promise<Answer | undefined>;
  readonly history: RunHistory;
  readonly clock: Clock;
}

/** How far back usage is read by day. Milliseconds. */
const lookedBack = 84 * 24 * 3600 * 1000;

export function proposalMaker({ ask, history, clock }: ProposalPorts): ProposalMaker {
  return async ({ folder, convoyId, branches, lines }) => {
    const now = clock.now();
    const spent = (await ask((ledger) => spentIn(projectFolder(folder), ledger, now))) ?? [];
    const runs = await history.recentTokens({ agentId: "main", model: null });
    const totals = spent.flatMap((session) => {
      const total = totalsOf(session, null);
      return total.ok ? [total.value] : [];
    });
    const latest = spent.reduce<SpentTokens | null>(
      (last, each) => ((each.mainAt ?? -Infinity) > (last?.mainAt ?? -Infinity) ? each : last),
      null,
    );
    const basis = { totals, runs, model: latest?.model ?? null, today: formatDay(new Date(now)), lines };
    const used = usedBy({ convoyId, branches }, totals, now);
    const branch = branches.length === 1 ? (branches[0] ?? null) : null;
    return levelNames.flatMap((level) =>
      periodNames.map((period) => {
        const counted = used(level, period);
        return { ...aboveUsed(proposeLimit(level, period, { ...basis, branch }), counted), used: counted };
      }),
    );
  };
}

async function spentIn(project: string, ledger: Sums, now: number): Promise<readonly SpentTokens[]> {
  const isOf = (folder: string) => path.isAbsolute(folder) && projectFolder(folder) === project;
  const folders = (await ledger.ask("sessionFolders", null)).filter(isOf);
  const kept = new Date(`${firstDayKept(now)}T00:00:00`).getTime();
  return await ledger.ask("spentIn", { folders, activeSince: 0, since: Math.min(kept, now - lookedBack) });
}

/** Returns what a limit of such a budget would count now; null for a limit on each of several subjects. */
function usedBy(
  { convoyId, branches }: Pick<ProposalAsked, "convoyId" | "branches">,
  totals: readonly SessionTotals[],
  now: number,
): (level: LevelName, period: PeriodName) => number | null {
  const members = branches.length === 0 ? {} : { members: { branches: [...branches] } };
  const made = newBudget({ convoyId, ...members }, now);
  const budgets: Budget[] = made.ok ? [made.value] : [];
  const tally = new Tally({ ...nothingSpent, totals }, budgets);
  const anybody = { convoyId, agentId: "", sessionId: "", runId: "" };
  return (level, period) => {
    const isEach = level === "agent" || level === "session" || period === "run";
    return isEach ? null : tally.used({ level, period }, anybody, { now }).tokens;
  };
}
