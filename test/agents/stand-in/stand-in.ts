import type { IncomingMessage, ServerResponse } from "node:http";
import { serveLoopback } from "./loopback-server.ts";
import type { Reply } from "./reply.ts";
import { readRequest } from "./request.ts";
import type { SeenRequest } from "./request.ts";
import { streamMessage } from "./stream.ts";

/** One request and its reply. `messageId` is null for an error. */
export interface Exchange {
  readonly request: SeenRequest;
  readonly reply: Reply;
  readonly messageId: string | null;
  readonly requestId: string;
}

export type Script = (request: SeenRequest) => Reply;

/** A scripted stand-in for the Messages API on loopback. */
export interface StandIn {
  readonly url: string;
  /** Every answered `/v1/messages` request, in order. */
  readonly exchanges: readonly Exchange[];
  /** Requests for other paths (`count_tokens`, telemetry), as "METHOD path"; they get a 404. */
  readonly others: readonly string[];
  /** Requests that the script or the reader could not answer, which is a bug in the test. */
  readonly failures: readonly string[];
  setScript(script: Script): void;
  close(): Promise<void>;
}

/**
 * Starts the stand-in on a free port of 127.0.0.1. It stops by itself after `lifeMs`, so that a killed test leaves
 * nothing behind. `tag` goes into message and request ids, so that two stand-ins never issue the same id.
 */
export async function startStandIn(options: {
  readonly tag: string;
  readonly lifeMs: number;
  /** Each reply waits for it. */
  readonly beforeReply?: () => Promise<void>;
}): Promise<StandIn> {
  const exchanges: Exchange[] = [];
  const others: string[] = [];
  const failures: string[] = [];
  let script: Script = (request) => {
    throw new Error(`no script for request ${request.index}`);
  };

  const answer = async (incoming: IncomingMessage, body: string, response: ServerResponse): Promise<void> => {
    const path = incoming.url ?? "";
    if (path.startsWith("/api/claude_code/policy_limits")) {
      // Claude Code uses Code Mode only where the organization's limits can be read.
      response.writeHead(200, { "content-type": "application/json", "request-id": "req_none" });
      response.end('{"restrictions":{}}');
      return;
    }
    if (incoming.method !== "POST" || !/^\/v1\/messages(\?|$)/.test(path)) {
      others.push(`${incoming.method ?? "?"} ${path}`);
      sendError(response, 404, "not_found_error", "the stand-in only knows /v1/messages", "req_none");
      return;
    }
    await options.beforeReply?.();
    const request = readRequest(exchanges.length, path, flatHeaders(incoming), body);
    const reply = script(request);
    const serial = String(exchanges.length + 1).padStart(4, "0");
    const requestId = `req_${options.tag}${serial}`;
    const messageId = reply.kind === "message" ? `msg_${options.tag}${serial}` : null;
    exchanges.push({ request, reply, messageId, requestId });
    if (reply.kind === "error") sendError(response, reply.status, reply.errorType, reply.message, requestId);
    else streamMessage(response, reply, { messageId: messageId ?? "", requestId, model: request.model });
  };

  const { url, close } = await serveLoopback({
    lifeMs: options.lifeMs,
    answer,
    onFailure(error, response) {
      failures.push(String(error));
      sendError(response, 400, "invalid_request_error", String(error), "req_failure");
    },
  });
  return {
    url,
    exchanges,
    others,
    failures,
    setScript: (next) => {
      script = next;
    },
    close,
  };
}

function flatHeaders(incoming: IncomingMessage): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(",") : value;
  }
  return flat;
}

function sendError(
  response: ServerResponse,
  status: number,
  type: string,
  message: string,
  requestId: string,
): void {
  response.writeHead(status, { "content-type": "application/json", "request-id": requestId });
  response.end(JSON.stringify({ type: "error", error: { type, message }, request_id: requestId }));
}
