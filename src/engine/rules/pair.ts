import { sentence, type Sentence } from "../base/language.ts";
import { type Configuration, configurationHash, currentConfiguration } from "../bench/configuration.ts";
import type { ConfigurationRole } from "../bench/run-facts.ts";
import { compileMemory } from "./memory/memory-text.ts";
import type { Evidence } from "../verdict/evidence.ts";
import type { Rule } from "./rule.ts";
import type { RuleBench } from "./rules-selection.ts";

/** The two sides of a rule's measurement. */
interface RulePair extends RuleBench {
  /** Ids of the other rules that both sides have, sorted. */
  readonly beside: readonly string[];
  readonly configurations: readonly [Configuration, Configuration];
}

interface RuleTurn {
  readonly request: {
    readonly id: string;
    readonly agent: string;
    readonly model: string;
    readonly effort?: string | null;
    /** Evidence of earlier measurements. */
    readonly evidence: readonly Evidence[];
  };
  readonly rule: Rule;
  /** All rules in their current state. */
  readonly rules: readonly Rule[];
}

/** Side 0 is without the rule, side 1 with it; everything else is equal. */
export function pairOf({ request, rule, rules }: RuleTurn): RulePair {
  const others = rules.filter(
    ({ agent, status, id }) => agent === request.agent && status === "active" && id !== rule.id,
  );
  const { agent, model, effort = null } = request;
  const side = (label: Sentence, active: readonly Rule[], role: ConfigurationRole): Configuration => {
    const { text } = compileMemory(active, "0");
    const own = currentConfiguration({ agent, model, effort, memory: text === "" ? null : { label, text } });
    // With another effort it is not the agent as configured, whatever its rules.
    return { ...own, label, role: role === "active" ? own.role : role };
  };
  const isAudit = rule.status === "active";
  // The rule under test must never be the one left out of the memory for lack of room.
  const tested: Rule = { ...rule, status: "active", saving: Number.MAX_SAFE_INTEGER };
  const configurations = [
    // A candidate is compared with the agent as it is, an active rule with a configuration that never existed.
    side(sentence("without the rule"), others, isAudit ? "audit" : "active"),
    side(sentence("with the rule"), [...others, tested], isAudit ? "audit" : "candidate"),
  ] as const;
  const [without, withIt] = configurations.map(configurationHash);
  // The name stays the same until a measurement is settled, so that an interrupted bench resumes; then it
  // changes.
  const before = request.evidence.filter(({ ruleId }) => ruleId === rule.id).length;
  return {
    benchId: `${request.id}.${rule.id}.${before}.${(without ?? "").slice(0, 6)}${(withIt ?? "").slice(0, 6)}`,
    configurations,
    beside: compileMemory(others, "0").ruleIds.toSorted(),
  };
}
