import { homedir } from "node:os";
import * as vscode from "vscode";
import { instructionFileAt, type InstructionFile } from "../../engine/instructions/instruction-file.ts";
import { claudeRoots } from "../../engine/transcripts/claude.ts";
import { readEnvironment } from "../editor/settings.ts";
import { windowFolders } from "../editor/window-files.ts";
import { access } from "node:fs/promises";
import path from "node:path";
import { workspaceSuiteFolder } from "../../engine/bench/suite.ts";

/** How agents use a file of this window; null when they do not. */
export function instructionKind(uri: vscode.Uri): InstructionFile | null {
  const roots = claudeRoots({ env: readEnvironment(), home: homedir() });
  return uri.scheme === "file" ? instructionFileAt(uri.fsPath, { folders: windowFolders(), roots }) : null;
}

/** Finds the shipped definition of an agent: in a folder's own golden suite, or else in the built-in one; null when neither has it. */
export async function goldenAgentFile(
  agent: string,
  folders: readonly string[],
  { extensionUri }: vscode.ExtensionContext,
): Promise<string | null> {
  const builtIn = vscode.Uri.joinPath(extensionUri, "golden").fsPath;
  for (const suite of [...folders.map(workspaceSuiteFolder), builtIn]) {
    const file = path.join(suite, "agents", `${path.basename(agent)}.md`);
    if (await isThere(file)) return file;
  }
  return null;
}

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}
