import * as z from "zod";
import {
  rotationCauses,
  wakeOutcomes,
  wakeReasons,
  wakeRow,
  wakeSources,
} from "../../ledger/entries/woken.ts";
import { idleReasons, wakers } from "../../recurring/wake/waker.ts";
import { priorities, taskStates } from "../../recurring/tasks/task.ts";

const text = z.string().nullable();
const time = z.number().nullable().describe("Milliseconds since the epoch.");

const fault = z.object({ line: z.number(), message: z.string() });

const listedAgent = z.object({
  name: z.string(),
  file: z.string(),
  faults: z.array(fault).describe("What is wrong with its file; empty for one that can be woken."),
  program: text,
  model: text,
  schedule: text,
  nextWake: time,
  isAgreed: z.boolean().describe("Whether it may run unattended as its file is now."),
  isRunning: z.boolean(),
  wokenBy: z
    .enum(wakers)
    .describe("Who wakes it by its schedule; person: it has none. cron: as it did lately."),
  longestSession: z
    .object({
      turns: z.number(),
      from: z.enum(["file", "learned", "default"]),
      wakes: z.number().nullable().describe("Wakes that it was learned from; null where it was not."),
      sessions: z.number().nullable(),
    })
    .nullable()
    .describe("Responses after which its session is replaced; null for a faulty file."),
  notWoken: z.enum(idleReasons).nullable().describe("Why nobody wakes it; null where somebody does."),
  lastWake: z.object({ at: z.number(), outcome: z.enum(wakeOutcomes), detail: text }).nullable(),
  sessions: z
    .array(
      z.object({
        task: text,
        id: z.string(),
        wakes: z.number(),
        turns: z.number(),
        startedAt: z.number(),
        lastAt: z.number(),
      }),
    )
    .describe("The sessions that its next wakes go on with, by task."),
});
export type ListedAgent = z.infer<typeof listedAgent>;

/** Output of `purser agent … --json`. Members may be added; any other change changes `schema`. */
export const agentJson = z.object({
  schema: z.literal(1),
  project: z.string(),
  agents: z.array(listedAgent),
  wakes: z.array(wakeRow).optional().describe("Its last wakes, the newest first: show."),
});
export type AgentJson = z.infer<typeof agentJson>;

const comment = z.object({ id: z.string(), author: z.string(), at: time, text: z.string() });
const brief = z.object({ id: z.string(), title: z.string(), state: z.enum(taskStates).nullable() });

/** Output of `purser task … --json`. Members may be added; any other change changes `schema`. */
export const taskJson = z.object({
  schema: z.literal(1),
  inbox: z
    .array(
      z.object({
        id: z.string(),
        title: z.string(),
        state: z.enum(taskStates),
        priority: z.enum(priorities),
        updatedAt: time,
        lastExternalCommentAt: time,
        newComments: z.number(),
        blockedBy: z.array(z.string()).readonly(),
      }),
    )
    .readonly()
    .optional()
    .describe("Open tasks, what to do first at the front: inbox."),
  problems: z.array(z.string()).readonly().optional().describe("Tasks that are left out, and why: inbox."),
  context: z
    .object({
      ...brief.shape,
      state: z.enum(taskStates),
      priority: z.enum(priorities),
      assignee: text,
      updatedAt: time,
      check: text,
      description: text.describe("Null where the agent's session has it already."),
      parents: z.array(brief).readonly(),
      blockedBy: z.array(brief).readonly(),
      children: z.object({ open: z.number(), done: z.number() }),
      changes: z.array(z.string()).readonly().describe("Since the agent saw it last."),
      comments: z.object({ total: z.number(), new: z.number(), lastExternalAt: time }),
      lastWake: z.object({ at: z.number(), outcome: z.enum(wakeOutcomes), detail: text }).nullable(),
      next: z.enum(["comments", "digest", "nothing"]).describe("What to fetch next."),
    })
    .optional(),
  task: z
    .object({
      ...brief.shape,
      state: z.enum(taskStates),
      priority: z.enum(priorities),
      assignee: text,
      parent: text,
      blockedBy: z.array(z.string()),
      check: text,
      description: z.string(),
      updatedAt: time,
    })
    .optional()
    .describe("show"),
  comments: z.array(comment).readonly().optional().describe("The oldest first: comments, show."),
  mode: z.enum(["full", "delta", "summary"]).optional().describe("How much of the thread was fetched."),
  digest: z
    .object({
      ...brief.shape,
      state: z.enum(taskStates),
      check: text,
      description: z.string(),
      open: z.array(z.string()).readonly(),
      key: z.array(z.object({ author: z.string(), at: time, line: z.string() })).readonly(),
      last: z.array(comment).readonly(),
      authors: z.array(z.object({ author: z.string(), comments: z.number() })).readonly(),
      isWhole: z.boolean().describe("Whether it is the whole thread, as a summary would be no shorter."),
      leftOut: z
        .object({ comments: z.number(), lines: z.number(), characters: z.number() })
        .describe("Comments that are not shown in whole, older lines, and characters of the description."),
    })
    .optional(),
  written: z
    .object({ comment: text, state: z.enum(taskStates).nullable(), detail: text })
    .optional()
    .describe("comment, done, block"),
});
export type TaskJson = z.infer<typeof taskJson>;

/** Output of `purser wake … --json`. Members may be added; any other change changes `schema`. */
export const wakeJson = z.object({
  schema: z.literal(1),
  wakes: z.array(
    z.object({
      agent: z.string(),
      task: text,
      source: z.enum(wakeSources),
      reused: z.boolean(),
      reason: z.enum(wakeReasons),
      cause: z.enum(rotationCauses).nullable(),
      sessionId: text.describe("The session that it goes on with, or that it began."),
      plan: z
        .object({
          tokens: z.number().nullable().describe("Expected processing tokens; null where no wake is known."),
          most: z.number().describe("The wake's limit."),
          usd: z.number().nullable(),
          promptChars: z.number(),
        })
        .describe("As it was before anything was spent."),
      wake: wakeRow.nullable().describe("Null for a dry run."),
      said: z.array(z.string()).describe("What a person should know of it."),
    }),
  ),
  skipped: z
    .array(z.object({ agent: z.string(), reason: z.string(), detail: z.string() }))
    .describe("Agents that were not woken, and why."),
});
export type WakeJson = z.infer<typeof wakeJson>;
