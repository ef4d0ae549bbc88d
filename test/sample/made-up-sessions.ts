import { minute, moment } from "./clock.ts";
import type { SampleFile } from "./agent-files.ts";

/**
 * Sessions in the form of their agents' files: of Copilot CLI, longer than what is recorded of it, and of VS Code's own chat, of which
 * nothing is recorded. The project's folder is that of the recordings.
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

interface Question {
  readonly text: string;
  readonly prompt: number;
  readonly output: number;
}

const questions: readonly Question[] = [
  { text: "Where are fees rounded?", prompt: 14_200, output: 310 },
  { text: "Which of these places round twice?", prompt: 21_900, output: 540 },
  { text: "Would a type for cents have told us?", prompt: 24_300, output: 860 },
  { text: "Write it down as a note for the others.", prompt: 27_100, output: 1240 },
];

/**
 * A chat of VS Code without tools, so that each request's usage is known whole. It is in the folder of a window in a browser: that is the
 * same on every system.
 */
export function chatSession(ago: number): SampleFile[] {
  const id = "c4a70000-0000-4000-8000-000000000001";
  const identifier = "copilot/gpt-5.1";
  const pause = 3 * minute;
  const start = moment - ago - questions.length * pause;
  const metadata = { id: "gpt-5.1", maxInputTokens: 112_000, maxOutputTokens: 16_000 };
  const opening = {
    kind: 0,
    v: {
      version: 3,
      creationDate: start,
      customTitle: "How fees are rounded",
      sessionId: id,
      requests: [],
      inputState: { inputText: "", selectedModel: { identifier, metadata } },
    },
  };
  const asked = questions.map(({ text, prompt, output }, index) => {
    const timestamp = start + index * pause;
    const request = {
      requestId: `request_${index + 1}`,
      timestamp,
      message: { text, parts: [] },
      modelId: identifier,
      modelState: { value: 1, completedAt: timestamp + step },
      response: [{ value: "Fees are whole cents." }],
      promptTokens: prompt,
      completionTokens: output,
    };
    return { kind: 2, k: ["requests"], v: [request] };
  });
  const rows = [opening, ...asked].map((row) => JSON.stringify(row));
  const storage = `data/code-server/User/workspaceStorage/${"7e1c2a90".padEnd(32, "0")}`;
  return [
    [`${storage}/workspace.json`, JSON.stringify({ folder: `file://${workspace}` })],
    [`${storage}/chatSessions/${id}.jsonl`, `${rows.join("\n")}\n`],
  ];
}
