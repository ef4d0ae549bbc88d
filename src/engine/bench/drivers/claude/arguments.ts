import type { Configuration } from "../../configuration.ts";
import { serversIn } from "../../mcp-servers.ts";
import type { GoldenTask } from "../../suite/suite.ts";

/**
 * What the agent may run without being asked: commands that test and check a project, and that look at it. Edits in its folder are
 * allowed by the mode; whatever else would ask a person is refused, since nobody is there to answer.
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

/** An agent's MCP tools are asked for by its servers: those that the configuration brings are what is measured, and are allowed. */
function toolsOf(servers: readonly string[]): string {
  // The agent names them so.
  const names = servers.map((name) => `mcp__${name.replaceAll(/[^\w-]/gu, "_")}`);
  return [allowedTools, ...names].join(",");
}

/** Hooks and settings are measured only where a configuration brings its own. */
const ownSettings = new Set([".claude/settings.json", ".claude/settings.local.json"]);

/** How Claude Code is asked to do one task, headless: with the project's settings alone, no MCP servers but the copy's, and no bypass. */
export function claudeArguments(
  task: Pick<GoldenTask, "prompt">,
  configuration: Configuration,
  { maxTurns, sessionId }: { readonly maxTurns: number; readonly sessionId: string },
): string[] {
  const brought = configuration.overlay.filter(({ text }) => text !== null).map(({ path }) => path);
  const mcp = configuration.overlay.find(({ path }) => path === ".mcp.json")?.text ?? "";
  const { prompt } = task;
  return [
    "-p",
    // A prompt that begins with a hyphen would be taken for an option.
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
    ...(brought.some((path) => ownSettings.has(path)) ? [] : ["--settings", '{"disableAllHooks":true}']),
    "--strict-mcp-config",
    ...(brought.includes(".mcp.json") ? ["--mcp-config", ".mcp.json"] : []),
  ];
}
