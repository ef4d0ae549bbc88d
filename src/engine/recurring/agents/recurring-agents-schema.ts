import * as z from "zod/mini";
import { handoverWords } from "../../continuity/handover.ts";
import { sentence } from "../../base/language.ts";

/** Tools that most recurring work needs. Each further tool is sent with every request. */
export const usualTools = ["Bash", "Read", "Edit", "Write"] as const;

/** Defaults of a wake: processing tokens, responses of the main chain, and minutes. */
const usualLimits = { tokens: 500_000, turns: 60, minutes: 30 } as const;

const name = z
  .string({ error: ({ input }) => (input === undefined ? sentence("it is missing").text : undefined) })
  .check(z.minLength(1), z.maxLength(200));
const names = z.array(name).check(z.maxLength(200));
const prompt = z.string().check(z.maxLength(50_000));
const tokens = z.int().check(z.positive(), z.maximum(1_000_000_000));

/** Such as `90m`, `12h` or `7d`. */
const duration = z
  .string()
  .check(z.regex(/^[1-9]\d{0,4}[mhd]$/u, sentence("must be a time such as 90m, 12h or 7d").text));

const permissions = z
  .strictObject({
    allow: z
      ._default(names, [])
      .check(
        z.describe(
          "Tools and commands it may use without asking beyond those of a benchmark run, in Claude Code's or Copilot's own form, such as Bash(git commit:*).",
        ),
      ),
    network: z._default(z.boolean(), false).check(z.describe("Codex only: lets commands reach the network.")),
  })
  .check(z.describe("What it may do beyond what a benchmark run may do."));

const budget = z
  .strictObject({
    wake: z
      ._default(tokens, usualLimits.tokens)
      .check(z.describe("Most processing tokens of one wake: input, output and cache writes.")),
    day: z.optional(tokens).check(z.describe("Most processing tokens of all wakes of one day (UTC).")),
    turns: z
      ._default(z.int().check(z.positive(), z.maximum(1000)), usualLimits.turns)
      .check(z.describe("Most responses of one wake.")),
    minutes: z
      ._default(z.int().check(z.positive(), z.maximum(720)), usualLimits.minutes)
      .check(z.describe("Longest time of one wake.")),
  })
  .check(z.describe("Limits of what it may spend."));

const rotation = z
  .strictObject({
    turns: z
      .optional(z.int().check(z.positive(), z.maximum(100_000)))
      .check(z.describe("Responses in one session.")),
    input: z
      .optional(tokens)
      .check(
        z.describe("Normalized input tokens of one wake; without it, the session's own average decides."),
      ),
    age: z.optional(duration).check(z.describe("Age of a session, such as 12h or 7d.")),
    cacheHits: z
      .optional(z.number().check(z.minimum(0), z.maximum(1)))
      .check(z.describe("Share of input that the last wakes read from the cache, from 0 to 1.")),
  })
  .check(z.describe("When its session is replaced by a new one that starts with a summary of its work."));

const commandSource = z.strictObject({
  command: z
    .array(z.string().check(z.minLength(1), z.maxLength(4096)))
    .check(z.minLength(1), z.maxLength(50), z.describe("A program and its arguments.")),
  seconds: z
    ._default(z.int().check(z.positive(), z.maximum(300)), 30)
    .check(z.describe("How long it may take to answer.")),
});

export const definitionHead = z.strictObject({
  program: z.enum(handoverWords).check(z.describe("The agent's program.")),
  model: name.check(z.describe("The model, by the program's own name for it.")),
  folder: z
    ._default(z.string().check(z.minLength(1), z.maxLength(4096)), ".")
    .check(z.describe("Where it works, relative to the project; the project itself if left out.")),
  bootstrap: z
    .optional(prompt)
    .check(
      z.describe(
        "What only a new session is told. The text below the head says the same, and is easier to write.",
      ),
    ),
  wake: z
    ._default(prompt, "")
    .check(z.describe("What each wake is told. Keep it short and constant: what changes is added after it.")),
  skills: z
    ._default(z.union([z.literal("all"), names]), [])
    .check(z.describe("Skills it may use, by name, or all.")),
  mcp: z._default(names, []).check(z.describe("MCP servers it may use, by name.")),
  instructions: z
    ._default(z.enum(["all", "none"]), "all")
    .check(z.describe("Whether CLAUDE.md, AGENTS.md and the like are read.")),
  tools: z
    ._default(z.union([z.literal("all"), names]), [...usualTools])
    .check(z.describe("Tools it is offered, in Claude Code's names, or all.")),
  permissions: z._default(permissions, { allow: [], network: false }),
  budget: z._default(budget, {
    wake: usualLimits.tokens,
    turns: usualLimits.turns,
    minutes: usualLimits.minutes,
  }),
  rotation: z._default(rotation, {}),
  schedule: z
    .optional(z.string().check(z.minLength(1), z.maxLength(200)))
    .check(z.describe("When to wake it: a cron expression, such as */30 8-18 * * 1-5.")),
  timezone: z
    .optional(name)
    .check(z.describe("The schedule's time zone, such as Europe/Berlin; the machine's if left out.")),
  cache: z
    ._default(z.enum(["auto", "5m", "1h"]), "auto")
    .check(
      z.describe(
        "Claude Code only: how long the prompt cache lives. auto takes 1h where wakes are 5 to 60 minutes apart.",
      ),
    ),
  tasks: z
    ._default(z.union([z.literal("folder"), commandSource]), "folder")
    .check(
      z.describe(
        "Where its tasks are: the files in .purser/tasks, or a command that answers as media/tasks/README.md says.",
      ),
    ),
});
export type DefinitionHead = z.output<typeof definitionHead>;
