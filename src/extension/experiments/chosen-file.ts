import { plainSentence, t } from "../../engine/base/language.ts";
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { type Result, succeed, fail, errorCode } from "../../engine/base/result.ts";
import { filesOfSkill } from "../../engine/compare/leave-out.ts";
import type { CompareAsk } from "../../engine/jobs/compare-answers.ts";
import type { FileSubject } from "../../webview/experiments/form/form.ts";

type Chosen = Result<CompareAsk["change"], "bad_argument">;

/** Each file's path in a project. */
const paths = { settings: ".claude/settings.json", "claude-md": "CLAUDE.md", mcp: ".mcp.json" } as const;

/** Asks for the file or folder that one side of a comparison gets, and reads it; undefined when cancelled. */
export async function chooseFile(subject: FileSubject): Promise<Chosen | undefined> {
  const isFolder = subject === "skill";
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showOpenDialog({
    title: titleOf(subject),
    openLabel: t("Compare"),
    canSelectFiles: !isFolder,
    canSelectFolders: isFolder,
    filters: filtersOf(subject),
    // Else the dialog begins in the folder of the file that was opened last.
    ...(folder === undefined ? {} : { defaultUri: folder }),
  });
  const file = chosen?.[0]?.fsPath;
  return file === undefined ? undefined : await readChange(subject, file);
}

/** @param file the file's or the skill folder's absolute path */
async function readChange(subject: FileSubject, file: string): Promise<Chosen> {
  const name = plainSentence(path.basename(file));
  if (subject === "skill") {
    const read = await filesOfSkill(file);
    return read.ok ? succeed({ kind: "setting", name, files: read.value }) : read;
  }
  try {
    const text = await readFile(file, "utf8");
    return succeed({ kind: "setting", name, files: [{ path: paths[subject], text }] });
  } catch (error) {
    return fail("bad_argument", plainSentence(t("{0} cannot be read ({1})", file, errorCode(error))));
  }
}

function titleOf(subject: FileSubject): string {
  switch (subject) {
    case "settings":
      return t("The settings.json for one side");
    case "claude-md":
      return t("The CLAUDE.md for one side");
    case "skill":
      return t("The skill folder for one side");
    case "mcp":
      return t("The .mcp.json for one side");
  }
}

function filtersOf(subject: FileSubject): Record<string, string[]> {
  switch (subject) {
    case "claude-md":
      return { [t("Markdown")]: ["md"] };
    case "settings":
    case "mcp":
      return { [t("JSON")]: ["json"] };
    case "skill":
      return {};
  }
}
