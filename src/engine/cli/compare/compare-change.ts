import { sentence, compose, plainSentence, type Sentence } from "../../base/language.ts";
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod/mini";
import { type Result, succeed, errorCode } from "../../base/result.ts";
import { printedJson } from "../../base/text.ts";
import type { OverlayFile } from "../../bench/configuration.ts";
import { readFrontmatter } from "../../bench/frontmatter.ts";
import type { GoldenAgent } from "../../bench/suite.ts";
import type { Change } from "../../compare/compare-change.ts";
import { changedFields } from "../../compare/evolve.ts";
import { filesOfSkill } from "../../compare/leave-out.ts";
import { flag, option, type ParsedOptions, wrongUsage } from "../args.ts";
import { effortForm } from "../bench/options.ts";

export interface ChosenChange {
  readonly change: Change;
  /** Compared with the same runs. */
  readonly others?: readonly Change[];
  readonly notes: readonly Sentence[];
}

type ChangeResult = Result<ChosenChange, "bad_argument">;

export async function modelChange(options: ParsedOptions): Promise<ChangeResult> {
  const models = options.values("model");
  if (models.length === 0)
    return wrongUsage(
      sentence("--model is required: the model to compare with --baseline or the agent's own"),
    );
  return await eachOf(models, ".", (model) => withoutNotes({ kind: "model", model }));
}

export async function promptChange(
  options: ParsedOptions,
  agent: GoldenAgent,
  cwd: string,
): Promise<ChangeResult> {
  const files = options.values("variant");
  if (files.length === 0) return wrongUsage(sentence("--variant is required: a file with the other prompt"));
  return await eachOf(files, cwd, (file, name) => promptOf(file, { name, agent, cwd }));
}

async function promptOf(
  file: string,
  { name, agent, cwd }: { readonly name: string; readonly agent: GoldenAgent; readonly cwd: string },
): Promise<ChangeResult> {
  const read = await readText(file, cwd);
  if (!read.ok) return read;
  const named = readFrontmatter(read.value, z.looseObject({ name: z.string() }));
  if (!named.ok) return wrongUsage(compose`${file}: ${named.detail}`);
  if (named.value.name !== agent.name)
    return wrongUsage(
      sentence("{0} defines the agent {1}, not {2}", file, printedJson(named.value.name), agent.name),
    );
  const changed = changedFields(agent.definition, read.value);
  const fields = changed.ok ? changed.value : [];
  const change = { kind: "prompt", name, definition: read.value } as const;
  const note = sentence(
    "The variant has another {0} too, so more than its text is compared.",
    fields.join(", "),
  );
  return succeed({ change, notes: fields.length === 0 ? [] : [note] });
}

/** Files with equal names are named as given. */
async function eachOf(
  values: readonly string[],
  cwd: string,
  changeOf: (value: string, name: string) => Promise<ChangeResult> | ChangeResult,
): Promise<ChangeResult> {
  const names = values.map((value) => path.basename(path.resolve(cwd, value)));
  const changes: Change[] = [];
  const notes = new Map<string, Sentence>();
  for (const [index, value] of values.entries()) {
    const name = names[index] ?? value;
    const isShared = names.filter((other) => other === name).length > 1;
    const made = await changeOf(value, isShared ? value : name);
    if (!made.ok) return made;
    changes.push(made.value.change);
    for (const note of made.value.notes) notes.set(note.text, note);
  }
  const [change, ...others] = changes;
  if (change === undefined) return wrongUsage(sentence("nothing to compare"));
  return succeed({ change, notes: [...notes.values()], ...(others.length === 0 ? {} : { others }) });
}

function withoutNotes(change: Change): ChangeResult {
  return succeed({ change, notes: [] });
}

export const settingOptions = {
  settings: option("FILE", "a settings.json", "with this settings.json", "file"),
  "claude-md": option("FILE", "a file", "with this CLAUDE.md", "file"),
  "without-claude-md": flag("without any CLAUDE.md"),
  skill: option("DIR", "a skill's folder", "with this skill", "folder"),
  mcp: option("FILE", "an .mcp.json", "with these MCP servers", "file"),
  effort: option("E", effortForm, "with another effort"),
  guard: option("on", "on", "with purser's guards, against none (Claude Code only)"),
};

const guardNote = sentence(
  "One side runs with purser's hooks and all guard families on, the other without hooks. Each of its runs has its own service and state: your guard.yaml, exceptions and ledger are neither read nor written, and since nobody can be asked, questions count as denials.",
);

type Setting = keyof typeof settingOptions;

/** Files that only one side has, or another effort; one kind at a time. */
export async function settingChange(options: ParsedOptions, cwd: string): Promise<ChangeResult> {
  const names = Object.keys(settingOptions).filter((name): name is Setting => options.has(name));
  const [name, second] = names;
  const all = Object.keys(settingOptions).map((each) => `--${each}`);
  if (name === undefined || second !== undefined)
    return wrongUsage(
      sentence(
        "one of {0} is required, and only one: else it would be unclear which one made the difference",
        all.join(", "),
      ),
    );
  return await eachOf(options.values(name), cwd, (value, shown) => settingOf(name, value, { shown, cwd }));
}

async function settingOf(
  name: Setting,
  value: string,
  { shown, cwd }: { readonly shown: string; readonly cwd: string },
): Promise<ChangeResult> {
  const files = async (target: string) => {
    const read = await readText(value, cwd);
    return read.ok ? succeed([{ path: target, text: read.value }]) : read;
  };
  const withFiles = (read: Result<OverlayFile[], "bad_argument">, note?: Sentence): ChangeResult =>
    read.ok
      ? succeed({
          change: { kind: "setting", name: plainSentence(shown), files: read.value },
          notes: note === undefined ? [] : [note],
        })
      : read;
  switch (name) {
    case "settings":
      return withFiles(
        await files(".claude/settings.json"),
        sentence("The hooks in these settings will run."),
      );
    case "claude-md":
      return withFiles(await files("CLAUDE.md"));
    case "mcp":
      return withFiles(await files(".mcp.json"), sentence("The MCP servers in this file will be started."));
    case "skill":
      return withFiles(await filesOfSkill(path.resolve(cwd, value)));
    case "without-claude-md":
      return withoutNotes({
        kind: "setting",
        name: plainSentence("no CLAUDE.md"),
        files: [{ path: "CLAUDE.md", text: null }],
      });
    case "effort":
      return withoutNotes({ kind: "effort", effort: value });
    case "guard":
      if (value !== "on")
        return wrongUsage(
          sentence("guard={0} cannot be measured; guard=on is, against runs without guards", value),
        );
      return succeed({ change: { kind: "guard", mode: "on" }, notes: [guardNote] });
  }
}

export async function readText(file: string, cwd: string): Promise<Result<string, "bad_argument">> {
  try {
    return succeed(await readFile(path.resolve(cwd, file), "utf8"));
  } catch (error) {
    return wrongUsage(sentence("{0} cannot be read ({1})", file, errorCode(error)));
  }
}
