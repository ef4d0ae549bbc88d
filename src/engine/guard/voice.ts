import * as z from "zod";
import type { SessionMemory } from "../base/per-session.ts";
import type { HookAnswer } from "../hooks/event/answer.ts";
import type { HookEventName } from "../hooks/event/event.ts";
import { isHonoured } from "../hooks/event/write-answer.ts";
import type { HookContext } from "../hooks/handler.ts";
import type { GuardFamily, GuardMode } from "../settings/guard.ts";
import type { SpeechBudget } from "./work/speech-budget.ts";
import { hitEntry, type GuardHitEntry, type HitCall } from "./hit-entry.ts";

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
  /** Whether the user wants nothing of a rule on a text in a folder: it is off, or one of the user's exceptions holds. */
  readonly isExcepted: (rule: string, text: string, folder: string | null) => boolean;
  /** The most that a session may be told in its current turn. No limit where left out. */
  readonly budgetOf?: (session: string) => SpeechBudget;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Beyond this number of findings the oldest of a session may be told again. */
const mostTold = 200;
const longestKey = 300;

const told = z.object({
  keys: z.array(z.string().max(longestKey)).max(mostTold),
  /** The sum of what was told in the last turn in which anything was. */
  turn: z.int().nonnegative().default(0),
  pieces: z.int().nonnegative().default(0),
  characters: z.int().nonnegative().default(0),
});
type Told = Readonly<z.infer<typeof told>>;
const nothing: Told = { keys: [], turn: 0, pieces: 0, characters: 0 };

const unlimited = (): SpeechBudget => ({ turn: 0, pieces: Infinity, characters: Infinity });

/**
 * Tells agents what coded rules found: one place that decides whether a finding is only recorded, told, or was told before, so that no
 * session is told the same thing twice. The session's budget limits what is told in one turn: the rest is withheld, and may be told later.
 */
export class GuardVoice {
  readonly #ports: VoicePorts;
  readonly #told;

  constructor(ports: VoicePorts) {
    this.#ports = ports;
    this.#told = ports.memory.part("guard-told", { schema: told, empty: nothing });
  }

  /** Whether rules of a family look at the sessions of a folder at all. */
  listens(family: GuardFamily, folder: string | null): boolean {
    return this.#ports.modeOf(family, folder) !== "off";
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
    const held = this.#told.of(event.session_id);
    const { budgetOf = unlimited } = this.#ports;
    const purse = new Purse(held, budgetOf(event.session_id));
    const { keys } = held;
    const canTell = isHonoured("context", event.hook_event_name, program);
    const done = heard.map((finding) => {
      const key = `${finding.rule}:${finding.about ?? ""}`.slice(0, longestKey);
      const isOn = this.#ports.modeOf(finding.family, folder) === "on";
      const isFit = () => purse.spend(sentence(finding).length + 1);
      const deed = keys.includes(key)
        ? "repeated"
        : !isOn || !canTell
          ? "observed"
          : isFit()
            ? "advised"
            : "withheld";
      return { finding, key, deed } as const;
    });
    const fresh = done.filter(({ deed }) => deed === "advised" || deed === "observed").map(({ key }) => key);
    if (fresh.length > 0)
      this.#told.set(event.session_id, {
        keys: [...new Set([...keys, ...fresh])].slice(-mostTold),
        ...purse.spent,
      });
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

function sentence({ rule, text }: Finding): string {
  return `Context Purser (${rule}): ${text}`;
}

/** The budget of a turn, and how much of it was told. */
class Purse {
  readonly #budget: SpeechBudget;
  spent: Omit<Told, "keys">;

  constructor({ turn, pieces, characters }: Told, budget: SpeechBudget) {
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
