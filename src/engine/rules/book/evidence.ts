import * as z from "zod/mini";
import { fail, succeed, type Result } from "../../base/result.ts";
import { readJson } from "../../base/parse.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import { describeEvidence, countRounds, numberRounds, type Evidence } from "../../verdict/evidence.ts";
import { readReceipt, type Receipt } from "../../verdict/receipt.ts";
import type { RunSample } from "../../verdict/verdict.ts";
import { newestReceipt, readRules, type RulesLedger } from "./rules-book-rows.ts";
import { evidenceShape } from "./evidence-shape.ts";
import { setId, setPrefix } from "../together/set.ts";
import type { EvidenceView } from "../rules-answers.ts";
import { sentence } from "../../base/language.ts";

/** A receipt's samples are stored with it, under its id with this suffix, to be pooled with later ones. */
const suffix = ":evidence";
const kept = z.object({ evidence: evidenceShape });

/** @param json the sealed receipt, stored byte for byte */
export function receiptEntries(receipt: Receipt, json: string, evidence: Evidence): LedgerEntry[] {
  const { id, at, verdict, subject } = receipt;
  const about = { subjectId: subject.id, at, verdict: verdict.kind };
  return [
    { kind: "receipt", id, subject: subject.kind, ...about, json },
    {
      kind: "receipt",
      id: `${id}${suffix}`,
      subject: "evidence",
      ...about,
      json: JSON.stringify({ evidence }),
    },
  ];
}

export interface ReportedMeasurement {
  readonly ruleId: string;
  /** JSON. */
  readonly receipt: string;
  readonly evidence: Evidence;
}

/**
 * Reads the reported receipt. Fails if it was changed, is about something else, or does not match its
 * samples.
 */
export function readMeasurement({
  ruleId,
  receipt,
  evidence,
}: ReportedMeasurement): Result<Receipt, "not_a_receipt" | "changed"> {
  const read = readReceipt(receipt);
  if (!read.ok) return read;
  const { subject, driver } = read.value;
  const isOfRule = subject.kind === "rule" && subject.id === ruleId && evidence.ruleId === ruleId;
  return isOfRule && evidence.driver === driver
    ? read
    : fail("not_a_receipt", sentence("the receipt is of something else"));
}

export type ReportedSet = Pick<ReportedMeasurement, "receipt" | "evidence">;

/**
 * Reads the receipt of a set. Fails if it was changed, is about other rules, is a replay, or does not match
 * its samples.
 */
export function readSet({
  receipt,
  evidence,
}: ReportedSet): Result<
  { readonly receipt: Receipt; readonly found: readonly string[] },
  "not_a_receipt" | "changed"
> {
  const read = readReceipt(receipt);
  if (!read.ok) return read;
  const { subject, driver, agent, set = [] } = read.value;
  const id = setId(
    agent,
    set.map((rule) => rule.id),
  );
  const isOfSet = subject.kind === "set" && subject.id === id && evidence.ruleId === id;
  if (!isOfSet || evidence.driver !== driver || !measuresModel(driver))
    return fail("not_a_receipt", sentence("the receipt is of something else"));
  const found = set.filter(({ isFound }) => isFound).map((rule) => rule.id);
  return succeed({ receipt: read.value, found });
}

/** Returns all evidence about an agent's rules and sets of them, except replays. */
export async function evidenceOf(ledger: RulesLedger, agent: string): Promise<Result<Evidence[]>> {
  const known = await readRules(ledger);
  if (!known.ok) return known;
  const own = new Set(known.value.rules.filter((rule) => rule.agent === agent).map(({ id }) => id));
  const found: Evidence[] = [];
  for (const { id, subject, subjectId, driver } of known.value.book.receipts) {
    const isOwn = own.has(subjectId) || subjectId.startsWith(setPrefix(agent));
    if (subject !== "evidence" || !isOwn || !measuresModel(driver ?? "")) continue;
    const json = await ledger.ask("receipt", id);
    if (!json.ok) return json;
    const read = readJson(kept, json.value);
    if (read !== null) found.push(read.evidence);
  }
  return succeed(found);
}

/**
 * Returns the evidence behind a rule's newest receipt, otherwise its newest replayed demonstration. Null
 * without either.
 */
export async function shownEvidence(
  ledger: RulesLedger,
  ruleId: string,
): Promise<Result<EvidenceView | null>> {
  const known = await readRules(ledger);
  if (!known.ok) return known;
  const newest = newestReceipt(known.value.book, ruleId);
  if (newest === undefined) return succeed(null);
  const [json, samples] = [
    await ledger.ask("receipt", newest.id),
    await ledger.ask("receipt", `${newest.id}${suffix}`),
  ];
  if (!json.ok) return json;
  if (!samples.ok) return samples;
  const receipt = readReceipt(json.value ?? "");
  if (!receipt.ok) return receipt;
  const { id, verdict, question, rounds, spent, driver, recordedBy } = receipt.value;
  const counted: RunSample[][] = [];
  for (const from of [...rounds.from.map((each) => `${each}.receipt${suffix}`), null]) {
    const json = from === null ? samples : await ledger.ask("receipt", from);
    if (!json.ok) return json;
    const read = readJson(kept, json.value);
    if (read !== null) counted.push([...read.evidence.samples]);
  }
  const { saving, reason, moreRounds, tasks } = verdict;
  return succeed({
    receiptId: id,
    verdict: verdict.kind,
    reason,
    moreRounds,
    bar: question.bar,
    saving: saving === null ? null : { value: saving.value, low: saving.low, high: saving.high },
    tasks: tasks.map(({ taskId, pairs, tokens, passed, runs }) => ({
      taskId,
      pairs,
      tokens: tokens === null ? null : [tokens[0], tokens[1]],
      passed: [passed[0], passed[1]],
      runs: [runs[0], runs[1]],
    })),
    pairs: pairsOf(counted),
    ...(receipt.value.evidence === undefined ? {} : { counted: describeEvidence(receipt.value) }),
    rounds: rounds.own + rounds.pooled,
    ownRounds: rounds.own,
    runs: spent.runs,
    tokens: spent.processingTokens,
    driver,
    recordedBy: [...recordedBy],
  });
}

/** @param measurements the samples of each, the oldest first */
function pairsOf(measurements: readonly (readonly RunSample[])[]): EvidenceView["pairs"] {
  let before = 0;
  const samples = measurements.flatMap((own) => {
    const numbered = numberRounds(own, before);
    before += countRounds(own);
    return numbered;
  });
  const passed = samples.filter((sample) => sample.passed);
  return passed
    .filter(({ side }) => side === 0)
    .flatMap(({ taskId, round, tokens }) => {
      const other = passed.find((each) => each.side === 1 && each.taskId === taskId && each.round === round);
      return other === undefined ? [] : [{ taskId, round, saved: tokens - other.tokens }];
    });
}
