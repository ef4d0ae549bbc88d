import { sentence } from "../../base/language.ts";
import { throughService } from "../service/through-service.ts";
import { succeed, type Result } from "../../base/result.ts";
import type { BenchPorts } from "../../bench/bench-request.ts";
import { claudeRoot } from "../../transcripts/claude.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import { readKnownRules, planRounds, chosenRules, planRulesPower } from "../../jobs/measure-rules.ts";
import type { ParsedOptions } from "../args.ts";
import { openBenchContext } from "../bench/bench-context.ts";
import type { CliHost } from "../cli-ports.ts";
import { prepareSelection, selectOptions, type Selection } from "../rules/select-setup.ts";
import type { Subcommand } from "../declaration.ts";
import { printPower } from "./print-plan.ts";

/** Options that only apply to runs. */
const notPlanned = new Set(["activate", "budget", "yes"]);
const options = Object.fromEntries(Object.entries(selectOptions).filter(([name]) => !notPlanned.has(name)));

export const planRules: Subcommand = {
  words: "AGENT",
  does: "the rules that purser select would measure, one by one and together",
  argument: { isMissing: sentence("missing AGENT; purser golden list shows them") },
  options,
  run: async ({ options, first }, host) => {
    const prepared = await prepareSelection(first, options, host);
    if (!prepared.ok) return prepared;
    const context = await openBenchContext(prepared.value.driver, options, host);
    try {
      return await throughService(host, (service) =>
        plan(prepared.value, { service, ports: context.ports, options, host }),
      );
    } finally {
      context.dispose();
    }
  },
};

interface Planning {
  readonly service: Requester;
  readonly ports: BenchPorts;
  readonly options: ParsedOptions;
  readonly host: CliHost;
}

async function plan(
  { agent, suite, model, driver, audits }: Selection,
  { service, ports, options, host }: Planning,
): Promise<Result<number>> {
  const about = { agent, suite, model, effort: null, driver: driver.name, parallel: 1, tokenCap: null };
  const known = await readKnownRules(about, service, { root: claudeRoot(host), signal: host.signal });
  if (!known.ok) return known;
  const prefix = options.value("rule");
  const ids = known.value.rules.map(({ id }) => id);
  const named = prefix === undefined ? null : ids.filter((id) => id.startsWith(prefix));
  const wanted = chosenRules(known.value, { agent, ruleIds: named, audits });
  if (!wanted.ok) return wanted;
  const { expected } = await planRounds(about, 1, ports);
  const asked = { wanted: wanted.value, known: known.value, expected };
  const power = await planRulesPower(about, asked, { service, now: host.now() });
  if (!power.ok) return power;
  const rules = wanted.value.map(({ id }) => id);
  const json = { schema: 1, command: "plan rules", agent, model, driver: driver.name, rules } as const;
  printPower({ ...json, power: power.value }, options, host);
  return succeed(0);
}
