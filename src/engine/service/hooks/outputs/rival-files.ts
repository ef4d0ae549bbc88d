import path from "node:path";
import type { HomeInput } from "../../../base/disk/home.ts";
import { readSmallText } from "../../../base/disk/read-small-text.ts";
import { parseJson } from "../../../base/parse-json.ts";
import { rivalMatchers } from "../../../guard/output/rival-hooks.ts";
import { claudeFolder } from "../../../hooks/install/settings/agent-file.ts";
import { isOwnHandler } from "../../../hooks/install/settings/entry.ts";
import { repositoryRoot } from "../repository-root.ts";

/** A hook of somebody else's that may replace outputs too. */
export interface RivalHook {
  readonly file: string;
  /** The tools that it is for, as the file names them. */
  readonly matcher: string;
}

/** Larger settings files are not read. Bytes. */
const largest = 1024 * 1024;

/**
 * Finds the hooks of Claude Code's own, a project's and a folder's local settings that may replace outputs of commands. Those of plugins and
 * of an administrator are not looked for.
 * @param folder where the agent works; null where that is not known
 */
export function findRivalHooks(folder: string | null, input: HomeInput): RivalHook[] {
  const projects = folder === null ? [] : [...new Set([folder, repositoryRoot(folder, input.home)])];
  const folders = [claudeFolder(input).folder, ...projects.map((each) => path.join(each, ".claude"))];
  const files = [...new Set(folders)].flatMap((each) =>
    ["settings.json", "settings.local.json"].map((name) => path.join(each, name)),
  );
  return files.flatMap((file) => {
    const settings = parseJson(readSmallText(file, largest) ?? "");
    return rivalMatchers(settings, isOwnHandler).map((matcher) => ({ file, matcher }));
  });
}
