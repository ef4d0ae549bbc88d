import { joined } from "../../row-values.ts";
import {
  type LiveReader,
  type UsualThresholdInput,
  type AgentSettings,
  type AgentSettingsInput,
  unsetAgentSettings,
} from "../../live-reader.ts";
import { SessionFinder } from "./codex-session-finder.ts";
import { systemLockedInodes } from "./thread-locks.ts";
import { firstFile, pathsIn } from "../../walk-files.ts";
import { sessionIdOf } from "../codex-files.ts";
import path from "node:path";
import { parse } from "smol-toml";
import * as z from "zod/mini";
import { statsOf, readSmallText } from "../../../base/files.ts";

/** `sessions/<year>/<month>/<day>`. */
const depth = 3;

/** Finds the rollout of a session or subagent: the active one before the archived one, the plain before the compressed. */
async function transcriptOf(id: string, roots: readonly string[]): Promise<string | undefined> {
  for (const root of roots) {
    const rollouts = (await rolloutsBelow([root])).filter((file) => sessionIdOf(file) === id);
    const file = await firstFile(rollouts.toSorted((a, b) => Number(isCold(a)) - Number(isCold(b))));
    if (file !== undefined) return file;
  }
  return undefined;
}

/** Opens nothing with an extension: that is never a folder. */
async function rolloutsBelow(folders: readonly string[], level = 0): Promise<string[]> {
  const paths = await pathsIn(folders);
  const rollouts = paths.filter((file) => sessionIdOf(file) !== undefined);
  const deeper = level < depth ? paths.filter((file) => !/\.\w+$/u.test(file)) : [];
  return deeper.length === 0 ? rollouts : [...rollouts, ...(await rolloutsBelow(deeper, level + 1))];
}

function isCold(file: string): boolean {
  return file.endsWith(".zst");
}

export const liveReader: LiveReader = {
  finder: (roots, _, archived) => new SessionFinder(roots, systemLockedInodes, archived),
  settings: readSettings,
  usualThreshold,
  // OpenAI promises no duration: 5 to 10 minutes without use, at most an hour, or a day for some models.
  cacheLife: null,
  compactionMarks: ['"compacted"'],
  // A response found only by a total already has its whole key.
  storedId: (messageId) => (messageId.startsWith("codex ") ? messageId : joined("codex", messageId)),
  transcriptOf,
};

/** The window that Codex names is this share of the model's: its catalogue's `effective_context_window_percent`. */
const namedShare = 0.95;
/** Codex compacts when input and output of the last response reach this share of the model's window. */
const compactedShare = 0.9;

/**
 * A limit set by the user can only lower the usual one. Source: `auto_compact_token_limit` in
 * codex-rs/protocol/src/openai_models.rs.
 */
function usualThreshold({ window, settings }: UsualThresholdInput): number {
  const usual = Math.floor(Math.round(window / namedShare) * compactedShare);
  return Math.min(usual, settings.compactAt ?? usual);
}

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
  const text = readSmallText(file, maxFileSize);
  return text === null ? undefined : configFile.safeParse(parsed(text)).data;
}

function parsed(toml: string): unknown {
  try {
    return parse(toml);
  } catch {
    return undefined;
  }
}
