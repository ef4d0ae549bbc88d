/** Shortens the output of commands. */
import path from "node:path";
import { readdirSync } from "node:fs";
import { type HomeInput, repositoryRoot } from "../base/paths.ts";
import { readSmallText } from "../base/files.ts";
import { parseJson } from "../base/parse.ts";
import { isForReplaced, rivalMatchers } from "./output/rival-hooks.ts";
import { claudeFolder, isOwnHandler } from "../hooks/hook-settings.ts";
import { pluginHookFiles } from "./host/outputs/plugin-files.ts";
import { errorCode } from "../base/result.ts";

export { KeptFiles } from "./host/outputs/kept-files.ts";
export { changeUses, readUses } from "./host/outputs/use-file.ts";
export { restingIn, withoutRest } from "./output/back-off.ts";
export { linesOf } from "./output/output-handler.ts";

/** Where an administrator's settings of Claude Code are on Linux, macOS and Windows. */
const usualFolders = [
  "/etc/claude-code",
  "/Library/Application Support/ClaudeCode",
  "C:\\Program Files\\ClaudeCode",
];

/** Returns the files in which an administrator has settings of Claude Code, there or not. */
function managedFiles(folders: readonly string[] = usualFolders): string[] {
  return folders
    .filter((folder) => path.isAbsolute(folder))
    .flatMap((folder) => {
      const parts = path.join(folder, "managed-settings.d");
      const names = jsonFilesIn(parts).map((name) => path.join(parts, name));
      return [path.join(folder, "managed-settings.json"), ...names];
    });
}

function jsonFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch (error) {
    // Hardly anybody has such a folder.
    errorCode(error);
    return [];
  }
}

/** Another program's hook that may also replace outputs. */
export interface RivalHook {
  readonly file: string;
  /** The tools that it is for, as the file names them. */
  readonly matcher: string;
}

interface RivalInput extends HomeInput {
  /** Folders of an administrator's settings, where not the usual ones. */
  readonly managed?: readonly string[];
}

/** Larger settings files are not read. Bytes. */
const largest = 1024 * 1024;

/**
 * Finds the hooks that may replace outputs of Claude Code's tools: in the user's, a project's and a folder's local settings, in those of an
 * administrator, and in the plugins that any of them turns on.
 * @param folder where the agent works; null where that is not known
 */
export function findRivalHooks(folder: string | null, input: RivalInput): RivalHook[] {
  const projects = folder === null ? [] : [...new Set([folder, repositoryRoot(folder, input.home)])];
  const own = claudeFolder(input).folder;
  const folders = [own, ...projects.map((each) => path.join(each, ".claude"))];
  const files = [...new Set(folders)].flatMap((each) =>
    ["settings.json", "settings.local.json"].map((name) => path.join(each, name)),
  );
  const read = [...managedFiles(input.managed), ...files].map((file) => ({ file, content: jsonIn(file) }));
  const plugins = pluginHookFiles(
    own,
    read.map(({ content }) => content),
    jsonIn,
  );
  return [...read, ...plugins].flatMap(({ file, content }) =>
    rivalMatchers(content, isOwnHandler)
      .filter(isForReplaced)
      .map((matcher) => ({ file, matcher })),
  );
}

function jsonIn(file: string): unknown {
  return parseJson(readSmallText(file, largest) ?? "");
}
