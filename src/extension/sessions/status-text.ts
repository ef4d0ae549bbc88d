import { aboutDollars, dollars, percent, shortNumber } from "../../engine/base/local-format.ts";
import { urgency, type Advice } from "../../engine/sessions/advice.ts";
import { agentNames, agentOf } from "../../engine/transcripts/agents.ts";
import { adviceNow } from "./status-colours.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import {
  adviceSentence,
  turns,
  describeTurns,
  usedOfWindow,
  type Translate,
} from "../editor/describe-editor.ts";
import { graver, severities, type Severity } from "./status-colours.ts";

/** What a running job adds to the status bar item. */
export interface BenchBadge {
  /** An icon of the editor's own. */
  readonly icon: string;
  /** `7/24`. */
  readonly text: string;
  /** For a screen reader and the tooltip. */
  readonly spoken: string;
  /** The command that leads to it, and its argument. */
  readonly command: string;
  readonly target: string;
}

/** What budgets add to the status bar item. */
export interface BudgetBadge {
  /** State of the worst limit that applies now. */
  readonly severity: Severity;
  /** For the bar, such as `102% of the budget`; empty when no limit is near. */
  readonly text: string;
  /** For a screen reader; empty when no limit is near. */
  readonly spoken: string;
  /** Rows of the tooltip's table, for sessions in these folders of the window: name, amount, owner. */
  readonly rows: readonly {
    readonly folders: readonly string[];
    readonly cells: readonly [name: string, value: string, owner: string];
  }[];
}

export const noBadge: BudgetBadge = { severity: "default", text: "", spoken: "", rows: [] };

/** The status bar item's content for a session. */
interface StatusText {
  readonly text: string;
  readonly severity: Severity;
  /** The same for a screen reader, in a sentence. */
  readonly spoken: string;
}

interface StatusOptions {
  readonly percentOf: "window" | "compaction";
  /** Whether the bar shows when the cache expires, and the next call's price afterwards. */
  readonly cacheClock?: boolean;
  /** Whether an icon shows the session's agent: if several agents work. */
  readonly namesAgent?: boolean;
  readonly now: number;
  readonly t: Translate;
  /** Further sessions of the window that need the person, and the gravest advice among them. */
  readonly others?: { readonly count: number; readonly advice: Advice };
  /** State of the budgets that apply here; absent when there are none. */
  readonly budget?: Pick<BudgetBadge, "severity" | "text" | "spoken">;
  /** Saving of a session that began with a handover. USD. */
  readonly saved?: number | null;
  /** Whether nothing is recorded, as the ledger cannot be opened or written. */
  readonly isLedgerLost?: boolean;
}

/** How long a compaction is shown as recent. Milliseconds. */
export const compactionShown = 30_000;
/** Forecasts beyond this are not shown. Turns. */
const farAway = 99;

export function statusText(session: SessionSnapshot, options: StatusOptions): StatusText {
  const { t, others = nobody, budget = noBadge, saved = null } = options;
  const { turnsLeft } = session;
  const advice = adviceNow(session);
  const forecast = turnsLeft.value === null || turnsLeft.value > farAway ? "" : turns(turnsLeft.value, t);
  const isLost = options.isLedgerLost === true;
  const severity = graver(graver(severities[advice], severities[others.advice]), budget.severity);
  const isBudget = budget.severity !== "default" && severities[advice] !== "error";
  const context = gauge(session, options);
  const second = [
    isLost ? t("not recorded") : "",
    urgency(advice) > 0 ? forecast || roomText(session, t) : "",
    others.count === 0 ? "" : `+${others.count} $(warning)`,
    saved === null ? "" : t("saved {0}", aboutDollars(saved)),
    options.cacheClock === true ? cacheText(session, options) : "",
    forecast,
  ].find((part) => part !== "");
  const thoughts = isBudget ? [budget.text, context] : [context, second ?? ""];
  const figures = thoughts.filter((part) => part !== "").join(" · ");
  const icon = isBudget ? "$(shield)" : iconOf(session, options, isLost ? "warning" : severity);
  const spoken = [
    options.namesAgent === true
      ? t("{0}: context {1}", agentNames.of(session.agent), usedOfWindow(session, t))
      : t("Context {0}", usedOfWindow(session, t)),
    ...(forecast === "" ? [] : [t("compaction in {0}", describeTurns(turnsLeft.value ?? 0, t))]),
    ...(urgency(advice) > 0 ? [adviceSentence(advice, t)] : []),
    ...(others.count === 0 ? [] : [othersSentence(others.count, t)]),
    ...(saved === null ? [] : [t("saved {0} by the handover", aboutDollars(saved))]),
    ...(budget.spoken === "" ? [] : [budget.spoken]),
    ...(isLost ? [t("nothing is recorded: the ledger cannot be used")] : []),
  ].join(", ");
  return { text: `${icon} ${figures}`.trimEnd(), severity, spoken };
}

/** Time before the cache's expiry at which the bar shows it. Milliseconds. */
const nearExpiry = 2 * 60_000;

/** When the cache expires, if soon, and the next call's price afterwards. */
function cacheText({ live, cacheExpiresAt, nextCall }: SessionSnapshot, { now, t }: StatusOptions): string {
  if (!live || cacheExpiresAt === null) return "";
  if (cacheExpiresAt <= now)
    return nextCall.value === null ? "" : t("next call {0}", dollars(nextCall.value));
  return cacheExpiresAt - now <= nearExpiry ? `$(clock) ${t("<2 min")}` : "";
}

/** Returns the tokens left until compaction, for a bar without a forecast. */
function roomText({ headroom }: SessionSnapshot, t: Translate): string {
  return headroom.value === null ? "" : t("~{0} left", shortNumber(headroom.value));
}

function iconOf(
  session: SessionSnapshot,
  { now, namesAgent = false }: StatusOptions,
  severity: Severity,
): string {
  // A high-contrast theme shows no background.
  if (severity !== "default") return `$(${severity})`;
  if (justCompacted(session, now) !== undefined) return "$(fold)";
  return namesAgent ? `$(${agentOf(session.agent).icon})` : "$(dashboard)";
}

/** How many other sessions wait for the user, in words. */
export function othersSentence(count: number, t: Translate): string {
  return count === 1 ? t("1 other session needs you") : t("{0} other sessions need you", count);
}

const nobody = { count: 0, advice: "CONTINUE" } as const;
/** Milliseconds since the session was compacted, while recent enough to show. */
export function justCompacted(session: SessionSnapshot | undefined, now: number): number | undefined {
  const at = session?.lastCompaction?.at ?? null;
  return at !== null && now - at < compactionShown ? Math.max(0, now - at) : undefined;
}

function gauge(session: SessionSnapshot, { percentOf }: StatusOptions): string {
  const { occupancy, threshold } = session;
  if (occupancy.value === null) return "";
  if (percentOf === "compaction" && threshold.value !== null && threshold.value > 0)
    return percent(Math.min(100, (occupancy.value / threshold.value) * 100));
  return session.percent === null ? shortNumber(occupancy.value) : percent(session.percent);
}
