import * as vscode from "vscode";
import { outlineOf, type OutlineItem } from "../../../engine/guard/editing.ts";
import type { GuardFileCommand } from "../../editor/lazy-commands.ts";
import { daysUntil } from "./suggestions.ts";
import { Emitter, DisposableList, type Disposable } from "../../../engine/base/events.ts";
import { LatestRequest } from "../../editor/latest-request.ts";
import type { ServiceConnection } from "../../service/connection.ts";

/** Milliseconds. */
const week = 7 * 24 * 60 * 60_000;
/** How long an answer counts as fresh, and the minimum time between two requests. Milliseconds. */
const [lasting, interval] = [60_000, 2000];

/** How often each guard rule fired in the last week, requested only while it is shown. */
export class FiredCounts implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #service: ServiceConnection;
  readonly #now: () => number;
  readonly #ask: LatestRequest;
  readonly #owned = new DisposableList();
  #askedAt = -Infinity;
  /** Null while nothing is known. */
  known: ReadonlyMap<string, number> | null = null;

  /** @param now milliseconds since the epoch */
  constructor(service: ServiceConnection, now: () => number) {
    this.#service = service;
    this.#now = now;
    this.#ask = this.#owned.add(new LatestRequest(interval, (signal) => this.#count(signal)));
    this.#owned.add(
      service.onChanged("ledgerChanged", (changed) => {
        const wasAsked = this.#askedAt !== -Infinity;
        if (changed === undefined) this.#askedAt = -Infinity;
        if (wasAsked && (changed === undefined || this.known === null)) this.#ask.soon();
      }),
    );
  }

  /** Called when the counts are shown: requests them unless they are fresh. */
  want(): void {
    if (this.#now() - this.#askedAt > lasting) this.#ask.soon();
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  async #count(signal: AbortSignal): Promise<void> {
    this.#askedAt = this.#now();
    const read = await this.#service.ask("guardCounts", { asked: this.#now() - week }, signal);
    if (signal.aborted || !read.ok) return;
    this.known = new Map(read.value.answer.map(({ rule, count }) => [rule, count]));
    this.#changes.fire();
  }
}

const { t } = vscode.l10n;

/** A rule with a clicked lens, and the place of its text. */
interface RuleTarget {
  readonly uri: string;
  readonly id: string;
}

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
