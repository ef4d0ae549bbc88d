import { createHash } from "node:crypto";
import * as z from "zod";
import { parseJson } from "../../base/parse-json.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { driverNames } from "../../bench/run-facts.ts";

const count = z.int().nonnegative();
const figure = z.number();
const text = z.string().max(4096);
const interval = z.object({ value: figure, low: figure, high: figure, level: z.number().gt(0).lt(1) });
const passRate = z.object({ passed: count, runs: count, rate: interval.nullable() });
const bothSides = <Schema extends z.ZodType>(schema: Schema) => z.tuple([schema, schema]).readonly();

const taskDifference = z.object({
  taskId: text,
  weight: z.number().positive(),
  pairs: count,
  tokens: bothSides(figure).nullable(),
  saving: interval.nullable(),
  runs: bothSides(count),
  passed: bothSides(count),
  regressed: z.boolean(),
});

export const verdictSchema = z.object({
  kind: z.enum(["saves", "costs", "cheaper-not-as-good", "regression", "undecided"]),
  saving: interval.nullable(),
  savingShare: interval.nullable(),
  belowBar: z.boolean(),
  passed: bothSides(passRate),
  passedDifference: interval.nullable(),
  tasks: z.array(taskDifference).readonly(),
  stop: z.enum(["decided", "futile", "cap"]).nullable(),
  moreRounds: count.nullable(),
  rounds: count,
  tokensSpent: z.number().nonnegative(),
  reason: text,
});

const questionSchema = z.object({
  bar: figure,
  alpha: z.number().gt(0).lt(0.5),
  maxRounds: count,
  tokenCap: figure.nullable(),
  passMargin: figure.optional(),
  kind: z.enum(["candidate", "re-audit", "comparison"]),
});

export const sideSchema = z.object({
  /** What people call it. Text of the user, or of a file. */
  label: text,
  configurationHash: text,
  model: text,
  effort: text.nullable(),
  /** Means over passed runs of tasks that both sides passed; null where there is none. Times in milliseconds. */
  figures: z
    .object({
      runs: count,
      processingTokens: figure,
      cacheRead: figure,
      turns: figure,
      toolCalls: figure,
      durationMs: figure,
    })
    .nullable(),
});

const writtenSchema = z.object({
  version: z.literal(1),
  id: text.min(1),
  /** What was judged: a rule, or what one side has and the other has not. `title` is text of a model or the user. */
  subject: z.object({ kind: z.enum(["rule", "comparison", "ablation", "evolution"]), id: text, title: text }),
  /** When it was written. Milliseconds since the epoch. */
  at: z.int(),
  agent: text,
  sides: bothSides(sideSchema),
  question: questionSchema,
  verdict: verdictSchema,
  tasks: z.array(z.object({ id: text, hash: text })).readonly(),
  suiteHash: text,
  fixtureHash: text,
  seed: z.int(),
  driver: z.enum(driverNames),
  /** How recordings were made, where runs were replayed: models' names, or `script`. */
  recordedBy: z.array(text).readonly(),
  /** Rounds made for this receipt, and by earlier experiments whose evidence is in it. */
  rounds: z.object({ own: count, pooled: count, from: z.array(text).readonly() }),
  /** What this experiment spent, by its own runs. USD by list price; null where nobody knows, and of a replay, which costs nothing. */
  spent: z.object({ runs: count, processingTokens: figure, cacheRead: figure, usd: figure.nullable() }),
});

/** The evidence for one verdict, for good: it is never changed, only added to by another. */
export const receiptSchema = writtenSchema.extend({
  /** SHA-256 of everything else: 64 hexadecimal digits. */
  seal: z.string().regex(/^[0-9a-f]{64}$/u),
});

export type Receipt = Readonly<z.infer<typeof receiptSchema>>;
export type ReceiptFacts = Readonly<z.infer<typeof writtenSchema>>;

/** A receipt is written once; its seal tells whether anything of it was changed since. */
export function sealReceipt(facts: ReceiptFacts): Receipt {
  return { ...facts, seal: sealOf(facts) };
}

/** Reads a receipt from its JSON, and refuses one that was changed. It proves no origin: who can write the file can seal it anew. */
export function readReceipt(json: string): Result<Receipt, "not_a_receipt" | "changed"> {
  const read = parse(json);
  if (read === null) return fail("not_a_receipt", "The file is no receipt of this version.");
  const { seal, ...facts } = read;
  return seal === sealOf(facts)
    ? succeed(read)
    : fail("changed", "The receipt was changed after it was written.");
}

function parse(json: string): Receipt | null {
  return receiptSchema.safeParse(parseJson(json)).data ?? null;
}

function sealOf(facts: ReceiptFacts): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(facts)))
    .digest("hex");
}

/** The same value with every object's keys in order, so that the order they were written in is no part of the seal. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries: [string, unknown][] = Object.entries(value);
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, own]) => [key, sorted(own)]),
  );
}
