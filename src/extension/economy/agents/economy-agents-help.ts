import { completionItems, hoverOf, PendingChecks, trimmedLine, wordAt } from "../../editor/file-help.ts";
import path from "node:path";
import * as vscode from "vscode";
import { DisposableList } from "../../../engine/base/events.ts";
import type { YamlFault } from "../../../engine/base/parse.ts";
import { cleanText } from "../../../engine/base/text.ts";
import { readDefinition, describeHeadKey, suggestInHead } from "../../../engine/recurring/agents.ts";
import { type RecurringFeed, agentNameOf } from "./economy-agents-feed.ts";
import { inWords } from "../../../engine/base/language.ts";

/** Faults of agents' files in Problems: of the editor's text for an open file, of the disk for others. */
export class RecurringProblems implements vscode.Disposable {
  readonly #feed: RecurringFeed;
  readonly #problems = vscode.languages.createDiagnosticCollection("purser.agents");
  readonly #pending = new PendingChecks();
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
    this.#pending.dispose();
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
    this.#pending.ask(document, () => this.#show(document, name));
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
  return document === undefined ? new vscode.Range(at, 0, at, 1000) : trimmedLine(document, at);
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((each) => path.relative(each.uri.fsPath, uri.fsPath) === "");
}

/** Completes the head of an agent's file, and explains its keys on hover. */
class HeadSuggestions implements vscode.CompletionItemProvider, vscode.HoverProvider {
  provideCompletionItems(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
    if (agentNameOf(document.uri) === null) return [];
    const { line, character } = position;
    const found = suggestInHead(document.getText(), { line, column: character });
    if (found === null) return [];
    const { place, suggestions } = found;
    const range = new vscode.Range(line, place.column, line, character);
    return completionItems(suggestions, range, suggestions[0]?.kind === "key");
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | null {
    const range = wordAt(document, position);
    if (range === undefined || agentNameOf(document.uri) === null) return null;
    const { line, character } = range.start;
    const text = describeHeadKey(document.getText(), { line, column: character }, document.getText(range));
    return hoverOf(text, range);
  }
}

/** Registers help with files of recurring agents while they are written. */
export function registerHeadSuggestions(): vscode.Disposable {
  const files = { scheme: "file", pattern: "**/.purser/agents/*.md" };
  const suggestions = new HeadSuggestions();
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(files, suggestions, ":", " ", "-", "{", ","),
    vscode.languages.registerHoverProvider(files, suggestions),
  );
}
