import path from "node:path";
import { type Sentence, sentence, plural, t } from "../../base/language.ts";
import { throughService } from "../service/service-access.ts";
import { aboutDollars, estimatedNumber, wholeNumber } from "../../base/local-format.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import {
  type BenchPorts,
  type Shard,
  type BenchRequest,
  benchFolderName,
} from "../../bench/bench-request.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import { describeReplay, describeInstall } from "../../bench/plan.ts";
import {
  maxRoundsOfSet,
  mostRounds,
  isTogether,
  type SelectOutcome,
  confirmRounds,
} from "../../rules/selection.ts";
import {
  chosenRules,
  isToConfirm,
  measureRules,
  partOfRules,
  passedRules,
  planRounds,
  planRulesPower,
  readKnownRules,
  type KnownRules,
  type RuleMeasurement,
} from "../../jobs/measure-rules.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import type { ParsedOptions } from "../args.ts";
import { command } from "../command.ts";
import { openBenchContext, sayLeft } from "../bench/bench-context.ts";
import type { CliHost } from "../cli-ports.ts";
import { agreedToRuns } from "../confirm.ts";
import { claudeRoot } from "../../transcripts/claude.ts";
import { ruleLine, stateNames, setLine, setToJson, unpaidLine } from "./print-rules.ts";
import { prepareSelection, selectOptions, type Selection } from "./select-setup.ts";
import type { SelectJson } from "./select-schema.ts";
import { asLine } from "../terminal-text.ts";
import { runBench, planBench, readBench } from "../../bench/execute.ts";
import { capOf, dueRules, type DueRule } from "../../rules/due.ts";
import type { Rule } from "../../rules/rule.ts";
import { describeGrade } from "../../verdict/receipt.ts";
import { describeIdle } from "../../verdict/verdict-answers.ts";
import { progressPrinter } from "../bench/print-bench.ts";

export const selectCommand = command({
  name: "select",
  title: "measure an agent's rules on its golden tasks, with and without each rule",
  words: "AGENT",
  does: "measure approved rules, then active rules again, in both cases the longest waiting first",
  argument: { isMissing: sentence("missing AGENT"), offers: "agents" },
  options: selectOptions,
  notes: `
A rule is worth having if it is expected to save more than it takes, and hardly does harm. Measuring stops when a further round would
take more than it may save until the next model, by the agent's sessions of the last 28 days. You then let the rule in, or not:
purser rules approve ID. --grade proved goes on until a saving is shown, as follows.

Two or more rules share their runs: each run uses its own half of the rules, so that it counts for every rule. A rule is kept if
it is shown to save twice its cost per session in each completed run and passes as often as without it. Results are checked after each
round, with an error rate that accounts for these checks; measuring stops as soon as the result is clear. If two or more rules are found,
they are then measured together, with all active rules, against none; if that fails, none of them is added.
Ctrl-C stops; the same command continues where it stopped. purser rules show ID has the report of each rule.

--due measures again only what is due, with a reason for each: active rules of which nothing that was measured counts any more, and
paused ones that may earn more than their last measurement took. It needs a limit, says what it would take, and asks.

Exit codes: 0 done; 1 stopped before the end or declined; 2 usage error; 130 interrupted.
`,
  async run({ first: agent, options }, host) {
    const prepared = await prepareSelection(agent, options, host);
    if (!prepared.ok) return prepared;
    const context = await openBenchContext(prepared.value.driver, options, host);
    try {
      const done = await throughService(host, (service) =>
        select(prepared.value, service, context.ports, options, host),
      );
      await sayLeft(context, { command: "select", isOpen: !done.ok || done.value !== 0 }, host);
      return done;
    } finally {
      context.dispose();
    }
  },
});

async function select(
  selection: Selection,
  service: Requester,
  ports: BenchPorts,
  options: ParsedOptions,
  host: CliHost,
): Promise<Result<number>> {
  const root = claudeRoot(host);
  const { agent, model, driver } = selection;
  const isDue = options.has("due");
  if (isDue && !measuresModel(driver.name))
    return fail("nothing", sentence("--due needs an agent; a replay measures no rule"));
  const read = await readKnownRules(selection, service, { root, signal: host.signal });
  if (!read.ok) return read;
  const { views, evidence } = read.value;
  const due = isDue ? dueRules({ rules: views, evidence, agent, model, now: host.now() }) : null;
  if (due?.length === 0) {
    print(host, t("Nothing of {0} is due to be measured again.", agent));
    return succeed(0);
  }
  const known = succeed(due === null ? read.value : withDue(read.value, due));
  const prefix = options.value("rule");
  const ids = known.value.rules.map(({ id }) => id);
  const named =
    due?.map(({ id }) => id) ?? (prefix === undefined ? null : ids.filter((id) => id.startsWith(prefix)));
  const isConfirming = options.has("confirm");
  if (isConfirming && !measuresModel(driver.name))
    return fail("nothing", sentence("--confirm needs an agent; a replay cannot confirm rules"));
  const chosen = isConfirming
    ? passedRules(known.value, agent)
    : chosenRules(known.value, { agent, ruleIds: named, audits: selection.audits });
  const whyDue = new Map(due?.map(({ id, why }) => [id, why]));
  // Continues a selection that was interrupted when only the confirmation of its result was left.
  const first = measurementOf(selection);
  if (!chosen.ok && !(await isToConfirm({ measurement: first, known: known.value }, ports))) return chosen;
  const wanted = chosen.ok ? chosen.value : [];
  const ruleIds = isConfirming ? [] : wanted.map(({ id }) => id);
  const { shard } = selection;
  if (shard !== null) {
    const part = partOfRules({ measurement: first, known: known.value, ruleIds }, shard);
    if (part !== null) return await makePart({ ...part, shard }, ports, options, host);
  }
  const plan = await planRounds(first, 1, ports);
  const usd = options.value("usd");
  const allowed = { tokens: selection.tokenCap, usd: usd === undefined ? null : Number(usd) };
  const tokenCap = capOf(allowed, plan);
  if (usd !== undefined && tokenCap === null)
    return fail("nothing", sentence("--usd needs a known price of {0}; --budget limits tokens", model));
  const measurement = { ...first, tokenCap };
  const isDemo = !measuresModel(driver.name);
  const subject = isDemo ? agent : `${agent}, ${model}`;
  print(
    host,
    wanted.length === 0
      ? t("What was found of {0}:", subject)
      : plural(wanted.length, t("One rule of {0}:", subject), t("{0} rules of {1}:", wanted.length, subject)),
  );
  for (const rule of wanted)
    print(
      host,
      `  ${rule.id} ${ruleLine(rule)}${rule.status === "active" ? ` (${t("active, measured again")})` : ""}`,
    );
  for (const { id } of wanted) {
    const why = whyDue.get(id);
    if (why !== undefined) print(host, `  ${t("{0} is due: {1}", id, asLine(why))}`);
  }
  if (isDemo)
    print(host, `${asLine(describeReplay(driver.recordedBy()))} ${t("It decides nothing about rules.")}`);
  const price = plan.usd === null ? t("unknown price") : aboutDollars(plan.usd);
  const each = isDemo
    ? t("Each round is {0} runs", plan.runs)
    : t("Each round is {0} runs, ~{1} tokens, {2}", plan.runs, estimatedNumber(plan.tokens), price);
  const cap = tokenCap === null ? "" : `; ${t("at most {0} tokens in all", wholeNumber(tokenCap))}`;
  if (plan.install !== null) print(host, asLine(describeInstall(plan.install)));
  const isWhole = ruleIds.length === 0;
  const isOfWorth = selection.grade === "worth" && selection.draw === null && !isDemo && !isWhole;
  const ofSet = isWhole ? confirmRounds : isOfWorth ? 0 : maxRoundsOfSet(wanted, measurement);
  const rounds = isWhole ? ofSet : mostRounds(wanted, measurement) + ofSet;
  const how = isWhole
    ? t("what was found is measured together, in at most {0} rounds", rounds)
    : isTogether(wanted, measurement)
      ? t("measured with the same runs, in at most {0} rounds", rounds)
      : t("at most {0} rounds", rounds);
  const last = !isWhole && ofSet > 0 ? `, ${t("{0} of them for what is found, together", ofSet)}` : "";
  print(host, `${each}; ${how}${last}${cap}`);
  if (isOfWorth) {
    const about = { ...plan, wanted, known: known.value };
    const power = await planRulesPower(measurement, about, { service, now: host.now() });
    if (!power.ok) return power;
    const [advice] = power.value.advice;
    if (power.value.worth !== undefined && advice !== undefined) print(host, asLine(advice));
  }
  const refusal = await agreedToRuns(
    { command: "select", runs: plan.runs * rounds, isMaxRuns: true, isFree: isDemo },
    options,
    host,
  );
  if (refusal !== null) return succeed(refusal);
  // Who agreed to the plan gives paused rules another chance.
  for (const { id, status } of views) {
    if (status !== "shelved" || !whyDue.has(id)) continue;
    const approved = await service.ask("rulesAct", { id, act: { kind: "approve" }, root });
    if (!approved.ok) return approved;
  }
  const outcome = await measureRules(
    { measurement, known: known.value, ruleIds, perRun: plan.expected.perRun, isConfirming },
    {
      ports,
      service,
      root,
      isActivated: options.has("activate"),
      onBench: (progress) => {
        if (progress.kind === "ended" && host.stderr.isTTY === true)
          host.stderr.write(`\r\u001b[K${t("{0} of {1} runs", progress.done, progress.of)}`);
      },
      onProgress: ({ ruleId, place: index, of, experiment }) => {
        const { verdict, rounds, tokensSpent } = experiment;
        const more = verdict.moreRounds === null ? "" : `; ${t("{0} more would decide", verdict.moreRounds)}`;
        const where = t("{0} ({1} of {2}), round {3}: {4}", ruleId, index, of, rounds, verdict.kind);
        host.stderr.write(
          `${host.stderr.isTTY === true ? "\r\u001b[K" : ""}${where}${more}; ${t("{0} tokens", wholeNumber(tokensSpent))}\n`,
        );
      },
      onSetProgress: ({ experiment: { verdict, rounds: made, tokensSpent } }) => {
        const clear = host.stderr.isTTY === true ? "\r\u001b[K" : "";
        host.stderr.write(
          `${clear}${t("As a whole, round {0}: {1}; {2} tokens", made, verdict.kind, wholeNumber(tokensSpent))}\n`,
        );
      },
      onConfirmed: ({ rules, memory, ...set }) => {
        printUnwritten(memory, host);
        print(host, setLine(set));
        for (const { id, status } of rules) print(host, t("{0} is {1}", id, stateNames[status]));
      },
      onLetIn: ({ rule, memory }) => {
        printUnwritten(memory, host);
        print(host, t("{0} is {1}: only it was found", rule.id, stateNames[rule.status]));
      },
      onSettled: ({ receipt, rule, memory }) => {
        printUnwritten(memory, host);
        const { reason } = receipt.verdict;
        const grade = describeGrade(receipt);
        print(
          host,
          isDemo
            ? t("Demo, {0} stays {1}: {2}", rule.id, stateNames[rule.status], asLine(reason))
            : t("{0} is {1}: {2}", rule.id, stateNames[rule.status], asLine(reason)),
        );
        if (grade !== null) print(host, `  ${asLine(grade)}`);
      },
    },
    host.signal,
  );
  return outcome.ok ? printOutcome({ ...outcome.value, agent }, options, host) : outcome;
}

/** Paused rules that are due count as approved: they are, once the plan is agreed to. */
function withDue(known: KnownRules, due: readonly DueRule[]): KnownRules {
  const ids = new Set(due.map(({ id }) => id));
  const rules = known.rules.map((rule) =>
    rule.status === "shelved" && ids.has(rule.id) ? { ...rule, status: "approved" as const } : rule,
  );
  return { ...known, rules };
}

function printUnwritten(memory: Sentence | null, host: CliHost): void {
  if (memory !== null) host.stderr.write(`${t("Its memory could not be written: {0}", asLine(memory))}\n`);
}

function printOutcome(
  { end, settled, set, tokensSpent, agent }: SelectOutcome & { readonly agent: string },
  options: ParsedOptions,
  host: CliHost,
): Result<number> {
  const idle = describeIdle(settled.flatMap(({ receipt }) => receipt.expected ?? []));
  if (idle !== null) print(host, asLine(idle));
  const unpaid = unpaidLine(set, agent);
  if (unpaid !== null) print(host, unpaid);
  if (options.has("json")) {
    const receipts = settled.map(({ receipt }) => receipt);
    const whole = set === null ? {} : { set: setToJson(set) };
    const json: SelectJson = { schema: 1, end, tokensSpent, receipts, ...whole };
    host.stdout.write(`${printedJson(json, 2)}\n`);
  }
  host.signal.throwIfAborted();
  if (end.kind === "paused")
    return fail("paused", sentence("{0}; run the same command to continue", end.detail));
  if (end.kind === "cap")
    return fail("cap", sentence("the limit is reached; {0} rules are not finished", end.left));
  return succeed(end.kind === "done" ? 0 : 1);
}

function measurementOf({ parallel: wanted, ...selection }: Selection): RuleMeasurement {
  const { agent, suite, model, driver, tokenCap, draw, grade } = selection;
  // A replay waits for nothing.
  const parallel = driver.name === "replay" ? Math.max(4, wanted) : wanted;
  return { agent, suite, model, effort: null, driver: driver.name, parallel, tokenCap, draw, grade };
}

/** Prints to standard error: JSON must be alone on standard output. */
function print(host: CliHost, text: string): void {
  host.stderr.write(`${cleanText(text)}\n`);
}

/** A machine's part of the rounds before the first look. */
interface Part {
  readonly bench: BenchRequest;
  readonly shard: Shard;
  readonly rules: readonly Rule[];
}

/** Judges nothing: that takes all parts. Returns the exit code. */
async function makePart(
  { bench, shard, rules }: Part,
  ports: BenchPorts,
  options: ParsedOptions,
  host: CliHost,
): Promise<Result<number>> {
  const print = (text: string) => host.stderr.write(`${cleanText(text)}\n`);
  const name = benchFolderName(bench.id, shard);
  const made = await readBench(path.join(ports.folder, name));
  if (!made.ok) return made;
  const plan = await planBench(bench, ports, made.value?.runs ?? []);
  const isDemo = !measuresModel(plan.driver);
  print(t("Part {0} of {1} of the first {2} rounds about:", shard.index, shard.of, bench.runs));
  for (const rule of rules) print(`  ${rule.id} ${ruleLine(rule)}`);
  const price = plan.usd === null ? t("unknown price") : aboutDollars(plan.usd);
  const spent = isDemo ? t("free") : t("~{0} tokens, {1}", estimatedNumber(plan.tokens), price);
  const before = plan.made === 0 ? "" : `, ${t("{0} of them already completed", plan.made)}`;
  const cap = plan.tokenCap === null ? "" : `; ${t("at most {0} tokens", wholeNumber(plan.tokenCap))}`;
  if (plan.install !== null) print(asLine(describeInstall(plan.install)));
  print(
    `${t("{0} runs", plan.runs)}${before}, ${spent}${cap}. ${t("Results are judged once all parts are joined")}`,
  );
  const agreement = { command: "select", runs: plan.runs - plan.made, isFree: isDemo };
  const refusal = await agreedToRuns(agreement, options, host);
  if (refusal !== null) return succeed(refusal);
  const outcome = await runBench(bench, ports, host.signal, progressPrinter(bench.configurations, host));
  if (!outcome.ok) return outcome;
  const { state, runs } = outcome.value;
  const end = state.kind === "paused" ? { kind: state.kind, detail: state.detail } : state;
  if (options.has("json")) {
    const tokensSpent = runs.reduce((sum, { processingTokens }) => sum + processingTokens, 0);
    const part = { ...shard, rounds: bench.runs, bench: name };
    const json: SelectJson = { schema: 1, end, tokensSpent, receipts: [], part };
    host.stdout.write(`${printedJson(json, 2)}\n`);
  }
  host.signal.throwIfAborted();
  if (end.kind === "paused")
    return fail("paused", sentence("{0}; run the same command to continue", end.detail));
  print(
    t(
      "Done: {0}. Join all {1} parts with purser bench merge, then run the same command without --shard to judge them",
      name,
      shard.of,
    ),
  );
  return succeed(end.kind === "done" ? 0 : 1);
}
