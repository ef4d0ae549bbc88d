import { homedir } from "node:os";
import type * as vscode from "vscode";
import { instructionFileAt, type InstructionFile } from "../../engine/instructions/instruction-file.ts";
import { claudeRoots } from "../../engine/transcripts/claude.ts";
import { readEnvironment } from "../editor/settings.ts";
import { windowFolders } from "../editor/window-folders.ts";

/** How agents use a file of this window; null when they do not. */
export function instructionKind(uri: vscode.Uri): InstructionFile | null {
  const roots = claudeRoots({ env: readEnvironment(), home: homedir() });
  return uri.scheme === "file" ? instructionFileAt(uri.fsPath, { folders: windowFolders(), roots }) : null;
}
