import { SessionAccount } from "../../../../src/engine/sessions/live/account.ts";
import { LiveChat } from "../../../../src/engine/transcripts/gemini/live-chat.ts";
import { liveReader } from "../../../../src/engine/transcripts/gemini/live-reader.ts";

/** Rows as Gemini CLI 0.61.0 writes them. */
export type Row = Readonly<Record<string, unknown>>;

export const sessionId = "5f0e8a4c-1111-4222-8333-944455556666";
export const model = "gemini-2.5-pro";

export function timeAt(second: number): string {
  return new Date(Date.parse("2026-11-02T09:00:00.000Z") + second * 1000).toISOString();
}

export function header(members: Row = {}): Row {
  const [startTime, lastUpdated] = [timeAt(0), timeAt(0)];
  return { sessionId, projectHash: "0a1b", startTime, lastUpdated, kind: "main", ...members };
}

export function prompt(id: string, text: string, second = 1): Row {
  return { id, timestamp: timeAt(second), type: "user", content: [{ text }] };
}

/** A tool's result, as sent to the model. */
export function result(id: string, call: string, second = 1): Row {
  const content = [{ functionResponse: { id: call, name: "run_shell_command", response: { output: "7" } } }];
  return { id, timestamp: timeAt(second), type: "user", content };
}

export interface Counts {
  readonly input: number;
  readonly cached?: number;
  readonly output?: number;
  readonly thoughts?: number;
}

export function reply(id: string, counts: Counts | null, members: Row = {}): Row {
  const tokens =
    counts === null
      ? null
      : {
          input: counts.input,
          cached: counts.cached ?? 0,
          output: counts.output ?? 0,
          tool: 0,
          thoughts: counts.thoughts ?? 0,
        };
  return {
    id,
    timestamp: timeAt(2),
    type: "gemini",
    content: "Said.",
    thoughts: [],
    tokens,
    model,
    ...members,
  };
}

export function call(id: string, members: Row = {}): Row {
  return {
    id,
    name: "run_shell_command",
    args: { command: "echo 7" },
    status: "success",
    timestamp: timeAt(9),
    ...members,
  };
}

/** All messages at once, as the agent writes them after changing them. */
export function list(messages: readonly Row[], second = 20): Row {
  return { $set: { messages, lastUpdated: timeAt(second) } };
}

export function snapshot(id: string): Row {
  return prompt(id, "<state_snapshot>\nThey sailed.\n</state_snapshot>");
}

/** The account of one file's rows; texts are used as lines. */
export function accountOf(
  rows: readonly (Row | string)[],
  { agentId = null, account = newAccount() }: { agentId?: string | null; account?: SessionAccount } = {},
): SessionAccount {
  const chat = new LiveChat({ sessionId, agentId, cwd: agentId === null ? "/home/dev/harbor" : null });
  for (const row of rows)
    account.apply(chat.read(Buffer.from(typeof row === "string" ? row : JSON.stringify(row))), agentId);
  return account;
}

function newAccount(): SessionAccount {
  return new SessionAccount(sessionId, liveReader.cacheLife);
}
