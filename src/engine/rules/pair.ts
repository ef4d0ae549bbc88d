import { asItIs } from "../bench/as-it-is.ts";
import { configurationHash, type Configuration } from "../bench/configuration.ts";
import type { ConfigurationRole } from "../bench/configuration-role.ts";
import { compileMemory } from "./memory/text.ts";
import type { Evidence } from "../verdict/statistics/pool.ts";
import type { Rule } from "./rule.ts";

/** The two sides of a rule's measurement. */
export interface RulePair {
  /** The name of its bench: asked again, it goes on where it stopped. */
  readonly benchId: string;
  readonly configurations: readonly [Configuration, Configuration];
}

interface RuleTurn {
  readonly request: {
    readonly id: string;
    readonly agent: string;
    readonly model: string;
    readonly effort?: string | null;
    /** What was measured before. */
    readonly evidence: readonly Evidence[];
  };
  readonly rule: Rule;
  /** All rules as they stand now. */
  readonly rules: readonly Rule[];
}

/** Side 0 is without the rule, side 1 with it; everything else is the same. */
export function pairOf({ request, rule, rules }: RuleTurn): RulePair {
  const others = rules.filter(
    ({ agent, status, id }) => agent === request.agent && status === "active" && id !== rule.id,
  );
  const { agent, model, effort = null } = request;
  const side = (label: string, active: readonly Rule[], role: ConfigurationRole): Configuration => {
    const { text } = compileMemory(active, "0");
    const own = asItIs({ agent, model, effort, memory: text === "" ? null : { label, text } });
    // Another effort is no agent as it is, whatever its rules.
    return { ...own, label, role: role === "active" ? own.role : role };
  };
  const isAudit = rule.status === "active";
  // A rule under test is never the one there is no room for.
  const tested: Rule = { ...rule, status: "active", saving: Number.MAX_SAFE_INTEGER };
  const configurations = [
    // What is active without a candidate is the agent as it is; what is active without one that is active never was.
    side("without the rule", others, isAudit ? "audit" : "active"),
    side("with the rule", [...others, tested], isAudit ? "audit" : "candidate"),
  ] as const;
  const [without, withIt] = configurations.map(configurationHash);
  // Until it is settled it is the same bench, so that what was interrupted goes on; then it is another.
  const before = request.evidence.filter(({ ruleId }) => ruleId === rule.id).length;
  return {
    benchId: `${request.id}.${rule.id}.${before}.${(without ?? "").slice(0, 6)}${(withIt ?? "").slice(0, 6)}`,
    configurations,
  };
}
