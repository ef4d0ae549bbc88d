import type { Result } from "../../engine/base/result.ts";
import { purserPaths } from "../../engine/base/paths.ts";
import { setOwnSettings, type OwnSetting } from "../../engine/hooks/own-settings.ts";
import { readSettings } from "../../engine/settings/shape.ts";
import { movedSettings, type SettingsContext } from "./window-settings.ts";

export interface CopyPorts {
  readonly inspect: SettingsContext["inspect"];
  /** The editor's names of settings that were copied before. They are not copied again. */
  readonly copied: readonly string[];
  readonly remember: (copied: readonly string[]) => Thenable<void>;
  readonly write: (settings: readonly OwnSetting[]) => Result<unknown>;
  readonly log: (level: "info" | "warn", message: string) => void;
}

/**
 * Copies what the user had set in the editor, of settings that are only in `~/.purser/settings.json` now. Each is
 * copied once, so that a value that the user changes there afterwards stays.
 */
export async function copyMovedSettings({ inspect, copied, remember, write, log }: CopyPorts): Promise<void> {
  const fresh = Object.entries(movedSettings).flatMap(([key, name]) => {
    const value = copied.includes(name) ? undefined : inspect(name, null)?.globalValue;
    return value === undefined ? [] : [{ key, name, value }];
  });
  if (fresh.length === 0) return;
  const valid = fresh.filter(({ key, name, value }) => {
    const [problem] = readSettings({ [key]: value }).problems;
    if (problem !== undefined) log("warn", `purser.${name} was not copied to settings.json: ${problem.text}`);
    return problem === undefined;
  });
  const written = write(valid.map(({ key, value }) => ({ place: [key], value })));
  if (!written.ok) {
    log("warn", `Settings were not copied to settings.json: ${written.detail.text}`);
    return;
  }
  await remember([...copied, ...fresh.map(({ name }) => name)]);
  for (const { key, name } of valid)
    log(
      "info",
      `purser.${name} is no longer a setting of VS Code: its value was copied to ${key} in settings.json.`,
    );
}

/** Writes to the user's `settings.json`. */
export function ownSettingsWriter(user: Parameters<typeof purserPaths>[0]): CopyPorts["write"] {
  return (settings) => setOwnSettings(settings, purserPaths(user));
}
