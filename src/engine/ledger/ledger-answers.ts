import { sentenceSchema } from "../base/sentence-schema.ts";
import * as z from "zod/mini";
import { anomalyCauses } from "./entries/collected.ts";
import { lostItem, stateDetails } from "./entries/continuity-entries.ts";

/**
 * The ledger's answers to its views. They cross a wire, so each is a schema, and its type is inferred from it. Times
 * are milliseconds since the epoch, `null` means "not reported", money is USD at list prices.
 */

const text = z.nullable(z.string());
const time = z.nullable(z.number());
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
  /** Sum over the responses with a known price; null when there are none. */
  usd: z.nullable(z.number()),
  /** Responses without a known price: above 0, `usd` is a lower bound. */
  unpriced: z.number(),
  /** Responses with another service tier, counted in `usd` at the list price of the standard tier. */
  standardTier: z.number(),
});

/** How current and complete the ledger is. */
export const freshness = z.object({
  /** The answer covers everything that was in the transcripts at this time; null before the first pass has ended. */
  asOf: time,
  /** Transcripts of the current pass, and how many of them are done; equal when no pass runs. */
  files: z.number(),
  done: z.number(),
  problems: z.array(z.object({ path: z.string(), reason: sentenceSchema })),
});
export type Freshness = z.infer<typeof freshness>;

/** A local calendar day, such as `2026-11-21`. */
export const localDay = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/u));

/** Null means no limit. */
export const ledgerFilter = z.object({
  since: z.nullable(localDay),
  until: z.nullable(localDay),
  /** The folder a response was made in. */
  project: z.nullable(z.string().check(z.maxLength(4096))),
  /** The coding agent: `claude-code`, `codex`, … */
  program: z.nullable(z.string().check(z.maxLength(100))),
  /** A machine's label or id; left out or null for all machines. */
  machine: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
});
export type LedgerFilter = z.infer<typeof ledgerFilter>;

/** A part of a breakdown. The parts of one breakdown add up to its total; the null key holds unreported values. */
const part = z.object({ key: text, ...sumSchema.shape });
export type BreakdownPart = z.infer<typeof part>;

/**
 * Usage of a tool, a skill or an MCP server. Each response is split evenly among the tools it called; a response that
 * called none is under null. The tokens are measured, their attribution is estimated. Tokens and cost add up to the
 * total; `responses` and `unpriced` do not, as a response that called several tools counts for each of them.
 */
const calledPart = z.object({
  ...part.shape,
  calls: z.number(),
  errors: z.number(),
  /** Characters sent into its calls, and characters that came back into the context. */
  inputChars: z.number(),
  resultChars: z.number(),
});
export type CalledPart = z.infer<typeof calledPart>;

/** A file that one session read more than once. */
const reread = z.object({
  path: z.string(),
  sessionId: z.string(),
  reads: z.number(),
  /** Sum over all reads, where the transcript reports it. */
  chars: z.nullable(z.number()),
});
export type Reread = z.infer<typeof reread>;

const anomaly = z.object({
  id: z.string(),
  sessionId: z.string(),
  agentId: text,
  cause: z.enum(anomalyCauses),
  at: time,
  value: z.nullable(z.number()),
  usual: z.nullable(z.number()),
  /** Message ids of the responses that caused it. */
  turns: z.array(z.string()),
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
  /** Counted by an earlier version, from a transcript that was not read since: mostly it is gone. */
  isCountedBefore: z.boolean(),
  /** The label of the other machine that it is from; left out for this machine. */
  machine: z.optional(z.string()),
  ...sumSchema.shape,
});
export type SessionSummary = z.infer<typeof sessionSummary>;

/** The folder where a session began, and the branch where it worked last. */
export const sessionPlace = z.object({ cwd: text, branch: text });
export type SessionPlace = z.infer<typeof sessionPlace>;

const planLimit = z.object({
  program: z.string(),
  name: z.string(),
  at: z.number(),
  /** From 0 up, as reported by the agent's API: official. More than 100 where a limit can be passed. */
  usedPercent: z.number(),
  windowMinutes: z.nullable(z.number()),
  resetsAt: time,
});

export const overview = z.object({
  totals: sumSchema,
  /** The known cost, split by kind: the whole is measured, the parts are estimated. USD. */
  costByKind: z.object({
    input: z.number(),
    cacheWrites: z.number(),
    output: z.number(),
    cacheReads: z.number(),
  }),
  /** Oldest first, only days with responses, each by model and by coding agent. */
  days: z.array(z.object({ day: z.string(), models: z.array(part), programs: z.array(part) })),
  /** The same by local hour, 0 to 23; null unless the filter is a single day. */
  hours: z.nullable(z.array(z.object({ hour: z.number(), models: z.array(part) }))),
  /** Largest first, by processing tokens. */
  projects: z.array(part),
  models: z.array(part),
  programs: z.array(part),
  branches: z.array(part),
  /** By the subagent's type; null is the main conversation. */
  subagents: z.array(part),
  /** By label; empty without another machine. */
  machines: z.array(part),
  tools: z.array(calledPart),
  skills: z.array(calledPart),
  servers: z.array(calledPart),
  rereads: z.array(reread),
  /** Newest first. */
  anomalies: z.array(anomaly),
  planLimits: z.array(planLimit),
  /** Most recently active first, at most 200; `sessionCount` is the number of all of them. */
  sessions: z.array(sessionSummary),
  sessionCount: z.number(),
  /** The values to filter by, whatever the current filter. */
  choices: z.object({
    projects: z.array(z.string()),
    programs: z.array(z.string()),
    /** Labels, this machine's first; empty without another machine. */
    machines: z.array(z.string()),
  }),
  /** Responses left out because the filter names days and they have no readable time. */
  undated: z.number(),
});
export type Overview = z.infer<typeof overview>;

/**
 * A part of the context window's contents. Tokens are estimated: the measured occupancy times its share of the
 * characters.
 */
const fillPart = z.object({ name: z.string(), chars: z.number(), tokens });
export type FillPart = z.infer<typeof fillPart>;

/** The content of the main conversation's window at the last request recorded in a transcript. Characters. */
export const contextFill = z.object({
  at: time,
  parts: z.array(z.object({ name: z.string(), chars: z.number() })),
});
export type ContextFill = z.infer<typeof contextFill>;

const turn = z.object({
  messageId: z.string(),
  at: time,
  /** The subagent that made the response, or null for the main conversation. */
  agentId: text,
  model: z.string(),
  usage,
  /** Input, cache creation and cache read. */
  occupancy: tokens,
  usd: z.nullable(z.number()),
  /** `usd` is the list price of the standard tier, although the response had another tier. */
  isStandardTier: z.optional(z.literal(true)),
  /** The tools it called, in order. */
  tools: z.array(z.string()),
  /** Contents of the window at that time, where the transcript reports them. */
  fill: z.nullable(z.array(fillPart)),
});
export type SessionTurn = z.infer<typeof turn>;

const run = z.object({
  id: z.string(),
  agent: z.string(),
  model: text,
  startedAt: time,
  endedAt: time,
  durationMs: z.nullable(z.number()),
  processingTokens: tokens,
  toolCalls: z.nullable(z.number()),
  filesReread: z.nullable(z.number()),
  completed: z.boolean(),
});
export type SessionRun = z.infer<typeof run>;

/** The state of a session's work at the end of a turn, or within its current one. */
const sessionState = z.object({
  sessionId: z.string(),
  turn: z.number(),
  at: time,
  program: text,
  folder: text,
  phase: z.string(),
  /** 0 to 100. */
  trust: z.number(),
  focus: z.number(),
  calls: z.number(),
  errors: z.number(),
  switches: z.number(),
  deadEnds: z.number(),
  /** Files. */
  edited: z.number(),
  verified: z.number(),
  /** Null where it cannot be read. */
  details: z.nullable(stateDetails),
});
export type SessionState = z.infer<typeof sessionState>;

/** Facts that one compaction kept and lost. */
const compactionDiff = z.object({
  id: z.string(),
  at: time,
  program: text,
  /** In the agent's own terms. */
  trigger: text,
  kept: z.array(lostItem),
  lost: z.array(
    z.extend(lostItem, {
      /**
       * `told`: the agent received it again right after. `chosen`: a person restores it at the next prompt. `given`:
       * that has happened.
       */
      back: z.nullable(z.enum(["told", "chosen", "given"])),
    }),
  ),
});
export const compactionHead = z.object({
  id: z.string(),
  sessionId: z.string(),
  title: text,
  cwd: text,
  at: time,
  /** Facts that the summary kept, facts that it lost, and lost facts that the agent received again. */
  kept: z.number(),
  lost: z.number(),
  back: z.number(),
});
export type CompactionHead = z.infer<typeof compactionHead>;
export type CompactionDiff = z.infer<typeof compactionDiff>;
export type LostItem = z.infer<typeof lostItem>;

export const sessionPage = z.object({
  session: sessionSummary,
  /** The agent's own running total, ours for the whole session, and their difference. USD. */
  official: z.nullable(
    z.object({ usd: z.number(), ours: z.nullable(z.number()), difference: z.nullable(z.number()) }),
  ),
  /** Ordered by time. */
  turns: z.array(turn),
  /** Window of the main conversation's last model, by the catalogue and the largest request. Tokens; null where unknown. */
  window: z.nullable(z.number()),
  compactions: z.array(
    z.object({
      at: time,
      agentId: text,
      trigger: z.enum(["auto", "manual", "unknown"]),
      preTokens: z.nullable(z.number()),
      postTokens: z.nullable(z.number()),
    }),
  ),
  subagents: z.array(z.object({ agentId: z.string(), type: text, description: text, ...sumSchema.shape })),
  runs: z.array(run),
  tools: z.array(calledPart),
  rereads: z.array(reread),
  anomalies: z.array(anomaly),
  /** The newest; null without hooks that report the session's work. */
  state: z.nullable(sessionState),
  /** Newest first; only compactions that were compared. */
  compactionDiffs: z.array(compactionDiff),
});
export type SessionPage = z.infer<typeof sessionPage>;

/** Outcomes of one guard rule's advice. */
const guardEffect = z.object({
  rule: z.string(),
  family: z.string(),
  /** How often it advised, asked and denied. */
  advised: z.number(),
  asked: z.number(),
  denied: z.number(),
  followed: z.number(),
  ignored: z.number(),
  /** A person allowed it, or the agent worked around it. */
  overridden: z.number(),
  /** The advised step succeeded, or was done. */
  progress: z.number(),
  /** The user marked it so, or the call turned out to be right. */
  mistaken: z.number(),
  /** The outcome is unknown, or not yet known. */
  unknown: z.number(),
});
export type GuardEffect = z.infer<typeof guardEffect>;

/** Known outcomes of a rule's advice since it was last unmuted. */
const guardAdvice = z.object({
  rule: z.string(),
  /** Followed, or led to progress. */
  helped: z.number(),
  /** Ignored, or mistaken. */
  failed: z.number(),
  /** When the user last unmuted it. */
  wokenAt: time,
});
export type GuardAdvice = z.infer<typeof guardAdvice>;

/** Calls of one kind that followed shortened outputs. Tokens at the price of new input. */
export interface FollowUpCost {
  readonly calls: number;
  readonly tokens: number;
}

/** What shortened outputs of one kind saved in a session on a day. Tokens are at the price of new input. */
export interface OutputSaving {
  readonly session: string;
  /** Local: `2026-11-21` */
  readonly day: string;
  readonly rule: string;
  /** The program behind the outputs with its subcommand, or the tool. */
  readonly command: string;
  /** The agent's tool, and the agent. */
  readonly tool: string | null;
  readonly program: string | null;
  /** Whether it counts as evidence about the format: not if the user switched that on again later. */
  readonly isEvidence: boolean;
  /** The first output. Milliseconds since the epoch. */
  readonly at: number;
  readonly outputs: number;
  /** Further outputs, after which no request is known. */
  readonly pending: number;
  /** Tokens left out, each counted once. */
  readonly tokens: number;
  /** Requests that would have carried them. */
  readonly requests: number;
  /** Cost of these tokens over those requests. */
  readonly gross: number;
  /** What it would have cost to make each of the calls again. */
  readonly atRisk: number;
  readonly fetched: FollowUpCost;
  readonly again: FollowUpCost;
  readonly narrower: FollowUpCost;
  readonly error: FollowUpCost;
  readonly grossUsd: number;
  readonly minusUsd: number;
  /** Outputs and calls of models without a known price. */
  readonly unpriced: number;
}

/** Names a format for one command, or for all of them: the rule that is woken. */
export function formatName(rule: string, command: string | null): string {
  return command === null ? rule : `${rule}:${command}`;
}

export interface SavedOutputs {
  readonly savings: readonly OutputSaving[];
  /** Formats that the user switched on again. */
  readonly wakes: readonly { readonly format: string; readonly at: number }[];
}

export const guardEffects = z.object({
  /** Outcomes since the requested time. By rule. */
  effects: z.array(guardEffect),
  /** Since the beginning. By rule. */
  advice: z.array(guardAdvice),
});
export type GuardEffects = z.infer<typeof guardEffects>;
