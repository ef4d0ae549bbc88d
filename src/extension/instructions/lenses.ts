import path from "node:path";
import * as vscode from "vscode";
import { rentsOf, type TextRent } from "../../engine/instructions/section-rent.ts";
import type { InstructionFile } from "../../engine/instructions/instruction-file.ts";
import type { RentCommand } from "../editor/lazy-commands.ts";
import type { RentTarget } from "./measure-instructions.ts";
import { instructionKind } from "./file-kind.ts";
import type { RentWeek } from "./week.ts";
import { openTextCommand, type ReadOnlyText } from "../editor/read-only-texts.ts";
import { rentPage, rentTitle, rentTooltip } from "./describe-instructions.ts";
import { t } from "../../engine/base/language.ts";
/** Maximum file size for lenses: nobody reads longer files, not even agents. Characters. */
const maxFileLength = 400_000;

/** Sections that cost less in a week have no lens. USD. */
const minSectionCost = 0.01;

/** The rent of files that agents read on their own, above the file and each heading. */
export class RentLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changes.event;
  readonly #week: RentWeek;
  readonly #owned: vscode.Disposable;

  constructor(week: RentWeek) {
    this.#week = week;
    const again = () => this.#changes.fire();
    this.#owned = vscode.Disposable.from(
      week.onChange(again),
      vscode.workspace.onDidGrantWorkspaceTrust(again),
      vscode.workspace.onDidChangeWorkspaceFolders(again),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("purser.rent")) again();
      }),
      this.#changes,
    );
  }

  provideCodeLenses(document: vscode.TextDocument, token: vscode.CancellationToken): vscode.CodeLens[] {
    const settings = vscode.workspace.getConfiguration("purser", document);
    if (token.isCancellationRequested || !settings.get<boolean>("rent.codeLens", true)) return [];
    const text = document.getText();
    const file = instructionKind(document.uri);
    if (file === null || text.length > maxFileLength || text.trim() === "") return [];
    if (file.kind === "recurring") this.#week.wantWakes();
    else this.#week.want();
    const [whole, ...others] = rentsOf(text, file, this.#week.known);
    // A section that makes up the whole file is not shown twice, and one that costs next to nothing not at all.
    const shown = others.filter(
      ({ part, tokens, usd }) =>
        part !== "section" || (tokens !== whole?.tokens && (usd === null || usd >= minSectionCost)),
    );
    const all = [...(whole === undefined ? [] : [whole]), ...shown];
    const page: ReadOnlyText = {
      name: t("Cost of {0}", path.basename(document.uri.fsPath, ".md")),
      isMarkdown: true,
      text: rentPage(all, path.basename(document.uri.fsPath), t),
    };
    return all.flatMap((rent) => lensesOf(rent, { document, file, page }));
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

interface LensContext {
  readonly document: vscode.TextDocument;
  readonly file: InstructionFile;
  /** The page that a click on a figure opens. */
  readonly page: ReadOnlyText;
}

function lensesOf(rent: TextRent, { document: { uri }, file, page }: LensContext): vscode.CodeLens[] {
  const range = new vscode.Range(rent.line, 0, rent.line, 0);
  const figure = {
    title: rentTitle(rent, t),
    tooltip: rentTooltip(rent, t),
    command: openTextCommand,
    arguments: [page],
  };
  const measure = measureOf(rent, uri, file);
  return [figure, ...(measure === null ? [] : [measure])].map(
    (command) => new vscode.CodeLens(range, command),
  );
}

/**
 * Null when nothing can be measured: in an untrusted workspace, outside any project, or for an agent as a
 * whole.
 */
function measureOf({ part, line }: TextRent, uri: vscode.Uri, file: InstructionFile): vscode.Command | null {
  const isWhole = part === "file";
  if (!vscode.workspace.isTrusted || file.path === null || part === "description") return null;
  if ((isWhole && file.kind === "agent") || file.kind === "recurring") return null;
  const command: RentCommand =
    isWhole && file.kind === "skill" ? "purser.measureSkill" : "purser.measureHere";
  const target: RentTarget = { uri: uri.toString(), line: isWhole ? null : line };
  const tooltip = isWhole
    ? t("Compare with this file and without it. You see the plan and its price first.")
    : t("Compare with this section and without it. You see the plan and its price first.");
  return { title: t("Measure"), tooltip, command, arguments: [target] };
}
