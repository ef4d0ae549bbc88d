import { wholeNumber } from "../../../engine/base/local-format.ts";
import { t } from "../../../engine/base/language.ts";
import type { RuleView } from "../../../engine/rules/rules-answers.ts";
import { outsideText } from "../../components/outside.ts";

/** Maximum length of an agent's name. Characters. */
const maxNameLength = 32;

/** What the rules in one agent's memory cost and save. Tokens. */
export interface Worth {
  readonly agent: string;
  /** Per session, estimated. */
  readonly cost: number;
  /** Per completed run, measured; null if no rule was measured. */
  readonly saving: number | null;
}

/** By agent, since a session pays only for the rules of its own agent. The largest saving first. */
export function worthByAgent(
  rules: readonly Pick<RuleView, "agent" | "status" | "rent" | "saving">[],
): Worth[] {
  const byAgent = new Map<string, Worth>();
  for (const { agent, status, rent, saving } of rules) {
    if (status !== "active") continue;
    const known = byAgent.get(agent) ?? { agent, cost: 0, saving: null };
    byAgent.set(agent, {
      agent,
      cost: known.cost + rent.cost,
      saving: saving === null ? known.saving : (known.saving ?? 0) + saving,
    });
  }
  return [...byAgent.values()].sort((one, other) => (other.saving ?? 0) - (one.saving ?? 0));
}

export function describeWorth({ agent, cost, saving }: Worth): string {
  const name = outsideText(agent, maxNameLength);
  return saving === null
    ? t("{0}: ~{1} tokens a session, saving not measured", name, wholeNumber(cost))
    : t("{0}: ~{1} tokens a session, saves {2} a run", name, wholeNumber(cost), wholeNumber(saving));
}
