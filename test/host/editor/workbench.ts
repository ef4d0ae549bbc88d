import * as z from "zod";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import type { EditorServer } from "./server.ts";
import { statusScript, statusSchema, watchScript, watchedSchema } from "./status-script.ts";
import type { StatusItem, WatchedStatus } from "./status-script.ts";

const patience = 30_000; // ms; a loaded machine of two cores opens an editor in 3 to 10 seconds
const menuOpens = 400; // ms
const settle = 250; // ms for a hover or a list to finish its animation

export interface Notification {
  readonly severity: "info" | "warning" | "error";
  readonly message: string;
  readonly actions: readonly string[];
}

export interface OpenOptions {
  readonly browser: Browser;
  readonly server: EditorServer;
  /** The absolute path of the folder, or of a `.code-workspace` file; empty for a window without a folder. */
  readonly folder: string;
  /** Further launch options of VS Code, such as `extensionDevelopmentPath`. */
  readonly payload?: readonly (readonly [string, string])[];
  readonly colorScheme?: "dark" | "light";
  readonly size?: { readonly width: number; readonly height: number };
  /** The editor's language, which extensions get. Its own texts stay English without a language pack. */
  readonly language?: string | undefined;
}

/** The server's URL for a folder. */
export function workbenchUrl(
  server: EditorServer,
  folder: string,
  payload: OpenOptions["payload"] = [],
): string {
  const url = new URL(`http://127.0.0.1:${server.port}/`);
  url.searchParams.set("tkn", server.token);
  if (folder === "") url.searchParams.set("ew", "true");
  else url.searchParams.set(folder.endsWith(".code-workspace") ? "workspace" : "folder", folder);
  if (payload.length > 0) url.searchParams.set("payload", JSON.stringify(payload));
  return url.href;
}

/** The launch option that opens a file of the folder. */
export function openFile(server: EditorServer, folder: string, path: string): readonly [string, string] {
  return ["openFile", `vscode-remote://127.0.0.1:${server.port}${folder}/${path}`];
}

/** The launch option that loads an extension from its folder. */
export function extensionIn(server: EditorServer, folder: string): readonly [string, string] {
  return ["extensionDevelopmentPath", `vscode-remote://127.0.0.1:${server.port}${folder}`];
}

/** Time in which a command is searched for again, and in which an open palette shows it. Milliseconds. */
const [maxSearchTime, maxListTime] = [25_000, 3000];

/** Reads all notifications at once: one may leave between two calls. */
const notificationsScript = `[...document.querySelectorAll(".notification-toast .notification-list-item")].map((item) => {
  const icon = item.querySelector(".notification-list-item-icon")?.className ?? "";
  const isOf = (name) => icon.includes("codicon-" + name);
  const buttons = [...item.querySelectorAll(".notification-list-item-buttons-container .monaco-button")];
  return {
    severity: isOf("error") ? "error" : isOf("warning") ? "warning" : "info",
    message: (item.querySelector(".notification-list-item-message")?.textContent ?? "").trim(),
    actions: buttons.map((button) => (button.textContent ?? "").trim()),
  };
})`;

const notificationsSchema = z.array(
  z.object({
    severity: z.enum(["error", "warning", "info"]),
    message: z.string(),
    actions: z.array(z.string()),
  }),
);

/** A VS Code window as a person sees and uses it. */
export class Workbench {
  readonly page: Page;
  readonly #context: BrowserContext;

  private constructor(page: Page, context: BrowserContext) {
    this.page = page;
    this.#context = context;
  }

  static async open(options: OpenOptions): Promise<Workbench> {
    const { browser, server, folder, payload, colorScheme, size, language } = options;
    const context = await browser.newContext({
      viewport: size ?? { width: 1280, height: 800 },
      colorScheme: colorScheme ?? "dark",
      // Endless animations would be redrawn by the CPU for as long as they are visible.
      reducedMotion: "reduce",
    });
    context.setDefaultTimeout(patience);
    if (language !== undefined)
      await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)};`);
    const page = await context.newPage();
    await page.goto(workbenchUrl(server, folder, payload));
    await page.locator(".monaco-workbench .statusbar-item").first().waitFor();
    return new Workbench(page, context);
  }

  async close(): Promise<void> {
    await this.#context.close();
  }

  /** The status bar item with this id, as its extension named it. */
  statusItem(id: string): Locator {
    return this.page.locator(`.statusbar-item[id$=".${id}"]`);
  }

  /** Reads the item's current content; undefined when it is missing. */
  async readStatus(id: string): Promise<StatusItem | undefined> {
    return statusSchema.parse(await this.page.evaluate(statusScript(id)));
  }

  /** Waits until the item exists and satisfies the condition. */
  async waitForStatus(
    id: string,
    condition: (status: StatusItem) => boolean = () => true,
    timeout: number = patience,
  ): Promise<StatusItem> {
    const limit = Date.now() + timeout;
    for (;;) {
      const status = await this.readStatus(id);
      if (status !== undefined && condition(status)) return status;
      if (Date.now() > limit) {
        throw new Error(
          `The status item ${id} did not become what was waited for; it is ${JSON.stringify(status)}.`,
        );
      }
      await this.page.waitForTimeout(50);
    }
  }

  /** Starts recording every change of the item with its time on the page; `read` returns the changes so far. */
  async watchStatus(id: string): Promise<{ read(): Promise<readonly WatchedStatus[]> }> {
    const name = await this.page.evaluate(watchScript(id));
    return {
      read: async () => watchedSchema.parse(await this.page.evaluate(`globalThis[${JSON.stringify(name)}]`)),
    };
  }

  /** Hovers the item and returns its tooltip as text. */
  async hoverStatus(id: string): Promise<string> {
    const hover = this.page.locator(".workbench-hover, .monaco-hover").filter({ visible: true });
    await this.page.mouse.move(400, 300);
    // A tooltip that is still open may keep its former text.
    await hover.first().waitFor({ state: "hidden" });
    await this.statusItem(id).locator("a").hover();
    await hover.filter({ hasText: /\S/u }).first().waitFor();
    await this.page.waitForTimeout(settle);
    return (await hover.first().innerText()).trim();
  }

  /** Follows a link of the item's tooltip, such as `Pin`; the first when several sessions have one. */
  async followStatusLink(id: string, label: string): Promise<void> {
    const link = this.page
      .locator(".workbench-hover a, .monaco-hover a")
      .filter({ hasText: new RegExp(`^${label}$`, "u"), visible: true })
      .first();
    const click = async () => {
      await this.hoverStatus(id);
      await link.click({ timeout: maxListTime });
    };
    const deadline = performance.now() + maxSearchTime;
    // A tooltip closes when its item is redrawn, and is then opened again.
    for (;;) {
      const [clicked] = await Promise.allSettled([click()]);
      if (clicked.status === "fulfilled") break;
      if (performance.now() >= deadline) throw clicked.reason;
    }
    await this.page.mouse.move(400, 300);
  }

  async clickStatus(id: string): Promise<void> {
    await this.statusItem(id).locator("a").click();
  }

  /** Runs a command by the title that the palette shows, such as `Purser: Show Sessions`. */
  async runCommand(title: string): Promise<void> {
    const input = this.page.locator(".quick-input-widget input");
    const row = this.quickPickRows().filter({ hasText: title }).first();
    const search = async () => {
      await this.page.keyboard.press("F1");
      await input.fill(`>${title}`, { timeout: maxListTime });
      await row.waitFor({ timeout: maxListTime });
    };
    const deadline = performance.now() + maxSearchTime;
    // A panel that takes the focus closes the palette. An open palette does not notice that the editor which offers a command
    // has just become the active one.
    while (performance.now() < deadline && (await Promise.allSettled([search()]))[0].status === "rejected")
      await this.page.keyboard.press("Escape");
    await row.click();
  }

  /** Begins an experiment of this kind, such as `Comparison`, or opens the list of earlier ones. */
  async newExperiment(kind: string): Promise<void> {
    await this.runCommand("Purser: New Experiment…");
    const page = this.page.frameLocator("iframe.webview").frameLocator("iframe");
    await page.getByRole("radio", { name: new RegExp(`^${kind}`, "u") }).check({ timeout: 60_000 });
  }

  /**
   * Reloads the window with the editor's own command, which waits until the layout is saved. A browser reload loses what changed
   * since the editor last saved it, every minute or so.
   */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent("load");
    await this.runCommand("Developer: Reload Window");
    await loaded;
    await this.page.locator(".monaco-workbench .statusbar-item").first().waitFor();
  }

  /** The titles of the open editors. */
  async tabs(): Promise<readonly string[]> {
    const titles = await this.page.locator(".tabs-container .tab .label-name").allInnerTexts();
    return titles.map((title) => title.trim());
  }

  /**
   * Types into the input box with this text, and accepts. Waits for it first, because the input of a just answered list may still be
   * there: text typed into that is lost.
   */
  async answerInputBox(says: string, typed: string, patience: number): Promise<void> {
    const box = this.page.locator(".quick-input-widget");
    await box.getByText(says).waitFor({ timeout: patience });
    await box.locator("input").fill(typed);
    await box.locator("input").press("Enter");
  }

  /** The rows of the open quick pick. */
  quickPickRows(): Locator {
    return this.page.locator(".quick-input-list .monaco-list-row");
  }

  /** The titles that the palette offers for a search. */
  async findCommands(search: string): Promise<readonly string[]> {
    await this.page.keyboard.press("F1");
    await this.page.locator(".quick-input-widget input").fill(`>${search}`);
    await this.page.waitForTimeout(settle * 2);
    const titles = await this.quickPickRows().locator(".label-name").allInnerTexts();
    await this.page.keyboard.press("Escape");
    return titles.map((title) => title.trim());
  }

  /** The notifications on the screen, newest first. */
  async notifications(): Promise<readonly Notification[]> {
    return notificationsSchema.parse(await this.page.evaluate(notificationsScript));
  }

  /** Waits for a notification with a matching message. */
  async waitForNotification(message: RegExp, timeout: number = patience): Promise<Notification> {
    const limit = Date.now() + timeout;
    for (;;) {
      const found = (await this.notifications()).find((notification) => message.test(notification.message));
      if (found !== undefined) return found;
      if (Date.now() > limit) throw new Error(`No notification like ${message.source} came.`);
      await this.page.waitForTimeout(100);
    }
  }

  /** Presses a button of the notification with a matching message, or follows a link in it. */
  async answerNotification(message: RegExp, button: string): Promise<void> {
    const item = this.page
      .locator(".notification-toast .notification-list-item")
      .filter({ hasText: message });
    const link = item.locator(".notification-list-item-message a").getByText(button, { exact: true });
    await item.getByRole("button", { name: button, exact: true }).or(link).first().click();
  }

  async clearNotifications(): Promise<void> {
    await this.runCommand("Notifications: Clear All Notifications");
  }

  /** The tree inside the view with this title. */
  tree(viewTitle: string): Locator {
    return this.page.locator(".pane").filter({
      has: this.page
        .locator(".pane-header .title")
        .filter({ hasText: new RegExp(`^\\s*${viewTitle}\\s*$`, "iu") }),
    });
  }

  /** Chooses an item of the menu behind the `…` in a view's title. */
  async chooseInTitle(viewTitle: string, item: string): Promise<void> {
    const view = this.tree(viewTitle);
    await view.locator(".monaco-list-row").first().waitFor();
    await view.hover();
    await view.getByRole("button", { name: /^(?:Views and )?More Actions/u }).click();
    await this.chooseInMenu(item);
  }

  /** Chooses an item of the menu that is open, or about to be. */
  async chooseInMenu(item: string): Promise<void> {
    const row = this.page.locator(".context-view").getByText(item, { exact: true });
    await row.hover();
    // A menu ignores clicks for a moment after opening.
    await this.page.waitForTimeout(menuOpens);
    await row.click();
  }

  /** The rows of a tree view, indented by level, each as `label description`. */
  async treeRows(viewTitle: string): Promise<readonly string[]> {
    const rows = await this.tree(viewTitle).locator(".monaco-list-row").all();
    return Promise.all(
      rows.map(async (row) => {
        const level = Number((await row.getAttribute("aria-level")) ?? "1");
        const text = (await row.locator(".label-name, .label-description").allInnerTexts()).join(" ").trim();
        return `${"  ".repeat(level - 1)}${text}`;
      }),
    );
  }

  /** Expands every collapsed branch of a tree view. */
  async expandTree(viewTitle: string): Promise<void> {
    const closed = this.tree(viewTitle).locator(".monaco-list-row .monaco-tl-twistie.collapsed");
    while ((await closed.count()) > 0) {
      await closed.first().click();
      await this.page.waitForTimeout(settle);
    }
  }

  /** Opens a container of the activity bar, such as `Explorer`; an open one stays open. */
  async openContainer(title: string): Promise<void> {
    const item = this.page
      .locator(".activitybar .action-item")
      .filter({ has: this.page.locator(`a[aria-label^="${title}"]`) })
      .first();
    await item.waitFor();
    const classes = (await item.getAttribute("class")) ?? "";
    if (!classes.includes("checked")) await item.click();
  }

  explorerRow(name: string): Locator {
    return this.page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: name }).first();
  }

  /** Opens a file at the top of the workspace by its name, from the Explorer. */
  async openFile(name: string): Promise<void> {
    await this.explorerRow(name).dblclick();
    // Commands that depend on the file are offered once its editor is the active one.
    await this.page.locator(".tab.active").filter({ hasText: name }).first().waitFor();
  }

  /** Switches the colour theme, such as `Light Modern` or `Dark High Contrast`. */
  async setColorTheme(name: string): Promise<void> {
    await this.runCommand("Preferences: Color Theme");
    const row = this.quickPickRows().filter({ hasText: name }).first();
    await this.page.locator(".quick-input-widget input").fill(name);
    await row.waitFor();
    await row.click();
    await this.page.waitForTimeout(settle);
  }

  /**
   * Start times of extensions as VS Code reports them in its list of running extensions: loading the code and calling `activate`.
   * Milliseconds, in the order of the names.
   */
  async activationTimes(names: readonly string[]): Promise<readonly number[]> {
    await this.runCommand("Developer: Show Running Extensions");
    const rows = this.page.locator(".runtime-extensions-editor .monaco-list .monaco-list-row");
    await rows.first().hover();
    const times = new Map<string, number>();
    // Only the visible rows are rendered.
    for (let screen = 0; screen < 10 && times.size < names.length; screen += 1) {
      if (screen > 0) await this.page.mouse.wheel(0, 400);
      await this.page.waitForTimeout(settle);
      for (const text of await rows.allInnerTexts()) {
        const name = names.find((one) => text.includes(one));
        const ms = /Activation: (\d+)\s*ms/u.exec(text)?.[1];
        if (name !== undefined && ms !== undefined) times.set(name, Number(ms));
      }
    }
    return names.map((name) => {
      const time = times.get(name);
      if (time === undefined) throw new Error(`VS Code shows no activation time for ${name}.`);
      return time;
    });
  }

  /** Writes a screenshot of the whole window. */
  async screenshot(file: string): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
  }
}
