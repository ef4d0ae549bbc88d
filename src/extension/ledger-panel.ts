import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../engine/base/clock.ts";
import { findTranscript } from "./find-transcript.ts";
import { LedgerConversation } from "./ledger-conversation.ts";
import type { ExportFormat } from "./ledger-export.ts";
import type { LedgerSource } from "./ledger-source.ts";
import { openTranscript } from "./open-transcript.ts";
import { inMessage } from "./outside-text.ts";
import { ledgerViewType } from "./ledger-view-type.ts";
import { panelHtml } from "./panel-html.ts";
import type { Services } from "./services.ts";
import { readEnvironment } from "./settings.ts";

const { t } = vscode.l10n;
const longestReason = 200;

type Needs = Pick<Services, "context" | "log" | "sessions">;

/** The one Ledger panel of a window, when it is open. */
export class LedgerPanel implements vscode.Disposable {
  readonly #services: Needs;
  readonly #source: LedgerSource;
  #open: { readonly panel: vscode.WebviewPanel; readonly talk: LedgerConversation } | undefined;

  constructor(services: Needs, source: LedgerSource) {
    this.#services = services;
    this.#source = source;
  }

  /** @param sessionId to show this one's page */
  show(sessionId: string | undefined): void {
    const { panel, talk } = this.#open ?? this.adopt(createPanel(this.#services));
    if (sessionId !== undefined) talk.show(sessionId);
    panel.reveal();
  }

  /** Takes a panel that has nothing in it yet, such as the editor's after a reload of the window. */
  adopt(panel: vscode.WebviewPanel): {
    readonly panel: vscode.WebviewPanel;
    readonly talk: LedgerConversation;
  } {
    this.dispose();
    const talk = converse(panel, this.#services, this.#source);
    const open = { panel, talk };
    this.#open = open;
    panel.onDidDispose(() => {
      talk.dispose();
      if (this.#open === open) this.#open = undefined;
    });
    return open;
  }

  dispose(): void {
    this.#open?.panel.dispose();
  }
}

function createPanel(services: Needs): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(
    ledgerViewType,
    t("Ledger"),
    vscode.ViewColumn.Active,
    webviewOptions(services),
  );
}

/** Nothing below the extension but its bundles and its pictures can be loaded by the page. */
function webviewOptions({ context }: Needs): vscode.WebviewOptions {
  return {
    enableScripts: true,
    localResourceRoots: ["dist", "media"].map((folder) => vscode.Uri.joinPath(context.extensionUri, folder)),
  };
}

function converse(panel: vscode.WebviewPanel, services: Needs, source: LedgerSource): LedgerConversation {
  const { context, log } = services;
  const { webview } = panel;
  const talk = new LedgerConversation({
    source,
    clock: systemClock,
    t,
    post: (message) => void webview.postMessage(message),
    save: (file) => void save(file),
    openTranscript: (id) => void openById(id, services),
    getStarted: () => void vscode.commands.executeCommand("purser.openWalkthrough"),
    showLog: () => log.show(),
    onProblem: (message) => log.warn(message),
  });
  const picture = (name: string) => vscode.Uri.joinPath(context.extensionUri, "media", name);
  panel.iconPath = { light: picture("ledger-light.svg"), dark: picture("ledger-dark.svg") };
  webview.options = webviewOptions(services);
  webview.onDidReceiveMessage((said: unknown) => talk.hear(said));
  panel.onDidChangeViewState(() => talk.setVisible(panel.visible));
  webview.html = panelHtml({
    title: t("Ledger"),
    language: vscode.env.language,
    script: webview
      .asWebviewUri(vscode.Uri.joinPath(context.extensionUri, "dist", "ledger-panel.js"))
      .toString(),
    nonce: randomBytes(18).toString("base64url"),
  });
  return talk;
}

/** A live session tells where its transcript is; an older one is looked for. */
async function openById(id: string, { sessions }: Needs): Promise<void> {
  const file =
    sessions.find(id)?.transcript ?? (await findTranscript(id, { env: readEnvironment(), home: homedir() }));
  if (file !== undefined) {
    await openTranscript(file);
    return;
  }
  await vscode.window.showWarningMessage(
    t("The transcript of this session was not found. Agents remove old ones; the ledger keeps the figures."),
  );
}

async function save(file: { name: string; format: ExportFormat; text: string }): Promise<void> {
  const { name, format, text } = file;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: format === "csv" ? { [t("CSV")]: ["csv"] } : { [t("JSON")]: ["json"] },
    title: t("Export Ledger"),
  });
  if (target === undefined) return;
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  } catch (error) {
    const reason = inMessage(error instanceof Error ? error.message : String(error), longestReason);
    await vscode.window.showErrorMessage(t("The export could not be written: {0}", reason));
    return;
  }
  const openFile = t("Open");
  const saved = t("Exported to {0}.", inMessage(path.basename(target.path), longestReason));
  if ((await vscode.window.showInformationMessage(saved, openFile)) === openFile)
    await vscode.commands.executeCommand("vscode.open", target);
}
