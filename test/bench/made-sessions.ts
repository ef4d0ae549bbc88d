/** Made-up sessions of six kinds, as sizes of their contexts. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { ApiResponse } from "../../src/engine/usage/api-response.ts";
import { SessionAccount } from "../../src/engine/sessions/live/account.ts";
import { LiveRows } from "../../src/engine/transcripts/claude/claude-session-finder.ts";
import type { SeededRandom } from "../engine/support/seeded-random.ts";

/** Tokens of a context from the agent's start or a compaction to the next one. */
export type Context = readonly number[];
type Steps = () => number;

/** Size at which a context is compacted. Tokens. */
export const threshold = 167_000;
export const sessionsPerKind = 60;
const contextsPerSession = 4;

/** A number whose logarithm is normally distributed. */
export function logNormal(random: SeededRandom, middle: number, spread: number): number {
  return middle * Math.exp(spread * random.normal());
}

export const kinds: Readonly<Record<string, (random: SeededRandom) => Steps>> = {
  "steady edits": (random) => () => logNormal(random, 1200, 0.5),
  "edits, tools, some large reads": (random) => () => {
    const draw = random.next();
    if (draw < 0.7) return logNormal(random, 600, 0.6);
    return draw < 0.95 ? logNormal(random, 3000, 0.5) : logNormal(random, 15_000, 0.4);
  },
  "phases of reading and editing": (random) => {
    let [left, isReading] = [0, false];
    return () => {
      if (left-- <= 0) {
        isReading = !isReading;
        left = isReading ? 10 + random.next() * 15 : 20 + random.next() * 40;
      }
      return isReading ? logNormal(random, 4000, 0.6) : logNormal(random, 900, 0.5);
    };
  },
  "two edits, then a test run": (random) => {
    let turn = 0;
    return () => (turn++ % 3 === 2 ? logNormal(random, 3500, 0.3) : logNormal(random, 800, 0.4));
  },
  "bursts of large outputs": (random) => () =>
    random.next() < 0.1 ? logNormal(random, 12_000, 0.7) : logNormal(random, 900, 0.8),
  "large steps throughout": (random) => () => logNormal(random, 6000, 0.7),
};

/** Contexts of a session. After a compaction, files are read again first. */
export function makeSession(steps: Steps, random: SeededRandom): Context[] {
  return Array.from({ length: contextsPerSession }, (_, index) => {
    const context = [20_000 + random.next() * 10_000];
    const reread = index === 0 ? 0 : 4 + Math.floor(random.next() * 4);
    while ((context.at(-1) ?? 0) < threshold) {
      const step = steps();
      const isReread = context.length <= reread;
      context.push((context.at(-1) ?? 0) + (isReread ? Math.max(step, logNormal(random, 9000, 0.5)) : step));
    }
    return context;
  });
}

/** The account of the recorded session after each of its rows. */
export function* recordedSession(): Generator<SessionAccount> {
  const file = path.join(import.meta.dirname, "../recordings/try-session.jsonl");
  const rows = new LiveRows("recorded", null);
  const account = new SessionAccount("recorded", { short: 300_000, long: 3_600_000 });
  for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    account.apply(rows.read(Buffer.from(line)), null);
    yield account;
  }
}

/** A response, as the API reports it. */
export function responseOf(
  messageId: string,
  usage: ApiResponse["usage"],
  at: number | null = null,
): ApiResponse {
  const about = { requestId: null, model: "claude-sonnet-4-6", sessionId: "s", cwd: null };
  return { ...about, messageId, at, usage, isSidechain: false };
}
