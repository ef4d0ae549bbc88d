import { homedir } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { hostCache } from "../cache-folder.ts";
import { startServer } from "../editor/server.ts";
import { installEditor } from "../editor/install.ts";
import { packedExtension } from "../repository.ts";
import { makeScratch } from "../scratch.ts";
import type { Shown } from "./play.ts";
import { openFile, workbenchUrl } from "../editor/workbench.ts";

const asked = 500; // ms between two checks for a connected browser

/** Shows the session, or the sample, in the VS Code server from npm, in the person's own browser, until Ctrl-C. */
export async function tryInBrowser(signal: AbortSignal, { show, env }: Shown): Promise<void> {
  console.log("Starting VS Code (the server from npm; a `code` on PATH would be used instead)…");
  const editor = await installEditor("newest", hostCache(process.env, homedir()));
  const scratch = await makeScratch();
  try {
    const server = await startServer({
      editor,
      packages: [await packedExtension()],
      env: { ...scratch.env, ...env },
    });
    try {
      console.log(`\nOpen this address in a browser. Ctrl-C here stops everything and removes it.\n`);
      console.log(
        `  ${workbenchUrl(server, scratch.workspace, [openFile(server, scratch.workspace, "README.md")])}\n`,
      );
      while (!signal.aborted && !server.log().includes("[ExtensionHostConnection]")) await wait(asked);
      await show(scratch, signal);
    } finally {
      await server.stop();
    }
  } finally {
    await scratch.remove();
  }
}
