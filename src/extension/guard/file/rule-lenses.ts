import * as vscode from "vscode";
import { outlineOf, type OutlineItem } from "../../../engine/guard/guard-rules.ts";
import type { GuardFileCommand } from "../../editor/lazy-commands.ts";
import { daysUntil } from "./suggestions.ts";
import type { WeekCounts } from "../../editor/week-counts.ts";
import { t } from "../../../engine/base/language.ts";

/** A rule with a clicked lens, and the place of its text. */
interface RuleTarget {
  readonly uri: string;
  readonly id: string;
}

/** How often each rule fired in the last week. */
export type FiredCounts = WeekCounts<ReadonlyMap<string, number>>;

/**
 * Lenses above each rule of a `guard.yaml`: how often it fired recently, when an exception ends, and a way to
 * try it.
 */
export class RuleLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #counts: FiredCounts;
  readonly onDidChangeCodeLenses: vscode.Event<void>;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #owned: vscode.Disposable;

  constructor(counts: FiredCounts) {
    this.#counts = counts;
    this.onDidChangeCodeLenses = this.#changes.event;
    this.#owned = vscode.Disposable.from(
      counts.onChange(() => this.#changes.fire()),
      this.#changes,
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const outline = outlineOf(document.getText());
    if (outline.length > 0) this.#counts.want();
    return outline.flatMap((item) => this.#lensesOf(item, document));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #lensesOf(item: OutlineItem, { uri, lineCount }: vscode.TextDocument): vscode.CodeLens[] {
    const line = Math.min(item.line, lineCount - 1);
    const range = new vscode.Range(line, 0, line, 0);
    const target: RuleTarget = { uri: uri.toString(), id: item.id };
    const command: GuardFileCommand = "purser.testGuardRule";
    const titles = [this.#firedText(item.id), item.kind === "exception" ? endText(item.until) : null].filter(
      (title) => title !== null,
    );
    return [
      ...titles.map((title) => new vscode.CodeLens(range, { title, command: "" })),
      new vscode.CodeLens(range, {
        title: t("Test…"),
        tooltip: t("Type a command and see which rules fire on it. Nothing is run."),
        command,
        arguments: [target],
      }),
    ];
  }

  #firedText(id: string): string | null {
    const { known } = this.#counts;
    if (known === null) return null;
    const count = known.get(id) ?? 0;
    if (count === 0) return t("Not fired in 7 days");
    return count === 1 ? t("Fired once in 7 days") : t("Fired {0} times in 7 days", count);
  }
}

function endText(until: string | null): string {
  const days = until === null ? null : daysUntil(until, Date.now());
  if (days === null) return t("Holds without an end");
  if (days <= 0) return t("Has ended");
  return days === 1 ? t("Ends tomorrow") : t("Ends in {0} days", days);
}
