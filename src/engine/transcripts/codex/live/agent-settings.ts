import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import * as z from "zod/mini";
import { statsOf } from "../../../base/files.ts";
import { rethrowUnlessSystemError } from "../../../base/result.ts";
import { unsetAgentSettings, type AgentSettings, type AgentSettingsInput } from "../../live-reader.ts";

const text = z.catch(z.optional(z.string()), undefined);

/** Members of `config.toml`, and of a profile in it. Values of an unexpected form count as absent. */
const members = {
  model: text,
  model_auto_compact_token_limit: z.catch(z.optional(z.int().check(z.positive())), undefined),
  /** The part of the context that the limit counts: all of it, or only what came after the instructions. */
  model_auto_compact_token_limit_scope: text,
};
const configFile = z.looseObject({
  ...members,
  profile: text,
  profiles: z.catch(z.record(z.string(), z.looseObject(members)), {}),
  projects: z.catch(z.record(z.string(), z.catch(z.looseObject({ trust_level: text }), {})), {}),
});
type ConfigFile = z.infer<typeof configFile>;

/** Larger files are not read as settings. Bytes. */
const maxFileSize = 4 * 1024 * 1024;

/**
 * Reads Codex's settings. Later ones override earlier ones: the user's, the chosen profile's, a trusted project's.
 * Settings on its command line are in no file. Ignores a file that is missing or does not parse.
 */
export function readSettings({ root, cwd }: AgentSettingsInput): AgentSettings {
  const user = root === null ? undefined : readConfig(path.join(path.dirname(root), "config.toml"));
  const profile = user?.profiles[user.profile ?? ""];
  const layers = [user, profile, ...projectConfigs(cwd, user)];
  const last = <Key extends keyof typeof members>(key: Key) =>
    layers.map((layer) => layer?.[key]).findLast((value) => value !== undefined);
  // A limit on part of the context does not limit the whole.
  const isPartial = (last("model_auto_compact_token_limit_scope") ?? "total") !== "total";
  const limit = isPartial ? null : (last("model_auto_compact_token_limit") ?? null);
  return {
    ...unsetAgentSettings,
    model: last("model") ?? null,
    autoCompactWindow: limit,
    compactAt: limit,
    usesCatalogueWindows: false,
  };
}

/**
 * From the project's folder down to the session's working folder. Ignores a relative `cwd`, which would be resolved
 * against our own folder.
 */
function projectConfigs(cwd: string | null, user: ConfigFile | undefined): ConfigFile[] {
  if (cwd === null || !path.isAbsolute(cwd)) return [];
  const folders = projectFolders(cwd);
  if (!folders.some((folder) => user?.projects[folder]?.trust_level === "trusted")) return [];
  return folders.flatMap((folder) => readConfig(path.join(folder, ".codex", "config.toml")) ?? []);
}

/** The folder with `.git` and all below it, down to this one; only this one without such a folder. */
function projectFolders(cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    folders.unshift(folder);
    if (statsOf(path.join(folder, ".git")) !== undefined) return folders;
    if (path.dirname(folder) === folder) return [cwd];
  }
}

function readConfig(file: string): ConfigFile | undefined {
  try {
    const stats = statSync(file);
    // Opening a FIFO would wait for its writer.
    if (!stats.isFile() || stats.size > maxFileSize) return undefined;
    return configFile.safeParse(parsed(readFileSync(file, "utf8"))).data;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return undefined;
  }
}

function parsed(toml: string): unknown {
  try {
    return parse(toml);
  } catch {
    return undefined;
  }
}
