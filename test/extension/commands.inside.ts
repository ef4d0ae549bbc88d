import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { eventually, test } from "./harness.ts";

test("a subagent's line opens its own transcript, not its session's", async () => {
  const folder = join(tmpdir(), `purser-inside-${randomUUID()}`);
  await mkdir(folder);
  const [session, subagent] = [join(folder, "session.jsonl"), join(folder, "agent.jsonl")];
  for (const file of [session, subagent]) await writeFile(file, "{}\n");
  try {
    const node = {
      kind: "subagent",
      session: { transcript: session },
      subagent: { transcript: subagent },
    };
    await vscode.commands.executeCommand("purser.openTranscript", node);
    await eventually("the subagent's transcript", () =>
      vscode.window.activeTextEditor?.document.uri.fsPath === subagent ? true : undefined,
    );
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  } finally {
    await vscode.workspace.fs.delete(vscode.Uri.file(folder), { recursive: true });
  }
});
