import path from "node:path";
import { claudeRoots } from "../../../transcripts/claude/roots.ts";
import { agentHome, type HomeInput } from "../../../transcripts/home-folder.ts";
import { fail, succeed, type Result } from "../../../base/result.ts";
import type { HookProgram } from "../../program.ts";

export const hookScopes = ["user", "project", "local"] as const;
/** Whose settings: the user's everywhere, those of everybody in the project, or the user's own in the project. */
export type HookScope = (typeof hookScopes)[number];

export interface HookFile {
  readonly program: HookProgram;
  readonly scope: HookScope;
  readonly file: string;
  /** What to know of the choice of this file; null when there was none. */
  readonly choice: string | null;
}

export interface HookFileInput extends HomeInput {
  /** The project's folder; null where no project is meant. */
  readonly project: string | null;
  /** Whether two paths lead to one place, there or not; see `isSamePlace`. */
  readonly isSame: (one: string, other: string) => boolean;
}

/**
 * The file that an agent reads a scope's hooks from. It need not exist. The user's own settings are never a project's: not where the
 * home folder itself is the project, by whatever name or link, nor where the agent's folder was moved into a project.
 */
export function hookFile(
  program: HookProgram,
  scope: HookScope,
  input: HookFileInput,
): Result<HookFile, "no_such_scope"> {
  if (program !== "claude-code" && scope === "local")
    return fail("no_such_scope", `${program} has no local scope; --scope user is yours alone as well`);
  if (scope === "user") return succeed({ program, scope, ...userFile(program, input) });
  const { project, isSame } = input;
  if (project === null)
    return fail("no_such_scope", `no project's folder is open; --scope user holds everywhere`);
  const file = projectFile(program, scope, project);
  const isOwn = ownFolders(program, input).some(
    (folder) => isSame(path.dirname(file), folder) || isSame(file, path.join(folder, path.basename(file))),
  );
  if (isOwn) return fail("no_such_scope", `${file} is your own, not a project's`);
  return succeed({ program, scope, file, choice: null });
}

function userFile(program: HookProgram, input: HomeInput): Pick<HookFile, "file" | "choice"> {
  if (program === "claude-code") {
    const { folder, choice } = claudeFolder(input);
    return { file: path.join(folder, "settings.json"), choice };
  }
  const [folder = ""] = ownFolders(program, input);
  return { file: path.join(folder, fileNames[program]), choice: null };
}

/** Copilot CLI reads all files that are in its folder: this one is purser's. */
const fileNames = { codex: "hooks.json", copilot: "purser.json" };

function projectFile(program: HookProgram, scope: HookScope, project: string): string {
  switch (program) {
    case "claude-code":
      return path.join(project, ".claude", scope === "local" ? "settings.local.json" : "settings.json");
    case "codex":
      return path.join(project, ".codex", fileNames.codex);
    case "copilot":
      return path.join(project, ".github", "hooks", fileNames.copilot);
  }
}

/** The folders that hold the user's own hooks of an agent: the one that is used now, and those of an agent that is told nothing. */
function ownFolders(program: HookProgram, { env, home }: HomeInput): string[] {
  switch (program) {
    case "claude-code":
      return [...claudeRoots({ env, home }), path.join(home, ".claude")];
    case "codex":
      return [agentHome({ env, home }, ["CODEX_HOME"], ".codex"), path.join(home, ".codex")];
    case "copilot":
      return [agentHome({ env, home }, ["COPILOT_HOME"], ".copilot"), path.join(home, ".copilot")].map(
        (folder) => path.join(folder, "hooks"),
      );
  }
}

/**
 * The user's configuration folder of Claude Code. `CLAUDE_CONFIG_DIR` may be a list for programs that read transcripts; the agent
 * that hooks are for takes one folder, so the first one is it.
 */
export function claudeFolder({ env, home }: HomeInput): { folder: string; choice: string | null } {
  const isTold = (env["CLAUDE_CONFIG_DIR"] ?? "").trim() !== "";
  const roots = claudeRoots({ env, home });
  const [first = path.join(home, ".claude")] = roots;
  const isChosen = isTold && roots.length > 1;
  const others = roots.slice(1).join(", ");
  return {
    folder: first,
    choice: isChosen ? `CLAUDE_CONFIG_DIR names several folders: this is the first; not ${others}` : null,
  };
}
