import * as vscode from "vscode";
import { sayItFailed } from "./activation-failure.ts";
import { registerFeatures } from "./features.ts";
import type { ServiceLink } from "./service/link.ts";

let link: ServiceLink | undefined;

/**
 * Returns at once: other extensions need not wait while this one registers what it has, in the loop's next turn. The editor's
 * first question, over a socket, can come no sooner than in the turn after that.
 */
export function activate(context: vscode.ExtensionContext): void {
  const beginning = setImmediate(() => begin(context));
  context.subscriptions.push({ dispose: () => clearImmediate(beginning) });
}

/** A service that this window hosts finishes its writes; the editor waits for that for a few seconds. */
export async function deactivate(): Promise<void> {
  await link?.stop();
}

/** No file is touched and nothing is started before everything is registered. */
function begin(context: vscode.ExtensionContext): void {
  const began = performance.now();
  const log = vscode.window.createOutputChannel("Context Purser", { log: true });
  context.subscriptions.push(log);
  try {
    link = registerFeatures(context, log);
  } catch (error) {
    log.error(error instanceof Error ? error : String(error));
    void sayItFailed(log);
    return;
  }
  log.info(`Registered in ${(performance.now() - began).toFixed(1)} ms.`);
  const start = setImmediate(() => link?.start());
  context.subscriptions.push({ dispose: () => clearImmediate(start) });
}
