import { inWords, t } from "../../engine/base/language.ts";
import * as vscode from "vscode";
import { cleanText } from "../../engine/base/text.ts";
import { projectsOf, type BudgetsContext } from "./budgets-context.ts";
const source = "Purser";

/** Reports unreadable budget files, and other files among them, in Problems, with quick fixes. */
export function registerBudgetProblems(context: BudgetsContext): vscode.Disposable {
  const problems = vscode.languages.createDiagnosticCollection("purser.budgets");
  let last = "";
  const update = () => {
    const projects = projectsOf(context);
    const faults = projects.flatMap((project) => project.faults);
    const strays = projects.flatMap((project) => project.strays);
    const shown = JSON.stringify([faults, strays]);
    if (shown === last) return;
    last = shown;
    problems.clear();
    for (const { file, detail } of faults)
      if (file !== null)
        problems.set(vscode.Uri.file(file), [
          problem(about(file, inWords(detail)), vscode.DiagnosticSeverity.Error, damagedCode),
        ]);
    for (const { file, detail } of strays)
      problems.set(vscode.Uri.file(file), [
        problem(about(file, inWords(detail)), vscode.DiagnosticSeverity.Warning, strayCode),
      ]);
  };
  update();
  return vscode.Disposable.from(
    problems,
    context.feed.onChange(update),
    vscode.languages.registerCodeActionsProvider(
      { scheme: "file", pattern: "**/.purser/budgets/*.json" },
      {
        provideCodeActions: (document, _range, { diagnostics }) =>
          diagnostics.filter(isOurs).flatMap((each) => fixes(document.uri, each)),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}

/** Diagnostic codes of a damaged budget and of a file that is not a budget. */
const [damagedCode, strayCode] = ["damaged-budget", "not-a-budget"];

function problem(detail: string, severity: vscode.DiagnosticSeverity, code: string): vscode.Diagnostic {
  const found = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), cleanText(detail), severity);
  found.source = source;
  found.code = code;
  return found;
}

/** Drops the file's name, which the editor shows beside the message. */
function about(file: string, detail: string): string {
  return detail.startsWith(`${file} `) ? t("This file {0}", detail.slice(file.length + 1)) : detail;
}

function isOurs(diagnostic: vscode.Diagnostic): boolean {
  return diagnostic.source === source && diagnostic.code === damagedCode;
}

function fixes(file: vscode.Uri, diagnostic: vscode.Diagnostic): vscode.CodeAction[] {
  const fix = (title: string, command: string, isPreferred: boolean) => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.command = { title, command, arguments: [file.fsPath] };
    action.diagnostics = [diagnostic];
    action.isPreferred = isPreferred;
    return action;
  };
  return [
    fix(t("Accept this budget as written"), "purser.acceptBudget", true),
    fix(t("Delete this budget…"), "purser.deleteBudget", false),
  ];
}
