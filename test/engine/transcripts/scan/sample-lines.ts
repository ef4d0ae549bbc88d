/** Rows as Claude Code 2.1.330 and 2.1.197 write them, with our own texts. */

const message = {
  id: "msg_01Ab",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-4-6",
  content: [
    {
      type: "tool_use",
      id: "toolu_1",
      name: "Bash",
      input: { command: 'echo "ahoy"\n', description: "greet – ü" },
    },
  ],
  stop_reason: "tool_use",
  stop_sequence: null,
  usage: {
    input_tokens: 101,
    cache_creation_input_tokens: 1000,
    cache_read_input_tokens: 20000,
    output_tokens: 51,
    output_tokens_details: { thinking_tokens: 0 },
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: "standard",
    cache_creation: { ephemeral_1h_input_tokens: 400, ephemeral_5m_input_tokens: 600 },
    iterations: [],
  },
};
const tail = {
  userType: "external",
  cwd: "/home/crew/argo",
  sessionId: "s-1",
  version: "2.1.330",
  gitBranch: "main",
};
const timestamp = "2026-11-21T20:47:49.182Z";

export const assistantLine = JSON.stringify({
  parentUuid: null,
  isSidechain: false,
  message,
  apiBlockIndex: 0,
  requestId: "req_1",
  requestedModel: "claude-sonnet-4-6[1m]",
  type: "assistant",
  uuid: "u-1",
  timestamp,
  ...tail,
});

export const sampleLines = [
  assistantLine,
  JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    type: "progress",
    data: { type: "agent_progress", message: { type: "assistant", timestamp, requestId: "req_2", message } },
    uuid: "u-2",
    timestamp,
    ...tail,
  }),
  JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    type: "system",
    subtype: "compact_boundary",
    content: "Conversation compacted",
    compactMetadata: { trigger: "auto", preTokens: 167_189, postTokens: 2100 },
    timestamp,
    ...tail,
  }),
  JSON.stringify({
    type: "api-request",
    sessionId: "s-1",
    params: {
      model: "claude-sonnet-4-6",
      betas: ["claude-code-20250219", "context-1m-2025-08-07"],
      max_tokens: 32_000,
    },
    tail: ["cd8c"],
  }),
  JSON.stringify({
    parentUuid: null,
    attachment: { type: "model", identity: { modelId: "claude-sonnet-4-6[1m]" }, text: "You are a purser." },
    type: "attachment",
    timestamp,
    ...tail,
  }),
  JSON.stringify({
    isSidechain: false,
    type: "assistant",
    isApiErrorMessage: true,
    message: { ...message, model: "<synthetic>" },
    ...tail,
  }),
  JSON.stringify({
    isSidechain: false,
    type: "user",
    message: { role: "user", content: assistantLine },
    ...tail,
  }),
] as const;
