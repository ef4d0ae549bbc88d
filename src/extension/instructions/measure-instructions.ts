import { plainSentence, t } from "../../engine/base/language.ts";
import path from "node:path";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { fail, succeed, type Result } from "../../engine/base/result.ts";
import {
  filesBesideSkill,
  serverAt,
  withoutServer,
  leaveOut,
  paragraphAt,
  type Ablation,
  type LineSpan,
} from "../../engine/compare/leave-out.ts";
import { serversIn } from "../../engine/bench/configuration.ts";
import type { CompareAsk } from "../../engine/jobs/compare-answers.ts";
import { withoutIcons } from "../editor/outside-text.ts";
import { instructionKind } from "./file-kind.ts";

const targetSchema = z.object({ uri: z.string(), line: z.nullable(z.int().check(z.nonnegative())) });

/** A lens's target: the paragraph at a line, or the whole file. */
export type RentTarget = z.infer<typeof targetSchema>;

/** The parts of a `CompareAsk` known before asking the user. */
interface CompareSeed extends LeftOutSeed {
  readonly agent?: CompareAsk["agent"];
  readonly driver?: CompareAsk["driver"];
}
type LeftOutSeed = Pick<Ablation, "change" | "shared">;

/** `missing`: the detail is shown to the user. `cancelled`: the user did it. */
export type Seeded = Result<CompareSeed, "missing" | "cancelled">;

/** Leaves out the paragraph or section at a lens or the cursor, the selected lines, or the file. */
export async function seedOfHere(target: unknown): Promise<Seeded> {
  const resolved = await resolveTarget(target);
  if (resolved === undefined)
    return fail("missing", plainSentence(t("Open a file that agents read, and put the cursor into it.")));
  const { document, line, selection } = resolved;
  const file = instructionKind(document.uri);
  if (file === null || file.kind === "recurring")
    return fail(
      "missing",
      plainSentence(t("Agents do not read this file by themselves, so there is nothing to measure.")),
    );
  const text = document.getText();
  const span = selection ?? (line === null ? null : paragraphAt(text, line));
  if (span === null && line !== null)
    return fail(
      "missing",
      plainSentence(t("Put the cursor into a paragraph, onto a heading, or select lines.")),
    );
  const left = leaveOut(text, file, span);
  if (!left.ok) return fail("missing", plainSentence(faultText(left.reason)));
  const seed = seedOf(left.value);
  // Claude Code reads an AGENTS.md only if a CLAUDE.md imports it.
  if (file.programs.includes("codex")) return succeed({ ...seed, driver: "codex" });
  return file.kind === "skill" ? await withSkillFiles(seed, document.uri.fsPath, file.path) : succeed(seed);
}

/** Leaves out the whole skill of the open SKILL.md. */
export async function seedOfSkill(target: unknown): Promise<Seeded> {
  const document = (await resolveTarget(target))?.document;
  const file = document === undefined ? null : instructionKind(document.uri);
  if (document === undefined || file?.kind !== "skill")
    return fail("missing", plainSentence(t("Open the SKILL.md of the skill.")));
  const left = leaveOut(document.getText(), file, null);
  if (!left.ok) return fail("missing", plainSentence(faultText(left.reason)));
  return await withSkillFiles(seedOf(left.value), document.uri.fsPath, file.path);
}

/** Leaves out the MCP server at the cursor. Without one there, asks for it. */
export async function seedOfServer(): Promise<Seeded> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || path.basename(editor.document.uri.path) !== ".mcp.json")
    return fail(
      "missing",
      plainSentence(t("Open the .mcp.json, and put the cursor into the server's entry.")),
    );
  const text = editor.document.getText();
  const names = serversIn(text);
  if (names.length === 0)
    return fail("missing", plainSentence(t("This file names no MCP server, or is not JSON.")));
  const name = serverAt(text, editor.document.offsetAt(editor.selection.active)) ?? (await pickServer(names));
  if (name === undefined) return fail("cancelled", plainSentence(""));
  const left = withoutServer(text, name);
  return left.ok ? succeed(seedOf(left.value)) : fail("missing", left.detail);
}

async function pickServer(names: readonly string[]): Promise<string | undefined> {
  const items = names.map((name) => ({ label: withoutIcons(name, 100), name }));
  const placeHolder = t("Which MCP server should be measured?");
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.name;
}

function seedOf({ change, shared, agent }: Ablation): CompareSeed {
  return { change, shared, ...(agent === null ? {} : { agent }) };
}

/** Adds the skill's other files to both sides. Without its SKILL.md they are not a skill. */
async function withSkillFiles(seed: CompareSeed, file: string, projectPath: string | null): Promise<Seeded> {
  const beside = await filesBesideSkill(path.dirname(file), projectPath ?? "");
  if (!beside.ok) return fail("missing", beside.detail);
  return succeed({ ...seed, shared: [...seed.shared, ...beside.value] });
}

interface ResolvedTarget {
  readonly document: vscode.TextDocument;
  /** Null for the whole file. */
  readonly line: number | null;
  /** The selected lines, if the selection is not empty. */
  readonly selection: LineSpan | undefined;
}

/** The position of a lens, or else of the cursor. A menu passes only the file, which is the active editor's. */
async function resolveTarget(target: unknown): Promise<ResolvedTarget | undefined> {
  const asked = targetSchema.safeParse(target);
  if (asked.success) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(asked.data.uri, true));
    return { document, line: asked.data.line, selection: undefined };
  }
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const { start, end, active, isEmpty } = editor.selection;
  // A selection that ends at a line's start excludes that line.
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  const selection = isEmpty ? undefined : { start: start.line, end: last };
  return { document: editor.document, line: active.line, selection };
}

function faultText(reason: Extract<ReturnType<typeof leaveOut>, { ok: false }>["reason"]): string {
  switch (reason) {
    case "elsewhere":
      return t("This file is neither in a folder of this window nor in Claude Code's own.");
    case "whole_agent":
      return t("A whole agent definition can't be left out. Put the cursor under a heading.");
    case "no_heading":
      return t(
        "Only a section under a heading can be left out of an agent definition. Put the cursor on the heading.",
      );
    case "nothing":
      return t("There is nothing to leave out.");
  }
}
