import * as z from "zod/mini";
import { type Configuration, serversIn } from "../../configuration.ts";
import type { GoldenTask } from "../../suite/suite.ts";
import { parseJson } from "../../../base/parse.ts";

/**
 * Commands the agent may run without permission: those that test, check and inspect a project. The permission mode allows edits in its
 * folder; any other request for permission is denied, since nobody is there to answer.
 */
const allowedCommands = [
  "npm test",
  "npm run test",
  "npm run check",
  "npm run lint",
  "npm run types",
  "npm run typecheck",
  "npm run build",
  "npx vitest",
  "npx tsx",
  "npx tsc",
  "npx eslint",
  "node --test",
  "node --check",
  "ls",
  "cat",
  "head",
  "tail",
  "wc",
  "grep",
  "pwd",
];

export const allowedTools = [
  "Read",
  "Edit",
  "Write",
  "MultiEdit",
  "NotebookEdit",
  "Grep",
  "Glob",
  "LS",
  "TodoWrite",
  ...allowedCommands.map((command) => `Bash(${command}:*)`),
].join(",");

/**
 * Returns the allowed tools. MCP tools are allowed by their server's name: the servers a configuration brings are part of what is
 * measured.
 */
function toolsOf(servers: readonly string[]): string {
  // The prefix of a server's tools in Claude Code.
  const names = servers.map((name) => `mcp__${name.replaceAll(/[^\w-]/gu, "_")}`);
  return [allowedTools, ...names].join(",");
}

/** Hooks and settings are measured only if a configuration brings its own. */
const ownSettings = new Set([".claude/settings.json", ".claude/settings.local.json"]);

export function bringsSettings({ overlay }: Pick<Configuration, "overlay">): boolean {
  return overlay.some(({ path, text }) => text !== null && ownSettings.has(path));
}

/**
 * Returns the arguments to run Claude Code headless on one task: with only the project's settings, no MCP servers but the copy's, and no
 * permission bypass.
 *
 * @param run.settings a file with hooks of the run's own, or null
 */
export function claudeArguments(
  task: Pick<GoldenTask, "prompt">,
  configuration: Configuration,
  {
    maxTurns,
    sessionId,
    settings = null,
  }: { readonly maxTurns: number; readonly sessionId: string; readonly settings?: string | null },
): string[] {
  const brought = configuration.overlay.filter(({ text }) => text !== null).map(({ path }) => path);
  const mcp = configuration.overlay.find(({ path }) => path === ".mcp.json")?.text ?? "";
  const { prompt } = task;
  return [
    "-p",
    // A prompt with a leading hyphen would be parsed as an option.
    prompt.startsWith("-") ? ` ${prompt}` : prompt,
    "--agent",
    configuration.agent,
    "--model",
    configuration.model,
    ...(configuration.effort === null ? [] : ["--effort", configuration.effort]),
    "--output-format",
    "json",
    "--session-id",
    sessionId,
    "--max-turns",
    String(maxTurns),
    "--permission-mode",
    "acceptEdits",
    "--allowedTools",
    toolsOf(serversIn(mcp)),
    "--setting-sources",
    brought.includes(".claude/settings.local.json") ? "project,local" : "project",
    ...(settings === null
      ? bringsSettings(configuration)
        ? []
        : ["--settings", '{"disableAllHooks":true}']
      : ["--settings", settings]),
    "--strict-mcp-config",
    ...(brought.includes(".mcp.json") ? ["--mcp-config", ".mcp.json"] : []),
  ];
}

const count = z._default(z.number().check(z.nonnegative()), 0);

/** The JSON that Claude Code prints at the end of a headless session with `--output-format json`. */
const printedResult = z.looseObject({
  type: z.optional(z.literal("result")),
  subtype: z.optional(z.string()),
  is_error: z.boolean(),
  result: z.optional(z.string()),
  errors: z.optional(z.array(z.string())),
  api_error_status: z.optional(z.nullable(z.number())),
  usage: z.catch(
    z.optional(
      z.looseObject({
        input_tokens: count,
        output_tokens: count,
        cache_creation_input_tokens: count,
        cache_read_input_tokens: count,
      }),
    ),
    undefined,
  ),
});
type PrintedResult = z.infer<typeof printedResult>;

export function printedIn(output: string): PrintedResult | undefined {
  return printedResult.safeParse(lastJson(output)).data;
}

/** Returns the message of a printed result, in at most 500 characters, the API's error status first. */
export function messageOf({ api_error_status: status = null, ...printed }: PrintedResult): string {
  const text = [printed.result ?? "", ...(printed.errors ?? []), printed.subtype ?? ""].join(" ").trim();
  return `${status === null ? "" : `${status} `}${text}`.slice(0, 500);
}

/**
 * Returns the last line of the output that is JSON, or else everything from the first `{` line;
 * undefined if neither is JSON.
 */
export function lastJson(output: string): unknown {
  const lines = output.trim().split("\n");
  const whole = lines.findIndex((line) => line.startsWith("{"));
  const candidates = [...lines.toReversed(), lines.slice(Math.max(0, whole)).join("\n")];
  for (const text of candidates) {
    const value = text.startsWith("{") && text.endsWith("}") ? parseJson(text) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}
