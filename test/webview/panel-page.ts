import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { homedir } from "node:os";
import { build } from "esbuild";
import type { Browser, BrowserContext, Page } from "playwright-core";
import * as z from "zod/mini";
import { waitUntil } from "../engine/support/wait-until.ts";
import { panelHtml } from "../../src/extension/panels/html.ts";
import type { Translation } from "../../src/engine/base/text/l10n.ts";
import type { LinkedPanel } from "../../src/webview/components/panel-message.ts";
import { panelMessage, type PanelMessage } from "../../src/webview/ledger/ledger-protocol.ts";
import { launchBrowser } from "../host/browser.ts";
import { hostCache } from "../host/cache-folder.ts";
import { repository } from "../host/repository.ts";
import { now } from "./ledger/fixtures.ts";

const themesSchema = z.record(
  z.string(),
  z.object({ kind: z.string(), variables: z.record(z.string(), z.string()) }),
);
export type ThemeName = "Dark Modern" | "Light Modern" | "Dark High Contrast" | "Light High Contrast";

/** A panel and the messages it may send. */
export interface PanelKind<FromPage> {
  /** Folder below `src/webview`. */
  readonly folder: string;
  readonly title: string;
  readonly panelMessages: z.ZodMiniType<FromPage>;
}
export const ledgerPanel: PanelKind<PanelMessage> = {
  folder: "ledger",
  title: "Usage",
  panelMessages: panelMessage,
};

const bundled = new Map<string, Promise<string>>();

/** Returns the panel's script, bundled once. In the shipped version, code shared by panels is in another file. */
function bundlePanel(folder: string): Promise<string> {
  const known = bundled.get(folder) ?? bundle(folder);
  bundled.set(folder, known);
  return known;
}

async function bundle(folder: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(repository, "src/webview", folder, "main.ts")],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "chrome132",
    loader: { ".svg": "text", ".css": "text" },
    conditions: ["production"],
    logLevel: "warning",
  });
  return outputFiles[0]?.text ?? "";
}

export interface PanelOptions<FromPage = PanelMessage> {
  readonly theme?: ThemeName;
  readonly size?: { readonly width: number; readonly height: number };
  /** Shows the links to other panels, as the panel of this name. */
  readonly linkedAs?: LinkedPanel;
  readonly isSample?: boolean;
  /** The panel's saved state. */
  readonly state?: unknown;
  readonly translation?: Translation;
  /** The host's immediate reply to each message of the panel: one message or several. */
  readonly reply?: (message: FromPage) => unknown;
}

/** The panel in a real Chromium, with the test playing the editor. One page serves many tests by reloading. */
export class PanelPage<FromPage = PanelMessage> {
  readonly page: Page;
  readonly #context: BrowserContext;
  /** Set if the browser belongs to this panel alone. */
  readonly #browser: Browser | undefined;
  readonly #script: string;
  readonly #kind: PanelKind<FromPage>;
  #options: PanelOptions<FromPage> = {};
  #opened = 0;
  readonly #server: Server;
  #port = 0;
  /** The panel's messages so far. */
  panelMessages: FromPage[] = [];
  /** How many of the page's messages are here. */
  #heard = 0;
  /** Errors on the page, and violations of its policy. */
  pageErrors: string[] = [];

  private constructor(kind: PanelKind<FromPage>, page: Page, script: string, browser?: Browser) {
    this.#kind = kind;
    this.#browser = browser;
    this.page = page;
    this.#context = page.context();
    this.#script = script;
    this.#server = createServer((request, response) => {
      void this.#answer(request.url ?? "/").then(({ type, body }) => {
        response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(body);
      });
    });
  }

  /**
   * @param hasOwnTime whether the page's clock runs; otherwise it stays at the fixtures' moment
   * @param browser a shared browser; otherwise one is started, and closed with the panel
   */
  static async start<FromPage>(
    kind: PanelKind<FromPage>,
    { hasOwnTime = false, browser }: { readonly hasOwnTime?: boolean; readonly browser?: Browser } = {},
  ): Promise<PanelPage<FromPage>> {
    const used = browser ?? (await launchBrowser({ cache: hostCache(process.env, homedir()) }));
    const context = await used.newContext({ locale: "en-US", reducedMotion: "reduce" });
    const script = await bundlePanel(kind.folder);
    const panel = new PanelPage(
      kind,
      await context.newPage(),
      script,
      browser === undefined ? used : undefined,
    );
    await panel.#prepare();
    if (!hasOwnTime) await panel.page.clock.setFixedTime(now);
    return panel;
  }

  /** Loads the panel again, as a new window does. */
  async open(options: PanelOptions<FromPage> = {}): Promise<Page> {
    this.#options = options;
    this.panelMessages = [];
    this.#heard = 0;
    this.pageErrors = [];
    await this.page.setViewportSize(options.size ?? { width: 1000, height: 900 });
    const state = encodeURIComponent(JSON.stringify(options.state ?? null));
    await this.page.goto(`http://127.0.0.1:${this.#port}/?${++this.#opened}#${state}`);
    return this.page;
  }

  async postToPanel(message: unknown): Promise<void> {
    await this.page.evaluate(`window.postMessage(${JSON.stringify(message)}, "*")`);
  }

  /** The panel's saved state now. */
  savedState(): Promise<unknown> {
    return this.page.evaluate("window.purserState");
  }

  async close(): Promise<void> {
    await this.#context.close();
    await this.#browser?.close();
    this.#server.close();
  }

  async #prepare(): Promise<void> {
    const { page } = this;
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = z.object({ port: z.number() }).parse(this.#server.address()).port;
    page.setDefaultTimeout(15_000);
    page.on("console", (line) => {
      if (["error", "warning"].includes(line.type())) this.pageErrors.push(line.text());
    });
    page.on("pageerror", (error) => this.pageErrors.push(String(error)));
    await page.exposeFunction("purserSaid", (message: unknown) => {
      const heard = this.#kind.panelMessages.parse(message);
      this.panelMessages.push(heard);
      this.#heard += 1;
      return this.#options.reply?.(heard);
    });
    await page.addInitScript(editorScript);
    this.#hearWhatKeysSay();
  }

  /**
   * Has a key wait until the panel's messages are here, as a click does: a browser may report the key first.
   */
  #hearWhatKeysSay(): void {
    const { keyboard } = this.page;
    const [press, down] = [keyboard.press.bind(keyboard), keyboard.down.bind(keyboard)];
    const settle = async () => {
      const said = Number(await this.page.evaluate("window.purserCount"));
      await waitUntil(() => this.#heard >= said);
    };
    keyboard.press = (...key) => press(...key).then(settle);
    keyboard.down = (...key) => down(...key).then(settle);
  }

  /** Serves the page as the editor would make it, and its script. */
  async #answer(request: string): Promise<{ readonly type: string; readonly body: string }> {
    if (request.startsWith("/panel.js")) return { type: "text/javascript", body: this.#script };
    const { linkedAs: panel, translation, isSample = false } = this.#options;
    const html = panelHtml({
      title: this.#kind.title,
      translation,
      script: "/panel.js",
      nonce: "test",
      isSample,
      ...(panel === undefined ? {} : { panel }),
    });
    const style = await themeStyle(this.#options.theme ?? "Dark Modern");
    return { type: "text/html", body: html.replace("<head>", `<head>${style}`) };
  }
}

/** The editor's part of the page, which runs before the page's own script and its policy. */
const editorScript = `
  window.purserState = JSON.parse(decodeURIComponent(location.hash.slice(1)) || "null") ?? undefined;
  window.purserCount = 0;
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => {
      if (window.purserAnswer) {
        window.postMessage(window.purserAnswer, "*");
        return;
      }
      window.purserCount += 1;
      void window.purserSaid(message).then((reply) => {
        for (const one of [reply ?? []].flat()) window.postMessage(one, "*");
      });
    },
    getState: () => window.purserState,
    setState: (state) => { window.purserState = structuredClone(state); },
  });`;

/** The editor's CSS variables and its own page style, placed before the page's policy as in the editor. */
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
