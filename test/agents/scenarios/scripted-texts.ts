import type { CodexExchange } from "../stand-in/codex.ts";
import type { Exchange } from "../stand-in/stand-in.ts";

/** The model's conversational text: its messages and the text in its tool calls, without names. */
export function textsOf(exchanges: readonly Exchange[]): string[] {
  return exchanges.flatMap(({ reply }) =>
    reply.kind === "error"
      ? [reply.message]
      : reply.blocks.flatMap((block) =>
          block.type === "text"
            ? [block.text]
            : ["command", "prompt"].flatMap((key) => {
                const value = block.input[key];
                return typeof value === "string" ? [value] : [];
              }),
        ),
  );
}

/** The same for Codex's model. */
export function textsOfCodex(exchanges: readonly CodexExchange[]): string[] {
  return exchanges.flatMap(({ reply }) => {
    if (reply.kind === "failure") return [reply.message];
    if (reply.item.type === "message") return [reply.item.text];
    return [reply.item.input["cmd"], reply.item.input["message"]].filter((text) => typeof text === "string");
  });
}
