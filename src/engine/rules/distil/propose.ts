import { sha256Hex } from "../../base/hash.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { RuleStep } from "../action.ts";
import { similarTo } from "../duplicates.ts";
import { readSentence, type SentenceReason } from "./read-sentence.ts";
import { ruleText, statusWords, type Rule, type RuleOrigin, type RuleSource } from "../rule.ts";
import { sentence, type Sentence } from "../../base/language.ts";

/** Likeness above which two rules count as the same. */
const sameAbove = 0.85;

export interface Proposal {
  readonly agent: string;
  /** Includes the scope, as `(when …) …`, if there is one. */
  readonly text: string;
  readonly origin: RuleOrigin;
  readonly source: RuleSource | null;
  /** The rule that this one edits, or null. */
  readonly replaces: string | null;
}

export type ProposeReason = SentenceReason | "bad_agent" | "known";

/** Agent names become folder names: letters, digits, dots and hyphens, as coding agents accept them. */
const agentName = /^[A-Za-z0-9][\w.-]{0,63}$/u;

export function isAgentName(name: string): boolean {
  return agentName.test(name) && !name.includes("..");
}

/**
 * Makes a candidate of a sentence, or fails with the reason. Refuses near-duplicates of any rule the agent ever had,
 * including evicted ones: that question was decided before.
 */
export function propose(
  { agent, text, origin, source, replaces }: Proposal,
  known: readonly Rule[],
  { who, at, rent }: { readonly who: string; readonly at: number; readonly rent: (text: string) => number },
): Result<{ readonly rule: Rule; readonly step: RuleStep }, ProposeReason> {
  if (!isAgentName(agent))
    return fail("bad_agent", sentence("an agent's name is letters, digits, dots and hyphens"));
  const read = readSentence(text);
  if (!read.ok) return read;
  const whole = ruleText(read.value);
  const others = known.filter((rule) => rule.agent === agent && rule.id !== replaces);
  const [same] = similarTo(whole, others, { textOf: ruleText, minimum: sameAbove });
  if (same !== undefined) {
    const { id, status, decidedReason } = same.item;

    return fail(
      "known",
      decidedReason === null
        ? sentence("it says the same as rule {id}, which is {status}", { id, status: statusWords[status] })
        : sentence("it says the same as rule {id}, which is {status}: {reason}", {
            id,
            status: statusWords[status],
            reason: decidedReason,
          }),
    );
  }
  const id = ruleId(agent, whole);
  if (known.some((rule) => rule.id === id)) return fail("known", sentence("it is rule {0}", id));
  const rule: Rule = {
    id,
    agent,
    ...read.value,
    status: "candidate",
    isProtected: false,
    strikes: 0,
    origin,
    source,
    saving: null,
    rent: rent(whole),
    createdAt: at,
    decidedAt: null,
    decidedReason: null,
    auditedAt: null,
    replaces,
  };
  const why = replaces === null ? originNames[origin] : sentence("edited from {0}", replaces);
  return succeed({ rule, step: { at, who, from: null, to: "candidate", why } });
}

/** Same agent and sentence give the same id: `r` and ten hexadecimal digits. */
function ruleId(agent: string, text: string): string {
  return `r${sha256Hex(`${agent}\n${text}`, 10)}`;
}

const originNames: Readonly<Record<RuleOrigin, Sentence>> = {
  trajectory: sentence("found in a costly run"),
  model: sentence("proposed by the user's agent after a costly run"),
  hand: sentence("written by hand"),
  import: sentence("imported from a file"),
};
