import * as vscode from "vscode";
import type { FileDiff } from "./bench-controller.ts";
import { inMessage } from "../editor/outside-text.ts";

const scheme = "purser-bench";
const maxNameLength = 60;
const maxPathLength = 80;
/** Maximum texts held for diffs. A person compares a few files at a time. */
const maxEntries = 40;

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
    const shown = inMessage(path, maxPathLength);
    const [from, to] = [inMessage(left.name, maxNameLength), inMessage(right.name, maxNameLength)];
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
    // The editor takes the language from the file name's extension.
    const uri = vscode.Uri.from({ scheme, path: `/${++this.#count}/${path}` });
    this.#texts.set(uri.toString(), text ?? "");
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > maxEntries && oldest !== undefined) this.#texts.delete(oldest);
    return uri;
  }
}
