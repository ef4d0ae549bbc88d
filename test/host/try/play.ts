import { setTimeout as wait } from "node:timers/promises";
import { playSession } from "./play-session.ts";
import { readRecordedSession } from "./recorded-session.ts";
import type { Scratch } from "../scratch.ts";

const settling = 4_000; // ms for the editor to open its window
const pace = 2_000; // ms per turn: slow enough to watch

/** Shows something to a watching person until they stop it. */
type ShowPerson = (scratch: Scratch, signal: AbortSignal) => Promise<void>;

/** What a window shows, and the variables that its editor starts with. */
export interface Shown {
  readonly show: ShowPerson;
  readonly env: Readonly<Record<string, string>>;
}

/** Tells the extension to open the sample once it is connected. */
export const sampleEnv = { PURSER_OPEN_SAMPLE: "1" };

/** The sample opens and plays by itself. */
export async function showSample(_: Scratch, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  console.log(
    "The sample opens. Watch its item in the status bar, bottom right: in about a minute its session is handed over.",
  );
  await stopped(signal);
}

/** Plays the recorded session for a watching person, then waits until they stop it. */
export async function playForPerson({ claude, workspace }: Scratch, signal: AbortSignal): Promise<void> {
  await sleep(settling, signal);
  signal.throwIfAborted();
  console.log(
    "Playing a recorded Claude Code session, a turn every two seconds. Watch the status bar, bottom right.",
  );
  const session = await readRecordedSession();
  const turns = await playSession({ session, claude, workspace, pace, signal });
  if (signal.aborted) return;
  console.log(`The session is over after ${turns} turns. Look around; Ctrl-C ends it.`);
  await stopped(signal);
}

async function stopped(signal: AbortSignal): Promise<void> {
  await new Promise<void>((done) => signal.addEventListener("abort", () => done(), { once: true }));
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
