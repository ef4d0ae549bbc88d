import * as z from "zod/mini";

const word = z.string().check(z.maxLength(300), z.regex(/^[^-]/u, "must not begin with a hyphen"));
const text = z.string().check(z.minLength(1), z.maxLength(20_000));
const tokenCount = z.int().check(z.minimum(1), z.maximum(1_000_000_000_000));

/** Those of `purser usage`. */
const groupings = [
  "day",
  "session",
  "project",
  "model",
  "agent",
  "branch",
  "subagent",
  "tool",
  "skill",
  "server",
  "machine",
] as const;

export interface McpTool {
  /** For the model: every request of the agent's session pays for it. */
  readonly description: string;
  readonly input: z.ZodMiniObject;
  readonly changesSomething?: boolean;
}

/** The questions that agents may ask. */
export const mcpTools = {
  context: {
    description:
      "Context left in this session until compaction, advice (CONTINUE, WRAP_UP, END_TURN), and the price of ten more turns here or in a new session.",
    input: z.object({ session: z.optional(word) }),
  },
  usage: {
    description: "Tokens and list prices of past sessions in this project. Days: 2026-11-21, today, 7d.",
    input: z.object({
      by: z.optional(z.enum(groupings)),
      since: z.optional(word),
      everywhere: z.optional(z.boolean()),
    }),
  },
  why: {
    description: 'Why a day or a session ("current") cost what it did, and what would have saved most.',
    input: z.object({ of: z.optional(word) }),
  },
  budget_check: {
    description:
      "Do the user's budgets allow a call of this many tokens? With reserve, they are held as a lease.",
    input: z.object({
      tokens: tokenCount,
      agent: z.optional(word),
      reserve: z.optional(z.boolean()),
    }),
    changesSomething: true,
  },
  budget_settle: {
    description: "Settle a lease: record the tokens that were used, or free it without tokens.",
    input: z.object({ lease: word, tokens: z.optional(tokenCount), agent: z.optional(word) }),
    changesSomething: true,
  },
  guard: {
    description:
      "Which guard rules would stop this shell command, why, and what they allow instead. Runs nothing.",
    input: z.object({ command: text }),
  },
  resume: {
    description:
      "What the last session on this folder and branch left: goal, done, open, next step. Or of a given session.",
    input: z.object({ session: z.optional(word) }),
  },
  known_fix: {
    description: "How earlier sessions of this project got rid of an error.",
    input: z.object({ error: text }),
  },
  inbox: {
    description: "Open tasks of a recurring agent of this project, or one task and what is new in it.",
    input: z.object({ agent: z.optional(word), task: z.optional(word) }),
  },
} as const satisfies Readonly<Record<string, McpTool>>;

export type McpToolName = keyof typeof mcpTools;

/** An input that a tool's schema accepts. */
export type McpInput<Name extends McpToolName> = z.infer<(typeof mcpTools)[Name]["input"]>;
