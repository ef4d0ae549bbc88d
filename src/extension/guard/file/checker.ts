import * as vscode from "vscode";
import { inWords, t } from "../../../engine/base/language.ts";
import { cleanText } from "../../../engine/base/text.ts";
import { outlineOf, type GuardFault } from "../../../engine/guard/guard-rules.ts";
import { PendingChecks, trimmedLine } from "../../editor/file-help.ts";
import { rulesFileKind } from "./kind.ts";
import type { RuleKnowledge } from "./knowledge.ts";
import { dayOf } from "./suggestions.ts";
const source = "Purser";

/** Reports faults of files of guard rules at their lines while they are edited, with quick fixes. */
export class RulesChecker implements vscode.Disposable, vscode.CodeActionProvider {
  readonly #knowledge: RuleKnowledge;
  readonly #problems = vscode.languages.createDiagnosticCollection("guard rules");
  readonly #owned: vscode.Disposable;
  readonly #pending = new PendingChecks();
  /** Faults by their diagnostics, for fixes. */
  readonly #faults = new Map<
    string,
    readonly { readonly range: vscode.Range; readonly fault: GuardFault }[]
  >();

  constructor(knowledge: RuleKnowledge) {
    this.#knowledge = knowledge;
    const { workspace } = vscode;
    const all = () => {
      for (const document of workspace.textDocuments) this.#check(document);
    };
    this.#owned = vscode.Disposable.from(
      this.#problems,
      workspace.onDidOpenTextDocument((document) => this.#check(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.#checkSoon(document)),
      workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      workspace.onDidGrantWorkspaceTrust(all),
    );
    all();
  }

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const faults = this.#faults.get(document.uri.toString()) ?? [];
    return diagnostics
      .filter((each) => each.source === source)
      .flatMap((diagnostic) => {
        const found = faults.find(
          ({ range, fault }) =>
            range.isEqual(diagnostic.range) && cleanText(inWords(fault.message)) === diagnostic.message,
        );
        return found === undefined ? [] : fixesOf(document, diagnostic, found.fault);
      });
  }

  dispose(): void {
    this.#pending.dispose();
    this.#owned.dispose();
  }

  #checkSoon(document: vscode.TextDocument): void {
    if (rulesFileKind(document.uri) === null) return;
    this.#pending.ask(document, () => this.#check(document));
  }

  #check(document: vscode.TextDocument): void {
    const kind = rulesFileKind(document.uri);
    if (kind === null) return;
    const text = document.getText();
    const faults = this.#knowledge
      .read(document, text)
      .faults.map((fault) => ({ fault, range: rangeOf(document, fault) }));
    this.#faults.set(document.uri.toString(), faults);
    const severity = kind === "hookify" ? vscode.DiagnosticSeverity.Warning : vscode.DiagnosticSeverity.Error;
    this.#problems.set(document.uri, [
      ...faults.map(({ range, fault }) => diagnostic(range, cleanText(inWords(fault.message)), severity)),
      ...(kind === "hookify" ? [] : endedExceptions(document, text)),
      ...(kind === "user" || vscode.workspace.isTrusted
        ? []
        : [
            diagnostic(
              document.lineAt(0).range,
              t("This file has no effect until you trust this folder."),
              vscode.DiagnosticSeverity.Information,
            ),
          ]),
    ]);
  }

  #forget(uri: vscode.Uri): void {
    this.#pending.forget(uri);
    this.#faults.delete(uri.toString());
    this.#problems.delete(uri);
  }
}

function endedExceptions(document: vscode.TextDocument, text: string): vscode.Diagnostic[] {
  const today = dayOf(Date.now());
  return outlineOf(text)
    .filter(({ until }) => until !== null && until <= today)
    .map(({ line, until }) => {
      const ended = diagnostic(
        trimmedLine(document, line),
        t("This exception expired ({0}) and has no effect.", until ?? ""),
        vscode.DiagnosticSeverity.Hint,
      );
      ended.tags = [vscode.DiagnosticTag.Unnecessary];
      return ended;
    });
}

function diagnostic(
  range: vscode.Range,
  message: string,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  const made = new vscode.Diagnostic(range, cleanText(message), severity);
  made.source = source;
  return made;
}

/** The wrong word of a fault's line, or the whole line. */
function rangeOf(document: vscode.TextDocument, { line, wrong }: GuardFault): vscode.Range {
  const at = Math.min(Math.max(0, line - 1), document.lineCount - 1);
  const whole = trimmedLine(document, at);
  const word = wrong?.word ?? "";
  const start = word === "" ? -1 : document.lineAt(at).text.lastIndexOf(word);
  return start === -1 ? whole : new vscode.Range(at, start, at, start + word.length);
}

function fixesOf(
  document: vscode.TextDocument,
  problem: vscode.Diagnostic,
  { wrong }: GuardFault,
): vscode.CodeAction[] {
  if (wrong?.word !== document.getText(problem.range)) return [];
  return wrong.instead.slice(0, 5).map((word, index) => {
    const fix = new vscode.CodeAction(t("Write {0}", word), vscode.CodeActionKind.QuickFix);
    fix.edit = new vscode.WorkspaceEdit();
    fix.edit.replace(document.uri, problem.range, word);
    fix.diagnostics = [problem];
    fix.isPreferred = index === 0;
    return fix;
  });
}
