import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { z } from "zod";
import { openEditorWindow, statusId } from "../editor/window.ts";
import type { EditorWindow } from "../editor/window.ts";
import { playSession } from "./play-session.ts";
import { readRecordedSession } from "./recorded-session.ts";
import { repository } from "../repository.ts";
import type { WatchedStatus } from "../editor/status-script.ts";

const pace = 350; // ms per turn: fast, yet slow enough for the item to be drawn
const size = { width: 1180, height: 720 };
const patience = 60_000; // ms for a change to be seen, on a loaded machine

const expectedSchema = z.object({
  windowTokens: z.number(),
  sessions: z.array(z.object({ contextTokens: z.number() })).min(1),
});

/**
 * Plays the session to its end, prints what the editor showed, and reports whether it is correct. Returns the exit
 * code.
 */
export async function tryOnce(screenshot: string, signal: AbortSignal): Promise<number> {
  console.log("Starting VS Code…");
  const editor = await openEditorWindow({ choice: "newest", size, openFile: "src/tide.ts" });
  const closed = () => void editor.close();
  signal.addEventListener("abort", closed);
  try {
    return await play(editor, screenshot, signal);
  } finally {
    signal.removeEventListener("abort", closed);
    await editor.close();
  }
}

async function play(editor: EditorWindow, screenshot: string, signal: AbortSignal): Promise<number> {
  const { workbench, scratch } = editor;
  await workbench.waitForStatus(statusId, () => true, patience);
  await workbench.runCommand("Purser: Show Sessions");
  const watched = await workbench.watchStatus(statusId);
  console.log("Playing a recorded session. The status bar shows:");
  let printed = 0;
  const printNew = async () => {
    const seen = await watched.read();
    for (const { text, kind } of seen.slice(printed)) console.log(`  ${kind.padEnd(8)} ${text}`);
    printed = seen.length;
    return seen;
  };
  const session = await readRecordedSession();
  const { claude, workspace } = scratch;
  const onTurn = async () => {
    await printNew();
  };
  const turns = await playSession({ session, claude, workspace, pace, signal, onTurn });
  const percent = await lastPercent();
  const shown = ({ text }: { readonly text: string }) => new RegExp(`\\b${percent}\\s?%`, "u").test(text);
  await workbench.waitForStatus(statusId, shown, patience);
  const fault = findFault(await printNew());
  await takePicture(editor, screenshot);
  console.log(`${turns} turns played; picture: ${relative(repository, screenshot)}`);
  if (fault === undefined) return 0;
  console.error(fault);
  return 1;
}

/** Occupancy at the end of the recording, in whole percent. */
async function lastPercent(): Promise<number> {
  const file = join(repository, "test", "recordings", "try-session.expected.json");
  const { windowTokens, sessions } = expectedSchema.parse(JSON.parse(await readFile(file, "utf8")));
  return Math.floor(((sessions[0]?.contextTokens ?? 0) / windowTokens) * 100);
}

/**
 * Describes what is missing: the recording passes both thresholds and is compacted once, and each must have been seen.
 */
function findFault(seen: readonly WatchedStatus[]): string | undefined {
  if (!seen.some(({ kind }) => kind === "warning")) return "The item never turned to the warning colour.";
  if (!seen.some(({ kind }) => kind === "error")) return "The item never turned to the error colour.";
  if (!seen.some(({ text }) => text.includes("$(fold)"))) return "The compaction was never shown.";
  return undefined;
}

/** Takes a screenshot of the session in its view, the project in the editor, and the tooltip over the status bar. */
async function takePicture({ workbench }: EditorWindow, file: string): Promise<void> {
  await workbench.clearNotifications();
  await workbench.runCommand("Purser: Show Sessions");
  await workbench.expandTree("Sessions");
  await workbench.hoverStatus(statusId);
  await workbench.screenshot(file);
}
