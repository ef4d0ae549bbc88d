import * as vscode from "vscode";
import { translated, t } from "../../../engine/base/language.ts";
import { cleanText } from "../../../engine/base/text.ts";
import { type RuleFacts, placeAt, describeKey, suggestAt } from "../../../engine/guard/guard-rules.ts";
import { completionItems, hoverOf, wordAt } from "../../editor/file-help.ts";
import { rulesFileKind } from "./kind.ts";
import type { RuleKnowledge } from "./knowledge.ts";

/** Milliseconds. */
const day = 24 * 60 * 60_000;

/** Returns the local day of a time: `2026-12-31`. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const two = (figure: number) => String(figure).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns ends that an exception may have: in a week, a month, a quarter. */
function usualEnds(now: number): readonly string[] {
  return [7, 30, 90].map((days) => dayOf(now + days * day));
}

/**
 * Returns the number of days until a day begins: 0 or less if it has begun, null if the text is not a day.
 */
export function daysUntil(until: string, now: number): number | null {
  const end = new Date(`${until}T00:00:00`).getTime();
  return Number.isNaN(end) ? null : Math.ceil((end - now) / day);
}

/** Completes words in a `guard.yaml`, and explains them on hover. */
export class RulesSuggestions implements vscode.CompletionItemProvider, vscode.HoverProvider {
  readonly #knowledge: RuleKnowledge;

  constructor(knowledge: RuleKnowledge) {
    this.#knowledge = knowledge;
  }

  provideCompletionItems(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
    const text = document.getText();
    const { config } = this.#knowledge.read(document, text);
    const found = suggestAt(
      text,
      { line: position.line, column: position.character },
      {
        scope: rulesFileKind(document.uri) === "project" ? "project" : "user",
        rules: this.#knowledge.factsWith(config),
        days: usualEnds(Date.now()),
      },
    );
    if (found === null) return [];
    const { place, suggestions } = found;
    // In a list of path kinds separated by |, only the last is replaced.
    const start = place.column + place.word.lastIndexOf("|") + 1;
    const range = new vscode.Range(position.line, start, position.line, position.character);
    return completionItems(suggestions, range, place.kind === "key");
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | null {
    const range = wordAt(document, position);
    if (range === undefined) return null;
    const word = document.getText(range);
    const text = document.getText();
    const facts = this.#knowledge.factsWith(this.#knowledge.read(document, text).config);
    const rule = facts.find(({ id }) => id === word);
    if (rule !== undefined) return new vscode.Hover(describeRule(rule), range);
    const place = placeAt(text, { line: range.end.line, column: range.start.character });
    return hoverOf(place === null ? null : describeKey([...place.path, word]), range);
  }
}

function describeRule({
  id,
  family,
  action,
  message,
  remedy,
  example,
  isCode,
}: RuleFacts): vscode.MarkdownString {
  const actionNames = {
    advise: t("advises the agent"),
    ask: t("asks you first"),
    deny: t("denies the call"),
  };
  const markdown = new vscode.MarkdownString();
  markdown.appendMarkdown(`**${id}** (${family}) `).appendText(actionNames[action]).appendMarkdown("\n\n");
  markdown.appendText([message, remedy].map((text) => translated(cleanText(text))).join(" "));
  if (example !== "" && isCode) markdown.appendMarkdown("\n\n").appendText(translated(cleanText(example)));
  else if (example !== "") markdown.appendCodeblock(example, "shellscript");
  return markdown;
}
