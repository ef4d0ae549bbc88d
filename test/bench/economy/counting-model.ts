import type { ServerResponse } from "node:http";
import { estimateTokenCount } from "tokenx";
import { z } from "zod";
import { noUsage, type TokenUsage } from "../../../src/engine/usage/token-counts.ts";
import { streamMessage } from "../../agents/stand-in/stream.ts";
import { serveLoopback } from "../../agents/stand-in/loopback-server.ts";
import type { ReplyBlock } from "../../agents/stand-in/reply.ts";
import { PrefixCache, type RequestPart } from "./prefix-cache.ts";

/**
 * A stand-in for the Messages and the Responses API that counts. It tokenizes the bytes of each request, and
 * bills them like a provider with a prompt cache. The current scene supplies its answers.
 */
export interface CountingModel {
  readonly url: string;
  /** The provider's time in milliseconds, set by the player of wakes that are minutes apart. */
  now: number;
  /** Answers the next requests. @param step how many tool results the conversation has since the last prompt @param prompt that prompt */
  play: (prompt: string, step: number) => ReplyBlock;
  /** Everything that was billed since `take` was called last, and the bytes that were sent. */
  take(): {
    readonly usage: TokenUsage;
    readonly requests: number;
    readonly firstBytes: number;
    readonly bodies: readonly string[];
  };
  readonly failures: readonly string[];
  close(): Promise<void>;
}

const messagesBody = z.looseObject({
  model: z.string(),
  system: z.unknown().optional(),
  tools: z.array(z.unknown()).default([]),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});
const responsesBody = z.looseObject({
  model: z.string(),
  instructions: z.string().default(""),
  tools: z.array(z.unknown()).default([]),
  input: z.array(
    z.looseObject({
      type: z.string().optional(),
      role: z.string().optional(),
      content: z.unknown().optional(),
    }),
  ),
});
const geminiBody = z.looseObject({
  systemInstruction: z.unknown().optional(),
  tools: z.array(z.unknown()).default([]),
  contents: z.array(
    z.looseObject({
      role: z.string().optional(),
      parts: z.array(z.looseObject({ text: z.string().optional() })),
    }),
  ),
});
const marked = z.looseObject({ cache_control: z.looseObject({ ttl: z.enum(["5m", "1h"]).default("5m") }) });
const block = z.looseObject({ type: z.string(), text: z.string().optional() });

export async function startCountingModel(lifeMs: number): Promise<CountingModel> {
  const cache = new PrefixCache();
  const failures: string[] = [];
  let billed: { usage: TokenUsage; body: string }[] = [];
  let serial = 0;
  const model: Omit<CountingModel, "url" | "close"> = {
    now: 0,
    play: () => ({ type: "text", text: "Nothing is played." }),
    failures,
    take: () => {
      const all = billed;
      billed = [];
      const sum = all.reduce((total, { usage }) => added(total, usage), noUsage);
      const bodies = all.map(({ body }) => body);
      return { usage: sum, requests: all.length, firstBytes: Buffer.byteLength(bodies[0] ?? ""), bodies };
    },
  };
  const { url, close } = await serveLoopback({
    lifeMs,
    answer(incoming, body, response) {
      const path = incoming.url ?? "";
      serial += 1;
      // A second passes with each request.
      model.now += 1000;
      if (incoming.method === "POST" && /^\/v1\/messages(\?|$)/.test(path)) {
        const request = messagesBody.parse(JSON.parse(body));
        const { prompt, step } = conversationOf(request.messages);
        const reply = model.play(prompt, step);
        const usage = {
          ...cache.marked(request.model, messageParts(request), model.now),
          output: outputOf(reply),
        };
        billed.push({ usage, body });
        const identity = { messageId: `msg_c${serial}`, requestId: `req_c${serial}`, model: request.model };
        streamMessage(response, { kind: "message", blocks: [reply], usage }, identity);
      } else if (incoming.method === "POST" && /^\/v1\/responses(\?|$)/.test(path)) {
        const request = responsesBody.parse(JSON.parse(body));
        const { prompt, step } = turnOf(request.input);
        const reply = model.play(prompt, step);
        const usage = {
          ...cache.unmarked(request.model, responseParts(request), model.now),
          output: outputOf(reply),
        };
        billed.push({ usage, body });
        streamResponse(response, `resp_c${serial}`, reply, usage);
      } else if (incoming.method === "POST" && /^\/v1beta\/models\/[^/]+:streamGenerateContent/.test(path)) {
        const request = geminiBody.parse(JSON.parse(body));
        const { prompt, step } = contentsOf(request.contents);
        const reply = model.play(prompt, step);
        const usage = { ...cache.unmarked(path, geminiParts(request), model.now), output: outputOf(reply) };
        billed.push({ usage, body });
        streamContent(response, reply, usage);
      } else response.writeHead(404).end("{}");
    },
    onFailure(error, response) {
      failures.push(String(error));
      response
        .writeHead(400, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message: String(error) } }));
    },
  });
  return Object.assign(model, { url, close });
}

function added(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheCreation5m: one.cacheCreation5m + other.cacheCreation5m,
    cacheCreation1h: one.cacheCreation1h + other.cacheCreation1h,
    cacheRead: one.cacheRead + other.cacheRead,
  };
}

function outputOf(reply: ReplyBlock): number {
  return estimateTokenCount(reply.type === "text" ? reply.text : JSON.stringify(reply.input)) + 20;
}

/** The parts of a request of Claude Code. Marks are apart from the text: they move, and the prefix stays. */
function messageParts({ tools, system, messages }: z.infer<typeof messagesBody>): RequestPart[] {
  const systemBlocks = Array.isArray(system) ? system : [system ?? ""];
  // Its first block is billing's own, and differs between prompts; it is in front of nothing that is marked.
  const named = systemBlocks.filter((each) => !JSON.stringify(each).includes("x-anthropic-billing-header"));
  return [
    ...tools.map(partOf),
    ...named.map(partOf),
    ...messages.flatMap(({ role, content }) => blocksOf(content).map((each) => partOf(each, role))),
  ];
}

function responseParts({ instructions, tools, input }: z.infer<typeof responsesBody>): RequestPart[] {
  return [instructions, ...tools, ...input].map((each) => partOf(each));
}

function partOf(value: unknown, role: unknown = ""): RequestPart {
  const mark = marked.safeParse(value);
  const text = `${String(role)}${JSON.stringify(value, (key, each: unknown) => (key === "cache_control" || key === "id" || key === "tool_use_id" ? undefined : each))}`;
  return { text, tokens: estimateTokenCount(text), keep: mark.success ? mark.data.cache_control.ttl : null };
}

function blocksOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : [{ type: "text", text: content }];
}

/** The last prompt of a person, and how many tools were called since. */
function conversationOf(messages: z.infer<typeof messagesBody>["messages"]): {
  readonly prompt: string;
  readonly step: number;
} {
  let [prompt, step] = ["", 0];
  for (const { role, content } of messages) {
    if (role !== "user") continue;
    for (const each of blocksOf(content)) {
      const read = block.safeParse(each);
      if (!read.success) continue;
      if (read.data.type === "tool_result") step += 1;
      else if (read.data.text !== undefined && !read.data.text.startsWith("<system-reminder>"))
        [prompt, step] = [read.data.text, 0];
    }
  }
  return { prompt, step };
}

function turnOf(input: z.infer<typeof responsesBody>["input"]): {
  readonly prompt: string;
  readonly step: number;
} {
  let [prompt, step] = ["", 0];
  for (const item of input) {
    if (item.type === "function_call_output" || item.type === "custom_tool_call_output") step += 1;
    else if (item.role === "user") {
      const text = blocksOf(item.content)
        .map((each) => block.safeParse(each).data?.text ?? "")
        .join("\n");
      if (
        !/^<(?:environment_context|user_instructions|permissions|skills)/u.test(text) &&
        !text.startsWith("# AGENTS.md")
      )
        [prompt, step] = [text, 0];
    }
  }
  return { prompt, step };
}

function streamResponse(response: ServerResponse, id: string, reply: ReplyBlock, usage: TokenUsage): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, fields: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  const item =
    reply.type === "text"
      ? {
          type: "message",
          role: "assistant",
          id: `msg_${id}`,
          content: [{ type: "output_text", text: reply.text }],
        }
      : {
          type: "function_call",
          id: `fc_${id}`,
          call_id: `call_${id}`,
          name: reply.name,
          arguments: JSON.stringify(reply.input),
        };
  send("response.created", { response: { id } });
  send("response.output_item.done", { output_index: 0, item });
  const whole = usage.input + usage.cacheRead;
  send("response.completed", {
    response: {
      id,
      usage: {
        input_tokens: whole,
        input_tokens_details: { cached_tokens: usage.cacheRead },
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: whole + usage.output,
      },
    },
  });
  response.end();
}

function geminiParts({ systemInstruction, tools, contents }: z.infer<typeof geminiBody>): RequestPart[] {
  return [systemInstruction ?? "", ...tools, ...contents].map((each) => partOf(each));
}

function contentsOf(contents: z.infer<typeof geminiBody>["contents"]): {
  readonly prompt: string;
  readonly step: number;
} {
  let [prompt, step] = ["", 0];
  for (const { role, parts } of contents) {
    if (role !== "user") continue;
    for (const part of parts)
      if ("functionResponse" in part) step += 1;
      else if (part.text !== undefined) [prompt, step] = [part.text, 0];
  }
  return { prompt, step };
}

function streamContent(response: ServerResponse, reply: ReplyBlock, usage: TokenUsage): void {
  const part =
    reply.type === "text" ? { text: reply.text } : { functionCall: { name: reply.name, args: reply.input } };
  const prompt = usage.input + usage.cacheRead;
  const answer = {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: {
      promptTokenCount: prompt,
      cachedContentTokenCount: usage.cacheRead,
      candidatesTokenCount: usage.output,
      totalTokenCount: prompt + usage.output,
    },
    modelVersion: "gemini-2.5-pro",
  };
  response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${JSON.stringify(answer)}\n\n`);
}
