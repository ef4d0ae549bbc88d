import { compose, plainSentence } from "../../engine/base/language.ts";
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { type Result, succeed, fail, errorCode } from "../../engine/base/result.ts";
import { readFrontmatter } from "../../engine/bench/frontmatter.ts";
import { filesOfSkill } from "../../engine/compare/leave-out.ts";
import type { CompareAsk } from "../../engine/jobs/compare-answers.ts";
import * as z from "zod/mini";

const { t } = vscode.l10n;

type Change = CompareAsk["change"];
type Read = Result<ReadChange, "bad_argument">;

/** The difference to measure, and the owner of a prompt. */
interface ReadChange {
  readonly change: Change;
  readonly agent?: string;
}

/** Comparisons that need a file or folder of the user's. */
export type FileChange = "prompt" | "settings" | "claude-md" | "skill" | "mcp";

/** Each file's path in a project. */
const paths = { settings: ".claude/settings.json", "claude-md": "CLAUDE.md", mcp: ".mcp.json" } as const;

/** The project as it is, but without instructions. */
export const withoutInstructions: Change = {
  kind: "setting",
  name: plainSentence("no CLAUDE.md"),
  files: [{ path: "CLAUDE.md", text: null }],
};

/** Asks for the file and reads it; undefined when cancelled. @param agents those that another prompt may be of */
export async function askForFile(asked: FileChange, agents: readonly string[]): Promise<Read | undefined> {
  const isFolder = asked === "skill";
  const chosen = await vscode.window.showOpenDialog({
    title: titleOf(asked),
    openLabel: t("Compare"),
    canSelectFiles: !isFolder,
    canSelectFolders: isFolder,
    filters: filtersOf(asked),
  });
  const file = chosen?.[0]?.fsPath;
  return file === undefined ? undefined : await readChange(asked, file, agents);
}

/** @param file the file's or the skill folder's absolute path */
async function readChange(asked: FileChange, file: string, agents: readonly string[]): Promise<Read> {
  const name = path.basename(file);
  if (asked === "skill") {
    const read = await filesOfSkill(file);
    return read.ok
      ? succeed({ change: { kind: "setting", name: plainSentence(name), files: read.value } })
      : read;
  }
  const read = await readText(file);
  if (!read.ok) return read;
  if (asked === "prompt") return promptOf(name, read.value, agents);
  return succeed({
    change: { kind: "setting", name: plainSentence(name), files: [{ path: paths[asked], text: read.value }] },
  });
}

/** Rejects the file of an agent without tasks: its prompt could not be measured. */
function promptOf(name: string, definition: string, agents: readonly string[]): Read {
  const named = readFrontmatter(definition, z.looseObject({ name: z.string() }));
  if (!named.ok) return fail("bad_argument", compose`${name}: ${named.detail}`);
  const agent = named.value.name;
  if (!agents.includes(agent))
    return fail(
      "bad_argument",
      plainSentence(t("{0} defines the agent {1}. There are tasks for {2}.", name, agent, agents.join(", "))),
    );
  return succeed({ change: { kind: "prompt", name, definition }, agent });
}

async function readText(file: string): Promise<Result<string, "bad_argument">> {
  try {
    return succeed(await readFile(file, "utf8"));
  } catch (error) {
    return fail("bad_argument", plainSentence(t("{0} cannot be read ({1})", file, errorCode(error))));
  }
}

function titleOf(asked: FileChange): string {
  switch (asked) {
    case "prompt":
      return t("The other prompt: an agent definition file");
    case "settings":
      return t("The settings.json for one side");
    case "claude-md":
      return t("The CLAUDE.md for one side");
    case "skill":
      return t("The skill folder for one side");
    case "mcp":
      return t("The .mcp.json for one side");
  }
}

function filtersOf(asked: FileChange): Record<string, string[]> {
  switch (asked) {
    case "prompt":
    case "claude-md":
      return { [t("Markdown")]: ["md"] };
    case "settings":
    case "mcp":
      return { [t("JSON")]: ["json"] };
    case "skill":
      return {};
  }
}
