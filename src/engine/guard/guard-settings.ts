import * as z from "zod";
import { budgetModes } from "../budget/budget-mode.ts";

/**
 * What a user may set of hooks, budgets, messages and rules. The service follows it for all windows and terminals:
 * `~/.purser/settings.json` holds it, and what a window's user set in the editor goes before that (see `service/settings-keeper.ts`).
 */
const shape = {
  /** What happens when an agent stops with room and open work: nothing, the user is told, or the agent is asked once. */
  stopGate: z
    .enum(["off", "advise", "ask"])
    .describe(
      "When an agent stops with room left and open work: nothing, tell the user, or ask the agent once.",
    ),
  /** Whether warnings to the agent repeat figures that the agent tells itself of: where it does not, always, or never. */
  totalTokensReminder: z
    .enum(["auto", "always", "never"])
    .describe(
      "Whether warnings to the agent have figures: auto leaves them out where the agent's own notes tell what is left in its context.",
    ),
  /** Where the agent does not tell of batches of tools, its context is looked at every so many calls. */
  warnEveryCalls: z
    .int()
    .min(1)
    .max(1000)
    .describe("Tool calls after which an agent may be warned that does not tell of batches of tools."),
  /** What is done when a budget is passed. */
  budgets: z
    .enum(budgetModes)
    .describe("When a token budget's hard limit is passed: nothing, a warning, or the call is denied."),
  /** Whether the user is asked before agents of a team write to each other. */
  messages: z
    .enum(["off", "ask"])
    .describe("Messages between agents of a team: sent as they are, or held until you approve them."),
  /** Whether what a costly run shows becomes a rule to be measured without asking. */
  rulesAutoApprove: z
    .boolean()
    .describe("Whether rules that come of costly runs are approved for measuring without asking you."),
  /** Whether a rule that passed becomes part of its agent's memory without asking. */
  rulesAutoActivate: z
    .boolean()
    .describe("Whether rules that are shown to save go into their agent's memory without asking you."),
  /** Whether the user's own agent is asked about a costly run, once. */
  rulesAskModel: z
    .boolean()
    .describe(
      "Whether your own Claude Code is asked, once for each costly run, what rules would have helped.",
    ),
  /** Whether Claude Code posts its hooks where it can: where nobody else could take the service's port, always, or never. */
  hookPosting: z
    .enum(["auto", "always", "never"])
    .describe(
      "Whether Claude Code posts its hooks, which takes less than a millisecond instead of a process each: auto where nobody else can log in to this machine, always, or never.",
    ),
  /** Whether installing hooks installs the status line as well. */
  statusLine: z
    .boolean()
    .describe("Whether `purser hooks install` also has the agent's status line tell purser its own figures."),
};

const whole = z.object(shape);
export type GuardSettings = z.infer<typeof whole>;

export const defaultGuardSettings: GuardSettings = {
  stopGate: "off",
  totalTokensReminder: "auto",
  warnEveryCalls: 5,
  budgets: "warn",
  messages: "ask",
  rulesAutoApprove: false,
  rulesAutoActivate: false,
  rulesAskModel: false,
  hookPosting: "auto",
  statusLine: false,
};

/** What one place sets: the rest is as elsewhere. */
export const toldGuardSettings = whole.partial();
export type ToldGuardSettings = z.infer<typeof toldGuardSettings>;

/** A file's settings. A value that is none is left out and named, so that a typing error takes nothing else with it. */
export function readGuardSettings(value: unknown): {
  readonly settings: ToldGuardSettings;
  readonly problems: readonly string[];
} {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { settings: {}, problems: ["it is no object"] };
  const problems: string[] = [];
  const good: Record<string, unknown> = {};
  for (const [name, told] of Object.entries<unknown>({ ...value })) {
    if (name === "$schema") continue;
    if (!Object.hasOwn(shape, name))
      problems.push(`there is no setting ${JSON.stringify(name.slice(0, 60))}`);
    else if (toldGuardSettings.safeParse({ [name]: told }).success) good[name] = told;
    else problems.push(`${name} cannot be ${JSON.stringify([told]).slice(1, -1).slice(0, 60)}`);
  }
  return { settings: toldGuardSettings.parse(good), problems };
}

/** The later ones go before. */
export function settled(...told: readonly ToldGuardSettings[]): GuardSettings {
  return told.reduce<GuardSettings>((sum, each) => ({ ...sum, ...withoutGaps(each) }), defaultGuardSettings);
}

/** A member that is there without a value sets nothing. */
function withoutGaps(told: ToldGuardSettings): Partial<GuardSettings> {
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}

/** What `~/.purser/settings.json` may hold, for editors. */
export const settingsFile = toldGuardSettings
  .extend({ $schema: z.string().optional() })
  .meta({ title: "Settings of purser's service: ~/.purser/settings.json" });
