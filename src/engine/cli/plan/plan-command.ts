import { jsonOf, type ParsedOptions } from "../args.ts";
import { command } from "../command.ts";
import { selectOptions, prepareSelection, type Selection } from "../rules/select-setup.ts";
import { comparisonWords } from "../compare/words.ts";
import { succeed, type Result } from "../../base/result.ts";
import { comparisonPower, plannedComparison } from "../../compare/run-compare.ts";
import { withBenchContext, type Comparing } from "../compare/act.ts";
import type { ChosenChange } from "../compare/compare-change.ts";
import { prepare } from "../compare/run-compare.ts";
import type { Setup } from "../compare/setup.ts";
import { printPower } from "./print-plan.ts";
import { sentence } from "../../base/language.ts";
import { throughService } from "../service/service-access.ts";
import type { BenchPorts } from "../../bench/bench-request.ts";
import { claudeRoot } from "../../transcripts/claude.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import { readKnownRules, planRounds, chosenRules, planRulesPower } from "../../jobs/measure-rules.ts";
import { openBenchContext } from "../bench/bench-context.ts";
import type { CliHost } from "../cli-ports.ts";
import type { Subcommand } from "../declaration.ts";

async function planCompare(
  setup: Setup,
  { change, others }: ChosenChange,
  comparing: Comparing & { readonly command: keyof typeof planned },
): Promise<number> {
  return await withBenchContext(setup, comparing, async (context) => {
    const prepared = await prepare(setup, { change, others }, context);
    if (!prepared.ok) return prepared;
    const made = await plannedComparison(prepared.value, context.ports);
    if (!made.ok) return made;
    const { suite, agent, driver, rounds, base } = setup;
    const weights = suite.tasks.flatMap((task) => (task.agent === agent.name ? [task.weight] : []));
    const changes = prepared.value.arms.pairs.length;
    const power = comparisonPower({ weights, rounds, changes }, made.value.plan.expected);
    const command = planned[comparing.command];
    const json = { schema: 1, command, agent: agent.name, model: base.model, driver: driver.name } as const;
    printPower({ ...json, rules: [], power }, comparing.options, comparing.host);
    return succeed({ exitCode: 0, isOpen: true });
  });
}

const planned = {
  "compare model": "plan compare model",
  "compare prompt": "plan compare prompt",
  "compare setting": "plan compare setting",
} as const;

const { rule, audits, driver, model, suite, cwd } = selectOptions;

/** Options that only apply to runs. */
const notPlanned = new Set(["activate", "budget", "yes"]);
const options = Object.fromEntries(Object.entries(selectOptions).filter(([name]) => !notPlanned.has(name)));

const planRules: Subcommand = {
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

export const planCommand = command({
  name: "plan",
  title: "how likely a measurement is to decide, for different budgets; runs nothing",
  options: {
    rule: { ...rule, does: "for rules: only this rule" },
    audits: {
      ...audits,
      does: "for rules: include N active rules to measure again, or all or none (default: 1)",
    },
    driver: { ...driver, does: "claude, codex or replay (default: the first agent that is ready)" },
    model: { ...model, does: "model to plan for (default: the one in the agent's definition)" },
    suite,
    cwd,
    json: jsonOf("plan"),
  },
  subcommands: {
    rules: planRules,
    compare: {
      does: "what a comparison would decide",
      subcommands: comparisonWords("plan compare", planCompare, {
        model: { words: "AGENT --model M", does: "a comparison of models, as purser compare would make it" },
        prompt: { words: "AGENT --variant FILE", does: "a comparison of prompts" },
        setting: { words: "AGENT --settings FILE", does: "a comparison of settings" },
      }),
    },
  },
  notes: `
compare takes the options of purser compare. There, --runs limits the rounds, and several models, prompts or settings may be given.

How much runs differ is taken from your own repeated runs of these tasks if there are any, else from a documented default; the output
says which. A trial on real work is planned from the agent's sessions of the last 28 days, and from how much its last 200 sessions differ.
Pass rates are assumed to be the same with and without the change.
`,
});

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
  const round = await planRounds(about, 1, ports);
  const powerRequest = { ...round, wanted: wanted.value, known: known.value };
  const power = await planRulesPower(about, powerRequest, { service, now: host.now() });
  if (!power.ok) return power;
  const rules = wanted.value.map(({ id }) => id);
  const json = { schema: 1, command: "plan rules", agent, model, driver: driver.name, rules } as const;
  printPower({ ...json, power: power.value }, options, host);
  return succeed(0);
}
