import * as z from "zod/mini";
import { percent } from "./contexts.ts";
import { guardFamilies, guardModes } from "./guard-families.ts";

export { guardFamilies, guardModes, type GuardFamily, type GuardMode } from "./guard-families.ts";
export { protectingFamilies } from "./guard-families.ts";

/**
 * What happens beyond a limit: nothing, a warning to the agent and the user, or a denied call. The user
 * chooses.
 */
export const budgetModes = ["off", "warn", "hard"] as const;
export type BudgetMode = (typeof budgetModes)[number];

/**
 * User settings for hooks, budgets, messages and rules, applied by the service for all windows and terminals; see `settings/precedence.ts` for several places.
 */
export const guardShape = {
  /** Whether the agent is advised in its context to wrap up and to end its turn. */
  warnAgent: z
    .boolean()
    .check(
      z.describe(
        "Tell the agent and each subagent, in its context, when to wrap up and when to end its turn.",
      ),
    ),
  /**
   * What happens when an agent stops with room and open work, or with little room: nothing, a notice to the
   * user, or one question to the agent.
   */
  stopGate: z
    .enum(["off", "advise", "ask"])
    .check(
      z.describe(
        "When an agent stops with open work and room left, or with little room: do nothing, tell you, or ask the agent once.",
      ),
    ),
  /** Below this share of the window the stop gate asks the agent to sum up. Percent. */
  sumUpBelow: percent.check(
    z.describe("The stop gate asks for a summary below this percentage of the context window left."),
  ),
  /**
   * Whether warnings to the agent repeat figures that the agent shows its model itself: `auto` only if it
   * does not, always, or never.
   */
  totalTokensReminder: z
    .enum(["auto", "always", "never"])
    .check(
      z.describe(
        "Include figures in warnings to the agent. auto leaves them out if the agent reports its remaining context itself.",
      ),
    ),
  /** Number of tool calls between checks of the context, for agents that do not report batches of tools. */
  warnEveryCalls: z
    .int()
    .check(
      z.minimum(1),
      z.maximum(1000),
      z.describe(
        "Check the context again after this many tool calls, for agents that do not report batches of calls.",
      ),
    ),
  /** Whether the user is shown where the tokens went at the end of a costly turn. */
  tellCostlyTurns: z
    .boolean()
    .check(
      z.describe(
        "At the end of a turn that used more tokens than three of four of the agent's turns, say where they went.",
      ),
    ),
  /** What happens beyond a budget's limit. */
  budgets: z
    .enum(budgetModes)
    .check(z.describe("When a budget's limit is passed: do nothing, warn, or deny the call.")),
  /** Whether the user is asked before agents of a team message each other. */
  messages: z
    .enum(["off", "ask"])
    .check(z.describe("Send messages between agents of a team at once, or hold them until you approve.")),
  /** Whether rules found in costly runs are approved for measuring without asking. */
  rulesAutoApprove: z
    .boolean()
    .check(z.describe("Approve rules from expensive runs for measuring, without asking you.")),
  /** Whether a rule that passed goes into its agent's memory without asking. */
  rulesAutoActivate: z
    .boolean()
    .check(z.describe("Add rules that are shown to save to their agent's memory, without asking you.")),
  /** Whether the user's own agent is asked about each costly run, once. */
  rulesAskModel: z
    .boolean()
    .check(
      z.describe("Ask your own Claude Code, once for each expensive run, which rules would have helped."),
    ),
  /**
   * Whether Claude Code posts its hooks if possible: `auto` if no other user could take the service's port,
   * always, or never.
   */
  hookPosting: z
    .enum(["auto", "always", "never"])
    .check(
      z.describe(
        "Let Claude Code post its hooks (about a millisecond) instead of starting a process for each. auto: only if nobody else can log in to this machine.",
      ),
    ),
  /** Whether guard rules on agents' tool calls act. */
  guardMode: z
    .enum(guardModes)
    .check(
      z.describe(
        "Guard rules on agents' tool calls. observe changes nothing, and records what the rules would do.",
      ),
    ),
  /** Modes of single families, which count before the mode of all. */
  guardFamilies: z
    .partialRecord(z.enum(guardFamilies), z.enum(guardModes))
    .check(z.describe("Modes of single families of guard rules. They override guardMode.")),
  /**
   * Whether outputs are shortened if another hook of Claude Code may replace them too. Of two answers the
   * later one wins.
   */
  guardOutputsBesideHooks: z
    .boolean()
    .check(
      z.describe(
        "Shorten outputs even if another hook of Claude Code may replace them too. The later answer wins.",
      ),
    ),
  /** Whether calls with unbounded output get a limit, if the family waste is on. */
  guardAddLimits: z
    .boolean()
    .check(
      z.describe(
        "Add a limit to calls without one, such as `git log`, while guard rules on waste are on. The agent is told.",
      ),
    ),
  /** Whether installing hooks installs the status line as well. */
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

/** Tests whether any family of guard rules acts in sessions without settings of their own. */
export function isGuarding({
  guardMode,
  guardFamilies: own,
}: Pick<GuardSettings, "guardMode" | "guardFamilies">): boolean {
  return guardFamilies.some((family) => (own[family] ?? guardMode) === "on");
}
