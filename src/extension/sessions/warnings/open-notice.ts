import * as vscode from "vscode";
import type { OpenNotice } from "./notices.ts";

/** Opens a notification that code can close, which the editor has only for progress. */
export function openNotice(): OpenNotice {
  const messages = new vscode.EventEmitter<string>();
  let latest: string | undefined;
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  const { Notification } = vscode.ProgressLocation;
  // The editor begins later than it is called.
  void vscode.window.withProgress({ location: Notification }, async (progress) => {
    // Without an increment the editor would draw an endless animation.
    const say = (message: string) => progress.report({ message, increment: 0 });
    if (latest !== undefined) say(latest);
    const listening = messages.event(say);
    await closed;
    listening.dispose();
    messages.dispose();
  });
  const say = (message: string) => {
    latest = message;
    messages.fire(message);
  };
  return { say, close: () => close() };
}
