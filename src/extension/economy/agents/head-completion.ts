import * as vscode from "vscode";
import { inWords } from "../../../engine/base/language.ts";
import { describeHeadKey, suggestInHead } from "../../../engine/recurring/agents.ts";
import { agentNameOf } from "./economy-agents-file.ts";

/** Completes the head of an agent's file, and explains its keys on hover. */
class HeadSuggestions implements vscode.CompletionItemProvider, vscode.HoverProvider {
  provideCompletionItems(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
    if (agentNameOf(document.uri) === null) return [];
    const { line, character } = position;
    const found = suggestInHead(document.getText(), { line, column: character });
    if (found === null) return [];
    const { place, suggestions } = found;
    const range = new vscode.Range(line, place.column, line, character);
    const { Property, EnumMember } = vscode.CompletionItemKind;
    return suggestions.map(({ kind, text, description }, index) => {
      const item = new vscode.CompletionItem(text, kind === "key" ? Property : EnumMember);
      item.range = range;
      item.insertText = kind === "key" ? `${text}: ` : text;
      if (description !== null) item.detail = inWords(description);
      item.sortText = String(index).padStart(4, "0");
      return item;
    });
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | null {
    const range = document.getWordRangeAtPosition(position, /[A-Za-z][\w-]*/u);
    if (range === undefined || agentNameOf(document.uri) === null) return null;
    const { line, character } = range.start;
    const text = describeHeadKey(document.getText(), { line, column: character }, document.getText(range));
    return text === null
      ? null
      : new vscode.Hover(new vscode.MarkdownString().appendText(inWords(text)), range);
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
