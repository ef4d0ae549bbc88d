import { homedir } from "node:os";
import path from "node:path";
import type * as vscode from "vscode";
import { purserPaths } from "../../../engine/base/paths.ts";
import { readEnvironment } from "../../editor/settings.ts";

/** The user's own file of guard rules, a project's, or a rule of hookify. */
export type RulesFileKind = "user" | "project" | "hookify";

/** Globs of the files; the user's own may be elsewhere. */
export const rulesGlobs = { guard: "**/.purser/guard.yaml", hookify: "**/.claude/hookify.*.local.md" };

export function ownRulesFile(): string {
  return purserPaths({ env: readEnvironment(), home: homedir() }).guardRules;
}

/** Returns which guard rules a document contains; null for any other document. Includes unsaved ones. */
export function rulesFileKind({
  scheme,
  fsPath,
}: Pick<vscode.Uri, "scheme" | "fsPath">): RulesFileKind | null {
  if (scheme !== "file" && scheme !== "untitled") return null;
  const name = path.basename(fsPath);
  if (name === "guard.yaml" && fsPath === ownRulesFile()) return "user";
  const folder = path.basename(path.dirname(fsPath));
  if (name === "guard.yaml" && folder === ".purser") return "project";
  return folder === ".claude" && /^hookify\..+\.local\.md$/u.test(name) ? "hookify" : null;
}
