import { sentence } from "../../base/language.ts";
import { succeed, type Result } from "../../base/result.ts";
import type { Driver } from "../../bench/drivers.ts";
import type { Shard } from "../../bench/bench-request.ts";
import type { Suite } from "../../bench/suite.ts";
import type { Drawn } from "../../jobs/measure-rules.ts";
import { defaultModel } from "../../bench/configuration.ts";
import { usualAudits, type Audits } from "../../rules/rule.ts";
import { flag, number, numberIn, option, quoted, type ParsedOptions, wrongUsage } from "../args.ts";
import { benchOptions, driverOption, readBenchOptions } from "../bench/options.ts";
import { chooseDriver } from "../bench/bench-context.ts";
import type { CliHost } from "../cli-ports.ts";
import { goldenSuite, suiteOptions } from "../bench/golden/target.ts";

export const selectOptions = {
  rule: option("ID", "a rule's id", "only this rule"),
  audits: {
    ...option("N", "all, none or a number", "measure N active rules again, or all or none (default: 1)"),
    accepts: (text: string) => /^(?:all|none|\d{1,4})$/u.test(text),
  },
  confirm: flag("measure no single rules, only all rules that passed and wait for approval, together"),
  due: flag(
    "measure again only what is due: evidence that no longer counts, and paused rules that may still earn. Needs --budget or --usd",
  ),
  budget: benchOptions.budget,
  usd: {
    ...option("USD", "an amount in USD, such as 5", "with --due: spend at most this much, at list prices"),
    accepts: (text: string) => /^(?:0|[1-9]\d{0,5})(?:\.\d{1,2})?$/u.test(text) && Number(text) > 0,
  },
  driver: { ...driverOption, does: `${driverOption.does ?? ""}, and decides nothing about a rule` },
  model: benchOptions.model,
  seed: {
    ...benchOptions.seed,
    does: "random seed for the order of runs; the first interim check is then after --rounds",
  },
  rounds: number(
    "N",
    "rounds before the first interim check (default: half of those planned); needs --seed",
    {
      from: 1,
      to: 200,
    },
  ),
  shard: {
    ...benchOptions.shard,
    does: "run part I of N of these rounds, for several machines with the same rules; needs --seed. Join the parts with purser bench merge, then run the same command without --shard to judge them and continue",
  },
  ...suiteOptions,
  grade: {
    ...option(
      "GRADE",
      "worth or proved",
      "worth: measure while that is expected to pay (default). proved: go on to proof",
    ),
    accepts: (text: string) => text === "worth" || text === "proved",
  },
  activate: flag(
    "add rules that pass to the agent's memory at once (default: they wait for purser rules approve)",
  ),
  parallel: benchOptions.parallel,
  yes: benchOptions.yes,
  json: flag("print JSON (schema: media/schemas/select.schema.json); progress goes to standard error"),
};

export interface Selection {
  readonly agent: string;
  readonly suite: Suite;
  readonly model: string;
  readonly driver: Driver;
  /** Processing tokens; null for no cap. */
  readonly tokenCap: number | null;
  /** Runs at the same time, at most. */
  readonly parallel: number;
  readonly audits: Audits;
  readonly grade: "worth" | "proved";
  /** Null without a seed. */
  readonly draw: Drawn | null;
  /** Null for all. */
  readonly shard: Shard | null;
}

export async function prepareSelection(
  name: string,
  options: ParsedOptions,
  host: CliHost,
): Promise<Result<Selection>> {
  const given = await readBenchOptions(options, host);
  if (!given.ok) return given;
  const { seed } = given.value;
  const rounds = numberIn(options, "rounds");
  if (rounds !== null && seed === null)
    return wrongUsage(sentence("--rounds needs --seed: all parts use the same one"));
  if (options.has("confirm") && given.value.shard !== null)
    return wrongUsage(sentence("--confirm cannot be combined with --shard"));
  const usd = options.value("usd");
  if (options.has("due")) {
    if (options.has("confirm") || options.has("rule") || options.has("audits") || seed !== null)
      return wrongUsage(
        sentence("--due chooses the rules itself: leave out --rule, --audits, --confirm and --seed"),
      );
    if (given.value.tokenCap === null && usd === undefined)
      return wrongUsage(sentence("--due needs a limit: --budget TOKENS, --usd USD, or both"));
  } else if (usd !== undefined) return wrongUsage(sentence("--usd needs --due; --budget limits tokens"));
  const suite = await goldenSuite(options, host);
  if (!suite.ok) return suite.reason === "bad_argument" ? wrongUsage(suite.detail) : suite;
  const agent = suite.value.agents.find((each) => each.name === name);
  if (agent === undefined) {
    const names = suite.value.agents.map((each) => each.name).join(", ");
    return wrongUsage(sentence("the suite has no tasks for {0}; it has for {1}", quoted(name), names));
  }
  const { driver: wanted, model: modelAsked, tokenCap, parallel } = given.value;
  const made = await chooseDriver(wanted, suite.value, host);
  if (!made.ok) return made;
  const usual = modelAsked ?? defaultModel(made.value.name, agent);
  return succeed({
    agent: name,
    suite: suite.value,
    model: usual,
    driver: made.value,
    tokenCap,
    parallel,
    audits: options.has("audits") ? auditsOf(options.value("audits") ?? "") : usualAudits,
    grade: options.value("grade") === "proved" ? "proved" : "worth",
    draw: seed === null ? null : { seed, rounds },
    shard: given.value.shard,
  });
}

function auditsOf(text: string): Audits {
  return text === "all" ? text : text === "none" ? 0 : Number(text);
}
