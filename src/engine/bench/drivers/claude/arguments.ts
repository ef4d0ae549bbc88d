import type { Configuration } from "../../configuration.ts";
import { serversIn } from "../../mcp-servers.ts";
import type { GoldenTask } from "../../suite/suite.ts";

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
