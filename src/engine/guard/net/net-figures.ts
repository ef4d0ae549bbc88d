import { formatName, type OutputSaving, type SavedOutputs } from "../../ledger/ledger-answers.ts";
import type { NetFigures, NetRow, NetView, RestingFormat } from "./net-answers.ts";
import { netInterval, netState, type NetUnit } from "./net-interval.ts";

const hows = ["fetched", "again", "narrower", "error"] as const;

function minusOf(saving: OutputSaving): number {
  return hows.reduce((sum, how) => sum + saving[how].tokens, 0);
}

/** Sessions on a day: outputs of one session depend on each other. */
function unitsOf(savings: readonly OutputSaving[]): NetUnit[] {
  const units = new Map<string, { net: number; atRisk: number; outputs: number }>();
  for (const saving of savings) {
    if (saving.outputs === 0) continue;
    const key = `${saving.day} ${saving.session}`;
    const unit = units.get(key) ?? { net: 0, atRisk: 0, outputs: 0 };
    units.set(key, unit);
    unit.net += saving.gross - minusOf(saving);
    unit.atRisk += saving.atRisk;
    unit.outputs += saving.outputs;
  }
  return [...units.values()];
}

export function netOf(savings: readonly OutputSaving[]): NetFigures {
  const sum = (value: (saving: OutputSaving) => number) =>
    savings.reduce((total, saving) => total + value(saving), 0);
  const outputs = sum((saving) => saving.outputs);
  const followUp = (how: (typeof hows)[number]) => ({
    calls: sum((saving) => saving[how].calls),
    tokens: sum((saving) => saving[how].tokens),
  });
  const [gross, minus] = [sum((saving) => saving.gross), sum(minusOf)];
  const [grossUsd, minusUsd] = [sum((saving) => saving.grossUsd), sum((saving) => saving.minusUsd)];
  const unpriced = sum((saving) => saving.unpriced);
  const isPriced = grossUsd > 0 || (unpriced === 0 && outputs > 0);
  return {
    outputs,
    pending: sum((saving) => saving.pending),
    sessions: new Set(savings.map(({ session }) => session)).size,
    leftOut: sum((saving) => saving.tokens),
    requests: sum((saving) => saving.requests),
    gross,
    minus,
    net: gross - minus,
    fetched: followUp("fetched"),
    again: followUp("again"),
    narrower: followUp("narrower"),
    error: followUp("error"),
    interval: netInterval(unitsOf(savings)),
    usd: isPriced ? { gross: grossUsd, minus: minusUsd, net: grossUsd - minusUsd } : null,
    unpriced,
  };
}

function groupedBy(
  savings: readonly OutputSaving[],
  keyOf: (saving: OutputSaving) => string,
): ReadonlyMap<string, readonly OutputSaving[]> {
  const groups = new Map<string, OutputSaving[]>();
  for (const saving of savings) {
    const key = keyOf(saving);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [saving]);
    else group.push(saving);
  }
  return groups;
}

function rowsBy(savings: readonly OutputSaving[], keyOf: (saving: OutputSaving) => string): NetRow[] {
  return Array.from(groupedBy(savings, keyOf), ([name, own]) => ({ name, ...netOf(own) })).toSorted(
    (one, other) => other.net - one.net,
  );
}

/** The formats that do not save: all that the ledger knows of them since they were switched on again. */
export function restingFormats({ savings }: Pick<SavedOutputs, "savings">): RestingFormat[] {
  const evidence = savings.filter(({ isEvidence }) => isEvidence);
  const resting: RestingFormat[] = [];
  const add = (own: readonly OutputSaving[], command: string | null) => {
    const rule = own[0]?.rule;
    const why = netState(unitsOf(own));
    if (rule !== undefined && (why === "loses" || why === "unproven"))
      resting.push({ id: formatName(rule, command), rule, command, why, ...netOf(own) });
  };
  for (const ofRule of groupedBy(evidence, ({ rule }) => rule).values()) {
    const before = resting.length;
    for (const [command, own] of groupedBy(ofRule, (saving) => saving.command)) add(own, command);
    // A command whose outputs lose is not evidence about the other commands.
    const lost = new Set(resting.slice(before).map(({ command }) => command));
    add(
      ofRule.filter(({ command }) => !lost.has(command)),
      null,
    );
  }
  return resting;
}

/** @param since milliseconds since the epoch; formats are judged by all that is known */
export function netViewOf({ savings, wakes }: SavedOutputs, since: number): NetView {
  const shown = savings.filter(({ at }) => at >= since);
  return {
    total: netOf(shown),
    tools: rowsBy(shown, ({ tool }) => tool ?? ""),
    programs: rowsBy(shown, ({ command }) => command),
    formats: rowsBy(shown, ({ rule }) => rule),
    resting: restingFormats({ savings }),
    woken: wakes.map(({ format, at }) => ({ id: format, at })),
  };
}
