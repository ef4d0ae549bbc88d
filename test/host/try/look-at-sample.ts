import { relative } from "node:path";
import { openEditorWindow, statusId } from "../editor/window.ts";
import { repository } from "../repository.ts";

const size = { width: 1180, height: 720 };
const patience = 60_000; // ms for the sample to open

/** Opens the sample, prints the panel it began with, and writes a screenshot. Returns the exit code. */
export async function lookAtSample(screenshot: string, signal: AbortSignal): Promise<number> {
  console.log("Starting VS Code…");
  const editor = await openEditorWindow({ choice: "newest", size });
  const closed = () => void editor.close();
  signal.addEventListener("abort", closed);
  try {
    const { workbench } = editor;
    await workbench.waitForStatus(statusId);
    await workbench.runCommand("Purser: Open Sample");
    const panel = workbench.page.frameLocator("iframe.webview").frameLocator("iframe");
    await panel.getByText("Nothing here is yours.").waitFor({ timeout: patience });
    await panel.getByRole("table").first().waitFor({ state: "attached", timeout: patience });
    await workbench.clearNotifications();
    await workbench.screenshot(screenshot);
    console.log(`${(await workbench.tabs()).join(", ")}; picture: ${relative(repository, screenshot)}`);
    return 0;
  } finally {
    signal.removeEventListener("abort", closed);
    await editor.close();
  }
}
