import { cleanText } from "../../base/text.ts";
import { sentence } from "../../base/language.ts";
import { fail, type Result } from "../../base/result.ts";
import { command } from "../command.ts";
import type { Command } from "../declaration.ts";
import { answerCall, type McpHost } from "./mcp-answers.ts";

/** @param commands those whose texts are answers */
export function mcpCommand(commands: McpHost["commands"]): Command {
  return command({
    name: "mcp",
    title: "answer an agent's questions over MCP, on standard input and output",
    notes: `
An agent can ask for its context left and the price of going on, usage and why it was, budgets, what the guard allows, what the last
session left, known fixes and a recurring agent's tasks. An agent starts this command by itself once it is added:
`,
    examples: {
      "claude mcp add purser -- purser mcp": "Claude Code",
      "codex mcp add purser -- purser mcp": "Codex",
      "gemini mcp add purser purser mcp": "Gemini CLI",
      "copilot mcp add purser -- purser mcp": "Copilot CLI",
    },
    run: (_, host) => run({ ...host, commands }),
  });
}

async function run(host: McpHost): Promise<Result<number> | number> {
  const stdin = host.stdin?.();
  if (stdin === undefined || stdin.isTTY === true)
    return fail("no_client", sentence("an agent starts this command; see purser mcp --help"));
  const { stdout, stderr, signal } = host;
  const { serveMcp } = await import("./mcp-server.ts");
  await serveMcp({
    version: host.version(),
    call: (call) => answerCall(call, host),
    stdin,
    write: (bytes) => stdout.write(bytes),
    signal,
    onProblem: (problem) => void stderr.write(`purser mcp: ${cleanText(problem)}\n`),
  });
  return 0;
}
