import { homedir } from "node:os";
import { readFile, stat } from "node:fs/promises";
import * as vscode from "vscode";
import { DisposableList } from "../../engine/base/events.ts";
import { rethrowUnlessSystemError } from "../../engine/base/result.ts";
import { Debounce } from "../../engine/base/timing.ts";
import { cleanText } from "../../engine/base/text.ts";
import {
  bySession,
  findInstructions,
  type FoundInstructions,
} from "../../engine/instructions/instruction-file.ts";
import {
  type InstructionText,
  lintFile,
  type LintFinding,
  type LintFix,
  type TextSpan,
} from "../../engine/instructions/lint.ts";
import { useOfFinding } from "../../engine/instructions/section-rent.ts";
import { estimatedTokens } from "../../engine/rules/rent.ts";
import { claudeRoots } from "../../engine/transcripts/claude.ts";
import { readEnvironment } from "../editor/settings.ts";
import { windowFolders } from "../editor/window-files.ts";
import { findingText, fixTitle } from "./describe-instructions.ts";
import { instructionKind } from "./file-kind.ts";
import { isRentFile, rentPatterns } from "./instructions-files.ts";
import type { RentWeek } from "./week.ts";
import { t } from "../../engine/base/language.ts";
const source = "Purser";
/** Maximum size of instructions, and of what they repeat. Bytes. */
const maxFileSize = 1_000_000;
/** Maximum instruction files of a window. With more, nobody knows what a session gets. */
const maxFiles = 300;

interface Checked {
  /** The document's version at the time of the check. */
  readonly version: number;
  readonly findings: readonly (readonly [vscode.Diagnostic, LintFinding])[];
}

/** Shows what makes instructions dearer than they need be in Problems, with quick fixes: of open files only. */
export class LintProblems implements vscode.Disposable {
  readonly #owned = new DisposableList();
  readonly #problems = vscode.languages.createDiagnosticCollection("purser.instructions");
  readonly #checked = new Map<string, Checked>();
  readonly #week: RentWeek;
  readonly #onProblem: (message: string) => void;
  readonly #again: Debounce;
  /** The window's instruction files; null before they are looked for, and after one came or went. */
  #found: Promise<readonly FoundInstructions[]> | null = null;
  #isDisposed = false;

  constructor(week: RentWeek, onProblem: (message: string) => void) {
    this.#week = week;
    this.#onProblem = onProblem;
    this.#again = new Debounce({ quiet: 400, most: 2000 }, () => void this.#checkAll());
    const again = () => this.#again.ask();
    const searchAgain = () => {
      this.#found = null;
      again();
    };
    const files = rentPatterns.map((pattern) => ({ scheme: "file", pattern }));
    for (const each of [
      this.#problems,
      this.#again,
      week.onChange(again),
      vscode.workspace.onDidOpenTextDocument(again),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (isRentFile(document.uri.fsPath)) again();
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#problems.delete(uri);
        this.#checked.delete(uri.toString());
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(searchAgain),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("purser.instructions")) again();
      }),
      ...rentPatterns.flatMap((pattern) => {
        const watcher = vscode.workspace.createFileSystemWatcher(pattern);
        return [
          watcher,
          watcher.onDidCreate(searchAgain),
          watcher.onDidDelete(searchAgain),
          watcher.onDidChange(again),
        ];
      }),
      vscode.languages.registerCodeActionsProvider(
        files,
        { provideCodeActions: (document, _range, { diagnostics }) => this.#actions(document, diagnostics) },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    ])
      this.#owned.add(each);
    again();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#owned.dispose();
  }

  async #checkAll(): Promise<void> {
    try {
      for (const document of vscode.workspace.textDocuments) await this.#check(document);
    } catch (error) {
      this.#onProblem(`Instructions are not checked: ${String(error)}`);
    }
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    const { uri, version } = document;
    const file = isRentFile(uri.fsPath) && !document.isClosed ? instructionKind(uri) : null;
    if (file === null) return;
    const settings = vscode.workspace.getConfiguration("purser", uri);
    const ignored = settings.get<readonly unknown[]>("instructions.ignore", []);
    // The second is the earlier name of the same wish. It holds for one more version.
    if (ignored.includes("all") || settings.get("instructions.lint") === false) {
      this.#show(uri, { version, findings: [] });
      return;
    }
    if (file.kind === "recurring") this.#week.wantWakes();
    else this.#week.want();
    const week = this.#week.known;
    const charactersPerToken = week?.charactersPerToken ?? [];
    const all = await this.#textsOf();
    const own: InstructionText = { ...file, file: uri.fsPath, text: document.getText() };
    const findings = await lintFile(own, all, {
      read: readSmall,
      home: homedir(),
      folders: windowFolders(),
      charactersPerToken,
    });
    if (this.#isDisposed || document.isClosed || document.version !== version) return;
    this.#show(uri, {
      version,
      findings: findings
        .filter(({ kind }) => !ignored.includes(kind))
        .map((finding) => {
          const { tokens } = estimatedTokens(finding.text, charactersPerToken);
          const use = useOfFinding(finding, own.text, file, week);
          return [diagnosticOf(finding, findingText(finding, { tokens, ...use }, t)), finding] as const;
        }),
    });
  }

  #show(uri: vscode.Uri, checked: Checked): void {
    this.#checked.set(uri.toString(), checked);
    this.#problems.set(
      uri,
      checked.findings.map(([diagnostic]) => diagnostic),
    );
  }

  /** The window's instruction files with their texts, those that are open as they are in the editor. */
  async #textsOf(): Promise<InstructionText[]> {
    this.#found ??= findInWindow();
    const open = new Map(vscode.workspace.textDocuments.map((each) => [each.uri.fsPath, each]));
    const texts = await Promise.all(
      (await this.#found).map(async (each) => {
        const text = open.get(each.file)?.getText() ?? (await readSmall(each.file));
        return text === null ? [] : [{ ...each, text }];
      }),
    );
    return texts.flat();
  }

  async #actions(
    document: vscode.TextDocument,
    diagnostics: readonly vscode.Diagnostic[],
  ): Promise<vscode.CodeAction[]> {
    const checked = this.#checked.get(document.uri.toString());
    const ours = diagnostics.filter((each) => each.source === source && typeof each.code === "string");
    if (checked?.version !== document.version) return [];
    const actions: vscode.CodeAction[] = [];
    for (const diagnostic of ours) {
      const finding = checked.findings.find(([each]) => isSame(each, diagnostic))?.[1];
      if (finding === undefined) continue;
      const edit = finding.fix === null ? null : await editOf(document.uri, finding.fix);
      if (finding.fix !== null && edit !== null) {
        const action = new vscode.CodeAction(fixTitle(finding.fix), vscode.CodeActionKind.QuickFix);
        action.edit = edit;
        action.diagnostics = [diagnostic];
        action.isPreferred = true;
        actions.push(action);
      }
      actions.push(settingsAction(diagnostic));
    }
    return actions;
  }
}

function settingsAction(diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const title = t("Choose What Is Reported in Instructions…");
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = {
    title,
    command: "workbench.action.openSettings",
    arguments: ["purser.instructions"],
  };
  action.diagnostics = [diagnostic];
  return action;
}

function diagnosticOf({ kind, span }: LintFinding, text: string): vscode.Diagnostic {
  const found = new vscode.Diagnostic(rangeOf(span), cleanText(text), vscode.DiagnosticSeverity.Information);
  found.source = source;
  found.code = kind;
  return found;
}

function isSame(a: vscode.Diagnostic, b: vscode.Diagnostic): boolean {
  return a.code === b.code && a.message === b.message && a.range.isEqual(b.range);
}

function rangeOf({ line, column, endLine, endColumn }: TextSpan): vscode.Range {
  return new vscode.Range(line, column, endLine, endColumn);
}

/** Null where the file that is to be made is there already. */
async function editOf(uri: vscode.Uri, { span, text, file }: LintFix): Promise<vscode.WorkspaceEdit | null> {
  const edit = new vscode.WorkspaceEdit();
  if (file !== undefined) {
    const target = vscode.Uri.joinPath(uri, "..", file.path);
    if (await exists(target.fsPath)) return null;
    edit.createFile(target, { overwrite: false });
    edit.insert(target, new vscode.Position(0, 0), file.text);
  }
  edit.replace(uri, rangeOf(span), text);
  return edit;
}

async function findInWindow(): Promise<FoundInstructions[]> {
  const roots = claudeRoots({ env: readEnvironment(), home: homedir() });
  let uris: readonly vscode.Uri[];
  try {
    uris = await vscode.workspace.findFiles(`{${rentPatterns.join(",")}}`, undefined, maxFiles);
  } catch {
    // An editor without its search program, or with one that may not be started.
    return await findInstructions({ folders: windowFolders(), roots });
  }
  const own = await findInstructions({ folders: [], roots });
  const ofFolders = uris.flatMap((uri): FoundInstructions[] => {
    const found = instructionKind(uri);
    return found === null ? [] : [{ ...found, file: uri.fsPath }];
  });
  const all = new Map([...own, ...ofFolders].map((each) => [each.file, each]));
  return [...all.values()].sort(bySession);
}

async function readSmall(file: string): Promise<string | null> {
  try {
    const stats = await stat(file);
    // Opening a FIFO would wait for its writer.
    return stats.isFile() && stats.size <= maxFileSize ? await readFile(file, "utf8") : null;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return false;
  }
}
