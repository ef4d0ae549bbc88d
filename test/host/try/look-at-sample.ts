import { relative } from "node:path";
import { openEditorWindow } from "../editor/window.ts";
import { repository } from "../repository.ts";
import { sampleEnv } from "./play.ts";

const size = { width: 1180, height: 720 };
const patience = 90_000; // ms for the sample to open, and for its session to be handed over
const sampleStatus = "purser.sample";

/** Opens the sample, prints what its status item showed until the handover, and writes a screenshot. Returns the exit code. */
export async function lookAtSample(screenshot: string, signal: AbortSignal): Promise<number> {
  console.log("Starting VS Code…");
  const editor = await openEditorWindow({
    choice: "newest",
    size,
    prepare: ({ env }) => {
      Object.assign(env, sampleEnv);
      return Promise.resolve();
    },
  });
  const closed = () => void editor.close();
  signal.addEventListener("abort", closed);
  try {
    const { workbench } = editor;
    await workbench.waitForStatus(sampleStatus, () => true, patience);
    const watched = await workbench.watchStatus(sampleStatus);
    console.log("The sample plays. Its status item shows:");
    await workbench.waitForStatus(sampleStatus, ({ text }) => text.includes("saved"), patience);
    const seen = await watched.read();
    for (const { text, kind } of seen) console.log(`  ${kind.padEnd(8)} ${text}`);
    await workbench.clearNotifications();
    await workbench.screenshot(screenshot);
    console.log(`${(await workbench.tabs()).join(", ")}; picture: ${relative(repository, screenshot)}`);
    const missing = ["default", "warning", "error"].filter(
      (kind) => !seen.some((each) => each.kind === kind),
    );
    if (missing.length === 0) return 0;
    console.error(`The item never looked like this: ${missing.join(", ")}.`);
    return 1;
  } finally {
    signal.removeEventListener("abort", closed);
    await editor.close();
  }
}
