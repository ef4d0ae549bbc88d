import { t } from "../../engine/base/language.ts";
import type { SessionPage, SessionTurn } from "../../engine/ledger/ledger-answers.ts";
import { largestSeries, type NamedValues, type Series } from "../components/charts/series.ts";
import { fillName } from "./describe-ledger.ts";

/**
 * Selects the responses of the main conversation, which makes up the session's context. Some agents' subagents are
 * sessions of their own, with their own main conversation.
 */
export function mainTurns({
  turns,
  session,
}: Pick<SessionPage, "turns" | "session">): readonly SessionTurn[] {
  return turns.filter(({ agentId }) => agentId === null || agentId === session.id);
}

export interface Stack {
  readonly series: readonly Series[];
  /** For each series, one value per turn. */
  readonly values: readonly (readonly number[])[];
  readonly areEstimates: boolean;
}

/** Stacks what filled the context at each turn. A turn without that information is one part of its own kind. */
export function contextStack(turns: readonly SessionTurn[]): Stack {
  const hasFills = turns.some(({ fill }) => fill !== null);
  if (!hasFills)
    return {
      series: [{ name: t("Context"), tone: 0 }],
      values: [turns.map(({ occupancy }) => occupancy)],
      areEstimates: false,
    };
  const parts = new Map<string, number[]>();
  for (const [index, { fill }] of turns.entries()) {
    for (const { name, tokens } of fill ?? []) {
      const values = parts.get(name) ?? turns.map(() => 0);
      values[index] = (values[index] ?? 0) + tokens;
      parts.set(name, values);
    }
  }
  const named = [...parts].map(([name, values]) => ({ name: fillName(name), values }));
  const { series, values } = largestSeries(named, (count) => t("{0} other parts", count));
  const unknown = turns.map(({ fill, occupancy }) => (fill === null ? occupancy : 0));
  return unknown.every((value) => value === 0)
    ? { series, values, areEstimates: true }
    : {
        series: [...series, { name: t("Not reported"), tone: null }],
        values: [...values, unknown],
        areEstimates: true,
      };
}

/** Stacks the processing tokens of each turn by kind. */
export function tokenStack(turns: readonly SessionTurn[]): Stack {
  const kinds: NamedValues[] = [
    {
      name: t("Cache writes"),
      values: turns.map(({ usage }) => usage.cacheCreation5m + usage.cacheCreation1h),
    },
    { name: t("Output"), values: turns.map(({ usage }) => usage.output) },
    { name: t("Input"), values: turns.map(({ usage }) => usage.input) },
  ];
  const present = kinds.filter(({ values }) => values.some((value) => value > 0));
  return {
    series: present.map(({ name }, tone) => ({ name, tone })),
    values: present.map(({ values }) => values),
    areEstimates: false,
  };
}

/** Marks the turns preceded by a compaction. */
export function compactionMarks(
  { compactions }: Pick<SessionPage, "compactions">,
  turns: readonly SessionTurn[],
): { column: number; name: string }[] {
  const of = turns[0]?.agentId ?? null;
  return compactions.flatMap(({ at, agentId, trigger }) => {
    if (at === null || agentId !== of) return [];
    const column = turns.findIndex((turn) => turn.at !== null && turn.at > at);
    return [{ column: column === -1 ? turns.length : column, name: trigger }];
  });
}
