import { setTimeout as wait } from "node:timers/promises";
import { playSession } from "./play-session.ts";
import { readRecordedSession } from "./recorded-session.ts";
import type { Scratch } from "../scratch.ts";

const settling = 4_000; // ms for the editor to open its window
const pace = 2_000; // ms per turn: slow enough to watch

/** Shows something to a watching person until they stop it. */
export type ShowPerson = (scratch: Scratch, signal: AbortSignal) => Promise<void>;

/** Plays nothing: the Sessions view is empty, and offers the sample. */
export async function offerSample(_: Scratch, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  console.log(
    "No agent has a session here. Open Context Purser in the activity bar, or press F1, and choose Open Sample.",
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
