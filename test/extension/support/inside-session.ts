import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";

/** Path of a transcript in the folder configured for the extension. */
function transcriptPath(id: string): string {
  const root = process.env["CLAUDE_CONFIG_DIR"];
  assert.ok(root, "the tests need a CLAUDE_CONFIG_DIR of their own");
  return join(root, "projects", "-inside", `${id}.jsonl`);
}

export function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, "the tests need an open folder");
  return folder.uri.fsPath;
}

export function response(id: string, cwd: string, input: number): string {
  const usage = { input_tokens: input, output_tokens: 10 };
  const message = {
    id: `msg_${randomUUID()}`,
    role: "assistant",
    model: "claude-sonnet-4-6",
    content: [],
    usage,
  };
  const timestamp = new Date().toISOString();
  return `${JSON.stringify({ type: "assistant", sessionId: id, cwd, timestamp, requestId: "req_1", message })}\n`;
}

/** Creates a session with one answer. */
export async function beginSession(cwd: string): Promise<{ id: string; transcript: string }> {
  const id = randomUUID();
  const transcript = transcriptPath(id);
  await mkdir(dirname(transcript), { recursive: true });
  await writeFile(transcript, response(id, cwd, 50_000));
  return { id, transcript };
}

/** Tries to open a transcript; for an unknown id the command asks which session, and nothing opens. */
export async function opensTranscript(id: string, transcript: string): Promise<boolean> {
  void vscode.commands.executeCommand("purser.openTranscript", id);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
  return vscode.window.activeTextEditor?.document.uri.fsPath === transcript;
}

export async function closeEditor(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
}
