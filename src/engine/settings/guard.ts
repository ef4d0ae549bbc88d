import * as z from "zod/mini";
import { percent } from "./contexts.ts";
import { guardFamilies, guardModes } from "./guard-families.ts";

export { guardFamilies, guardModes, type GuardFamily, type GuardMode } from "./guard-families.ts";
export { protectingFamilies } from "./guard-families.ts";

/** Beyond a limit: nothing, a warning to the agent and the user, or a denied call. */
export const budgetModes = ["off", "warn", "hard"] as const;
export type BudgetMode = (typeof budgetModes)[number];

/** Applied by the service for all windows and terminals; see `precedence.ts`. */
export const guardShape = {
  warnAgent: z
    .boolean()
    .check(
      z.describe(
        "Tell the agent and each subagent, in its context, when to wrap up and when to end its turn.",
      ),
    ),
  stopGate: z
    .enum(["off", "advise", "ask"])
    .check(
      z.describe(
        "When an agent stops with open work and room left, or with little room: do nothing, tell you, or ask the agent once.",
      ),
    ),
  sumUpBelow: percent.check(
    z.describe("The stop gate asks for a summary below this percentage of the context window left."),
  ),
  totalTokensReminder: z
    .enum(["auto", "always", "never"])
    .check(
      z.describe(
        "Include figures in warnings to the agent. auto leaves them out if the agent reports its remaining context itself.",
      ),
    ),
  warnEveryCalls: z
    .int()
    .check(
      z.minimum(1),
      z.maximum(1000),
      z.describe(
        "Check the context again after this many tool calls, for agents that do not report batches of calls.",
      ),
    ),
  tellCostlyTurns: z
    .boolean()
    .check(
      z.describe(
        "At the end of a turn that used more tokens than three of four of the agent's turns, say where they went.",
      ),
    ),
  budgets: z
    .enum(budgetModes)
    .check(z.describe("When a budget's limit is passed: do nothing, warn, or deny the call.")),
  messages: z
    .enum(["off", "ask"])
    .check(z.describe("Send messages between agents of a team at once, or hold them until you approve.")),
  rulesAutoApprove: z
    .boolean()
    .check(z.describe("Approve rules from expensive runs for measuring, without asking you.")),
  rulesAutoActivate: z
    .boolean()
    .check(z.describe("Add rules that are shown to save to their agent's memory, without asking you.")),
  rulesAskModel: z
    .boolean()
    .check(
      z.describe("Ask your own Claude Code, once for each expensive run, which rules would have helped."),
    ),
  hookPosting: z
    .enum(["auto", "always", "never"])
    .check(
      z.describe(
        "Let Claude Code post its hooks (about a millisecond) instead of starting a process for each. auto: only if nobody else can log in to this machine.",
      ),
    ),
  guardMode: z
    .enum(guardModes)
    .check(
      z.describe(
        "Guard rules on agents' tool calls. observe changes nothing, and records what the rules would do.",
      ),
    ),
  guardFamilies: z
    .partialRecord(z.enum(guardFamilies), z.enum(guardModes))
    .check(z.describe("Modes of single families of guard rules. They override guardMode.")),
  guardOutputsBesideHooks: z
    .boolean()
    .check(
      z.describe(
        "Shorten outputs even if another hook of Claude Code may replace them too. The later answer wins.",
      ),
    ),
  guardAddLimits: z
    .boolean()
    .check(
      z.describe(
        "Add a limit to calls without one, such as `git log`, while guard rules on waste are on. The agent is told.",
      ),
    ),
  statusLine: z
    .boolean()
    .check(
      z.describe("With `purser hooks install`, also let the agent's status line report its own figures."),
    ),
};

export type GuardSettings = Readonly<z.infer<z.ZodMiniObject<typeof guardShape>>>;

export const defaultGuardSettings: GuardSettings = {
  warnAgent: true,
  stopGate: "off",
  sumUpBelow: 20,
  totalTokensReminder: "auto",
  warnEveryCalls: 5,
  tellCostlyTurns: false,
  budgets: "warn",
  messages: "ask",
  rulesAutoApprove: false,
  rulesAutoActivate: false,
  rulesAskModel: false,
  hookPosting: "auto",
  guardMode: "observe",
  guardFamilies: {},
  guardOutputsBesideHooks: false,
  guardAddLimits: false,
  statusLine: false,
};

/** In sessions without settings of their own. */
export function isGuarding({
  guardMode,
  guardFamilies: own,
}: Pick<GuardSettings, "guardMode" | "guardFamilies">): boolean {
  return guardFamilies.some((family) => (own[family] ?? guardMode) === "on");
}
