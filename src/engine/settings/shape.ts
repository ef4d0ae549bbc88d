import * as z from "zod/mini";
import { described } from "../base/sentence-schema.ts";
import { contextShape, defaultContextSettings } from "./contexts.ts";
import { defaultGuardSettings, guardShape, type protectingFamilies, guardModes } from "./guard.ts";
import { sentence, type Sentence } from "../base/language.ts";

export type { ContextSettings } from "./contexts.ts";
export { windowSettings, type WindowSettings } from "./editor-window.ts";
export { mayBeHard, mayBeRequired } from "./may-be-hard.ts";

/** Nothing from the last session, an offer of its packet, or the packet itself. */
const startModes = ["off", "offer", "always"] as const;

const continuityShape = {
  continuityCompaction: described(
    z.enum(guardModes),
    "At a compaction: do nothing (off), record what it kept and lost (observe), or also tell the agent what to keep and what was lost (on).",
  ),
  continuityStart: described(
    z.enum(startModes),
    "Give a new session on the same project and branch nothing (off), one line on how to get the last session's resume packet (offer), or the packet (always).",
  ),
  continuityPackets: described(
    z.boolean(),
    "Store a session's resume packet in the ledger for 90 days: before compactions, every 20 prompts and at its end.",
  ),
  continuityPacketTokens: described(
    z.int().check(z.minimum(100), z.maximum(10_000)),
    "Maximum size of a resume packet. Tokens, estimated from its length.",
  ),
  continuityImproveWith: described(
    z.string().check(z.maxLength(100)),
    "Model that may summarize a handover in one call, such as claude-haiku-4-5. You start each call, and its highest price is shown first. Empty for none.",
  ),
};

export type ContinuitySettings = Readonly<z.infer<z.ZodMiniObject<typeof continuityShape>>>;
export type CompactionMode = ContinuitySettings["continuityCompaction"];
export type StartMode = ContinuitySettings["continuityStart"];

const defaultContinuitySettings: ContinuitySettings = {
  continuityCompaction: "on",
  continuityStart: "offer",
  continuityPackets: true,
  continuityPacketTokens: 1500,
  continuityImproveWith: "",
};

const wakesShape = {
  wakes: described(
    z.boolean(),
    "Let the service wake recurring agents by their schedule, which costs tokens. Only in folders that you trust, and only after you agreed to the agent's file.",
  ),
};

const defaultWakesSettings = { wakes: false };

const serviceShape = {
  idleMinutes: described(
    z.number().check(z.minimum(0)),
    "Minutes without a window, terminal or live session after which purser's service stops; 0 keeps it running. Read when the service starts. PURSER_IDLE_MINUTES overrides it.",
  ),
};

const defaultServiceSettings = { idleMinutes: 30 };

const learningShape = {
  learn: described(
    z.boolean(),
    "Learn from your past sessions while no agent works. This calls no model and tells no agent anything.",
  ),
  learnAcrossProjects: described(z.boolean(), "Let agents in one project use what was learned in another."),
};

const defaultLearningSettings = { learn: true, learnAcrossProjects: false };

export const settingsShape = {
  ...contextShape,
  ...guardShape,
  ...continuityShape,
  ...learningShape,
  ...wakesShape,
  ...serviceShape,
};

const whole = z.object(settingsShape);
export type Settings = Readonly<z.infer<typeof whole>>;

export const defaults: Settings = {
  ...defaultContextSettings,
  ...defaultGuardSettings,
  ...defaultContinuitySettings,
  ...defaultLearningSettings,
  ...defaultWakesSettings,
  ...defaultServiceSettings,
};

/** May leave out any setting. */
export const partialSettings = z.partial(whole);
export type PartialSettings = Readonly<z.infer<typeof partialSettings>>;

/**
 * Applies if a place's settings cannot be read: the guard may have been on, and nobody would notice that it
 * is off.
 */
export const unreadable = {
  guardFamilies: { safety: "on", secrets: "on", protect: "on" },
} as const satisfies PartialSettings & { guardFamilies: Record<(typeof protectingFamilies)[number], "on"> };

const guardNames: ReadonlySet<string> = new Set(["guardMode", "guardFamilies"]);

/** An invalid value is dropped and reported, so a typing error affects only itself. An invalid guard mode turns protecting rules on. */
export function readSettings(value: unknown): {
  readonly settings: PartialSettings;
  readonly problems: readonly Sentence[];
} {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return {
      settings: unreadable,
      problems: [
        sentence(
          "it is no object; until it is one, guard rules on safety, secrets and protected files are on",
        ),
      ],
    };
  const problems: Sentence[] = [];
  const good: Record<string, unknown> = {};
  let isGuardUnclear = false;
  for (const [name, reported] of Object.entries<unknown>({ ...value })) {
    if (name === "$schema" || reported === undefined) continue;
    if (!Object.hasOwn(settingsShape, name))
      problems.push(sentence("there is no setting {0}", JSON.stringify(name.slice(0, 60))));
    else if (partialSettings.safeParse({ [name]: reported }).success) good[name] = reported;
    else {
      problems.push(valueProblem(name, reported));
      isGuardUnclear ||= guardNames.has(name);
    }
  }
  const settings = partialSettings.parse(good);
  if (!isGuardUnclear) return { settings, problems };
  return {
    settings: { ...settings, guardFamilies: { ...unreadable.guardFamilies, ...settings.guardFamilies } },
    problems,
  };
}

const percentages = new Set(["wrapUpAt", "endTurnAt"]);

function valueProblem(name: string, reported: unknown): Sentence {
  const standard: Readonly<Record<string, unknown>> = defaults;
  const value = textOf(reported);
  if (guardNames.has(name))
    return sentence(
      "{0} cannot be {1}; until it is corrected, guard rules on safety, secrets and protected files are on",
      name,
      value,
    );
  const isShare = percentages.has(name) && typeof reported === "number" && reported > 0 && reported < 1;
  if (standard[name] === null) {
    if (isShare) return sentence("{0} cannot be {1}, as it is in percent; it is ignored", name, value);
    return sentence("{0} cannot be {1}; it is ignored", name, value);
  }
  const used = textOf(standard[name]);
  if (typeof reported === "number" && !Number.isFinite(reported))
    return sentence("{0} must be a finite number; without another value, {1} is used", name, used);
  return sentence("{0} cannot be {1}; without another value, {2} is used", name, value, used);
}

function textOf(value: unknown): string {
  // In JSON, a number that is too large would become null.
  const written = (_name: string, part: unknown): unknown =>
    typeof part === "number" && !Number.isFinite(part) ? String(part) : part;
  return JSON.stringify([value], written).slice(1, -1).slice(0, 60);
}
