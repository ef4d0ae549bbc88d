/**
 * Installs both VS Code servers and finds a Chromium that starts, so that later tests need no network. Exits with 75
 * when this machine cannot have them.
 */
import { homedir } from "node:os";
import { launchBrowser } from "./browser.ts";
import { hostCache } from "./cache-folder.ts";
import { installEditor } from "./editor/install.ts";
import { Unavailable } from "./unavailable.ts";

/** sysexits.h: "temporary failure"; `run-step.ts` treats it as a skip. */
const cannotHere = 75;

const cache = hostCache(process.env, homedir());
try {
  for (const choice of ["newest", "oldest"] as const) console.log(await installEditor(choice, cache));
  const browser = await launchBrowser({ cache });
  console.log(`Chromium ${browser.version()}`);
  await browser.close();
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  console.error(error.message);
  process.exitCode = cannotHere;
}
