import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { rethrowUnlessSystemError } from "../../base/result.ts";
import { parseJsonc } from "../parse-jsonc.ts";
import { unsetAgentSettings, type AgentSettings, type AgentSettingsInput } from "../live-reader.ts";

const threshold = z.catch(z.optional(z.number().check(z.positive())), undefined);
const flag = z.catch(z.optional(z.boolean()), undefined);

const settingsFile = z.looseObject({
  model: z.catch(z.looseObject({ compressionThreshold: threshold }), {}),
  experimental: z.catch(
    z.looseObject({
      contextManagement: flag,
      generalistProfile: flag,
      powerUserProfile: flag,
      stressTestProfile: flag,
    }),
    {},
  ),
});
type SettingsFile = z.infer<typeof settingsFile>;

/** Larger files are not read as settings. Bytes. */
const maxFileSize = 4 * 1024 * 1024;

/** Share of the window at which the agent compresses. Source: `settingsSchema.ts` in the package of 0.61.0. */
const defaultThreshold = 0.5;

/**
 * Reads the agent's settings; the project's override the user's. Ignores a file that is missing or does not parse. The
 * threshold is always set, because the agent's own settings have a default: past compressions cannot improve it.
 */
export function readCompressionSettings({
  root,
  cwd,
}: Pick<AgentSettingsInput, "root" | "cwd">): AgentSettings {
  const files = settingsPaths(root, cwd).flatMap((file) => readFile(file) ?? []);
  const set = files.map(({ model }) => model.compressionThreshold).findLast((value) => value !== undefined);
  return {
    ...unsetAgentSettings,
    // These profiles keep the history short in another way, and never compress.
    autoCompact: !profiles.some((name) => isOn(files, name)),
    compactPercent: percentOf(set ?? defaultThreshold),
  };
}

/** Rounds away the noise of a binary fraction. */
function percentOf(share: number): number {
  return Math.round(share * 1e8) / 1e6;
}

const profiles = ["contextManagement", "generalistProfile", "powerUserProfile", "stressTestProfile"] as const;

function isOn(files: readonly SettingsFile[], name: (typeof profiles)[number]): boolean {
  return (
    files.map(({ experimental }) => experimental[name]).findLast((value) => value !== undefined) === true
  );
}

/**
 * The settings are beside the sessions' folder. Ignores a relative `cwd`: it comes from the agent's files and would be
 * resolved against our own working folder.
 */
function settingsPaths(root: string | null, cwd: string | null): string[] {
  const user = root === null ? [] : [path.join(path.dirname(root), "settings.json")];
  const isUsable = cwd !== null && path.isAbsolute(cwd);
  return isUsable ? [...user, path.join(cwd, ".gemini", "settings.json")] : user;
}

/** Reads JSON with comments, as the agent does. */
function readFile(file: string): SettingsFile | undefined {
  try {
    const stats = statSync(file);
    // Opening a FIFO would wait for its writer.
    if (!stats.isFile() || stats.size > maxFileSize) return undefined;
    const content = parseJsonc(readFileSync(file, "utf8"));
    return settingsFile.safeParse(content).data;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return undefined;
  }
}
