import * as vscode from "vscode";
import type { FileDiff } from "./bench-controller.ts";
import { inMessage } from "../editor/outside-text.ts";

const scheme = "purser-bench";
const longestName = 60;
const longestPath = 80;
/** Texts held for diffs; a person compares a few files at a time. */
const mostKept = 40;

/** Shows what runs changed in a file, in the editor's own diff view. */
export class BenchDiffs implements vscode.Disposable {
  /** By URI, oldest first. */
  readonly #texts = new Map<string, string>();
  readonly #registered: vscode.Disposable;
  #count = 0;

  constructor() {
    this.#registered = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? "",
    });
  }

  async show({ path, left, right }: FileDiff): Promise<void> {
    const shown = inMessage(path, longestPath);
    const [from, to] = [inMessage(left.name, longestName), inMessage(right.name, longestName)];
    await vscode.commands.executeCommand(
      "vscode.diff",
      ...[this.#keep(path, left.text), this.#keep(path, right.text)],
      `${shown} (${from} ↔ ${to})`,
      { preview: true },
    );
  }

  dispose(): void {
    this.#registered.dispose();
  }

  #keep(path: string, text: string | null): vscode.Uri {
    // The file name's extension tells the editor the language.
    const uri = vscode.Uri.from({ scheme, path: `/${++this.#count}/${path}` });
    this.#texts.set(uri.toString(), text ?? "");
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > mostKept && oldest !== undefined) this.#texts.delete(oldest);
    return uri;
  }
}
