import { readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { errorCode } from "../../base/error-code.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { OverlayFile } from "../../bench/configuration.ts";
import { readFrontmatter } from "../../bench/golden/frontmatter.ts";
import type { GoldenAgent } from "../../bench/suite/suite.ts";
import type { Change } from "../../compare/change.ts";
import { changedFields } from "../../compare/protected-frontmatter.ts";
import { filesOfSkill } from "../../compare/skill-files.ts";
import type { ParsedOptions } from "../args.ts";

/** The difference between the two sides, and notes to show before it is measured. */
export interface AskedChange {
  readonly change: Change;
  readonly notes: readonly string[];
}

type Asked = Result<AskedChange, "bad_argument">;

/** Another model. */
export function modelChange(options: ParsedOptions): Asked {
  const model = options.value("model");
  return model === undefined
    ? fail("bad_argument", "--model is needed: the model to compare with --baseline, or with the agent's own")
    : succeed({ change: { kind: "model", model }, notes: [] });
}

/** Another text of the agent's file. */
export async function promptChange(options: ParsedOptions, agent: GoldenAgent, cwd: string): Promise<Asked> {
  const file = options.value("variant");
  if (file === undefined) return fail("bad_argument", "--variant is needed: a file with the other prompt");
  const read = await readText(file, cwd);
  if (!read.ok) return read;
  const named = readFrontmatter(read.value, z.looseObject({ name: z.string() }));
  if (!named.ok) return fail("bad_argument", `${file}: ${named.detail}`);
  if (named.value.name !== agent.name)
    return fail(
      "bad_argument",
      `${file} is the agent ${JSON.stringify(named.value.name)}, not ${agent.name}`,
    );
  const changed = changedFields(agent.definition, read.value);
  const fields = changed.ok ? changed.value : [];
  const change = { kind: "prompt", name: path.basename(file), definition: read.value } as const;
  const note = `The variant has another ${fields.join(", ")} too: its words are not all that is compared.`;
  return succeed({ change, notes: fields.length === 0 ? [] : [note] });
}

export const settingSpecs = {
  settings: { value: "a settings.json" },
  "claude-md": { value: "a file" },
  "without-claude-md": {},
  skill: { value: "a skill's folder" },
  mcp: { value: "an .mcp.json" },
  effort: { value: "low, medium, high, or whatever the agent knows" },
};

type Setting = keyof typeof settingSpecs;

/** Project files that only one side has: settings, instructions, a skill, MCP servers; or another effort. One of them at a time. */
export async function settingChange(options: ParsedOptions, cwd: string): Promise<Asked> {
  const names = Object.keys(settingSpecs).filter((name): name is Setting => options.has(name));
  const [name, second] = names;
  const all = Object.keys(settingSpecs).map((each) => `--${each}`);
  if (name === undefined || second !== undefined)
    return fail(
      "bad_argument",
      `one of ${all.join(", ")} is needed, and no more than one: else nobody knows which it was`,
    );
  const value = options.value(name) ?? "";
  const files = async (target: string) => {
    const read = await readText(value, cwd);
    return read.ok ? succeed([{ path: target, text: read.value }]) : read;
  };
  const withFiles = (read: Result<OverlayFile[], "bad_argument">, note?: string): Asked =>
    read.ok
      ? succeed({
          change: { kind: "setting", name: path.basename(path.resolve(cwd, value)), files: read.value },
          notes: note === undefined ? [] : [note],
        })
      : read;
  switch (name) {
    case "settings":
      return withFiles(await files(".claude/settings.json"), "Hooks of these settings are run.");
    case "claude-md":
      return withFiles(await files("CLAUDE.md"));
    case "mcp":
      return withFiles(await files(".mcp.json"), "The MCP servers of this file are started.");
    case "skill":
      return withFiles(await filesOfSkill(path.resolve(cwd, value)));
    case "without-claude-md":
      return succeed({
        change: { kind: "setting", name: "no CLAUDE.md", files: [{ path: "CLAUDE.md", text: null }] },
        notes: [],
      });
    case "effort":
      return succeed({ change: { kind: "effort", effort: value }, notes: [] });
  }
}

/** @param file as the user named it */
export async function readText(file: string, cwd: string): Promise<Result<string, "bad_argument">> {
  try {
    return succeed(await readFile(path.resolve(cwd, file), "utf8"));
  } catch (error) {
    return fail("bad_argument", `${file} cannot be read (${errorCode(error)})`);
  }
}
