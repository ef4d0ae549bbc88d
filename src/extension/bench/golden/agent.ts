import { access } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { workspaceSuiteFolder } from "../../../engine/bench/suite.ts";

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
