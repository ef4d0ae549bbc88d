import { homedir } from "node:os";
import { after } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../host/browser.ts";
import { hostCache } from "../host/cache-folder.ts";
import { PanelPage, type PanelKind } from "./panel-page.ts";

let begun: Promise<Browser> | undefined;
after(async () => {
  await (await begun)?.close();
});

/**
 * Starts a panel in the single Chromium shared by all tests of this process, each panel with its own context.
 */
export async function startPanel<FromPage>(kind: PanelKind<FromPage>): Promise<PanelPage<FromPage>> {
  begun ??= launchBrowser({ cache: hostCache(process.env, homedir()) });
  return PanelPage.start(kind, { browser: await begun });
}
