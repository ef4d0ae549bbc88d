import { moment } from "./clock.ts";
import type { SampleFile } from "./agent-files.ts";

/**
 * Sessions of Copilot CLI and Gemini CLI in the form of their files: they are longer than what is recorded of these agents. The
 * project's folder is that of the recordings.
 */
const workspace = "/home/dev/harbor";
const step = 21_000; // ms between two responses

interface Step {
  readonly tool: string;
  readonly target: string;
  readonly occupancy: number;
  readonly output: number;
}

const steps: readonly Step[] = [
  { tool: "grep", target: "fee", occupancy: 21_400, output: 240 },
  { tool: "view", target: "src/fees.ts", occupancy: 24_900, output: 310 },
  { tool: "view", target: "src/booking.ts", occupancy: 31_200, output: 280 },
  { tool: "edit", target: "src/fees.ts", occupancy: 36_700, output: 890 },
  { tool: "bash", target: "node check.mjs", occupancy: 39_100, output: 190 },
  { tool: "view", target: "src/report.ts", occupancy: 46_800, output: 330 },
  { tool: "edit", target: "src/report.ts", occupancy: 52_300, output: 760 },
  { tool: "", target: "", occupancy: 55_400, output: 420 },
];

export function copilotSession(ago: number): SampleFile[] {
  const id = "7e1c2a90-0000-4000-8000-000000000001";
  const model = "claude-sonnet-4.5";
  const start = moment - ago - (steps.length + 1) * step;
  let number = 0;
  const event = (type: string, data: object) => {
    number += 1;
    return JSON.stringify({
      type,
      data,
      id: `e${number}`,
      timestamp: new Date(start + number * 3000).toISOString(),
      parentId: null,
    });
  };
  let before = 0;
  const lines = steps.flatMap(({ tool, target, occupancy, output }, index) => {
    const cacheReadTokens = before;
    before = occupancy;
    const apiCallId = `call-${index + 1}`;
    const usage = {
      model,
      inputTokens: occupancy,
      outputTokens: output,
      cacheReadTokens,
      cacheWriteTokens: occupancy - cacheReadTokens,
      reasoningTokens: 0,
      maxPromptTokens: 128_000,
      apiCallId,
      accounting: { sourceSessionId: id, sequence: index + 1, usageId: apiCallId },
    };
    const toolCallId = `tool-${index + 1}`;
    const isLast = tool === "";
    const named = tool === "bash" ? { command: target } : { path: `${workspace}/${target}` };
    const requests = isLast ? [] : [{ toolCallId, name: tool, arguments: named }];
    return [
      event("assistant.turn_start", {}),
      event("session.usage_record", { usage }),
      event("assistant.message", {
        content: isLast ? "Fees are whole cents everywhere now." : "",
        apiCallId,
        toolRequests: requests,
        outputTokens: output,
      }),
      ...(isLast
        ? []
        : [
            event("tool.execution_start", { toolCallId, toolName: tool, arguments: named }),
            event("tool.execution_complete", {
              toolCallId,
              success: true,
              result: { content: "x".repeat(4 * (occupancy % 1000)) },
            }),
          ]),
    ];
  });
  const opening = event("session.start", {
    sessionId: id,
    copilotVersion: "1.0.102",
    selectedModel: model,
    context: { cwd: workspace, branch: "feature/fees" },
  });
  const named = event("session.title_changed", { title: "Round fees to whole cents" });
  const prompt = event("user.message", { content: "Round all fees to whole cents." });
  return [[`copilot/session-state/${id}/events.jsonl`, `${[opening, named, prompt, ...lines].join("\n")}\n`]];
}

const geminiTools: Readonly<Record<string, string>> = {
  view: "read_file",
  grep: "search_file_content",
  edit: "replace",
  bash: "run_shell_command",
};

export function geminiSession(ago: number): SampleFile[] {
  const id = "5b0d9c31-0000-4000-8000-000000000001";
  const start = moment - ago - steps.length * step;
  const timeOf = (index: number) => new Date(start + index * step).toISOString();
  const header = {
    sessionId: id,
    projectHash: "harbor",
    startTime: timeOf(0),
    lastUpdated: timeOf(steps.length),
    kind: "main",
    directories: [workspace],
    summary: "Show free berths on the map",
  };
  const prompt = {
    id: "u1",
    timestamp: timeOf(0),
    type: "user",
    content: "Show the free berths on the map.",
  };
  let before = 0;
  const messages = steps.map(({ tool, target, occupancy, output }, index) => {
    const timestamp = timeOf(index + 1);
    const cached = before;
    before = occupancy;
    const args = tool === "bash" ? { command: target } : { file_path: `${workspace}/${target}` };
    const called = {
      id: `g${index + 1}`,
      name: geminiTools[tool] ?? tool,
      args,
      status: "success",
      timestamp,
      result: [{ functionResponse: { response: { output: "y".repeat(4 * (occupancy % 1000)) } } }],
    };
    return {
      id: `m${index + 1}`,
      timestamp,
      type: "gemini",
      content: tool === "" ? "The map shows them." : "",
      model: "gemini-3-pro",
      tokens: { input: occupancy, output, cached, thoughts: 40, tool: 0, total: occupancy + output + 40 },
      ...(tool === "" ? {} : { toolCalls: [called] }),
    };
  });
  const lines = [header, prompt, ...messages].map((row) => JSON.stringify(row));
  const folder = "gemini/.gemini/tmp/harbor";
  return [
    [`${folder}/.project_root`, workspace],
    [`${folder}/chats/session-1-${id.slice(0, 8)}.jsonl`, `${lines.join("\n")}\n`],
  ];
}
