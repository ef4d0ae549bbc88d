import * as z from "zod/mini";
import type { PerSession, SessionMemory } from "../base/per-session.ts";
import { type HookAnswer, type HookEventName, isHonoured } from "../hooks/event.ts";
import type { HookContext } from "../hooks/hooks-handler.ts";
import type { GuardFamily, GuardMode } from "../settings/guard.ts";
import type { RuleAction } from "./calls/rule-action.ts";
import { hitEntry, type GuardHitEntry, type HitCall } from "./hit-entry.ts";
import type { SpeechBudget } from "./work/measures.ts";

export { helpAtMost, helpsTooLittle } from "./effect/silent-rules.ts";
export { mistakeEntry } from "./hit-entry.ts";

/**
 * The outcome of a hit. `repeated`: the session has had this advice. `silent`: suppressed, as the rule's advice rarely helps.
 * `withheld`: above the limit of the turn; it may be sent later.
 */
export type HitOutcome = "observed" | "advised" | "repeated" | "silent" | "withheld" | "asked" | "denied";

/** Inputs of the decision about a hit. Functions are called at most once, and only if their answer counts. */
export interface OutcomeContext {
  /** Never `off`: a rule of such a family has no hits. */
  readonly mode: Exclude<GuardMode, "off">;
  /** The agent takes questions, and a person sees them. */
  readonly canAsk: boolean;
  readonly canDeny: boolean;
  readonly canAdvise: boolean;
  /** Whether the session has had this advice. */
  readonly isSent: () => boolean;
  /** Whether the hit was recorded for this session before. Default: each hit is recorded. */
  readonly isObserved?: () => boolean;
  /** Whether the rule's advice is suppressed. Never applies to a rule that asks or denies. */
  readonly isSilent: () => boolean;
  /** Takes the advice out of the turn's limit; false if it does not fit. Default: no limit. */
  readonly takeRoom?: () => boolean;
}

/**
 * Decides the action for a hit. A question becomes a denial if no one can answer it, or if the agent supports none.
 * @param isGuess the command line could only be read by its words, so it is never denied
 */
export function outcomeOf(
  action: RuleAction,
  context: OutcomeContext,
  { isGuess }: { readonly isGuess: boolean } = { isGuess: false },
): HitOutcome {
  const { mode, canAsk, canDeny, canAdvise, isSent, isObserved = () => false, isSilent, takeRoom } = context;
  const unsent = () => (isObserved() ? "repeated" : "observed");
  if (mode === "observe") return unsent();
  if (action === "ask" && canAsk) return "asked";
  if (action !== "advise" && canDeny && !isGuess) return "denied";
  if (!canAdvise) return unsent();
  if (isSent()) return "repeated";
  if (action === "advise" && isSilent()) return "silent";
  return takeRoom === undefined || takeRoom() ? "advised" : "withheld";
}

/** Maximum advice recorded per session. Older advice may be sent again. */
const maxSent = 200;
const maxKeyLength = 300;

const sentSchema = z.object({
  keys: z.array(z.string().check(z.maxLength(maxKeyLength))).check(z.maxLength(maxSent)),
});

/** The advice that sessions have had, by rule and subject. All guards share it. */
export class SentAdvice {
  readonly #sessions: PerSession<z.infer<typeof sentSchema>>;

  constructor(memory: Pick<SessionMemory, "part">) {
    this.#sessions = memory.part("guard-told", { schema: sentSchema, empty: { keys: [] } });
  }

  /** @param about distinguishes subjects of one rule; without it, the rule's advice is sent once */
  has(session: string, rule: string, about?: string): boolean {
    return this.#sessions.of(session).keys.includes(keyOf(rule, about));
  }

  add(session: string, all: readonly { readonly rule: string; readonly about?: string | undefined }[]): void {
    if (all.length === 0) return;
    const keys = new Set(this.#sessions.of(session).keys);
    for (const { rule, about } of all) keys.add(keyOf(rule, about));
    this.#sessions.set(session, { keys: [...keys].slice(-maxSent) });
  }
}

function keyOf(rule: string, about = ""): string {
  return `${rule}:${about}`.slice(0, maxKeyLength);
}

/** A coded rule that fired, with the words for the agent. */
export interface Finding {
  readonly rule: string;
  readonly family: GuardFamily;
  /** Sentences for the agent: the finding, and a way out. */
  readonly text: string;
  /** The part of the call for people. */
  readonly excerpt: string;
  /** Distinguishes findings of one rule: each is sent once to a session. Default: the rule is sent once. */
  readonly about?: string;
}

export interface DeliveryPorts {
  /** The mode of a family in a session of a folder; null for any session. */
  readonly modeOf: (family: GuardFamily, folder: string | null, session: string | null) => GuardMode;
  /** Records findings and outcomes in the background. */
  readonly record: (entries: readonly GuardHitEntry[]) => void;
  readonly memory: Pick<SessionMemory, "part">;
  readonly sent: Pick<SentAdvice, "has" | "add">;
  /** Whether a rule's advice is suppressed, because it rarely helps. */
  readonly isSilent: (rule: string) => boolean;
  /** Whether the user switched a rule off, or made an exception for a text in a folder. */
  readonly isExcepted: (rule: string, text: string, folder: string | null) => boolean;
  /** The share of a rule's advice that helped in this phase of a session's work, 0 to 1. The most helpful advice goes first. */
  readonly helpOf?: (rule: string, session: string) => number;
  /** The maximum of advice for a session in its current turn. Default: no limit. */
  readonly budgetOf?: (session: string) => SpeechBudget;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const spentSchema = z.object({
  /** The number of the last turn with advice; the sums are of this turn. */
  turn: z.int().check(z.nonnegative()),
  pieces: z.int().check(z.nonnegative()),
  characters: z.int().check(z.nonnegative()),
});
type Spent = Readonly<z.infer<typeof spentSchema>>;
const nothing: Spent = { turn: 0, pieces: 0, characters: 0 };

const unlimited = (): SpeechBudget => ({ turn: 0, pieces: Infinity, characters: Infinity });

/** Sends the findings of coded rules to agents, or only records them: see `outcomeOf`. A budget limits each turn. */
export class FindingDelivery {
  readonly #ports: DeliveryPorts;
  readonly #spent: PerSession<Spent>;

  constructor(ports: DeliveryPorts) {
    this.#ports = ports;
    this.#spent = ports.memory.part("guard-spoken", { schema: spentSchema, empty: nothing });
  }

  /** Tests whether a family is not off in a folder. No trial turns one off. */
  isWatching(family: GuardFamily, folder: string | null): boolean {
    return this.#ports.modeOf(family, folder, null) !== "off";
  }

  /** Tests whether a family sends its findings to a session of a folder. */
  isSending(family: GuardFamily, folder: string | null, session: string): boolean {
    return this.#ports.modeOf(family, folder, session) === "on";
  }

  /** Records the findings about a call, and returns the advice for the agent; null for none. */
  deliver(
    event: HitCall & { readonly hook_event_name: HookEventName },
    findings: readonly Finding[],
    { program }: Pick<HookContext, "program">,
  ): HookAnswer | null {
    const { sent, modeOf, isSilent, isExcepted, budgetOf = unlimited, helpOf = () => 0 } = this.#ports;
    const { session_id: session, cwd: folder = null } = event;
    const ordered = findings.toSorted((a, b) => helpOf(b.rule, session) - helpOf(a.rule, session));
    const room = new TurnRoom(this.#spent.of(session), budgetOf(session));
    const canAdvise = isHonoured("context", event.hook_event_name, program);
    const done = ordered.flatMap((finding) => {
      const { rule, about, family, excerpt } = finding;
      const mode = modeOf(family, folder, session);
      if (mode === "off" || isExcepted(rule, excerpt, folder)) return [];
      const isSent = () => sent.has(session, rule, about);
      const outcome = outcomeOf("advise", {
        mode,
        canAsk: false,
        canDeny: false,
        canAdvise,
        isSent,
        isObserved: () => isSent() || sent.has(session, observedAs(rule), about),
        isSilent: () => isSilent(rule),
        takeRoom: () => room.take(adviceText(finding).length + 1),
      });
      return [{ finding, outcome }];
    });
    if (done.length === 0) return null;
    sent.add(
      session,
      done.flatMap(({ finding: { rule, about }, outcome }) =>
        outcome === "advised"
          ? { rule, about }
          : outcome === "observed"
            ? { rule: observedAs(rule), about }
            : [],
      ),
    );
    const at = this.#ports.now();
    this.#ports.record(
      done.map(({ finding: { rule, family, excerpt }, outcome }) =>
        hitEntry(event, { rule, family, excerpt, action: "advise", done: outcome, program, at }),
      ),
    );
    const advised = done.filter(({ outcome }) => outcome === "advised").map(({ finding }) => finding);
    if (advised.length === 0) return null;
    this.#spent.set(session, room.spent);
    return {
      rule: advised.map(({ rule }) => rule).join(" "),
      context: advised.map(adviceText).join("\n"),
    };
  }
}

/** A hit recorded in observe mode may still be sent once its family is on. */
function observedAs(rule: string): string {
  return `observed ${rule}`;
}

function adviceText({ rule, text }: Finding): string {
  return `Context Purser (${rule}): ${text}`;
}

/** The room for advice in a turn. */
class TurnRoom {
  readonly #budget: SpeechBudget;
  spent: Spent;

  constructor({ turn, pieces, characters }: Spent, budget: SpeechBudget) {
    this.#budget = budget;
    this.spent =
      turn === budget.turn ? { turn, pieces, characters } : { turn: budget.turn, pieces: 0, characters: 0 };
  }

  take(characters: number): boolean {
    const { turn, pieces: before, characters: sum } = this.spent;
    const [pieces, total] = [before + 1, sum + characters];
    if (pieces > this.#budget.pieces || total > this.#budget.characters) return false;
    this.spent = { turn, pieces, characters: total };
    return true;
  }
}
