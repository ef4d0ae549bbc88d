import path from "node:path";
import { claudeRoots } from "../../transcripts/claude/roots.ts";
import { agentHome, type HomeInput } from "../../transcripts/home-folder.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { HookProgram } from "../hook-program.ts";

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
  /** The project's folder. */
  readonly project: string;
}

/** The file that an agent reads a scope's hooks from. It need not exist. */
export function hookFile(
  program: HookProgram,
  scope: HookScope,
  { env, home, project }: HookFileInput,
): Result<HookFile, "no_such_scope"> {
  const at = (file: string, choice: string | null = null) => succeed({ program, scope, file, choice });
  if (program !== "claude-code" && scope === "local")
    return fail("no_such_scope", `${program} has no local scope; --scope user is yours alone as well`);
  switch (program) {
    case "claude-code": {
      const name = scope === "local" ? "settings.local.json" : "settings.json";
      if (scope !== "user") return at(path.join(project, ".claude", name));
      const { folder, choice } = claudeFolder({ env, home });
      return at(path.join(folder, name), choice);
    }
    case "codex": {
      const user = agentHome({ env, home }, ["CODEX_HOME"], ".codex");
      return at(path.join(scope === "user" ? user : path.join(project, ".codex"), "hooks.json"));
    }
    // A file of purser's own: Copilot CLI reads all that are in the folder.
    case "copilot": {
      const user = path.join(agentHome({ env, home }, ["COPILOT_HOME"], ".copilot"), "hooks");
      return at(path.join(scope === "user" ? user : path.join(project, ".github", "hooks"), "purser.json"));
    }
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
