import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { rotationCauses, wakeOutcomes, wakeReasons, wakeRow, wakeSources } from "../../ledger/woken.ts";
import { idleReasons, wakers, priorities, taskStates } from "../../recurring/agents.ts";

const text = z.nullable(z.string());
const time = described(z.nullable(z.number()), "Milliseconds since the epoch.");

const fault = z.object({ line: z.number(), message: sentenceSchema });

const listedAgent = z.object({
  name: z.string(),
  file: z.string(),
  faults: described(z.array(fault), "What is wrong with its file; empty for one that can be woken."),
  program: text,
  model: text,
  schedule: text,
  nextWake: time,
  isAgreed: described(z.boolean(), "Whether it may run unattended as its file is now."),
  isRunning: z.boolean(),
  wokenBy: described(
    z.enum(wakers),
    "Who wakes it by its schedule; person: it has none. cron: as it did lately.",
  ),
  longestSession: described(
    z.nullable(
      z.object({
        turns: z.number(),
        from: z.enum(["file", "learned", "default"]),
        wakes: described(z.nullable(z.number()), "Wakes that it was learned from; null where it was not."),
        sessions: z.nullable(z.number()),
      }),
    ),
    "Responses after which its session is replaced; null for a faulty file.",
  ),
  notWoken: described(z.nullable(z.enum(idleReasons)), "Why nobody wakes it; null where somebody does."),
  lastWake: z.nullable(
    z.object({ at: z.number(), outcome: z.enum(wakeOutcomes), detail: z.nullable(sentenceSchema) }),
  ),
  sessions: described(
    z.array(
      z.object({
        task: text,
        id: z.string(),
        wakes: z.number(),
        turns: z.number(),
        startedAt: z.number(),
        lastAt: z.number(),
      }),
    ),
    "The sessions that its next wakes go on with, by task.",
  ),
});
export type ListedAgent = z.infer<typeof listedAgent>;

export const agentJson = z.object({
  schema: z.literal(1),
  project: z.string(),
  agents: z.array(listedAgent),
  wakes: described(z.optional(z.array(wakeRow)), "Its last wakes, the newest first: show."),
});
export type AgentJson = z.infer<typeof agentJson>;

const comment = z.object({ id: z.string(), author: z.string(), at: time, text: z.string() });
const brief = z.object({ id: z.string(), title: z.string(), state: z.nullable(z.enum(taskStates)) });

export const taskJson = z.object({
  schema: z.literal(1),
  inbox: described(
    z.optional(
      z.readonly(
        z.array(
          z.object({
            id: z.string(),
            title: z.string(),
            state: z.enum(taskStates),
            priority: z.enum(priorities),
            updatedAt: time,
            lastExternalCommentAt: time,
            newComments: z.number(),
            blockedBy: z.readonly(z.array(z.string())),
          }),
        ),
      ),
    ),
    "Open tasks, what to do first at the front: inbox.",
  ),
  problems: described(
    z.optional(z.readonly(z.array(sentenceSchema))),
    "Tasks that are left out, and why: inbox.",
  ),
  context: z.optional(
    z.object({
      ...brief.shape,
      state: z.enum(taskStates),
      priority: z.enum(priorities),
      assignee: text,
      updatedAt: time,
      check: text,
      description: described(text, "Null where the agent's session has it already."),
      parents: z.readonly(z.array(brief)),
      blockedBy: z.readonly(z.array(brief)),
      children: z.object({ open: z.number(), done: z.number() }),
      changes: described(z.readonly(z.array(z.string())), "Since the agent saw it last."),
      comments: z.object({ total: z.number(), new: z.number(), lastExternalAt: time }),
      lastWake: z.nullable(
        z.object({ at: z.number(), outcome: z.enum(wakeOutcomes), detail: z.nullable(sentenceSchema) }),
      ),
      next: described(z.enum(["comments", "digest", "nothing"]), "What to fetch next."),
    }),
  ),
  task: described(
    z.optional(
      z.object({
        ...brief.shape,
        state: z.enum(taskStates),
        priority: z.enum(priorities),
        assignee: text,
        parent: text,
        blockedBy: z.array(z.string()),
        check: text,
        description: z.string(),
        updatedAt: time,
      }),
    ),
    "show",
  ),
  comments: described(z.optional(z.readonly(z.array(comment))), "The oldest first: comments, show."),
  mode: described(z.optional(z.enum(["full", "delta", "summary"])), "How much of the thread was fetched."),
  digest: z.optional(
    z.object({
      ...brief.shape,
      state: z.enum(taskStates),
      check: text,
      description: z.string(),
      open: z.readonly(z.array(z.string())),
      key: z.readonly(z.array(z.object({ author: z.string(), at: time, line: z.string() }))),
      last: z.readonly(z.array(comment)),
      authors: z.readonly(z.array(z.object({ author: z.string(), comments: z.number() }))),
      isWhole: described(z.boolean(), "Whether it is the whole thread, as a summary would be no shorter."),
      leftOut: described(
        z.object({ comments: z.number(), lines: z.number(), characters: z.number() }),
        "Comments that are not shown in whole, older lines, and characters of the description.",
      ),
    }),
  ),
  written: described(
    z.optional(z.object({ comment: text, state: z.nullable(z.enum(taskStates)), detail: text })),
    "comment, done, block",
  ),
});
export type TaskJson = z.infer<typeof taskJson>;

export const wakeJson = z.object({
  schema: z.literal(1),
  wakes: z.array(
    z.object({
      agent: z.string(),
      task: text,
      source: z.enum(wakeSources),
      reused: z.boolean(),
      reason: z.enum(wakeReasons),
      cause: z.nullable(z.enum(rotationCauses)),
      sessionId: described(text, "The session that it goes on with, or that it began."),
      plan: described(
        z.object({
          tokens: described(
            z.nullable(z.number()),
            "Expected processing tokens; null where no wake is known.",
          ),
          most: described(z.number(), "The wake's limit."),
          usd: z.nullable(z.number()),
          promptChars: z.number(),
        }),
        "As it was before anything was spent.",
      ),
      wake: described(z.nullable(wakeRow), "Null for a dry run."),
      said: described(z.array(sentenceSchema), "What a person should know of it."),
    }),
  ),
  skipped: described(
    z.array(z.object({ agent: z.string(), reason: z.string(), detail: sentenceSchema })),
    "Agents that were not woken, and why.",
  ),
});
export type WakeJson = z.infer<typeof wakeJson>;
