import * as z from "zod/mini";
import { described } from "../../base/sentence-schema.ts";
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

const permissions = described(
  z.strictObject({
    allow: described(
      z._default(names, []),
      "Tools and commands it may use without asking beyond those of a benchmark run, in Claude Code's or Copilot's own form, such as Bash(git commit:*).",
    ),
    network: described(z._default(z.boolean(), false), "Codex only: lets commands reach the network."),
  }),
  "What it may do beyond what a benchmark run may do.",
);

const budget = described(
  z.strictObject({
    wake: described(
      z._default(tokens, usualLimits.tokens),
      "Most processing tokens of one wake: input, output and cache writes.",
    ),
    day: described(z.optional(tokens), "Most processing tokens of all wakes of one day (UTC)."),
    turns: described(
      z._default(z.int().check(z.positive(), z.maximum(1000)), usualLimits.turns),
      "Most responses of one wake.",
    ),
    minutes: described(
      z._default(z.int().check(z.positive(), z.maximum(720)), usualLimits.minutes),
      "Longest time of one wake.",
    ),
  }),
  "Limits of what it may spend.",
);

const rotation = described(
  z.strictObject({
    turns: described(
      z.optional(z.int().check(z.positive(), z.maximum(100_000))),
      "Responses in one session.",
    ),
    input: described(
      z.optional(tokens),
      "Normalized input tokens of one wake; without it, the session's own average decides.",
    ),
    age: described(z.optional(duration), "Age of a session, such as 12h or 7d."),
    cacheHits: described(
      z.optional(z.number().check(z.minimum(0), z.maximum(1))),
      "Share of input that the last wakes read from the cache, from 0 to 1.",
    ),
  }),
  "When its session is replaced by a new one that starts with a summary of its work.",
);

const commandSource = z.strictObject({
  command: described(
    z.array(z.string().check(z.minLength(1), z.maxLength(4096))).check(z.minLength(1), z.maxLength(50)),
    "A program and its arguments.",
  ),
  seconds: described(
    z._default(z.int().check(z.positive(), z.maximum(300)), 30),
    "How long it may take to answer.",
  ),
});

export const definitionHead = z.strictObject({
  program: described(z.enum(handoverWords), "The agent's program."),
  model: described(name, "The model, by the program's own name for it."),
  folder: described(
    z._default(z.string().check(z.minLength(1), z.maxLength(4096)), "."),
    "Where it works, relative to the project; the project itself if left out.",
  ),
  bootstrap: described(
    z.optional(prompt),
    "What only a new session is told. The text below the head says the same, and is easier to write.",
  ),
  wake: described(
    z._default(prompt, ""),
    "What each wake is told. Keep it short and constant: what changes is added after it.",
  ),
  skills: described(
    z._default(z.union([z.literal("all"), names]), []),
    "Skills it may use, by name, or all.",
  ),
  mcp: described(z._default(names, []), "MCP servers it may use, by name."),
  instructions: described(
    z._default(z.enum(["all", "none"]), "all"),
    "Whether CLAUDE.md, AGENTS.md and the like are read.",
  ),
  tools: described(
    z._default(z.union([z.literal("all"), names]), [...usualTools]),
    "Tools it is offered, in Claude Code's names, or all.",
  ),
  permissions: z._default(permissions, { allow: [], network: false }),
  budget: z._default(budget, {
    wake: usualLimits.tokens,
    turns: usualLimits.turns,
    minutes: usualLimits.minutes,
  }),
  rotation: z._default(rotation, {}),
  schedule: described(
    z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    "When to wake it: a cron expression, such as */30 8-18 * * 1-5.",
  ),
  timezone: described(
    z.optional(name),
    "The schedule's time zone, such as Europe/Berlin; the machine's if left out.",
  ),
  cache: described(
    z._default(z.enum(["auto", "5m", "1h"]), "auto"),
    "Claude Code only: how long the prompt cache lives. auto takes 1h where wakes are 5 to 60 minutes apart.",
  ),
  tasks: described(
    z._default(z.union([z.literal("folder"), commandSource]), "folder"),
    "Where its tasks are: the files in .purser/tasks, or a command that answers as media/tasks/README.md says.",
  ),
});
export type DefinitionHead = z.output<typeof definitionHead>;
