import * as z from "zod";
import { anomalyCauses } from "./entries/attributed.ts";

/**
 * What the ledger answers to those who show it. They come over a wire, so each is a schema, and its type that schema's.
 * Times are milliseconds since the epoch, `null` is "not told", money is USD at list prices.
 */

const text = z.string().nullable();
const time = z.number().nullable();
const tokens = z.number();

const usage = z.object({
  input: tokens,
  output: tokens,
  cacheCreation5m: tokens,
  cacheCreation1h: tokens,
  cacheRead: tokens,
});

const sumSchema = z.object({
  responses: z.number(),
  usage,
  /** Of the responses whose price is known; null when there is none. */
  usd: z.number().nullable(),
  /** Responses nobody knows the price of: above 0, `usd` is a lower bound. */
  unpriced: z.number(),
});

/** How far the ledger's knowledge reaches. */
export const freshness = z.object({
  /** All that was in the transcripts at this time is in the answer; null before the first pass has ended. */
  asOf: time,
  /** Transcripts of the pass that runs now, and those of them that are done; equal when none runs. */
  files: z.number(),
  done: z.number(),
  problems: z.array(z.object({ path: z.string(), reason: z.string() })),
});
export type Freshness = z.infer<typeof freshness>;

/** A local calendar day, such as `2026-11-21`. */
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/u);

/** Null is no limit. */
export const ledgerFilter = z.object({
  since: day.nullable(),
  until: day.nullable(),
  /** The folder a response was made in. */
  project: z.string().max(4096).nullable(),
  /** The coding agent: `claude-code`, `codex`, … */
  program: z.string().max(100).nullable(),
});
export type LedgerFilter = z.infer<typeof ledgerFilter>;

/** A part of the whole. The parts of one breakdown add up to its total; null stands for what is not told. */
const part = z.object({ key: text, ...sumSchema.shape });
export type BreakdownPart = z.infer<typeof part>;

/**
 * What was spent on a tool, a skill or an MCP server: each response is shared out evenly among the tools it called, and
 * one that called none is under null. The tokens are measured, whose they are is estimated. Tokens and cost add up to the
 * total; `responses` and `unpriced` do not, as a response that called several is counted with each of them.
 */
const calledPart = z.object({
  ...part.shape,
  calls: z.number(),
  errors: z.number(),
  /** Characters that went into its calls and that came back into the context. */
  inputChars: z.number(),
  resultChars: z.number(),
});
export type CalledPart = z.infer<typeof calledPart>;

/** A file that one session read more than once. */
const reread = z.object({
  path: z.string(),
  sessionId: z.string(),
  reads: z.number(),
  /** Of all reads together, where the transcript tells. */
  chars: z.number().nullable(),
});
export type Reread = z.infer<typeof reread>;

const anomaly = z.object({
  id: z.string(),
  sessionId: z.string(),
  agentId: text,
  cause: z.enum(anomalyCauses),
  at: time,
  value: z.number().nullable(),
  usual: z.number().nullable(),
  /** Message ids of the responses that caused it. */
  turns: z.array(z.string()),
  /** Of its session. */
  title: text,
  project: text,
  program: text,
  shownAt: time,
});
export type Anomaly = z.infer<typeof anomaly>;

const sessionSummary = z.object({
  id: z.string(),
  program: text,
  title: text,
  cwd: text,
  branch: text,
  firstAt: time,
  lastAt: time,
  /** The session it was forked from. */
  parentId: text,
  ...sumSchema.shape,
});
export type SessionSummary = z.infer<typeof sessionSummary>;

const planLimit = z.object({
  program: z.string(),
  name: z.string(),
  at: z.number(),
  /** 0 to 100, as the agent's API said: official. */
  usedPercent: z.number(),
  windowMinutes: z.number().nullable(),
  resetsAt: time,
});

/** Everything the ledger's first page shows. */
export const overview = z.object({
  totals: sumSchema,
  /** Oldest first, only days with responses, each by model. */
  days: z.array(z.object({ day: z.string(), models: z.array(part) })),
  /** Largest first, by processing tokens. */
  projects: z.array(part),
  models: z.array(part),
  programs: z.array(part),
  branches: z.array(part),
  /** By the subagent's type; null is the main conversation. */
  subagents: z.array(part),
  tools: z.array(calledPart),
  skills: z.array(calledPart),
  servers: z.array(calledPart),
  rereads: z.array(reread),
  /** The newest first. */
  anomalies: z.array(anomaly),
  planLimits: z.array(planLimit),
  /** The most recently active first, at most 200, and how many there are. */
  sessions: z.array(sessionSummary),
  sessionCount: z.number(),
  /** What can be filtered by, whatever the filter is now. */
  choices: z.object({ projects: z.array(z.string()), programs: z.array(z.string()) }),
  /** Responses left out because the filter names days and they have no readable time. */
  undated: z.number(),
});
export type Overview = z.infer<typeof overview>;

/** A part of what fills the window. Its tokens are estimated: its share of the characters, of the measured occupancy. */
const fillPart = z.object({ name: z.string(), chars: z.number(), tokens });
export type FillPart = z.infer<typeof fillPart>;

/** One API response of a session. */
const turn = z.object({
  messageId: z.string(),
  at: time,
  /** The subagent it was made in, or null for the main conversation. */
  agentId: text,
  model: z.string(),
  usage,
  /** Input, cache creation and cache read. */
  occupancy: tokens,
  usd: z.number().nullable(),
  /** What it called, in order. */
  tools: z.array(z.string()),
  /** What filled the window then, where the transcript tells. */
  fill: z.array(fillPart).nullable(),
});
export type SessionTurn = z.infer<typeof turn>;

const run = z.object({
  id: z.string(),
  agent: z.string(),
  model: text,
  startedAt: time,
  endedAt: time,
  durationMs: z.number().nullable(),
  processingTokens: tokens,
  toolCalls: z.number().nullable(),
  filesReread: z.number().nullable(),
  completed: z.boolean(),
});
export type SessionRun = z.infer<typeof run>;

/** Everything the page of one session shows. */
export const sessionPage = z.object({
  session: sessionSummary,
  /** The agent's own running total, ours of the whole session, and why they may differ. USD. */
  official: z
    .object({ usd: z.number(), ours: z.number().nullable(), difference: z.number().nullable() })
    .nullable(),
  /** In the order of their times. */
  turns: z.array(turn),
  compactions: z.array(
    z.object({
      at: time,
      agentId: text,
      trigger: z.enum(["auto", "manual", "unknown"]),
      preTokens: z.number().nullable(),
      postTokens: z.number().nullable(),
    }),
  ),
  subagents: z.array(z.object({ agentId: z.string(), type: text, description: text, ...sumSchema.shape })),
  runs: z.array(run),
  tools: z.array(calledPart),
  rereads: z.array(reread),
  anomalies: z.array(anomaly),
});
export type SessionPage = z.infer<typeof sessionPage>;
