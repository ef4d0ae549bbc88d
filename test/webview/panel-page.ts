import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { homedir } from "node:os";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { panelHtml } from "../../src/extension/panel-html.ts";
import { panelMessage, type HostMessage, type PanelMessage } from "../../src/webview/ledger/protocol.ts";
import { launchBrowser } from "../host/browser.ts";
import { hostCache } from "../host/cache-folder.ts";
import { repository } from "../host/repository.ts";
import { now } from "./fixtures.ts";

const address = "https://panel.test/";
const themesSchema = z.record(
  z.string(),
  z.object({ kind: z.string(), variables: z.record(z.string(), z.string()) }),
);
export type ThemeName = "Dark Modern" | "Light Modern" | "Dark High Contrast" | "Light High Contrast";

export function startBrowser(): Promise<Browser> {
  return launchBrowser({ cache: hostCache(process.env, homedir()) });
}

/** The panel's script as it is shipped. */
export async function bundlePanel(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(repository, "src/webview/ledger/main.ts")],
    ...{ bundle: true, minify: true, write: false, format: "iife", target: "chrome132" },
    ...{ loader: { ".svg": "text" }, conditions: ["production"], logLevel: "warning" },
  });
  return outputFiles[0]?.text ?? "";
}

export interface PanelOptions {
  readonly script: string;
  readonly theme?: ThemeName;
  readonly size?: { readonly width: number; readonly height: number };
  /** What the panel remembers of an earlier time. */
  readonly state?: unknown;
  /** What the host says to each message of the panel, at once. */
  readonly reply?: (message: PanelMessage) => HostMessage | undefined;
}

/** The panel in a page of its own, with the editor's side played by the test. */
export interface PanelPage {
  readonly page: Page;
  /** What the panel said so far. */
  readonly said: readonly PanelMessage[];
  /** What the page complained of: errors, and what its policy forbade. */
  readonly complaints: readonly string[];
  say(message: unknown): Promise<void>;
  /** What it remembers now. */
  kept(): Promise<unknown>;
  close(): Promise<void>;
}

export async function openPanel(browser: Browser, options: PanelOptions): Promise<PanelPage> {
  const { script, theme = "Dark Modern", size = { width: 1000, height: 900 }, state, reply } = options;
  const context = await browser.newContext({ viewport: size, locale: "en-US" });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const said: PanelMessage[] = [];
  const complaints: string[] = [];
  page.on("console", (line) => {
    if (["error", "warning"].includes(line.type())) complaints.push(line.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  const say = async (message: unknown) => {
    await page.evaluate(`window.postMessage(${JSON.stringify(message)}, "*")`);
  };
  await page.exposeFunction("purserSaid", (message: unknown) => {
    const heard = panelMessage.parse(message);
    said.push(heard);
    return reply?.(heard);
  });
  await page.clock.setFixedTime(now);
  await page.addInitScript(editorScript(state));
  await page.route(`${address}**`, async (route) => {
    const isScript = route.request().url().endsWith(".js");
    const html = panelHtml({
      ...{ title: "Ledger", language: "en", script: `${address}panel.js`, nonce: "test" },
    });
    await route.fulfill(
      isScript
        ? { body: script, contentType: "text/javascript" }
        : { body: html.replace("<head>", `<head>${await themeStyle(theme)}`), contentType: "text/html" },
    );
  });
  await page.goto(address);
  return {
    ...{ page, said, complaints, say },
    kept: () => page.evaluate("window.purserState"),
    close: () => context.close(),
  };
}

/** The editor's part of the page: it is there before the page's own script, and its policy. */
function editorScript(state: unknown): string {
  return `
    window.purserState = ${JSON.stringify(state ?? null)} ?? undefined;
    window.acquireVsCodeApi = () => ({
      postMessage: (message) =>
        void window.purserSaid(message).then((reply) => reply && window.postMessage(reply, "*")),
      getState: () => window.purserState,
      setState: (state) => { window.purserState = structuredClone(state); },
    });`;
}

/** The editor's variables and its own style of a page, before the page's policy as in the editor. */
async function themeStyle(name: ThemeName): Promise<string> {
  const text = await readFile(join(import.meta.dirname, "themes.json"), "utf8");
  const theme = themesSchema.parse(JSON.parse(text))[name];
  if (theme === undefined) throw new Error(`themes.json has no ${name}.`);
  const lines = Object.entries(theme.variables).map(([variable, value]) => `${variable}: ${value};`);
  return `<style>
    html { ${lines.join(" ")} }
    body { margin: 0; padding: 0 20px; background: var(--vscode-editor-background); color: var(--vscode-foreground); }
  </style>`;
}
