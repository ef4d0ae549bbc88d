import * as vscode from "vscode";
import type { NoticeText, OpenNotice } from "./notices.ts";

/**
 * Opens a notification that code can close, which the editor has only for progress. Its bar shows how full the context is.
 */
export function openNotice(): OpenNotice {
  const texts = new vscode.EventEmitter<NoticeText>();
  let latest: NoticeText | undefined;
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  const { Notification } = vscode.ProgressLocation;
  // The editor begins later than it is called.
  void vscode.window.withProgress({ location: Notification }, async (progress) => {
    let shown = 0;
    const say = ({ message, percent }: NoticeText) => {
      progress.report({ message, increment: Math.max(0, percent - shown) });
      shown = Math.max(shown, percent);
    };
    // The editor counts the increment of the report that opens the notification twice.
    if (latest !== undefined) progress.report({ message: latest.message, increment: 0 });
    if (latest !== undefined) say(latest);
    const listening = texts.event(say);
    await closed;
    listening.dispose();
    texts.dispose();
  });
  const say = (text: NoticeText) => {
    latest = text;
    texts.fire(text);
  };
  return { say, close: () => close() };
}
