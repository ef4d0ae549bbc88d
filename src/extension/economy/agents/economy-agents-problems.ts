import path from "node:path";
import * as vscode from "vscode";
import { DisposableList } from "../../../engine/base/events.ts";
import type { YamlFault } from "../../../engine/base/parse.ts";
import { cleanText } from "../../../engine/base/text.ts";
import { readDefinition } from "../../../engine/recurring/agents.ts";
import type { RecurringFeed } from "./economy-agents-feed.ts";
import { agentNameOf } from "./economy-agents-file.ts";
import { inWords } from "../../../engine/base/language.ts";

/** Time without typing after which a file is checked. Milliseconds. */
const pause = 250;

/** Faults of agents' files in Problems: of the editor's text for an open file, of the disk for others. */
export class RecurringProblems implements vscode.Disposable {
  readonly #feed: RecurringFeed;
  readonly #problems = vscode.languages.createDiagnosticCollection("purser.agents");
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  readonly #owned = new DisposableList();

  constructor(feed: RecurringFeed) {
    this.#feed = feed;
    const { workspace } = vscode;
    this.#owned.add(this.#problems);
    this.#owned.add(feed.onChange(() => this.#showAll()));
    this.#owned.add(workspace.onDidChangeTextDocument(({ document }) => this.#checkSoon(document)));
    this.#owned.add(workspace.onDidCloseTextDocument(() => this.#showAll()));
    this.#showAll();
  }

  dispose(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#owned.dispose();
  }

  #showAll(): void {
    const known = new Set<string>();
    for (const { file, name, faults } of this.#feed.agents) {
      const uri = vscode.Uri.file(file);
      known.add(uri.toString());
      const open = openDocument(uri);
      if (open?.isDirty === true) this.#show(open, name);
      else this.#set(uri, faults, open);
    }
    this.#problems.forEach((uri) => {
      if (!known.has(uri.toString())) this.#problems.delete(uri);
    });
  }

  #checkSoon(document: vscode.TextDocument): void {
    const name = agentNameOf(document.uri);
    const key = document.uri.toString();
    // Files in other folders do not belong to this window's agents.
    const isOurs = this.#feed.agents.some(({ file }) => vscode.Uri.file(file).toString() === key);
    if (name === null || !isOurs) return;
    clearTimeout(this.#waiting.get(key));
    this.#waiting.set(
      key,
      setTimeout(() => {
        this.#waiting.delete(key);
        if (!document.isClosed) this.#show(document, name);
      }, pause),
    );
  }

  #show(document: vscode.TextDocument, name: string): void {
    const read = readDefinition(name, document.getText());
    this.#set(document.uri, read.ok ? [] : (read.faults ?? []), document);
  }

  #set(uri: vscode.Uri, faults: readonly YamlFault[], document: vscode.TextDocument | undefined): void {
    if (faults.length === 0) {
      this.#problems.delete(uri);
      return;
    }
    this.#problems.set(
      uri,
      faults.map(({ line, message }) => {
        const problem = new vscode.Diagnostic(
          rangeOf(line, document),
          cleanText(inWords(message)),
          vscode.DiagnosticSeverity.Error,
        );
        problem.source = "Purser";
        problem.code = "recurring-agent";
        return problem;
      }),
    );
  }
}

/** A line's text; of a file that is not open, the editor finds its end. @param line from 1 */
function rangeOf(line: number, document: vscode.TextDocument | undefined): vscode.Range {
  const at = Math.max(0, line - 1);
  if (document === undefined) return new vscode.Range(at, 0, at, 1000);
  const {
    text,
    range,
    firstNonWhitespaceCharacterIndex: start,
  } = document.lineAt(Math.min(at, document.lineCount - 1));
  return text.trim() === "" ? range : new vscode.Range(range.start.translate(0, start), range.end);
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((each) => path.relative(each.uri.fsPath, uri.fsPath) === "");
}
