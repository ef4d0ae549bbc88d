import * as z from "zod";
import { budgetModes } from "./budget-mode.ts";
import { percent } from "./contexts.ts";
import { guardFamilies, guardModes } from "./guard-families.ts";

export { guardFamilies, guardModes, type GuardFamily, type GuardMode } from "./guard-families.ts";

/**
 * User settings for hooks, budgets, messages and rules, applied by the service for all windows and terminals; see `settings/precedence.ts` for several places.
 */
export const guardShape = {
  /** Whether the agent is told in its own context when to wrap up and when to end its turn. */
  warnAgent: z
    .boolean()
    .describe("Whether the agent, and each of its subagents, is told in its context when to wrap up or end."),
  /** What happens when an agent stops with room and open work, or with little left: nothing, the user is notified, or the agent is asked once. */
  stopGate: z
    .enum(["off", "advise", "ask"])
    .describe(
      "When an agent stops with room left and open work, or with little left: nothing, tell the user, or ask the agent once.",
    ),
  /** Below this share of the window the stop gate asks the agent to sum up. Percent. */
  sumUpBelow: percent.describe(
    "Percent of the context window left below which the stop gate asks the agent to stop and sum up.",
  ),
  /** Whether warnings to the agent repeat figures that the agent shows its model itself: `auto` only where it does not, always, or never. */
  totalTokensReminder: z
    .enum(["auto", "always", "never"])
    .describe(
      "Whether warnings to the agent have figures: auto leaves them out where the agent's own notes tell what is left in its context.",
    ),
  /** Number of tool calls between checks of the context, for agents that do not report batches of tools. */
  warnEveryCalls: z
    .int()
    .min(1)
    .max(1000)
    .describe("Tool calls after which an agent may be warned that does not tell of batches of tools."),
  /** Whether the user is notified at the end of a costly turn of where its tokens went. */
  tellCostlyTurns: z
    .boolean()
    .describe(
      "Whether you are told, at the end of a turn that took more than three of four of its agent's turns, where its tokens went.",
    ),
  /** What happens when a budget is passed. */
  budgets: z
    .enum(budgetModes)
    .describe("When a token budget's hard limit is passed: nothing, a warning, or the call is denied."),
  /** Whether the user is asked before agents of a team message each other. */
  messages: z
    .enum(["off", "ask"])
    .describe("Messages between agents of a team: sent as they are, or held until you approve them."),
  /** Whether rules found in costly runs are approved for measuring without asking. */
  rulesAutoApprove: z
    .boolean()
    .describe("Whether rules that come of costly runs are approved for measuring without asking you."),
  /** Whether a rule that passed goes into its agent's memory without asking. */
  rulesAutoActivate: z
    .boolean()
    .describe("Whether rules that are shown to save go into their agent's memory without asking you."),
  /** Whether the user's own agent is asked about each costly run, once. */
  rulesAskModel: z
    .boolean()
    .describe(
      "Whether your own Claude Code is asked, once for each costly run, what rules would have helped.",
    ),
  /** Whether Claude Code posts its hooks where it can: `auto` where nobody else could take the service's port, always, or never. */
  hookPosting: z
    .enum(["auto", "always", "never"])
    .describe(
      "Whether Claude Code posts its hooks, which takes about a millisecond instead of a process each: auto where nobody else can log in to this machine, always, or never.",
    ),
  /** Whether guard rules on agents' tool calls act. */
  guardMode: z
    .enum(guardModes)
    .describe(
      "Guard rules on agents' tool calls: off, observe (nothing is said or changed, what they would do is recorded), or on.",
    ),
  /** Modes of single families, which count before the mode of all. */
  guardFamilies: z
    .partialRecord(z.enum(guardFamilies), z.enum(guardModes))
    .describe("Modes of single families of guard rules, which count before the mode of all."),
  /** Whether outputs are made smaller where another hook of Claude Code's may replace them too; of two answers the later one wins. */
  guardOutputsBesideHooks: z
    .boolean()
    .describe(
      "Whether commands' outputs are made smaller although other hooks of Claude Code's may replace them too: the later answer wins.",
    ),
  /** Whether calls whose output is unbounded get a limit, where the family waste is on. */
  guardAddLimits: z
    .boolean()
    .describe(
      "Whether, with guard rules on waste on, a limit is added to calls without one, such as `git log`; the agent is told.",
    ),
  /** Whether installing hooks installs the status line as well. */
  statusLine: z
    .boolean()
    .describe("Whether `purser hooks install` also has the agent's status line tell purser its own figures."),
};

export type GuardSettings = Readonly<z.infer<z.ZodObject<typeof guardShape>>>;

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
