import * as vscode from "vscode";
import type { OpenNotice } from "./notices.ts";

/**
 * Opens a notification that code can close, which the editor has only for progress, with a button that closes it.
 * @param label the button's text
 * @param putAway runs when the button is pressed
 */
export function openNotice(label: string, putAway: () => void): OpenNotice {
  const messages = new vscode.EventEmitter<string>();
  let latest: string | undefined;
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  const options: vscode.ProgressOptions = {
    location: vscode.ProgressLocation.Notification,
    cancellable: true,
  };
  // The editor takes a text for the button in place of its own "Cancel", though its types say only boolean.
  Reflect.set(options, "cancellable", label);
  // The editor begins later than it is called.
  void vscode.window.withProgress(options, async (progress, token) => {
    const pressing = token.onCancellationRequested(putAway);
    // Without an increment the editor would draw an endless animation.
    const say = (message: string) => progress.report({ message, increment: 0 });
    if (latest !== undefined) say(latest);
    const listening = messages.event(say);
    await closed;
    listening.dispose();
    pressing.dispose();
    messages.dispose();
  });
  const say = (message: string) => {
    latest = message;
    messages.fire(message);
  };
  return { say, close: () => close() };
}
