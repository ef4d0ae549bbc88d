import { createHash } from "node:crypto";

/**
 * Whether a session gets a rule: the lowest bit of the first byte of the SHA-256 of the JSON list of the
 * trial's, the session's and the rule's id. So anybody can repeat a draw, nobody can choose it, and the draws
 * of one session's rules are independent.
 */
export function isGiven(trialId: string, sessionId: string, ruleId: string): boolean {
  const hash = createHash("sha256")
    .update(JSON.stringify([trialId, sessionId, ruleId]))
    .digest();
  return ((hash[0] ?? 0) & 1) === 1;
}

export interface Drawn {
  /** Rule ids. */
  readonly given: readonly string[];
  readonly withheld: readonly string[];
}

export function drawRules(trialId: string, sessionId: string, ruleIds: readonly string[]): Drawn {
  const given = ruleIds.filter((id) => isGiven(trialId, sessionId, id));
  return { given, withheld: ruleIds.filter((id) => !given.includes(id)) };
}
