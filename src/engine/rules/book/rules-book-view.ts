import { plainSentence } from "../../base/language.ts";
import { readJson } from "../../base/parse.ts";
import { lineDiff } from "../../base/text.ts";
import type { Result } from "../../base/result.ts";
import { succeed } from "../../base/result.ts";
import type { RealRun, RentFacts } from "../../ledger/rule-questions.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import { memoryPath, readMemory, type MemoryPorts } from "../memory.ts";
import { compileMemory, memoryBody } from "../memory-text.ts";
import { ruledProgram } from "../needs.ts";
import { rentOf, tokensOf, usualConversations, type Rent, type RentBasis } from "../rent.ts";
import { ruleText, type Rule } from "../rule.ts";
import { similarTo } from "../duplicates.ts";
import { gradeView, type GradeView } from "../../verdict/verdict-answers.ts";
import { costAtMeasuring, newestReceipt, type Rules } from "./rules-book-rows.ts";
import type { MemoryView, RuleView, SetView } from "../rules-answers.ts";
import type { RuleStep } from "../action.ts";
import { readSetStep } from "../together/set.ts";

/** Author of steps that a user's setting allowed. They can be reverted like the user's own. */
export const bySetting = "setting";

/** Likeness below which rules are not shown as similar. */
const alike = 0.3;
const maxSimilar = 3;
const week = 7 * 24 * 60 * 60_000;
/** For rent, a memory is assumed to change at most once in this many conversations. */
const minConversations = 5;

/**
 * Basis for the rent of an agent's rules.
 * @param now milliseconds since the epoch
 */
function rentBasis(
  { agent, rules }: { readonly agent: string; readonly rules: readonly Rule[] },
  facts: RentFacts,
  { runs, now }: { readonly runs: readonly RealRun[]; readonly now: number },
): RentBasis {
  // Rules belong to Claude Code's agents; another program's agent of the same name is a different one.
  const own = runs.filter((run) => run.agent === agent && run.program === ruledProgram);
  const lately = own.filter((run) => run.endedAt > now - week).length;
  const known = own.length > 0;
  const memory = compileMemory(
    rules.filter((rule) => rule.agent === agent),
    "0",
  );
  return {
    charactersPerToken: facts.charactersPerToken,
    prefixTokens: tokensOf(memory.text),
    cachedAtStart: facts.cachedAtStart.get(agent) ?? [],
    conversationsPerChange: known ? Math.max(minConversations, lately) : usualConversations,
  };
}

export function ruleViewOf(
  rule: Rule,
  { rules, book, stepsOf }: Rules,
  rent: (rule: Rule) => Rent,
): RuleView {
  const others = rules.filter(({ agent, id }) => agent === rule.agent && id !== rule.id);
  const similar = similarTo(ruleText(rule), others, { textOf: ruleText, minimum: alike });
  const steps = stepsOf(rule.id);
  const last = steps.at(-1);
  const measured = costAtMeasuring(book, rule.id);
  const today = rent(rule);
  const set = setOf(rule, others, { steps, book });
  const expected = expectedOf(rule, book);
  return {
    id: rule.id,
    agent: rule.agent,
    sentence: rule.sentence,
    scope: rule.scope,
    status: rule.status,
    isProtected: rule.isProtected,
    strikes: rule.strikes,
    origin: rule.origin,
    source: rule.source,
    saving: rule.saving,
    rent: { ...rentOfView(today), cost: measured ?? today.total, isMeasured: measured !== null },
    createdAt: rule.createdAt,
    decidedAt: rule.decidedAt,
    decidedReason: rule.decidedReason,
    auditedAt: rule.auditedAt,
    replaces: rule.replaces,
    similar: similar.slice(0, maxSimilar).map(({ item, likeness }) => ({
      id: item.id,
      text: ruleText(item),
      status: item.status,
      likeness,
    })),
    steps,
    ...(expected === null ? {} : { expected }),
    ...(set === null ? {} : { set }),
    receipts: book.receipts
      .filter(({ subject, subjectId }) => subject === "rule" && subjectId === rule.id)
      .map(({ id, at, verdict, driver }) => ({ id, at, verdict, isDemo: !measuresModel(driver ?? "") })),
    canUndo:
      last !== undefined &&
      last.from !== null &&
      (last.who === "user" || last.who === bySetting) &&
      !last.why.text.includes("taken back"),
  };
}

/** What its newest measurement expects of it. Null without one, and after a replay. */
function expectedOf({ id }: Pick<Rule, "id">, book: Rules["book"]): GradeView | null {
  const newest = newestReceipt(book, id);
  return newest === undefined || !measuresModel(newest.driver ?? "")
    ? null
    : readJson(gradeView, newest.grade);
}

function rentOfView({ own, prefix, total, because }: Rent) {
  return { own, prefix, total, because };
}

/**
 * Returns the state of a rule's set since the rule was last measured. Only rules that a selection found with
 * the same runs need confirmation.
 */
export function setOf(
  rule: Rule,
  others: readonly Rule[],
  { steps, book }: { readonly steps: readonly RuleStep[]; readonly book: Rules["book"] },
): SetView | null {
  const measured = steps.findLastIndex(({ why }) => why.text.includes("(receipt "));
  const [last] = steps
    .slice(measured + 1)
    .flatMap(({ why }) => readSetStep(why) ?? [])
    .reverse();
  if (last !== undefined) return last;
  const waiting = others.filter(({ status }) => status === "measured");
  const isToConfirm = rule.status === "measured" && isFoundWithOthers(rule, book);
  if (!isToConfirm || !waiting.some((other) => isFoundWithOthers(other, book))) return null;
  return { decision: null, rules: waiting.length + 1, reason: plainSentence(""), receiptId: null };
}

function isFoundWithOthers({ id }: Pick<Rule, "id">, { receipts }: Rules["book"]): boolean {
  const newest = receipts.find(
    ({ subject, subjectId, driver }) => subject === "rule" && subjectId === id && measuresModel(driver ?? ""),
  );
  return newest?.isShared === true;
}

export function createRentEstimator(
  { rules }: Pick<Rules, "rules">,
  facts: RentFacts,
  context: { readonly runs: readonly RealRun[]; readonly now: number },
): (rule: Pick<Rule, "agent" | "scope" | "sentence">) => Rent {
  const bases = new Map<string, RentBasis>();
  return (rule) => {
    const basis = bases.get(rule.agent) ?? rentBasis({ agent: rule.agent, rules }, facts, context);
    bases.set(rule.agent, basis);
    return rentOf(ruleText(rule), basis);
  };
}

/** Returns an agent's next version: one more than the highest ever. */
export function nextVersion({ book }: Pick<Rules, "book">, agent: string): string {
  const versions = book.memories
    .filter((memory) => memory.agent === agent)
    .map(({ version }) => Number(version));
  return String(Math.max(0, ...versions.filter(Number.isSafeInteger)) + 1);
}

export async function memoryViewOf(
  agent: string,
  root: string,
  known: Rules,
  ports: Pick<MemoryPorts, "files">,
): Promise<Result<MemoryView>> {
  const file = memoryPath(root, agent);
  if (!file.ok) return file;
  const there = await readMemory(file.value, ports);
  const own = known.rules.filter((rule) => rule.agent === agent);
  const { text: next, leftOut } = compileMemory(own, nextVersion(known, agent));
  const found = there.ok ? there.value : null;
  const isCurrent =
    there.ok && memoryBody(found?.text ?? "") === memoryBody(next) && found?.is.kind !== "foreign";
  return succeed({
    agent,
    file: file.value,
    diff: lineDiff(found?.text ?? "", isCurrent ? (found?.text ?? "") : next),
    state: there.ok ? (found?.is.kind ?? "none") : "failed",
    text: found?.text ?? "",
    next,
    leftOut: [...leftOut],
    isCurrent,
    versions: known.book.memories
      .filter((memory) => memory.agent === agent)
      .map(({ version, at, ruleIds, madeBy }) => ({ version, at, rules: ruleIds.length, madeBy })),
  });
}
