import * as z from "zod";
import { handoverWords } from "../../continuity/handover/launch.ts";
import { english } from "../../base/text/english.ts";

/** The head of a recurring agent's file, `.purser/agents/NAME.md`. */

/** Tools that most recurring work needs. Each further tool is sent with every request. */
export const usualTools = ["Bash", "Read", "Edit", "Write"] as const;

/** Default limits of a wake: processing tokens, responses of the main chain, and minutes. */
const usualLimits = { tokens: 500_000, turns: 60, minutes: 30 } as const;

const name = z
  .string({ error: ({ input }) => (input === undefined ? english("it is missing") : undefined) })
  .min(1)
  .max(200);
const names = z.array(name).max(200);
const prompt = z.string().max(50_000);
const tokens = z.int().positive().max(1_000_000_000);

/** A length of time such as `90m`, `12h` or `7d`. */
const duration = z.string().regex(/^[1-9]\d{0,4}[mhd]$/u, english("must be a time such as 90m, 12h or 7d"));

const permissions = z
  .strictObject({
    allow: names
      .default([])
      .describe(
        "Tools and commands it may use without asking beyond those of a benchmark run, in Claude Code's or Copilot's own form, such as Bash(git commit:*).",
      ),
    network: z.boolean().default(false).describe("Codex only: lets commands reach the network."),
  })
  .describe("What it may do beyond what a benchmark run may do.");

const budget = z
  .strictObject({
    wake: tokens
      .default(usualLimits.tokens)
      .describe("Most processing tokens of one wake: input, output and cache writes."),
    day: tokens.optional().describe("Most processing tokens of all wakes of one day (UTC)."),
    turns: z.int().positive().max(1000).default(usualLimits.turns).describe("Most responses of one wake."),
    minutes: z.int().positive().max(720).default(usualLimits.minutes).describe("Longest time of one wake."),
  })
  .describe("Limits of what it may spend.");

const rotation = z
  .strictObject({
    turns: z.int().positive().max(100_000).optional().describe("Responses in one session."),
    input: tokens
      .optional()
      .describe("Normalized input tokens of one wake; without it, the session's own average decides."),
    age: duration.optional().describe("Age of a session, such as 12h or 7d."),
    cacheHits: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe("Share of input that the last wakes read from the cache, from 0 to 1."),
  })
  .describe("When its session is replaced by a new one that starts with a summary of its work.");

const commandSource = z.strictObject({
  command: z.array(z.string().min(1).max(4096)).min(1).max(50).describe("A program and its arguments."),
  seconds: z.int().positive().max(300).default(30).describe("How long it may take to answer."),
});

export const definitionHead = z.strictObject({
  program: z.enum(handoverWords).describe("The agent's program."),
  model: name.describe("The model, by the program's own name for it."),
  folder: z
    .string()
    .min(1)
    .max(4096)
    .default(".")
    .describe("Where it works, relative to the project; the project itself if left out."),
  bootstrap: prompt
    .optional()
    .describe(
      "What only a new session is told. The text below the head says the same, and is easier to write.",
    ),
  wake: prompt
    .default("")
    .describe("What each wake is told. Keep it short and constant: what changes is added after it."),
  skills: z
    .union([z.literal("all"), names])
    .default([])
    .describe("Skills it may use, by name, or all."),
  mcp: names.default([]).describe("MCP servers it may use, by name."),
  instructions: z
    .enum(["all", "none"])
    .default("all")
    .describe("Whether CLAUDE.md, AGENTS.md and the like are read."),
  tools: z
    .union([z.literal("all"), names])
    .default([...usualTools])
    .describe("Tools it is offered, in Claude Code's names, or all."),
  permissions: permissions.default({ allow: [], network: false }),
  budget: budget.default({
    wake: usualLimits.tokens,
    turns: usualLimits.turns,
    minutes: usualLimits.minutes,
  }),
  rotation: rotation.default({}),
  schedule: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("When to wake it: a cron expression, such as */30 8-18 * * 1-5."),
  timezone: name
    .optional()
    .describe("The schedule's time zone, such as Europe/Berlin; the machine's if left out."),
  cache: z
    .enum(["auto", "5m", "1h"])
    .default("auto")
    .describe(
      "Claude Code only: how long the prompt cache lives. auto takes 1h where wakes are 5 to 60 minutes apart.",
    ),
  tasks: z
    .union([z.literal("folder"), commandSource])
    .default("folder")
    .describe(
      "Where its tasks are: the files in .purser/tasks, or a command that answers as media/tasks/README.md says.",
    ),
});
export type DefinitionHead = z.output<typeof definitionHead>;
