import * as z from "zod";
import type { SessionMemory } from "../base/per-session.ts";
import type { HookAnswer } from "../hooks/event/answer.ts";
import type { HookEventName } from "../hooks/event/event.ts";
import { isHonoured } from "../hooks/event/write-answer.ts";
import type { HookContext } from "../hooks/handler.ts";
import type { GuardFamily, GuardMode } from "../settings/guard.ts";
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
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Beyond this number of findings the oldest of a session may be told again. */
const mostTold = 200;
const longestKey = 300;

const told = z.object({ keys: z.array(z.string().max(longestKey)).max(mostTold) });

/**
 * Tells agents what coded rules found: one place that decides whether a finding is only recorded, told, or was told before, so that no
 * session is told the same thing twice.
 */
export class GuardVoice {
  readonly #ports: VoicePorts;
  readonly #told;

  constructor(ports: VoicePorts) {
    this.#ports = ports;
    this.#told = ports.memory.part("guard-told", { schema: told, empty: { keys: [] } });
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
    const { keys } = this.#told.of(event.session_id);
    const canTell = isHonoured("context", event.hook_event_name, program);
    const done = heard.map((finding) => {
      const key = `${finding.rule}:${finding.about ?? ""}`.slice(0, longestKey);
      const isOn = this.#ports.modeOf(finding.family, folder) === "on";
      const deed = keys.includes(key) ? "repeated" : isOn && canTell ? "advised" : "observed";
      return { finding, key, deed } as const;
    });
    const fresh = done.filter(({ deed }) => deed !== "repeated").map(({ key }) => key);
    if (fresh.length > 0)
      this.#told.set(event.session_id, { keys: [...new Set([...keys, ...fresh])].slice(-mostTold) });
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
      context: advised.map(({ rule, text }) => `Context Purser (${rule}): ${text}`).join("\n"),
    };
  }
}
