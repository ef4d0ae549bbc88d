import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import type { CodexItem, CodexReply } from "./codex-reply.ts";
import { serveLoopback } from "./loopback-server.ts";

/** The replies of one run: to the session a person started and to its subagents. */
export interface CodexLines {
  readonly main: readonly CodexReply[];
  readonly subagent?: readonly CodexReply[];
}

/** One request and its reply. */
export interface CodexExchange {
  readonly threadId: string;
  readonly responseId: string;
  readonly reply: CodexReply;
  /** The whole request body, as JSON. */
  readonly body: string;
}

/** A scripted stand-in for the Responses API on loopback. */
export interface CodexStandIn {
  readonly url: string;
  readonly exchanges: readonly CodexExchange[];
  /** Requests that could not be answered, which is a bug in the test. */
  readonly failures: readonly string[];
  /** Sets the next replies; returns how many replies of the last run went unrequested. */
  setLines(lines: CodexLines): number;
  close(): Promise<void>;
}

const turnSchema = z.looseObject({ thread_id: z.string(), thread_source: z.string().optional() });

/** Waits before a request is answered. The exchanges so far are complete. */
export type BeforeReply = (exchanges: readonly CodexExchange[], threadId: string) => Promise<void>;

/** Starts the stand-in on a free port of 127.0.0.1. It stops by itself after `lifeMs`. `tag` goes into response ids. */
export async function startCodexStandIn({
  tag,
  lifeMs,
  beforeReply,
}: {
  tag: string;
  lifeMs: number;
  beforeReply?: BeforeReply | undefined;
}): Promise<CodexStandIn> {
  const exchanges: CodexExchange[] = [];
  const failures: string[] = [];
  let main: CodexReply[] = [];
  let subagent: CodexReply[] = [];

  const answer = async (incoming: IncomingMessage, body: string, response: ServerResponse): Promise<void> => {
    if (incoming.method !== "POST" || !/^\/v1\/responses(\?|$)/.test(incoming.url ?? "")) {
      response.writeHead(404).end("{}");
      return;
    }
    const turn = turnSchema.parse(JSON.parse(String(incoming.headers["x-codex-turn-metadata"])));
    await beforeReply?.([...exchanges], turn.thread_id);
    const isSubagent = turn.thread_source === "subagent";
    const reply = (isSubagent ? subagent : main).shift();
    if (reply === undefined) throw new Error(`no reply is left for request ${exchanges.length}`);
    const responseId = `resp_${tag}${String(exchanges.length + 1).padStart(4, "0")}`;
    exchanges.push({ threadId: turn.thread_id, responseId, reply, body });
    stream(response, responseId, reply, /agent_id\W+([0-9a-f-]{36})/.exec(body)?.[1] ?? "");
  };

  const { url, close } = await serveLoopback({
    lifeMs,
    answer,
    onFailure(error, response) {
      failures.push(String(error));
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: String(error), type: "invalid_request_error" } }));
    },
  });
  return {
    url: `${url}/v1`,
    exchanges,
    failures,
    setLines: (lines) => {
      const left = main.length + subagent.length;
      main = [...lines.main];
      subagent = [...(lines.subagent ?? [])];
      return left;
    },
    close,
  };
}

/** Writes a scripted reply the way the Responses API streams one. */
function stream(response: ServerResponse, id: string, reply: CodexReply, agentId: string): void {
  const headers = reply.kind === "response" ? reply.headers : {};
  response.writeHead(200, { "content-type": "text/event-stream", ...headers });
  const send = (type: string, fields: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  send("response.created", { response: { id } });
  if (reply.kind === "failure") {
    send("response.failed", { response: { id, error: { code: reply.code, message: reply.message } } });
  } else {
    const { input, cached, cacheWrite, output, reasoning } = reply.tokens;
    send("response.output_item.done", { output_index: 0, item: itemOf(id, reply.item, agentId) });
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached, cache_write_tokens: cacheWrite },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input + output,
    };
    send("response.completed", { response: { id, usage } });
  }
  response.end();
}

function itemOf(responseId: string, item: CodexItem, agentId: string): object {
  if (item.type === "message") {
    const content = [{ type: "output_text", text: item.text }];
    return { type: "message", role: "assistant", id: `msg_${responseId}`, content };
  }
  const { name, namespace, input } = item;
  const call = { type: "function_call", id: `fc_${responseId}`, call_id: `call_${responseId}`, name };
  return { ...call, namespace, arguments: JSON.stringify(input).replaceAll("$AGENT", agentId) };
}
