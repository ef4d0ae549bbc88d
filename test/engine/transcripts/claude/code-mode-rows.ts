/** The rows of one script in Claude Code 2.1.332's code mode, as it writes them, with our own texts. */

const sessionId = "7a0f98cb-0000-4000-8000-000000000001";
export const script = "toolu_script";
export const nested = { command: "toolu_cc_98c9", edit: "toolu_cc_0934" };

let last: string | null = null;
const common = {
  isSidechain: false,
  cwd: "/home/dev/harbor",
  sessionId,
  version: "2.1.332",
  gitBranch: "main",
};
const at = "2026-11-28T18:15:06.012Z";
const row = (uuid: string, members: object) => {
  const made = { parentUuid: last, ...common, ...members, uuid, timestamp: at };
  last = uuid;
  return made;
};
const none = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  iterations: null,
};
const usage = { ...none, input_tokens: 1, cache_read_input_tokens: 20_000, output_tokens: 4, iterations: [] };
const reply = (id: string, content: object[], more: object = {}) => ({
  type: "assistant",
  requestId: `req_${id}`,
  requestedModel: "claude-sonnet-5-5",
  apiBlockIndex: 0,
  promptCacheRequested: "5m",
  message: { id, role: "assistant", model: "claude-sonnet-5-5", content, usage },
  ...more,
});
const host = (block: object) => ({
  type: "host-row",
  sessionId,
  timestamp: at,
  ranByToolUseId: script,
  rowUuid: "2c41711b",
  block,
});
/** A script's calls are repeated after it, in the form of a reply and its result. */
const virtual = (id: string, name: string, input: object, result: object) => [
  row(`a-${id}`, {
    type: "assistant",
    isVirtual: true,
    ranByToolUseId: script,
    isApiErrorMessage: false,
    madeBy: "other",
    message: {
      id: `1a8aa439-${id}`,
      model: "<synthetic>",
      role: "assistant",
      stop_reason: "stop_sequence",
      usage: none,
      content: [{ type: "tool_use", id, name, input }],
    },
  }),
  row(`u-${id}`, {
    type: "user",
    isVirtual: true,
    turnCompanion: true,
    promptId: "p",
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content: "", is_error: false }],
    },
    toolUseResult: result,
    hostContent: "1\n2\n3",
  }),
];
const replMode = { type: "repl-mode", replMode: true, sessionId };
const [seq, cart] = [{ command: "seq 300" }, { file_path: "/home/dev/harbor/cart.ts", content: "berths" }];

export const codeModeRows: readonly object[] = [
  replMode,
  row("u-1", {
    type: "user",
    promptId: "p",
    turnOrigin: "sdk",
    turnPosition: { promptIndex: 0, turnIndex: 1 },
    promptSource: "sdk",
    message: { role: "user", content: "Count with a script." },
  }),
  host({ type: "tool_use", id: nested.command, name: "Bash", input: seq }),
  row(
    "a-1",
    reply("msg_1", [{ type: "tool_use", id: script, name: "REPL", input: { code: "await tools.Bash()" } }], {
      hostHiddenToolUseIds: [],
      hostContent: [],
    }),
  ),
  host({
    type: "tool_result",
    tool_use_id: nested.command,
    content: "This call finished. Its result was not saved.",
  }),
  host({ type: "tool_use", id: nested.edit, name: "Write", input: cart }),
  host({
    type: "tool_result",
    tool_use_id: nested.edit,
    content: "This call finished. Its result was not saved.",
  }),
  row("u-2", {
    type: "user",
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: script, content: "<repl-output>300</repl-output>" }],
    },
    hiddenToolUseIds: [nested.command, nested.edit],
    toolUseResult: {
      code: "await tools.Bash()",
      result: "300",
      stdout: "",
      stderr: "",
      toolsUsed: ["Bash", "Write"],
    },
  }),
  ...virtual(nested.command, "Bash", seq, { stdout: "1\n2\n3", stderr: "" }),
  ...virtual(nested.edit, "Write", cart, { type: "create" }),
  replMode,
  row(
    "a-2",
    reply("msg_2", [{ type: "text", text: "300 berths." }], {
      message: {
        id: "msg_2",
        role: "assistant",
        model: "claude-sonnet-5-5",
        stop_reason: "end_turn",
        content: [{ type: "text", text: "300 berths." }],
        usage,
      },
    }),
  ),
];
