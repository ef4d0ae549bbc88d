import type { ServerResponse } from "node:http";
import { z } from "zod";
import type { GeminiReply } from "./gemini-reply.ts";
import { serveLoopback } from "./loopback-server.ts";

const roles = ["main", "subagent", "compressor"] as const;
type GeminiRole = (typeof roles)[number];

/** The replies of one run, by who asks. */
export type GeminiLines = Readonly<Partial<Record<GeminiRole, readonly GeminiReply[]>>>;

/** One request and its reply. */
export interface GeminiExchange {
  readonly role: GeminiRole;
  readonly reply: GeminiReply;
  /** The whole request body, as JSON. */
  readonly body: string;
}

/** A scripted stand-in for the Gemini API on loopback. */
export interface GeminiStandIn {
  readonly url: string;
  readonly exchanges: readonly GeminiExchange[];
  /** Requests that could not be answered, which is a bug in the test. */
  readonly failures: readonly string[];
  /** Sets the next replies; returns how many replies of the last run went unrequested. */
  setLines(lines: GeminiLines): number;
  close(): Promise<void>;
}

const requestSchema = z.looseObject({
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional() }))
    .optional(),
});

/**
 * Starts the stand-in on a free port of 127.0.0.1. It stops by itself after `lifeMs`.
 *
 * @param beforeReply waited for before each reply, with all earlier exchanges
 */
export async function startGeminiStandIn({
  lifeMs,
  beforeReply,
}: {
  lifeMs: number;
  beforeReply: (exchanges: readonly GeminiExchange[]) => Promise<void>;
}): Promise<GeminiStandIn> {
  const exchanges: GeminiExchange[] = [];
  const failures: string[] = [];
  let queues = queuesOf({});
  const { url, close } = await serveLoopback({
    lifeMs,
    async answer({ url: path = "" }, body, response) {
      const [, model, method] = /^\/v1beta\/models\/([^:/]+):(\w+)/.exec(path) ?? [];
      if (model === undefined || method === undefined) {
        response.writeHead(404).end("{}");
        return;
      }
      const role = roleOf(method, body);
      await beforeReply(exchanges);
      const reply = queues[role].shift();
      if (reply === undefined) throw new Error(`no ${role} reply is left for request ${exchanges.length}`);
      exchanges.push({ role, reply, body });
      write(response, reply, { model, isStream: method === "streamGenerateContent" });
    },
    onFailure(error, response) {
      failures.push(String(error));
      write(response, { kind: "failure", message: String(error) }, { model: "", isStream: false });
    },
  });
  return {
    url,
    exchanges,
    failures,
    setLines: (lines) => {
      const left = roles.reduce((sum, role) => sum + queues[role].length, 0);
      queues = queuesOf(lines);
      return left;
    },
    close,
  };
}

function queuesOf({ main = [], subagent = [], compressor = [] }: GeminiLines) {
  return { main: [...main], subagent: [...subagent], compressor: [...compressor] };
}

/** Only subagents have a tool to end with, and only the compressor does not stream. */
function roleOf(method: string, body: string): GeminiRole {
  if (method === "generateContent") return "compressor";
  const { tools = [] } = requestSchema.parse(JSON.parse(body));
  const names = tools.flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name }) => name),
  );
  return names.includes("complete_task") ? "subagent" : "main";
}

function write(
  response: ServerResponse,
  reply: GeminiReply,
  { model, isStream }: { readonly model: string; readonly isStream: boolean },
): void {
  if (reply.kind === "failure") {
    const error = { code: 400, message: reply.message, status: "INVALID_ARGUMENT" };
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error }));
    return;
  }
  const { prompt, cached, output, thoughts } = reply.tokens;
  const part =
    reply.kind === "text" ? { text: reply.text } : { functionCall: { name: reply.name, args: reply.input } };
  const answer = JSON.stringify({
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: {
      promptTokenCount: prompt,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output,
      thoughtsTokenCount: thoughts,
      totalTokenCount: prompt + output + thoughts,
    },
    modelVersion: model,
  });
  response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
  response.end(isStream ? `data: ${answer}\n\n` : answer);
}
