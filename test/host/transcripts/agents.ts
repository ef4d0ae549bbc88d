import { makeTranscript, type Transcript } from "../transcript.ts";
import { makeRollout } from "./codex.ts";
import { makeEvents } from "./copilot.ts";
import { geminiWindow, makeChat } from "./gemini.ts";
import type { Place } from "./place.ts";
import { makeChatSession } from "./vscode-chat.ts";

/** A made-up session of one agent, in its own format. */
export interface MadeSession {
  /** Creates the session with this number. */
  readonly make: (place: Place, number: number) => Transcript;
  /** The window in which purser sees its contexts. Tokens. */
  readonly window: number;
}

export const madeSessions = {
  "claude-code": { make: (place, number) => makeTranscript(place, number), window: 200_000 },
  codex: { make: (place, number) => makeRollout(place, number), window: 200_000 },
  copilot: { make: (place, number) => makeEvents(place, number), window: 200_000 },
  gemini: { make: makeChat, window: geminiWindow },
  "vscode-chat": { make: (place, number) => makeChatSession(place, number), window: 200_000 },
} as const satisfies Readonly<Record<string, MadeSession>>;

export type MadeAgent = keyof typeof madeSessions;

export function isMadeAgent(name: string): name is MadeAgent {
  return Object.hasOwn(madeSessions, name);
}
