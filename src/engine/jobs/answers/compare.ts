import * as z from "zod";
import { driverNames } from "../../bench/run-facts.ts";
import type { PassRate, StopReason, VerdictKind } from "../../verdict/verdict.ts";
import { count, interval, name, runFields, suiteChoice } from "./shared.ts";

/**
 * Comparisons as jobs: what one is asked, how it goes on, and what came of it. Side 0 is the agent as it is, with its active rules; side 1
 * is the same with the change.
 */

/** A message of a client's is no longer than a mebibyte. Characters. */
const longestFile = 200_000;
/** Relative to the project, with `/`; a text of null removes the file. */
const files = z
  .array(z.object({ path: z.string().min(1).max(4096), text: z.string().max(longestFile).nullable() }))
  .max(200);

/** As `Change` is. Who asks reads the files: a job has their text, and none of the user's files is touched. */
const changeAsk = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("model"), model: name }),
  z.object({ kind: z.literal("effort"), effort: z.string().min(1).max(50) }),
  /** Another text for the agent's definition, frontmatter included. `name` is what people call it. */
  z.object({ kind: z.literal("prompt"), name, definition: z.string().max(longestFile) }),
  /** Files that side 1 has: a skill (`.claude/skills/…`), MCP servers (`.mcp.json`), `.claude/settings.json`, `CLAUDE.md`. */
  z.object({ kind: z.literal("setting"), name, files }),
  /** A file that side 0 has and side 1 has not, such as `CLAUDE.md`; with a heading, only that section is left out. */
  z.object({
    kind: z.literal("without"),
    file: z.discriminatedUnion("is", [
      z.object({ is: z.literal("file"), path: z.string().min(1).max(4096) }),
      z.object({ is: z.literal("definition") }),
      z.object({ is: z.literal("memory") }),
    ]),
    text: z.string().max(longestFile),
    heading: name.nullable(),
  }),
]);

/** A comparison of an agent with and without one change, on all of its golden tasks. */
export const compareAsk = z.object({
  kind: z.literal("compare"),
  suite: suiteChoice,
  /** Of the suite. */
  agent: name,
  change: changeAsk,
  /** Files that both sides have besides: what a skill has next to the SKILL.md that is left out. */
  shared: files,
  /** Rounds at most, each a run of every task on both sides; null for as many as usual: 12. */
  rounds: z.int().min(1).max(100).nullable(),
  ...runFields,
});
export type CompareAsk = z.infer<typeof compareAsk>;

const decision: z.ZodType<VerdictKind> = z.enum([
  "saves",
  "costs",
  "cheaper-not-as-good",
  "regression",
  "undecided",
]);
const stop: z.ZodType<StopReason> = z.enum(["decided", "futile", "cap"]);
const bothSides = <Schema extends z.ZodType>(schema: Schema) => z.tuple([schema, schema]);

/** How things stand after a round: earlier measurements of the same are counted in. */
export const lookView = z.object({
  /** Of this measurement, from 1. */
  round: z.int().positive(),
  decision,
  /** Why no further round is made; null while another may decide. */
  stop: stop.nullable(),
  /** Processing tokens saved per completed run; null while nothing is comparable. */
  saving: interval.nullable(),
  /** Runs that a decision is expected to take besides; null where none would help, or nothing can be said. */
  moreRuns: count.nullable(),
  /** Processing tokens of this measurement so far; replayed ones are counted and were not spent. */
  tokens: z.number(),
});
export type LookView = z.infer<typeof lookView>;

/** One task on both sides. Processing tokens that a completed run saves: null below two pairs. */
const taskView = z.object({
  taskId: z.string(),
  title: z.string(),
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** Pairs of runs it rests on: rounds in which both sides completed it. */
  runs: count,
  /** All runs of each side, and those that passed. */
  made: bothSides(count),
  passed: bothSides(count),
  /** It passed, and fails with the change. */
  isRegressed: z.boolean(),
});

const passRate: z.ZodType<PassRate> = z.object({
  passed: count,
  runs: count,
  /** Shares from 0 to 1; null without a run. */
  rate: interval.nullable(),
});

const sideView = z.object({
  /** Text of the user, or of a file. */
  label: z.string(),
  model: z.string(),
  effort: z.string().nullable(),
  passed: passRate,
  /** Means of a completed run, over tasks that both sides passed; null where there is none. */
  figures: z
    .object({
      /** Runs the means are over. */
      runs: count,
      processingTokens: z.number(),
      cacheRead: z.number(),
      turns: z.number(),
      /** Advisory: it depends on the machine and the day. */
      seconds: z.number(),
      /** By list price; null where nobody knows it. */
      usd: z.number().nullable(),
    })
    .nullable(),
});

/** What came of a measurement, as its receipt has it. */
export const comparisonView = z.object({
  /** The verdict in one plain sentence; its names are outside text. */
  sentence: z.string(),
  /** What it rests on, in one sentence. */
  reason: z.string(),
  decision,
  stop: stop.nullable(),
  /** Processing tokens saved per completed run, and as a share (0.1 = 10 %); null where nothing is comparable. */
  saving: interval.nullable(),
  savingShare: interval.nullable(),
  /** Processing tokens that must be saved: twice a rule's rent; 0 for a comparison. */
  bar: z.number(),
  sides: bothSides(sideView),
  /** In the suite's order. */
  tasks: z.array(taskView),
  /** Rounds of its own, and of earlier measurements that count as well. */
  rounds: z.object({ own: count, pooled: count }),
  /** By its own runs. USD by list price; null where nobody knows it. Replayed ones are counted and were not spent. */
  spent: z.object({ runs: count, tokens: z.number(), usd: z.number().nullable() }),
  seed: z.int(),
  driver: z.enum(driverNames),
  /** How recordings were made, where runs were replayed: a script's are no measurement of a model. */
  recordedBy: z.array(z.string()),
  /** Sealed, and in the ledger. Outside text in `markdown` is escaped. */
  receipt: z.object({ id: z.string(), at: z.number(), markdown: z.string() }),
});
export type ComparisonView = z.infer<typeof comparisonView>;

/** What a job of kind `compare` tells besides its runs. */
export const compareView = z.object({
  /** What differs: outside text. */
  title: z.string(),
  /** The bench of its runs; the same comparison that was interrupted elsewhere goes on in it. */
  benchId: z.string(),
  /** Of how many measurements of these two sides it is, from 1. */
  attempt: z.int().positive(),
  /** The first round first. */
  looks: z.array(lookView),
  /** Null until it is decided, or will not be. */
  result: comparisonView.nullable(),
});
export type CompareView = z.infer<typeof compareView>;
