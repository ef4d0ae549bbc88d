import { sentenceUpTo } from "../../base/sentence-schema.ts";
import { sha256Hex } from "../../base/hash.ts";
import * as z from "zod/mini";
import { readJson } from "../../base/parse.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { driverNames } from "../../bench/run-facts.ts";
import { leftOutReasons } from "../statistics/pool.ts";
import { verdictKinds } from "../verdict.ts";
import { expectation } from "../verdict-answers.ts";
import { isSentence, plainSentence, sentence, sentenceOf, type Sentence } from "../../base/language.ts";

const count = z.int().check(z.nonnegative());
const figure = z.number();
const text = z.string().check(z.maxLength(4096));
/**
 * The seal holds a sentence's English text, which earlier versions stored alone. A key and values that say something
 * else are dropped.
 */
const sealedSentence = z.pipe(
  sentenceUpTo(4096),
  z.transform((said) => (saysItsText(said) ? said : plainSentence(said.text))),
);
const interval = z.object({
  value: figure,
  low: figure,
  high: figure,
  level: z.number().check(z.gt(0), z.lt(1)),
});
const passRate = z.object({ passed: count, runs: count, rate: z.nullable(interval) });
const bothSides = <Schema extends z.ZodMiniType>(schema: Schema) => z.readonly(z.tuple([schema, schema]));

const taskDifference = z.object({
  taskId: text,
  weight: z.number().check(z.positive()),
  pairs: count,
  tokens: z.nullable(bothSides(figure)),
  saving: z.nullable(interval),
  runs: bothSides(count),
  passed: bothSides(count),
  regressed: z.boolean(),
});

export const verdictSchema = z.object({
  kind: z.enum(verdictKinds),
  saving: z.nullable(interval),
  savingShare: z.nullable(interval),
  perCompleted: z.optional(z.nullable(interval)),
  belowBar: z.boolean(),
  passed: bothSides(passRate),
  passedDifference: z.nullable(interval),
  tasks: z.readonly(z.array(taskDifference)),
  stop: z.nullable(z.enum(["decided", "futile", "cap", "worth"])),
  moreRounds: z.nullable(count),
  rounds: count,
  tokensSpent: z.number().check(z.nonnegative()),
  reason: sealedSentence,
});

const questionSchema = z.object({
  bar: figure,
  alpha: z.number().check(z.gt(0), z.lt(0.5)),
  maxRounds: count,
  plannedRounds: z.optional(count),
  firstLook: z.optional(count),
  worth: z.optional(z.number().check(z.gt(0), z.lt(1))),
  tokenCap: z.nullable(figure),
  passMargin: z.optional(figure),
  kind: z.enum(["candidate", "re-audit", "comparison"]),
  arms: z.optional(count),
});

export const sideSchema = z.object({
  /** Display name: text of the user, or of a file. */
  label: sealedSentence,
  configurationHash: text,
  model: text,
  effort: z.nullable(text),
  /**
   * Means over passed runs of tasks that both sides passed; null if there are none. Times in milliseconds. The
   * processing tokens are those of all runs behind the verdict, and differ by its saving.
   */
  figures: z.nullable(
    z.object({
      runs: count,
      processingTokens: figure,
      cacheRead: figure,
      turns: figure,
      toolCalls: figure,
      durationMs: figure,
    }),
  ),
});

const writtenSchema = z.object({
  version: z.literal(1),
  id: text.check(z.minLength(1)),
  /**
   * The judged subject: a rule, a set of rules as a whole, or the difference between the two sides. `title` is text
   * from a model or the user.
   */
  subject: z.object({
    kind: z.enum(["rule", "set", "comparison", "ablation", "evolution"]),
    id: text,
    title: sealedSentence,
  }),
  /** Time of writing. Milliseconds since the epoch. */
  at: z.int(),
  agent: text,
  sides: bothSides(sideSchema),
  question: questionSchema,
  verdict: verdictSchema,
  tasks: z.readonly(z.array(z.object({ id: text, hash: text }))),
  suiteHash: text,
  fixtureHash: text,
  seed: z.int(),
  driver: z.enum(driverNames),
  /** How replayed recordings were made: model names, or `script`. */
  recordedBy: z.readonly(z.array(text)),
  /** Rounds run for this receipt, and by earlier experiments whose evidence it includes. */
  rounds: z.object({ own: count, pooled: count, from: z.readonly(z.array(text)) }),
  /** The evidence on the rule that counts. Absent in older receipts, and if there are only its own runs. */
  evidence: z.optional(
    z.object({
      /**
       * End of the oldest measurement that counts; null if only the receipt's own runs count. Milliseconds since the
       * epoch.
       */
      since: z.nullable(z.number()),
      /** Earlier measurements that do not count, with the reason. */
      leftOut: z.readonly(z.array(z.object({ id: text, why: z.enum(leftOutReasons) }))),
    }),
  ),
  /** Spent by this experiment's own runs. USD at list price; null where unknown, and for a replay, which costs nothing. */
  spent: z.object({ runs: count, processingTokens: figure, cacheRead: figure, usd: z.nullable(figure) }),
  /**
   * Cost of a run without the change, in USD at list prices, and the share of it that the change saves. Absent
   * where a price is unknown, and in older receipts.
   */
  cost: z.optional(z.object({ before: figure, share: interval })),
  /**
   * Ids of rules, or of changes, that were measured with the same runs: the spent figures are this one's part. Absent
   * if it was alone.
   */
  together: z.optional(z.readonly(z.array(text))),
  /** What is expected of the rule, by its runs and by what other rules do. Absent in older receipts, and of no rule. */
  expected: z.optional(expectation),
  /** The rules of a set: the found ones, and the active ones. Each with the result of its own newest receipt. */
  set: z.optional(
    z.readonly(
      z.array(
        z.object({
          id: text,
          title: text,
          isFound: z.boolean(),
          savingShare: z.nullable(interval),
          receiptId: z.nullable(text),
        }),
      ),
    ),
  ),
});

/** Permanent evidence for one verdict: never changed, only followed by another receipt. */
export const receiptSchema = z.extend(writtenSchema, {
  /** SHA-256 of everything else: 64 hexadecimal digits. */
  seal: z.string().check(z.regex(/^[0-9a-f]{64}$/u)),
});

export type Receipt = Readonly<z.infer<typeof receiptSchema>>;
export type ReceiptFacts = Readonly<z.infer<typeof writtenSchema>>;

/** Seals a receipt. It is written once; the seal shows whether anything was changed since. */
export function sealReceipt(facts: ReceiptFacts): Receipt {
  return { ...facts, seal: sealOf(facts) };
}

/**
 * Reads a receipt from its JSON and refuses a changed one. It proves no origin: anyone who can write the file can
 * reseal it.
 */
export function readReceipt(json: string): Result<Receipt, "not_a_receipt" | "changed"> {
  const read = parse(json);
  if (read === null) return fail("not_a_receipt", sentence("The file is no receipt of this version."));
  const { seal, ...facts } = read;
  return seal === sealOf(facts)
    ? succeed(read)
    : fail("changed", sentence("The receipt was changed after it was written."));
}

function parse(json: string): Receipt | null {
  return readJson(receiptSchema, json);
}

function sealOf(facts: ReceiptFacts): string {
  return sha256Hex(JSON.stringify(sorted(facts)));
}

function saysItsText({ text: english, key, values }: Sentence): boolean {
  const within = Object.values(values).flatMap((value) =>
    typeof value !== "object" ? [] : isSentence(value) ? [value] : value,
  );
  return sentenceOf(key, values).text === english && within.every(saysItsText);
}

/**
 * Returns the value with every object's keys sorted, so that their written order does not affect the seal. Sentences
 * are their English text.
 */
function sorted(value: unknown): unknown {
  if (isSentence(value)) return value.text;
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries: [string, unknown][] = Object.entries(value);
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, own]) => [key, sorted(own)]),
  );
}
