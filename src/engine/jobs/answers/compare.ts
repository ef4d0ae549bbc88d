import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { maxArms } from "../../bench/plan.ts";
import { driverNames } from "../../bench/run-facts.ts";
import { verdictKinds, type PassRate, type StopReason } from "../../verdict/verdict.ts";
import { gradeView } from "../../verdict/verdict-answers.ts";
import { count, interval, name, runFields, suiteChoice } from "./shared.ts";

/** Side 0 is the unchanged agent with its active rules; side 1 is the same with the change. */

/** A client's message is at most a mebibyte. Characters. */
const maxFileLength = 200_000;
/** Paths relative to the project, with `/`; a text of null removes the file. */
const files = z
  .array(
    z.object({
      path: z.string().check(z.minLength(1), z.maxLength(4096)),
      text: z.nullable(z.string().check(z.maxLength(maxFileLength))),
    }),
  )
  .check(z.maxLength(200));

/**
 * Mirrors `Change`. The client reads the files: a job carries their text and touches none of the user's
 * files.
 */
const changeAsk = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("model"), model: name }),
  z.object({ kind: z.literal("effort"), effort: z.string().check(z.minLength(1), z.maxLength(50)) }),
  /** `name` is its display name. */
  z.object({ kind: z.literal("prompt"), name, definition: z.string().check(z.maxLength(maxFileLength)) }),
  /** Files added to side 1: a skill (`.claude/skills/…`), MCP servers (`.mcp.json`), `.claude/settings.json`, `CLAUDE.md`. */
  z.object({
    kind: z.literal("setting"),
    name: sentenceSchema.check(z.refine(({ text }) => text.length >= 1 && text.length <= 200)),
    files,
  }),
  /** A file that only side 0 has, such as `CLAUDE.md`; with a heading, side 1 lacks only that section. */
  z.object({
    kind: z.literal("without"),
    file: z.discriminatedUnion("is", [
      z.object({ is: z.literal("file"), path: z.string().check(z.minLength(1), z.maxLength(4096)) }),
      z.object({ is: z.literal("definition") }),
      z.object({ is: z.literal("memory") }),
    ]),
    text: z.string().check(z.maxLength(maxFileLength)),
    heading: z.nullable(name),
  }),
]);

export const maxOthers = maxArms - 1;

export const compareAsk = z.object({
  kind: z.literal("compare"),
  suite: suiteChoice,
  agent: name,
  change: changeAsk,
  others: z.optional(z.array(changeAsk).check(z.maxLength(maxOthers))),
  /** A skill's files next to a SKILL.md that is left out. */
  shared: files,
  /** Maximum rounds, each a run of every task on both sides; null for the default: 12. */
  rounds: z.nullable(z.int().check(z.minimum(1), z.maximum(100))),
  ...runFields,
});
export type CompareAsk = z.infer<typeof compareAsk>;

const decision = z.enum(verdictKinds);
const stop: z.ZodMiniType<StopReason> = z.enum(["decided", "futile", "cap", "worth"]);
const bothSides = <Schema extends z.ZodMiniType>(schema: Schema) => z.tuple([schema, schema]);

/** Includes earlier measurements of the same pair. */
export const interimVerdict = z.object({
  /** From 1. */
  round: z.int().check(z.positive()),
  decision,
  /** Why no further round is run; null while another may decide. */
  stop: z.nullable(stop),
  /** Processing tokens saved per run, failed ones included; null while nothing is comparable. */
  saving: z.nullable(interval),
  /** Further runs expected until a decision. Null if none would help, or without an estimate. */
  moreRuns: z.nullable(count),
  /** Processing tokens of this measurement so far; replayed ones are counted but were not spent. */
  tokens: z.number(),
});
export type InterimVerdict = z.infer<typeof interimVerdict>;

/** One task on both sides. Processing tokens saved per run: null below five pairs. */
const taskView = z.object({
  taskId: z.string(),
  title: z.string(),
  value: z.nullable(z.number()),
  low: z.nullable(z.number()),
  high: z.nullable(z.number()),
  /** Pairs of runs it is based on: rounds in which both sides completed it. */
  runs: count,
  made: bothSides(count),
  passed: bothSides(count),
  /** True when it passed, and fails with the change. */
  isRegressed: z.boolean(),
});

const passRate: z.ZodMiniType<PassRate> = z.object({
  passed: count,
  runs: count,
  /** Shares from 0 to 1; null without runs. */
  rate: z.nullable(interval),
});

const sideView = z.object({
  /** Text of the user, or of a file. */
  label: sentenceSchema,
  model: z.string(),
  effort: z.nullable(z.string()),
  passed: passRate,
  /** Means of a completed run, over tasks that both sides passed. Null if there are none. */
  figures: z.nullable(
    z.object({
      runs: count,
      processingTokens: z.number(),
      cacheRead: z.number(),
      turns: z.number(),
      /** Advisory: depends on the machine and the day. */
      seconds: z.number(),
      /** At list price; null where unknown. */
      usd: z.nullable(z.number()),
    }),
  ),
});

export const comparisonView = z.object({
  /** Names in it are outside text. */
  sentence: sentenceSchema,
  /** The evidence, in one sentence. */
  reason: sentenceSchema,
  decision,
  stop: z.nullable(stop),
  /**
   * Processing tokens saved per run, failed ones included, and as a share (0.1 = 10 %). Null if nothing is comparable.
   */
  saving: z.nullable(interval),
  savingShare: z.nullable(interval),
  /**
   * Share of a run's list price that is saved, by the same estimate. Null where a price is unknown. Older jobs do not
   * have it.
   */
  costShare: z._default(z.nullable(interval), null),
  /** Only of a rule. Older jobs do not have it. */
  expected: z.optional(gradeView),
  /** Processing tokens that must be saved: twice a rule's rent; 0 for a comparison. */
  bar: z.number(),
  sides: bothSides(sideView),
  /** In the suite's order. */
  tasks: z.array(taskView),
  /** Rounds of its own, and of earlier measurements that also count. */
  rounds: z.object({ own: count, pooled: count }),
  /**
   * Spent by its own runs. USD at list price; null if unknown. Replayed runs are counted but were not spent.
   */
  spent: z.object({ runs: count, tokens: z.number(), usd: z.nullable(z.number()) }),
  seed: z.int(),
  driver: z.enum(driverNames),
  /** How replayed recordings were made: a script's do not measure a model. */
  recordedBy: z.array(z.string()),
  /** Sealed, and stored in the ledger. Outside text in `markdown` is escaped. */
  receipt: z.object({ id: z.string(), at: z.number(), markdown: z.string() }),
});
export type ComparisonView = z.infer<typeof comparisonView>;

const armView = z.object({
  /** Outside text. */
  title: sentenceSchema,
  /** Outside text. */
  label: sentenceSchema,
  state: z.enum(["measuring", "settled"]),
  /** In the order of rounds. */
  looks: z.array(interimVerdict),
  /** Null until it is settled. Its spent tokens are its own runs', and its part of the unchanged runs. */
  result: z.nullable(comparisonView),
});
export type ArmView = z.infer<typeof armView>;

export const compareView = z.object({
  /** Outside text. */
  title: sentenceSchema,
  /** The bench of its runs; the same comparison, interrupted elsewhere, resumes in it. */
  benchId: z.string(),
  /** From 1. */
  attempt: z.int().check(z.positive()),
  /** In the order of rounds. */
  looks: z.array(interimVerdict),
  /** Null until it is decided, or will not be. */
  result: z.nullable(comparisonView),
  /**
   * Only if several changes are compared, in the requested order. `looks` is then empty, and `result` null.
   */
  arms: z.optional(z.array(armView)),
});
export type CompareView = z.infer<typeof compareView>;
