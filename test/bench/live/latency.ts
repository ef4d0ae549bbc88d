import { statSync } from "node:fs";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { statusId } from "../../host/editor/window.ts";
import type { Transcript } from "../../host/transcript.ts";
import type { Workbench } from "../../host/editor/workbench.ts";
import { StolenTime } from "../cpu-share.ts";
import { bareItemId } from "./control.ts";

const apart = 700; // ms between two turns
const late = 3_000; // ms after which a turn counts as never shown
const first = 10; // percent of the window in the first turn; each turn adds one

/** More turns would fill the context. */
export const mostTurns = 70;

/** How long after its append a turn was seen, in milliseconds; infinity if never. */
export interface SeenTurn {
  /** Purser's status bar item shows the new share of the context. */
  readonly purser: number;
  /** A thread that only watches the folder has read the new bytes. */
  readonly watcher: number;
  /** A bare extension's status bar item shows the new length of the file. */
  readonly extension: number;
  /**
   * The machine's host took processor time before purser's text was seen; undefined where the system does not
   * report it.
   */
  readonly wasStolen: boolean | undefined;
}

const watchedSchema = z.object({ bytes: z.number(), at: z.number() });

/** Appends turns to a transcript of a session no view shows yet, and records when each observer saw them. */
export async function measureLatency(
  workbench: Workbench,
  transcript: Transcript,
  { turns, window }: { readonly turns: number; readonly window: number },
): Promise<readonly SeenTurn[]> {
  const watcher = new Worker(new URL("watcher.ts", import.meta.url), { workerData: transcript.file });
  await once(watcher, "message");
  await workbench.waitForStatus(bareItemId);
  const watched: z.infer<typeof watchedSchema>[] = [];
  watcher.on("message", (message: unknown) => watched.push(watchedSchema.parse(message)));
  // First waits until the session is found: that latency is separate from the latency of following it.
  const tokens = (percent: number) => Math.round((window * percent) / 100);
  transcript.turn(tokens(first));
  await workbench.waitForStatus(statusId, ({ text }) => text.includes(`${first}%`));
  const length = statSync(transcript.file).size;
  await workbench.waitForStatus(bareItemId, ({ text }) => text === String(length));

  const ours = await workbench.watchStatus(statusId);
  const bare = await workbench.watchStatus(bareItemId);
  const stolen = new StolenTime();
  const appended: { at: number; bytes: number }[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    await wait(apart);
    const at = Date.now();
    transcript.turn(tokens(first + turn));
    appended.push({ at, bytes: statSync(transcript.file).size });
  }
  await wait(late);
  stolen.stop();
  await watcher.terminate();
  const [oursSeen, bareSeen] = [await ours.read(), await bare.read()];
  return appended.map(({ at, bytes }, index) => {
    const after = (seen: { readonly at: number } | undefined) =>
      seen === undefined || seen.at - at > late ? Number.POSITIVE_INFINITY : seen.at - at;
    const percent = `${first + index + 1}%`;
    const purser = after(oursSeen.find((status) => status.at >= at && status.text.includes(percent)));
    return {
      purser,
      watcher: after(watched.find((seen) => seen.bytes >= bytes)),
      extension: after(bareSeen.find(({ text }) => Number(text) >= bytes)),
      wasStolen: stolen.wasAny(at, at + Math.min(purser, late)),
    };
  });
}
