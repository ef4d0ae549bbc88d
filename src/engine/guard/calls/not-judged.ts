import type { EventNamed, HookAnswer } from "../../hooks/event.ts";
import { toolKind } from "../../transcripts/tool-kind.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { UnjudgedCall } from "../../ledger/questions.ts";
import {
  isRequired,
  modeOf as modeIn,
  protectingFamilies,
  type GuardFamily,
  type GuardMode,
  type GuardModes,
} from "../../settings/guard.ts";
import { hitEntry, type GuardHitEntry } from "../hit-entry.ts";
import type { HitOutcome } from "../delivery.ts";
import { notJudged as rules } from "../unjudged-calls.ts";
import type { GuardedCall } from "./find-hits.ts";

/** Placeholder for a rule if a call was not judged in time, or if no service ran. */
const notJudged = { rule: rules.byService, family: "safety", action: "ask" } as const;

/** Events of calls that guard rules judge. */
export const judgedEvents = ["PreToolUse", "PreSkillShellCommand"] as const;
const judged: ReadonlySet<string> = new Set(judgedEvents);
export const judgedKinds: ReadonlySet<string> = new Set(["command", "edit", "read"]);

export type JudgedEvent = EventNamed<(typeof judgedEvents)[number]>;

/** Action for a call that was not judged. */
interface NotJudged {
  readonly entry: GuardHitEntry;
  readonly answer: HookAnswer | null;
}

interface NotJudgedFacts {
  readonly program: string;
  readonly modeOf: (family: GuardFamily) => GuardMode;
  readonly canAsk: boolean;
  readonly canDeny: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Asks about a call that was not judged if rules that protect are on: it must not pass unseen. Such a call is rare, so purser asks
 * whatever it does. Null if no such rules are on: nothing would have stopped the call.
 */
export function aboutNotJudged(
  event: JudgedEvent,
  call: GuardedCall,
  { program, modeOf, canAsk, canDeny, at }: NotJudgedFacts,
): NotJudged | null {
  if (!protectingFamilies.some((family) => modeOf(family) === "on")) return null;
  const excerpt = call.kind === "command" ? call.command : call.file;
  const decision = canAsk ? "ask" : canDeny ? "deny" : null;
  const done: HitOutcome | "unjudged" =
    decision === null ? "unjudged" : decision === "ask" ? "asked" : "denied";
  return {
    entry: hitEntry(event, { ...notJudged, done, excerpt, program, at }),
    answer:
      decision === null
        ? null
        : { rule: notJudged.rule, permission: { decision, reason: reasonFor(decision) } },
  };
}

function reasonFor(decision: "ask" | "deny"): string {
  const what = `Context Purser (${notJudged.rule}): this call was not checked: it is too long, or the service did not answer in time.`;
  return decision === "ask"
    ? `${what} Allow it only if you know what it does. \`purser service restart\` starts the service again.`
    : `${what} Try it once more in a minute. If it is denied again, ask the user to run \`purser service restart\`.`;
}

/** Returns entries for the unjudged calls among spooled hooks. Their content is unknown. */
export function unjudgedEntries(spooled: readonly LedgerEntry[]): GuardHitEntry[] {
  return spooled.flatMap((entry): GuardHitEntry[] => {
    if (entry.kind !== "hook-event" || !judged.has(entry.event)) return [];
    const { id, sessionId, agentId = null, at = null, tool = null, outcome = null, rule = null } = entry;
    // An answered call was judged: by a service that could not reach the ledger, or by the hook's program.
    const isDenied = outcome === "deny" && rule === rules.alone;
    if (!(outcome === null || isDenied) || tool === null || !judgedKinds.has(toolKind(tool))) return [];
    const call = { kind: "guard-hit", id: `${id}:${rules.alone}`, sessionId, agentId, at, tool } as const;
    const nothing = { program: null, excerpt: null, folder: null, savedBytes: null };
    return [{ ...call, ...notJudged, rule: rules.alone, done: isDenied ? "denied" : "unjudged", ...nothing }];
  });
}

/**
 * Returns entries for calls in transcripts that no hook has reported. An agent does not run the call where a guard is
 * required.
 */
export function unreportedEntries(
  calls: readonly UnjudgedCall[],
  settingsOf: (folder: string | null) => GuardModes,
): GuardHitEntry[] {
  return calls.flatMap(({ id, ...call }): GuardHitEntry[] => {
    const settings = settingsOf(call.folder);
    if (!protectingFamilies.some((family) => modeIn(family, settings) === "on")) return [];
    const done = isRequired(settings) ? "denied" : "unjudged";
    const about = { kind: "guard-hit", id: `${id}:${rules.alone}`, excerpt: null, savedBytes: null } as const;
    return [{ ...call, ...notJudged, ...about, rule: rules.alone, done }];
  });
}
