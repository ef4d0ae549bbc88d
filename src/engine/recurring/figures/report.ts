import { groupBy } from "../../base/numbers.ts";
import { wakeReasons, wakeSources, type WakeRow } from "../../ledger/woken.ts";
import type { EconomyFigures, EconomyReport, EconomyTarget, GuardrailChange } from "../recurring-answers.ts";
import { guardrailChangesOf, guardrailRatesOf } from "./guardrails.ts";

const wanted = { normalized_input: 0.3, reuse: 0.8, full_fetches: 0.8 } as const;

/** `wakes` may come in any order. `since`: milliseconds since the epoch. */
export function economyReportOf(wakes: readonly WakeRow[], since: number): EconomyReport {
  const all = wakes.toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
  const agents = [...groupBy(all, ({ agent, project }) => JSON.stringify([project, agent])).values()].map(
    (own) => {
      const last = own.at(-1);
      const versions = versionsOf(own);
      return {
        agent: last?.agent ?? "",
        project: last?.project ?? "",
        figures: figuresOf(own),
        targets: targetsOf(figuresOf(own), completionChanges([{ versions }])),
        skills: last?.skills ?? null,
        versions,
      };
    },
  );
  const total = figuresOf(all);
  return {
    since,
    total,
    targets: targetsOf(total, completionChanges(agents)),
    agents: agents.toSorted(
      (one, other) => (other.figures.normalizedInput ?? 0) - (one.figures.normalizedInput ?? 0),
    ),
  };
}

/** A file that was changed again after a few wakes is compared with those of earlier versions, too: against so few, nothing would ever be shown. */
const minBefore = 20;

/** Newest first. */
function versionsOf(own: readonly WakeRow[]): EconomyReport["agents"][number]["versions"] {
  const parts: WakeRow[][] = [];
  for (const wake of own) {
    const last = parts.at(-1);
    if (last?.[0]?.definitionHash === wake.definitionHash) last.push(wake);
    else parts.push([wake]);
  }
  return parts
    .map((part, index) => {
      const before = wakesBefore(parts.slice(0, index));
      return {
        definition: part[0]?.definitionHash ?? null,
        since: part[0]?.at ?? 0,
        figures: figuresOf(part),
        guardrailChanges: before.length === 0 ? [] : guardrailChangesOf(before, part),
      };
    })
    .toReversed();
}

/** `parts`: oldest first. */
function wakesBefore(parts: readonly (readonly WakeRow[])[]): readonly WakeRow[] {
  let before: readonly WakeRow[] = [];
  for (const part of parts.toReversed()) {
    if (before.length >= minBefore) break;
    // Of older versions, only as many as are missing.
    const missing = before.length === 0 ? part.length : minBefore - before.length;
    before = [...part.slice(-missing), ...before];
  }
  return before;
}

/** `wakes`: oldest first. */
function figuresOf(wakes: readonly WakeRow[]): EconomyFigures {
  const successful = wakes.filter(({ outcome }) => outcome === "completed");
  const tasks = taskStories(wakes);
  const completedTasks = tasks.filter(({ isDone }) => isDone).length;
  const normalizedInput = sumOf(wakes, ({ normalizedInput: input }) => input);
  const wholeInput = sumOf(wakes, wholeInputOf);
  const read = sumOf(wakes, (wake) => (wholeInputOf(wake) === null ? null : wake.cacheRead));
  const stable = stableTimerWakes(wakes);
  const later = laterWakes(wakes);
  const had = (outcome: WakeRow["outcome"]) => wakes.filter((wake) => wake.outcome === outcome).length;
  return {
    wakes: wakes.length,
    successful: successful.length,
    inputPerWake: meanOf(successful, ({ normalizedInput: input }) => input),
    inputPerFresh: meanOf(
      successful.filter(({ reason }) => reason !== "reused"),
      ({ normalizedInput: input }) => input,
    ),
    inputPerReused: meanOf(
      successful.filter(({ reason }) => reason === "reused"),
      ({ normalizedInput: input }) => input,
    ),
    inputPerTask: completedTasks === 0 || normalizedInput === null ? null : normalizedInput / completedTasks,
    rawInput: sumOf(wakes, ({ rawInput }) => rawInput),
    wholeInput,
    normalizedInput,
    usd: sumOf(wakes, ({ usd }) => usd),
    unpriced: wakes.filter((wake) => wake.usd === null && (wholeInputOf(wake) ?? 0) > 0).length,
    cacheHits: wholeInput === null || wholeInput === 0 || read === null ? null : read / wholeInput,
    reuse: shareOf(wakes, isReused),
    stableReuse: shareOf(stable, isReused),
    reuseBySource: wakeSources.flatMap((source) => {
      const own = wakes.filter((wake) => wake.source === source);
      const reuse = shareOf(own, isReused);
      return reuse === null ? [] : [{ source, wakes: own.length, reuse }];
    }),
    reasons: wakeReasons.flatMap((reason) => {
      const own = wakes.filter((wake) => wake.reason === reason).length;
      return own === 0 ? [] : [{ reason, wakes: own }];
    }),
    fullFetches: meanOf(later, ({ fullFetches }) => fullFetches),
    guardrails: {
      completedTasks,
      reopened: tasks.filter(({ wasReopened }) => wasReopened).length,
      blocked: wakes.filter(({ stateAfter }) => stateAfter === "blocked").length,
      failed: had("failed"),
      limited: had("limit"),
      interrupted: had("interrupted"),
      environment: had("environment"),
      failedResumes: wakes.filter(({ resumeFailed }) => resumeFailed).length,
      manual: wakes.filter(({ source }) => source === "manual").length,
    },
    guardrailRates: guardrailRatesOf(wakes),
    promptChars: meanOf(wakes, ({ promptChars }) => promptChars),
    instructionsChars: meanOf(wakes, ({ instructionsChars }) => instructionsChars),
    skillBytes: meanOf(wakes, ({ skillBytes }) => skillBytes),
    hasInstructions: shareOf(
      wakes.filter(({ hasInstructions }) => hasInstructions !== null),
      ({ hasInstructions }) => hasInstructions === true,
    ),
  };
}

/** Of the newest change of each agent's file. */
function completionChanges(
  agents: readonly Pick<EconomyReport["agents"][number], "versions">[],
): GuardrailChange[] {
  return agents.flatMap(({ versions: [newest] }) =>
    (newest?.guardrailChanges ?? []).filter(({ name }) => name === "completion"),
  );
}

/** Agents of different success are not added up: a part of them that grows would look like a change. */
function completionTarget(figures: EconomyFigures, changes: readonly GuardrailChange[]): EconomyTarget {
  const [only = null] = changes.length === 1 ? changes : [];
  const judged = figures.successful + figures.guardrails.failed + figures.guardrails.limited;
  const isWorse = changes.some(({ result }) => result === "worse");
  const isNoWorse = changes.length > 0 && changes.every(({ result }) => result === "no_worse");
  return {
    name: "completion",
    wanted: only?.before.rate?.value ?? 1,
    actual: only?.after.rate?.value ?? (judged === 0 ? null : figures.successful / judged),
    isReached: isWorse ? false : isNoWorse ? true : null,
    change: only,
  };
}

function targetsOf(figures: EconomyFigures, changes: readonly GuardrailChange[]): EconomyTarget[] {
  const { inputPerFresh, inputPerReused, stableReuse, fullFetches } = figures;
  const saved =
    inputPerFresh === null || inputPerReused === null || inputPerFresh === 0
      ? null
      : 1 - inputPerReused / inputPerFresh;
  const named = (name: keyof typeof wanted, actual: number | null): EconomyTarget => ({
    name,
    wanted: wanted[name],
    actual,
    isReached: actual === null ? null : actual >= wanted[name],
    change: null,
  });
  return [
    named("normalized_input", saved),
    named("reuse", stableReuse),
    // Without cursors, each wake fetches the whole thread once.
    named("full_fetches", fullFetches === null ? null : Math.max(0, 1 - fullFetches)),
    completionTarget(figures, changes),
  ];
}

function isReused({ reason }: WakeRow): boolean {
  return reason === "reused";
}

/** Input with cache writes and reads; null where unknown. */
function wholeInputOf({ input, cacheCreation5m, cacheCreation1h, cacheRead }: WakeRow): number | null {
  return input === null ? null : input + (cacheCreation5m ?? 0) + (cacheCreation1h ?? 0) + (cacheRead ?? 0);
}

/** On the same task as the agent's previous wake. */
function stableTimerWakes(wakes: readonly WakeRow[]): WakeRow[] {
  const before = new Map<string, string | null>();
  return wakes.filter(({ agent, project, taskId, source }) => {
    const key = JSON.stringify([project, agent]);
    const isSame = before.has(key) && before.get(key) === taskId;
    before.set(key, taskId);
    return isSame && source === "timer";
  });
}

/** On a task that their agent was woken for before. */
function laterWakes(wakes: readonly WakeRow[]): WakeRow[] {
  const seen = new Set<string>();
  return wakes.filter(({ agent, project, taskId, outcome }) => {
    if (taskId === null || outcome === "environment") return false;
    const key = JSON.stringify([project, agent, taskId]);
    const isLater = seen.has(key);
    seen.add(key);
    return isLater;
  });
}

/** Whether each task was done, and whether it was opened again. */
function taskStories(
  wakes: readonly WakeRow[],
): { readonly isDone: boolean; readonly wasReopened: boolean }[] {
  const onTasks = wakes.filter(({ taskId }) => taskId !== null);
  return [...groupBy(onTasks, ({ project, taskId }) => JSON.stringify([project, taskId])).values()].map(
    (own) => {
      const doneAt = own.findIndex(({ stateAfter }) => stateAfter === "done");
      return {
        isDone: own.at(-1)?.stateAfter === "done",
        wasReopened: doneAt !== -1 && own.slice(doneAt + 1).some(({ stateBefore }) => stateBefore !== "done"),
      };
    },
  );
}

/** Null if no value is known. */
function sumOf(wakes: readonly WakeRow[], valueOf: (wake: WakeRow) => number | null): number | null {
  const known = wakes.flatMap((wake) => valueOf(wake) ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function meanOf(wakes: readonly WakeRow[], valueOf: (wake: WakeRow) => number | null): number | null {
  const known = wakes.flatMap((wake) => valueOf(wake) ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function shareOf(wakes: readonly WakeRow[], isOne: (wake: WakeRow) => boolean): number | null {
  return wakes.length === 0 ? null : wakes.filter(isOne).length / wakes.length;
}
