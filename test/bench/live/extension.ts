/**
 * A minimal extension, packed by `control.ts`: an empty `activate`, then a status bar item with the length of the
 * transcript, set as soon as its new bytes are read.
 */
import * as vscode from "vscode";
import { followBytes } from "./bytes.ts";

/** Defined by `control.ts`. */
declare const transcriptFile: string;
declare const itemId: string;

export function activate(): void {
  setImmediate(() => {
    const item = vscode.window.createStatusBarItem(itemId, vscode.StatusBarAlignment.Right, 1);
    item.text = "0";
    item.show();
    followBytes(transcriptFile, (length) => (item.text = String(length)));
  });
}
