import * as vscode from "vscode";
import { tooltipCommands } from "../sessions/tooltip.ts";

/** A tooltip that may run the commands in its links, and no others. Without icons: `$(name)` stays text. */
export function trustedMarkdown(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text);
  markdown.isTrusted = { enabledCommands: tooltipCommands };
  // For coloured spans; outside text is escaped, and the editor removes what is not harmless.
  markdown.supportHtml = true;
  return markdown;
}
