import path from "node:path";
import { insideProject } from "../../../base/paths.ts";
import { sentence, type Sentence } from "../../../base/language.ts";
import { claudeRoots } from "../../../transcripts/claude.ts";
import { agentHome, type HomeInput } from "../../../transcripts/home-folder.ts";
import { fail, succeed, type Result } from "../../../base/result.ts";
import type { HookProgram } from "../../program.ts";

export const hookScopes = ["user", "project", "local"] as const;
/** Settings for the user everywhere, for everybody in the project, or for the user in the project. */
export type HookScope = (typeof hookScopes)[number];

export interface HookFile {
  readonly program: HookProgram;
  readonly scope: HookScope;
  readonly file: string;
  /** Reason for choosing this file. Null if there was no choice. */
  readonly choice: Sentence | null;
}

export interface HookFileInput extends HomeInput {
  readonly project: string | null;
  /** Whether two paths lead to the same file, existing or not; see `isSamePath`. */
  readonly isSame: (one: string, other: string) => boolean;
}

/**
 * Returns the file with an agent's hooks for a scope. It need not exist. The user's own settings never count
 * as a project's: not if the home folder itself is the project, under any name or link, nor if the agent's
 * folder was moved into a project.
 */
export function hookFile(
  program: HookProgram,
  scope: HookScope,
  input: HookFileInput,
): Result<HookFile, "no_such_scope"> {
  if (program !== "claude-code" && scope === "local")
    return fail(
      "no_such_scope",
      sentence("{0} has no local scope; --scope user is yours alone as well", program),
    );
  if (scope === "user") return succeed({ program, scope, ...userFile(program, input) });
  const { project, isSame } = input;
  if (project === null)
    return fail("no_such_scope", sentence("no project's folder is open; --scope user holds everywhere"));
  const file = projectFile(program, scope, project);
  const isOwn = ownFolders(program, input).some(
    (folder) => isSame(path.dirname(file), folder) || isSame(file, path.join(folder, path.basename(file))),
  );
  if (isOwn) return fail("no_such_scope", sentence("{0} is your own, not a project's", file));
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

const fileNames = { codex: "hooks.json", copilot: path.basename(copilotFile("")), gemini: "settings.json" };

function projectFile(program: HookProgram, scope: HookScope, project: string): string {
  switch (program) {
    case "claude-code":
      return path.join(project, ".claude", scope === "local" ? "settings.local.json" : "settings.json");
    case "codex":
      return path.join(project, ".codex", fileNames.codex);
    case "copilot":
      return copilotFile(copilotFolder(project));
    case "gemini":
      return path.join(project, ".gemini", fileNames.gemini);
  }
}

/** Folders with the user's own hooks for an agent: the current ones, and the default without environment variables. */
function ownFolders(program: HookProgram, { env, home }: HomeInput): string[] {
  switch (program) {
    case "claude-code":
      return [...claudeRoots({ env, home }), path.join(home, ".claude")];
    case "codex":
      return [agentHome({ env, home }, ["CODEX_HOME"], ".codex"), path.join(home, ".codex")];
    case "copilot":
      return [copilotFolder({ env, home }), copilotFolder({ env: {}, home })];
    case "gemini":
      return [agentHome({ env, home }, ["GEMINI_CLI_HOME"], "."), home].map((folder) =>
        path.join(folder, ".gemini"),
      );
  }
}

/**
 * Returns the user's configuration folder of Claude Code. `CLAUDE_CONFIG_DIR` may be a list for programs that read transcripts; the
 * agent that runs the hooks takes one folder, so the first is used.
 */
export function claudeFolder({ env, home }: HomeInput): { folder: string; choice: Sentence | null } {
  const isSet = (env["CLAUDE_CONFIG_DIR"] ?? "").trim() !== "";
  const roots = claudeRoots({ env, home });
  const [first = path.join(home, ".claude")] = roots;
  const isChosen = isSet && roots.length > 1;
  const others = roots.slice(1).join(", ");
  return {
    folder: first,
    choice: isChosen
      ? sentence("CLAUDE_CONFIG_DIR names several folders: this is the first; not {0}", others)
      : null,
  };
}

/**
 * Refuses a project's file that a link in the project leads outside. The user's own files may be links to any
 * place.
 */
export function insideOwnProject(
  scope: HookScope,
  file: string,
  { project }: { readonly project: string | null },
): Result<void, "outside_project"> {
  return scope === "user" || project === null ? succeed(undefined) : insideProject(file, project);
}

/** Returns the folder with Copilot CLI's hook files: the user's own, or a project's. */
export function copilotFolder(of: HomeInput | string): string {
  return typeof of === "string"
    ? path.join(of, ".github", "hooks")
    : path.join(agentHome(of, ["COPILOT_HOME"], ".copilot"), "hooks");
}

/** Copilot CLI reads every file in its folder; this one is purser's. */
export function copilotFile(folder: string): string {
  return path.join(folder, "purser.json");
}
