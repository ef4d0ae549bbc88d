import * as z from "zod/mini";
import { formatName, type OutputSaving, type SavedOutputs } from "../../ledger/ledger-answers.ts";
import { netInterval, netState, netStates, type NetUnit } from "./net-interval.ts";

/**
 * One definition for every place that shows it. A token saved is a token at the price of new input. Gross: the tokens
 * left out of an output, over all requests that would have carried them until the context shrank. Minus: the calls that
 * followed because of it, each with its request and its output. Net is gross minus that.
 */
const followUps = z.object({ calls: z.number(), tokens: z.number() });

const figures = {
  outputs: z.number(),
  /** Outputs after which no request is known yet. They count nowhere else. */
  pending: z.number(),
  sessions: z.number(),
  /** Tokens left out, each counted once, and the requests that would have carried them. */
  leftOut: z.number(),
  requests: z.number(),
  gross: z.number(),
  minus: z.number(),
  net: z.number(),
  fetched: followUps,
  again: followUps,
  narrower: followUps,
  error: followUps,
  /** Of the net, at the confidence of all intervals; null while too little is known. */
  interval: z.nullable(z.object({ low: z.number(), high: z.number() })),
  /** List price; null where no model's price is known. */
  usd: z.nullable(z.object({ gross: z.number(), minus: z.number(), net: z.number() })),
  /** Outputs and calls that are not in `usd`. */
  unpriced: z.number(),
};
const netFigures = z.object(figures);
export type NetFigures = z.infer<typeof netFigures>;

const netRow = z.object({ name: z.string(), ...figures });
export type NetRow = z.infer<typeof netRow>;

/** A format that is switched off: for one command, or for all where `command` is null. */
const restingFormat = z.object({
  /** What switches it on again. */
  id: z.string(),
  rule: z.string(),
  command: z.nullable(z.string()),
  why: z.enum(netStates),
  ...figures,
});
export type RestingFormat = z.infer<typeof restingFormat>;

/** A format that the user switched on again. */
const wokenFormat = z.object({ id: z.string(), at: z.number() });

export const netView = z.object({
  total: netFigures,
  /** By the agent's tool, by the program behind the output, and by format. The largest net first. */
  tools: z.array(netRow),
  programs: z.array(netRow),
  formats: z.array(netRow),
  resting: z.array(restingFormat),
  woken: z.array(wokenFormat),
});
export type NetView = z.infer<typeof netView>;

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
