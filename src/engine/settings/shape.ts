import * as z from "zod";
import { contextShape, defaultContextSettings } from "./contexts.ts";
import { continuityShape, defaultContinuitySettings } from "./continuity.ts";
import { defaultGuardSettings, guardShape } from "./guard.ts";
import { defaultLearningSettings, learningShape } from "./learn.ts";
import { defaultWakesSettings, wakesShape } from "./recurring.ts";
import { english } from "../base/text/english.ts";

/** All user settings except those about the appearance of one window. */
export const settingsShape = {
  ...contextShape,
  ...guardShape,
  ...continuityShape,
  ...learningShape,
  ...wakesShape,
};

const whole = z.object(settingsShape);
export type Settings = Readonly<z.infer<typeof whole>>;

export const defaults: Settings = {
  ...defaultContextSettings,
  ...defaultGuardSettings,
  ...defaultContinuitySettings,
  ...defaultLearningSettings,
  ...defaultWakesSettings,
};

/** The settings of one place, which may leave out any. */
export const partialSettings = whole.partial();
export type PartialSettings = Readonly<z.infer<typeof partialSettings>>;

/**
 * Reads the settings of one place. An invalid value is dropped and reported, so a typing error affects only itself.
 */
export function readSettings(value: unknown): {
  readonly settings: PartialSettings;
  readonly problems: readonly string[];
} {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { settings: {}, problems: [english("it is no object")] };
  const problems: string[] = [];
  const good: Record<string, unknown> = {};
  for (const [name, reported] of Object.entries<unknown>({ ...value })) {
    if (name === "$schema" || reported === undefined) continue;
    if (!Object.hasOwn(settingsShape, name))
      problems.push(english("there is no setting {0}", JSON.stringify(name.slice(0, 60))));
    else if (partialSettings.safeParse({ [name]: reported }).success) good[name] = reported;
    else
      problems.push(english("{0} cannot be {1}", name, JSON.stringify([reported]).slice(1, -1).slice(0, 60)));
  }
  return { settings: partialSettings.parse(good), problems };
}
