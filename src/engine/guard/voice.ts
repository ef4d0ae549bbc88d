import * as z from "zod";
import type { PerSession, SessionMemory } from "../base/per-session.ts";
import type { HookAnswer } from "../hooks/event/hooks-answer.ts";
import type { HookEventName } from "../hooks/event/event.ts";
import { isHonoured } from "../hooks/event/write-answer.ts";
import type { HookContext } from "../hooks/hooks-handler.ts";
import type { GuardFamily, GuardMode } from "../settings/guard.ts";
import type { SpeechBudget } from "./work/speech-budget.ts";
import { hitEntry, type GuardHitEntry, type HitCall } from "./hit-entry.ts";

/** Beyond this number the oldest of a session may be told again. */
const mostTold = 200;
const longestKey = 300;

const told = z.object({ keys: z.array(z.string().max(longestKey)).max(mostTold) });

/** The advice that sessions have had, by rule and matter: no session is told the same twice, whichever guard finds it. */
export class ToldBefore {
  readonly #sessions: PerSession<z.infer<typeof told>>;

  constructor(memory: Pick<SessionMemory, "part">) {
    this.#sessions = memory.part("guard-told", { schema: told, empty: { keys: [] } });
  }

  /** @param about tells matters of one rule apart; without, the rule is told once */
  has(session: string, rule: string, about?: string): boolean {
    return this.#sessions.of(session).keys.includes(keyOf(rule, about));
  }

  add(session: string, all: readonly { readonly rule: string; readonly about?: string | undefined }[]): void {
    if (all.length === 0) return;
    const keys = new Set(this.#sessions.of(session).keys);
    for (const { rule, about } of all) keys.add(keyOf(rule, about));
    this.#sessions.set(session, { keys: [...keys].slice(-mostTold) });
  }
}

function keyOf(rule: string, about = ""): string {
  return `${rule}:${about}`.slice(0, longestKey);
}

/** A coded rule that fired, with the words for the agent. */
export interface Finding {
  readonly rule: string;
  readonly family: GuardFamily;
  /** Sentences for the agent: what was found, and a way out. */
  readonly text: string;
  /** The part of the call that people are shown. */
  readonly excerpt: string;
  /** Tells findings of one rule apart: each is told once to a session. Default: the rule is told once. */
  readonly about?: string;
}

export interface VoicePorts {
  readonly modeOf: (family: GuardFamily, folder: string | null) => GuardMode;
  /** Records what was found and done, in the background. */
  readonly record: (entries: readonly GuardHitEntry[]) => void;
  readonly memory: Pick<SessionMemory, "part">;
  readonly told: Pick<ToldBefore, "has" | "add">;
  /** Whether a rule's advice has fallen silent, as it does not help. */
  readonly isSilent: (rule: string) => boolean;
  /** Whether the user wants nothing of a rule on a text in a folder: it is off, or one of the user's exceptions holds. */
  readonly isExcepted: (rule: string, text: string, folder: string | null) => boolean;
  /** The share of a rule's advice that helped in the phase of a session's work, 0 to 1. What helps most is told first. */
  readonly helpOf?: (rule: string, session: string) => number;
  /** The most that a session may be told in its current turn. No limit where left out. */
  readonly budgetOf?: (session: string) => SpeechBudget;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

type Deed = "repeated" | "observed" | "silent" | "advised" | "withheld";

const spoken = z.object({
  /** The sum of what was told in the last turn in which anything was. */
  turn: z.int().nonnegative(),
  pieces: z.int().nonnegative(),
  characters: z.int().nonnegative(),
});
type Spoken = Readonly<z.infer<typeof spoken>>;
const nothing: Spoken = { turn: 0, pieces: 0, characters: 0 };

const unlimited = (): SpeechBudget => ({ turn: 0, pieces: Infinity, characters: Infinity });

/**
 * Tells agents what coded rules found: one place that decides whether a finding is only recorded, told, or was told before, so that no
 * session is told the same thing twice. The session's budget limits what is told in one turn: the rest is withheld, and may be told later.
 */
export class GuardVoice {
  readonly #ports: VoicePorts;
  readonly #spoken: PerSession<Spoken>;

  constructor(ports: VoicePorts) {
    this.#ports = ports;
    this.#spoken = ports.memory.part("guard-spoken", { schema: spoken, empty: nothing });
  }

  /** Whether rules of a family look at the sessions of a folder at all. */
  listens(family: GuardFamily, folder: string | null): boolean {
    return this.#ports.modeOf(family, folder) !== "off";
  }

  /** Whether what rules of a family find is told to the sessions of a folder. */
  speaks(family: GuardFamily, folder: string | null): boolean {
    return this.#ports.modeOf(family, folder) === "on";
  }

  /** Records the findings about a call, and returns what the agent is told; null for nothing. */
  tell(
    event: HitCall & { readonly hook_event_name: HookEventName },
    findings: readonly Finding[],
    { program }: Pick<HookContext, "program">,
  ): HookAnswer | null {
    const folder = event.cwd ?? null;
    const heard = findings.filter(
      ({ rule, family, excerpt }) =>
        this.listens(family, folder) && !this.#ports.isExcepted(rule, excerpt, folder),
    );
    if (heard.length === 0) return null;
    const { told, isSilent, budgetOf = unlimited, helpOf = () => 0 } = this.#ports;
    const { session_id: session } = event;
    const ordered = heard.toSorted((a, b) => helpOf(b.rule, session) - helpOf(a.rule, session));
    const purse = new Purse(this.#spoken.of(session), budgetOf(session));
    const canTell = isHonoured("context", event.hook_event_name, program);
    const done = ordered.map((finding) => {
      const { rule, about, family } = finding;
      const deed = (): Deed => {
        if (told.has(session, rule, about)) return "repeated";
        if (!canTell || !this.speaks(family, folder))
          return told.has(session, observedAs(rule), about) ? "repeated" : "observed";
        if (isSilent(rule)) return "silent";
        return purse.spend(sentence(finding).length + 1) ? "advised" : "withheld";
      };
      return { finding, deed: deed() };
    });
    told.add(
      session,
      done.flatMap(({ finding: { rule, about }, deed }) =>
        deed === "advised" ? { rule, about } : deed === "observed" ? { rule: observedAs(rule), about } : [],
      ),
    );
    if (done.some(({ deed }) => deed === "advised")) this.#spoken.set(session, purse.spent);
    const at = this.#ports.now();
    this.#ports.record(
      done.map(({ finding: { rule, family, excerpt }, deed }) =>
        hitEntry(event, { rule, family, excerpt, action: "advise", done: deed, program, at }),
      ),
    );
    const advised = done.filter(({ deed }) => deed === "advised").map(({ finding }) => finding);
    if (advised.length === 0) return null;
    return {
      rule: advised.map(({ rule }) => rule).join(" "),
      context: advised.map(sentence).join("\n"),
    };
  }
}

/** Hits that were only observed have not been said: they are told once their family is on. */
function observedAs(rule: string): string {
  return `observed ${rule}`;
}

function sentence({ rule, text }: Finding): string {
  return `Context Purser (${rule}): ${text}`;
}

/** The budget of a turn, and how much of it was told. */
class Purse {
  readonly #budget: SpeechBudget;
  spent: Spoken;

  constructor({ turn, pieces, characters }: Spoken, budget: SpeechBudget) {
    this.#budget = budget;
    this.spent =
      turn === budget.turn ? { turn, pieces, characters } : { turn: budget.turn, pieces: 0, characters: 0 };
  }

  /** Takes one piece of advice out; false where it does not fit. */
  spend(characters: number): boolean {
    const { turn, pieces: before, characters: sum } = this.spent;
    const [pieces, total] = [before + 1, sum + characters];
    if (pieces > this.#budget.pieces || total > this.#budget.characters) return false;
    this.spent = { turn, pieces, characters: total };
    return true;
  }
}
