import * as z from "zod";
import { contextShape, defaultSettings } from "./contexts.ts";
import { defaultGuardSettings, guardShape } from "./guard.ts";

/** All user settings except those about the appearance of one window. */
export const settingsShape = { ...contextShape, ...guardShape };

const whole = z.object(settingsShape);
export type Settings = Readonly<z.infer<typeof whole>>;

export const defaults: Settings = { ...defaultSettings, ...defaultGuardSettings };

/** The settings of one place, which may leave out any. */
export const toldSettings = whole.partial();
export type ToldSettings = Readonly<z.infer<typeof toldSettings>>;

/**
 * Reads the settings of one place. An invalid value is dropped and reported, so a typing error affects only itself.
 */
export function readSettings(value: unknown): {
  readonly settings: ToldSettings;
  readonly problems: readonly string[];
} {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { settings: {}, problems: ["it is no object"] };
  const problems: string[] = [];
  const good: Record<string, unknown> = {};
  for (const [name, told] of Object.entries<unknown>({ ...value })) {
    if (name === "$schema" || told === undefined) continue;
    if (!Object.hasOwn(settingsShape, name))
      problems.push(`there is no setting ${JSON.stringify(name.slice(0, 60))}`);
    else if (toldSettings.safeParse({ [name]: told }).success) good[name] = told;
    else problems.push(`${name} cannot be ${JSON.stringify([told]).slice(1, -1).slice(0, 60)}`);
  }
  return { settings: toldSettings.parse(good), problems };
}
