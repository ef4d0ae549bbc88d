import { sentence, t } from "../../base/language.ts";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { cleanText } from "../../base/text.ts";
import { importLines, digestIdOf, readDigest } from "../../rules/distil.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import type { RuleActionRequest, RuleView } from "../../rules/rules-answers.ts";
import { answer } from "../answer.ts";
import { type ParsedOptions, wrongUsage } from "../args.ts";
import type { CliHost } from "../cli-ports.ts";
import { claudeRoot } from "../../transcripts/claude.ts";
import { pickRule } from "./rules-access.ts";
import type { RulesReader } from "./on-disk.ts";
import {
  lettingInLines,
  unreachedLine,
  printHistory,
  printRule,
  printRules,
  ruleLine,
  stateNames,
  wholeSetLine,
} from "./print-rules.ts";
import type { RulesJson } from "./rules-schema.ts";
import { styleFor } from "../style.ts";
import { asLine } from "../terminal-text.ts";

interface RulesInput {
  readonly options: ParsedOptions;
  readonly first: string;
  readonly host: CliHost;
}

type Answer = Promise<Result<number>>;

/** Larger files are not instructions. Bytes. */
const maxSize = 1024 * 1024;

export async function list({ options, host }: RulesInput, rules: RulesReader): Answer {
  const read = await rules.list();
  if (!read.ok) return read;
  const [agent, status] = [options.value("agent"), options.value("status")];
  const chosen = read.value.filter(
    (rule) =>
      (agent === undefined || rule.agent === agent) && (status === undefined || rule.status === status),
  );
  return shown(chosen, { options, host }, printRules(chosen, styleFor(host)));
}

export async function show(input: RulesInput, service: Requester): Answer {
  const { host, first } = input;
  const read = await service.ask("rulesRead", { root: claudeRoot(host) }, host.signal);
  if (!read.ok) return read;
  const { view } = read.value;
  const found = pickRule(view.rules, first);
  if (!found.ok) return found;
  const rule = found.value;
  const evidence = await service.ask("rulesEvidenceOf", { id: rule.id }, host.signal);
  const counted = evidence.ok ? (evidence.value.evidence?.counted ?? []) : [];
  const parts = [
    printRule(rule, styleFor(host)),
    ...counted.map((sentence) => `${asLine(sentence)}\n`),
    wholeSetLine(rule),
    lettingInLines(rule, view.memories),
    await unreachedLine(rule.agent, host),
  ];
  return shown([rule], input, parts.join(""));
}

export async function history(input: RulesInput, rules: RulesReader): Answer {
  const { host, first } = input;
  const read = await rules.list();
  const found = read.ok ? pickRule(read.value, first) : read;
  return found.ok ? shown([found.value], input, printHistory(found.value.steps, styleFor(host))) : found;
}

/** Its transcript may be gone. */
export async function digest(input: RulesInput, service: Requester): Answer {
  const { host } = input;
  const found = await oneRule(input, service);
  if (!found.ok) return found;
  const { id, source } = found.value;
  const digestId = digestIdOf(source);
  const read =
    digestId === null
      ? succeed({ json: null })
      : await service.ask("rulesReceipt", { id: digestId }, host.signal);
  if (!read.ok) return read;
  const text = readDigest(read.value.json);
  if (text === null)
    return fail(
      "no_digest",
      sentence("no run is kept for rule {0}; purser rules show {0} shows its origin", id),
    );
  host.stdout.write(`${text.split("\n").map(cleanText).join("\n")}\n`);
  return succeed(0);
}

export async function add({ options, first: agent, host }: RulesInput, service: Requester): Answer {
  const text = options.value("rule");
  if (text === undefined) return wrongUsage(sentence('--rule "…" is required: the sentence'));
  const made = await service.ask("rulesPropose", { agent, origin: "hand", rules: [{ text, source: null }] });
  if (!made.ok) return made;
  const [proposed] = made.value.proposed;
  const id = proposed?.id ?? null;
  if (id === null) return fail("refused", proposed?.refused ?? sentence("nothing became of it"));
  host.stdout.write(
    `${t("{0} is proposed; approve measuring it with {1}", id, `purser rules approve ${id}`)}\n`,
  );
  host.stdout.write(await unreachedLine(agent, host));
  return succeed(0);
}

export async function importFile({ options, first: agent, host }: RulesInput, service: Requester): Answer {
  const name = options.value("from");
  if (name === undefined)
    return wrongUsage(sentence("--from FILE is required: a CLAUDE.md, an AGENTS.md or a rule"));
  const file = path.resolve(host.cwd, name);
  const text = await textOf(file);
  if (!text.ok) return text;
  const { rules: lines, refused } = importLines(text.value);
  for (const { line, why } of refused) host.stderr.write(`${t("line {0}: {1}", line, asLine(why))}\n`);
  if (lines.length === 0) return fail("nothing", sentence("{0} has no line that can be a rule", file));
  const made = await service.ask("rulesPropose", {
    agent,
    origin: "import",
    rules: lines
      .slice(0, 2000)
      .map(({ line, text: each }) => ({ text: each, source: { kind: "file" as const, path: file, line } })),
  });
  if (!made.ok) return made;
  const taken = made.value.proposed.filter(({ id }) => id !== null);
  for (const { text: each, refused: why } of made.value.proposed)
    if (why !== null) host.stderr.write(`${cleanText(each)}: ${asLine(why)}\n`);
  host.stdout.write(
    `${t("{0} of {1} lines are proposed as rules; the file was not changed", taken.length, lines.length)}\n`,
  );
  return succeed(0);
}

export async function perform(
  { first, host }: RulesInput,
  service: Requester,
  what: RuleActionRequest,
): Answer {
  const done = await service.ask("rulesAct", { id: first, act: what, root: claudeRoot(host) });
  if (!done.ok) return done;
  const { id, why, memory, view } = done.value;
  const found = pickRule(view.rules, id);
  if (!found.ok) return found;
  const rule = found.value;
  host.stdout.write(`${t("{0} is {1}: {2}", id, stateNames[rule.status], asLine(why))}\n`);
  const changed = rule.status === "active" && what.kind === "approve" && memory === null;
  if (changed) host.stdout.write(`${t("Added to its agent's memory: {0}", `- ${ruleLine(rule)}`)}\n`);
  if (what.kind === "approve" && rule.status === "active") host.stdout.write(wholeSetLine(rule));
  if (rule.status !== "evicted") host.stdout.write(await unreachedLine(rule.agent, host));
  if (memory !== null)
    host.stderr.write(`${t("Its agent's memory could not be written: {0}", asLine(memory))}\n`);
  return succeed(0);
}

async function oneRule({ first, host }: RulesInput, service: Requester): Promise<Result<RuleView>> {
  const read = await service.ask("rulesRead", { root: claudeRoot(host) }, host.signal);
  return read.ok ? pickRule(read.value.view.rules, first) : read;
}

function shown(
  rules: readonly RuleView[],
  { options, host }: Pick<RulesInput, "options" | "host">,
  text: string,
) {
  return answer<RulesJson>({ schema: 1, rules: [...rules] }, text, { options, host });
}

async function textOf(file: string): Promise<Result<string>> {
  try {
    if ((await stat(file)).size > maxSize) return fail("too_large", sentence("{0} is too large", file));
    return succeed(await readFile(file, "utf8"));
  } catch (error) {
    return fail("unreadable", sentence("{0} cannot be read: {1}", file, errorCode(error)));
  }
}
