import path from "node:path";
import type * as vscode from "vscode";

/** Returns the name of the agent that a document defines; null for any other document. */
export function agentNameOf({ scheme, fsPath }: Pick<vscode.Uri, "scheme" | "fsPath">): string | null {
  const folder = path.dirname(fsPath);
  const isAgents = path.basename(folder) === "agents" && path.basename(path.dirname(folder)) === ".purser";
  const file = path.basename(fsPath);
  if (scheme !== "file" || !isAgents || !file.endsWith(".md") || /^(?:\.|README\.md$)/iu.test(file))
    return null;
  return file.slice(0, -".md".length);
}
