import type { ServerResponse } from "node:http";
import type { Reply } from "./reply.ts";

/** Writes a scripted message the way the Messages API streams it: one server-sent event per step. */
export function streamMessage(
  response: ServerResponse,
  reply: Extract<Reply, { kind: "message" }>,
  identity: { readonly messageId: string; readonly requestId: string; readonly model: string },
): void {
  response.writeHead(200, { "content-type": "text/event-stream", "request-id": identity.requestId });
  const send = (type: string, fields: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  send("message_start", { message: messageStart(reply, identity) });
  reply.blocks.forEach((block, index) => {
    if (block.type === "text") {
      send("content_block_start", { index, content_block: { type: "text", text: "" } });
      send("content_block_delta", { index, delta: { type: "text_delta", text: block.text } });
    } else {
      const id = `toolu_${identity.messageId}_${index}`;
      send("content_block_start", {
        index,
        content_block: { type: "tool_use", id, name: block.name, input: {} },
      });
      const json = JSON.stringify(block.input);
      send("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: json } });
    }
    send("content_block_stop", { index });
  });
  const stopReason = reply.blocks.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
  send("message_delta", {
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: reply.usage.output },
  });
  send("message_stop", {});
  response.end();
}

function messageStart(
  reply: Extract<Reply, { kind: "message" }>,
  identity: { readonly messageId: string; readonly model: string },
): object {
  const { usage } = reply;
  return {
    id: identity.messageId,
    type: "message",
    role: "assistant",
    model: identity.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: usage.input,
      cache_creation_input_tokens: usage.cacheCreation5m + usage.cacheCreation1h,
      cache_read_input_tokens: usage.cacheRead,
      cache_creation: {
        ephemeral_5m_input_tokens: usage.cacheCreation5m,
        ephemeral_1h_input_tokens: usage.cacheCreation1h,
      },
      // The API's placeholder while it streams; the final figure comes with message_delta.
      output_tokens: 1,
    },
  };
}
