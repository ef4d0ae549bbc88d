import { fillerText, type FillerKind } from "./filler.ts";

/** Characters of a token of code. */
const perToken = 3.8;
/** Tokens of each reply of the played agent, and of what every request begins with. */
const [replyTokens, startTokens] = [420, 21_000];
const model = "claude-opus-5-5";

/** The agent's calls, over and over. */
const calls = [
  { name: "Read", input: { file_path: "src/booking.ts" }, kind: "code" },
  { name: "Read", input: { file_path: "src/dates.ts" }, kind: "code" },
  {
    name: "Edit",
    input: { file_path: "src/booking.ts", old_string: "localDay", new_string: "utcDay" },
    kind: "code",
  },
  { name: "Bash", input: { command: "npm test", description: "Run the tests" }, kind: "log" },
  { name: "Read", input: { file_path: "test/booking.test.ts" }, kind: "code" },
  {
    name: "Edit",
    input: { file_path: "src/dates.ts", old_string: "shift", new_string: "convert" },
    kind: "code",
  },
  { name: "Bash", input: { command: "npm test", description: "Run the tests" }, kind: "log" },
] as const satisfies readonly { name: string; input: Readonly<Record<string, string>>; kind: FillerKind }[];

export interface PlayedSession {
  readonly id: string;
  /** Tokens that its context grows by in a turn. */
  readonly growth: number;
  /** The project's folder. */
  readonly cwd: string;
}

/** The row of a person's prompt. */
export function promptRow({ id, cwd }: PlayedSession, text: string, at: number): string {
  return row({ id, cwd }, at, {
    type: "user",
    uuid: `${id}-prompt`,
    message: { role: "user", content: text },
  });
}

/**
 * The rows of one turn: a reply that calls a tool, and the tool's result, as long as the context grows by it.
 * @param turn 1 for the session's first
 */
export function turnRows(session: PlayedSession, turn: number, at: number): readonly string[] {
  const { id, growth, cwd } = session;
  const call = calls[(turn - 1) % calls.length] ?? calls[0];
  const held = startTokens + (turn - 1) * growth;
  const created = turn === 1 ? held : growth;
  const callId = `toolu_${id}_${turn}`;
  const input =
    "file_path" in call.input ? { ...call.input, file_path: `${cwd}/${call.input.file_path}` } : call.input;
  const reply = {
    type: "assistant",
    uuid: `${id}-reply-${turn}`,
    requestId: `req_${id}_${turn}`,
    message: {
      id: `msg_${id}_${turn}`,
      type: "message",
      role: "assistant",
      model,
      stop_reason: "tool_use",
      content: [
        {
          type: "thinking",
          thinking: fillerText(replyTokens * perToken * 0.8, "prose", turn),
          signature: "",
        },
        { type: "tool_use", id: callId, name: call.name, input },
      ],
      usage: {
        input_tokens: 4,
        cache_creation_input_tokens: created,
        cache_read_input_tokens: held - created,
        output_tokens: replyTokens,
        cache_creation: { ephemeral_5m_input_tokens: created, ephemeral_1h_input_tokens: 0 },
      },
    },
  };
  const result = {
    type: "user",
    uuid: `${id}-result-${turn}`,
    message: {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: callId,
          content: fillerText((growth - replyTokens) * perToken, call.kind, turn),
        },
      ],
    },
  };
  return [row(session, at, reply), row(session, at, result)];
}

function row({ id, cwd }: Pick<PlayedSession, "id" | "cwd">, at: number, own: object): string {
  return JSON.stringify({
    isSidechain: false,
    userType: "external",
    cwd,
    sessionId: id,
    version: "2.1.197",
    gitBranch: "",
    timestamp: new Date(at).toISOString(),
    ...own,
  });
}
