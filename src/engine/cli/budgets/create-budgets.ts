import { wrongUsage } from "../args.ts";
import { type Sentence, sentence, t } from "../../base/language.ts";
import { asLine } from "../terminal-text.ts";
import { limitPercent, percent, wholeNumber } from "../../base/local-format.ts";
import { cleanText } from "../../base/text.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { levelWords, periodWords } from "./print-budgets.ts";
import {
  levelNames,
  usualPeriod,
  type LevelName,
  type Levels,
  type PeriodName,
} from "../../budgets/budget.ts";
import { createBudget, loadBudget } from "../../budgets/convoys.ts";
import { proposeLimit, type Proposal } from "../../budgets/projection.ts";
import { limitAmount, usedAmount } from "../../budgets/local-amount.ts";
import { getBudgetReport, type BudgetReport } from "../../budgets/budget-report.ts";
import { formatDay } from "../../usage/local-day.ts";
import type { BudgetService } from "./budgets-access.ts";
import { noLimits, readBudgetOptions, readPeriod } from "./arguments.ts";
import { shown, type Answer, type BudgetInput } from "./budgets-actions.ts";

const usualLevels: readonly LevelName[] = ["convoy", "agent"];

/** Limits that are not given are proposed, from the user's own history if there is enough of it. */
export async function create(input: BudgetInput): Answer {
  const { id, options, ports, folder } = input;
  const lines = readLines(options.value("lines"));
  if (!lines.ok) return lines;
  const period = readPeriod(options.value("period"));
  if (!period.ok) return period;
  const given = readBudgetOptions(options);
  if (!given.ok) return given;
  const known = await loadBudget(id, ports);
  if (known.ok)
    return fail("exists", sentence("{0} already exists; change it with purser budget set", known.value.file));
  if (known.reason !== "not_found") return known;
  const missing = usualLevels.filter((level) => !options.has(level));
  if (missing.length === 0 && Object.keys(given.value.levels).length === 0)
    return fail("invalid", sentence("a budget needs at least one limit: {0}", levelNames.join(", ")));
  return await input.withService("started", async (service) => {
    const of = { id, branches: [...(given.value.members?.branches ?? [])], lines: lines.value };
    const proposed = await proposals(service, { ...of, folder, now: ports.clock.now() });
    const chosen = missing.map((level) => chosenFor(level, period.value, proposed));
    const levels = { ...levelsOf(chosen), ...given.value.levels };
    const made = await createBudget({ ...noLimits, ...given.value, convoyId: id, levels }, ports);
    if (!made.ok) return made;
    const problem = (await service?.sync(folder)) ?? null;
    const report = service === null ? null : await getBudgetReport(id, ports);
    const current = report?.ok === true ? report.value : null;
    const messages = [
      t("Created {0}", made.value.file),
      ...chosen.map(({ level, limit, period: counts, source }) => {
        return t(
          "{0} {1} {2}: {3}",
          levelWords[level],
          wholeNumber(limit),
          periodWords[counts],
          asLine(source),
        );
      }),
      ...usedLines(current, problem),
    ];
    return succeed(shown([{ ...made.value, report: current }], ports, messages.map(cleanText).join("\n")));
  });
}

function readLines(text: string | undefined): Result<number | null, "bad_argument"> {
  if (text === undefined) return succeed(null);
  const lines = Number(text);
  if (Number.isInteger(lines) && lines >= 1 && lines <= 1_000_000) return succeed(lines);
  return wrongUsage(
    sentence("--lines takes a number of lines from 1 to a million, not {0}", text.slice(0, 40)),
  );
}

interface ProposalsAsked {
  readonly id: string;
  readonly folder: string;
  readonly branches: readonly string[];
  readonly lines: number | null;
  readonly now: number;
}

/** Without a service there is no history. */
async function proposals(
  service: BudgetService | null,
  { id, folder, branches, lines, now }: ProposalsAsked,
): Promise<(level: LevelName, period: PeriodName) => Proposal> {
  const basis = { totals: [], runs: [], model: null, today: formatDay(new Date(now)), lines };
  const input = await service?.ask("budgetProposals", {
    folder,
    convoyId: id,
    branches: [...branches],
    lines,
  });
  const known = input?.ok === true ? input.value.proposals : [];
  return (level, period) =>
    known.find((each) => each.level === level && each.period === period) ??
    proposeLimit(level, period, basis);
}

function chosenFor(
  level: LevelName,
  period: PeriodName | null,
  proposed: Awaited<ReturnType<typeof proposals>>,
): Proposal {
  return proposed(level, period ?? usualPeriod(level));
}

function levelsOf(chosen: readonly Proposal[]): Levels {
  return Object.fromEntries(
    chosen.map(({ level, limit, period }) => [level, { amount: limit, unit: "tokens", period } as const]),
  );
}

function usedLines(report: BudgetReport | null, problem: Sentence | null): string[] {
  if (report === null)
    return [t("Earlier usage is counted once purser's service runs; start it with purser service restart")];
  const shared = report.levels.filter(
    ({ level, period }) => ["convoy", "project"].includes(level) && period !== "run",
  );
  const lines = shared.map((state) => {
    const { level, used, amount, period, usagePercent } = state;
    const share =
      usagePercent > 100 ? t("{0}, over the limit", limitPercent(usagePercent)) : percent(usagePercent);
    return t(
      "used so far: {0} {1} of {2} {3} ({4})",
      levelWords[level],
      usedAmount(state, used),
      limitAmount(state, amount),
      periodWords[period],
      share,
    );
  });
  return problem === null ? lines : [...lines, asLine(problem)];
}
