import * as vscode from "vscode";
import { inWords, type Sentence } from "../../engine/base/language.ts";
import type { Suggestion } from "../../engine/guard/guard-rules.ts";

// Help with files of purser's own while they are written.

/** Suggestions in their order. @param isKey whether they are written before a value */
export function completionItems(
  suggestions: readonly Suggestion[],
  range: vscode.Range,
  isKey: boolean,
): vscode.CompletionItem[] {
  const { Property, Reference, EnumMember } = vscode.CompletionItemKind;
  const kinds = { key: Property, rule: Reference, value: EnumMember };
  return suggestions.map(({ kind, text, description }, index) => {
    const item = new vscode.CompletionItem(text, kinds[kind]);
    item.range = range;
    item.insertText = isKey ? `${text}: ` : text;
    if (description !== null) item.detail = inWords(description);
    item.sortText = String(index).padStart(4, "0");
    return item;
  });
}

export function wordAt(document: vscode.TextDocument, position: vscode.Position): vscode.Range | undefined {
  return document.getWordRangeAtPosition(position, /[A-Za-z][\w-]*/u);
}

export function hoverOf(text: Sentence | null, range: vscode.Range): vscode.Hover | null {
  return text === null
    ? null
    : new vscode.Hover(new vscode.MarkdownString().appendText(inWords(text)), range);
}

/** A line without its indentation, or the last line of a shorter document. @param line from 0 */
export function trimmedLine(document: vscode.TextDocument, line: number): vscode.Range {
  const {
    text,
    range,
    firstNonWhitespaceCharacterIndex: start,
  } = document.lineAt(Math.min(line, document.lineCount - 1));
  return text.trim() === "" ? range : new vscode.Range(range.start.translate(0, start), range.end);
}

/** Time without typing after which a file is checked. Milliseconds. */
const pause = 250;

/** Checks of documents that wait until nobody types in them. */
export class PendingChecks implements vscode.Disposable {
  readonly #waiting = new Map<string, NodeJS.Timeout>();

  ask(document: vscode.TextDocument, check: () => void): void {
    this.forget(document.uri);
    const key = document.uri.toString();
    this.#waiting.set(
      key,
      setTimeout(() => {
        this.#waiting.delete(key);
        if (!document.isClosed) check();
      }, pause),
    );
  }

  forget(uri: vscode.Uri): void {
    clearTimeout(this.#waiting.get(uri.toString()));
    this.#waiting.delete(uri.toString());
  }

  dispose(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
  }
}
