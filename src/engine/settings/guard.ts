import * as z from "zod/mini";
import { described } from "../base/sentence-schema.ts";

/** Do nothing, record what rules would do, or act. */
export const guardModes = ["off", "observe", "on"] as const;
export type GuardMode = (typeof guardModes)[number];

/** A family's own mode. `required`: on, and a call that could not be judged does not pass in silence. */
export const familyModes = [...guardModes, "required"] as const;
export type FamilyMode = (typeof familyModes)[number];

export const guardFamilies = [
  "safety",
  "secrets",
  "protect",
  "facts",
  "waste",
  "output",
  "loops",
  "verification",
  "learned",
] as const;
export type GuardFamily = (typeof guardFamilies)[number];

/** They prevent what cannot be made good again. */
export const protectingFamilies = ["safety", "secrets", "protect"] as const satisfies readonly GuardFamily[];

/** Only families that stop calls can be required: the others advise. */
export function canBeRequired(family: string): boolean {
  return protectingFamilies.some((each) => each === family);
}

/** A trial may have them only observe in some sessions: what they miss costs tokens, and does no harm. */
export const triedFamilies = [
  "output",
  "waste",
  "loops",
  "facts",
  "learned",
  "continuity",
  "advice",
] as const satisfies readonly (GuardFamily | "continuity" | "advice")[];
export type TriedFamily = (typeof triedFamilies)[number];

export function isTriedFamily(family: string): family is TriedFamily {
  return triedFamilies.some((each) => each === family);
}

/** Beyond a limit: nothing, a warning to the agent and the user, or a denied call. */
export const budgetModes = ["off", "warn", "hard"] as const;
export type BudgetMode = (typeof budgetModes)[number];

/** Applied by the service for all windows and terminals; see `precedence.ts`. */
export const guardShape = {
  warnAgent: described(
    z.boolean(),
    "Tell the agent and each subagent, in its context, when to wrap up and when to end its turn.",
  ),
  stopGate: described(
    z.enum(["off", "advise", "ask"]),
    "When an agent stops with open work and room left, or with little room: do nothing, tell you, or ask the agent once.",
  ),
  totalTokensReminder: described(
    z.enum(["auto", "always", "never"]),
    "Include figures in warnings to the agent. auto leaves them out if the agent reports its remaining context itself.",
  ),
  warnEveryCalls: described(
    z.int().check(z.minimum(1), z.maximum(1000)),
    "Check the context again after this many tool calls, for agents that do not report batches of calls.",
  ),
  tellCostlyTurns: described(
    z.boolean(),
    "At the end of a turn that used more tokens than three of four of the agent's turns, say where they went.",
  ),
  budgets: described(
    z.enum(budgetModes),
    "When a budget's limit is passed: do nothing, warn, or deny the call.",
  ),
  messages: described(
    z.enum(["off", "ask"]),
    "Send messages between agents of a team at once, or hold them until you approve.",
  ),
  rulesAutoApprove: described(
    z.boolean(),
    "Approve rules from expensive runs for measuring, without asking you.",
  ),
  rulesAutoActivate: described(
    z.boolean(),
    "Add rules that are shown to save to their agent's memory, without asking you.",
  ),
  rulesAskModel: described(
    z.boolean(),
    "Ask your own Claude Code, once for each expensive run, which rules would have helped.",
  ),
  hookPosting: described(
    z.enum(["auto", "always", "never"]),
    "Let Claude Code post its hooks (about a millisecond) instead of starting a process for each. auto: only if nobody else can log in to this machine.",
  ),
  guardMode: described(
    z.enum(guardModes),
    "Guard rules on agents' tool calls. observe changes nothing, and records what the rules would do.",
  ),
  guardFamilies: described(
    z
      .partialRecord(z.enum(guardFamilies), z.enum(familyModes))
      .check(
        z.refine((modes) =>
          Object.entries(modes).every(([family, mode]) => mode !== "required" || canBeRequired(family)),
        ),
      ),
    "Modes of single families of guard rules. They override guardMode. required, for safety, secrets and protect: on, and a call that could not be judged is asked about or blocked.",
  ),
  guardOutputsBesideHooks: described(
    z.boolean(),
    "Shorten outputs even if another hook of Claude Code may replace them too. The later answer wins.",
  ),
  guardAddLimits: described(
    z.boolean(),
    "Add a limit to calls without one, such as `git log`, while guard rules on waste are on. The agent gets a note.",
  ),
  statusLine: described(
    z.boolean(),
    "With `purser hooks install`, also let the agent's status line report its own figures.",
  ),
};

export type GuardSettings = Readonly<z.infer<z.ZodMiniObject<typeof guardShape>>>;

export const defaultGuardSettings: GuardSettings = {
  warnAgent: true,
  stopGate: "off",
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

export type GuardModes = Pick<GuardSettings, "guardMode" | "guardFamilies">;

/** A family's mode for its rules, which act the same whether it is required or only on. */
export function modeOf(family: GuardFamily, { guardMode, guardFamilies: own }: GuardModes): GuardMode {
  const mode = own[family] ?? guardMode;
  return mode === "required" ? "on" : mode;
}

/** In sessions without settings of their own. */
export function isGuarding(modes: GuardModes): boolean {
  return guardFamilies.some((family) => modeOf(family, modes) === "on");
}

/** Whether a call must not pass if it could not be judged. */
export function isRequired({ guardFamilies: own }: Pick<GuardModes, "guardFamilies">): boolean {
  return guardFamilies.some((family) => own[family] === "required");
}
