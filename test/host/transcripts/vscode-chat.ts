import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Transcript } from "../transcript.ts";
import type { Place } from "./place.ts";

const model = "copilot/gpt-5.1";

/** Creates a chat of a desktop VS Code in the user's home; nothing is written before its first turn. */
export function makeChatSession({ home, workspace }: Place, number: number, window = 200_000): Transcript {
  const id = `c4a70000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const storage = join(home, ".config/Code/User/workspaceStorage", String(number).padStart(32, "0"));
  const file = join(storage, "chatSessions", `${id}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(join(storage, "workspace.json"), JSON.stringify({ folder: pathToFileURL(workspace).href }));
  let turns = 0;
  const append = (...entries: readonly object[]) =>
    appendFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  return {
    id,
    file,
    turn(contextTokens) {
      const now = Date.now();
      if (turns === 0) {
        const metadata = { id: "gpt-5.1", maxInputTokens: window - 16_000, maxOutputTokens: 16_000 };
        const inputState = { inputText: "", selectedModel: { identifier: model, metadata } };
        append({ kind: 0, v: { version: 3, creationDate: now, sessionId: id, requests: [], inputState } });
      }
      const request = {
        requestId: `r_${number}_${turns}`,
        timestamp: now,
        message: { text: "Find the berth.", parts: [] },
        modelId: model,
        modelState: { value: 1, completedAt: now },
        response: [{ value: "The next berth is free." }],
        promptTokens: contextTokens,
        completionTokens: 300,
      };
      append({ kind: 2, k: ["requests"], v: [request] });
      turns += 1;
    },
  };
}
