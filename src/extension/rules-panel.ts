import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { readReceipt } from "../engine/verdict/receipt.ts";
import { receiptToMarkdown } from "../engine/verdict/receipt-markdown.ts";
import type { Place } from "../webview/rules/protocol.ts";
import type { BenchSource } from "./bench-source.ts";
import { panelHtml } from "./panel-html.ts";
import { RulesConversation } from "./rules-conversation.ts";
import type { RulesSource } from "./rules-source.ts";
import { rulesViewType } from "./rules-view-type.ts";
import type { Services } from "./services.ts";

const { t } = vscode.l10n;

type Needs = Pick<Services, "context" | "log">;
interface Open {
  readonly panel: vscode.WebviewPanel;
  readonly talk: RulesConversation;
}

export interface RulesPanelPorts {
  readonly source: RulesSource;
  readonly root: () => string;
  readonly benches: BenchSource;
  readonly add: () => void;
}

/** The one Rule Review panel of a window, when it is open. */
export class RulesPanel implements vscode.Disposable {
  readonly #services: Needs;
  readonly #ports: RulesPanelPorts;
  #open: Open | undefined;

  constructor(services: Needs, ports: RulesPanelPorts) {
    this.#services = services;
    this.#ports = ports;
  }

  /** @param place what to show; without it, what it showed last */
  show(place: Place | undefined): void {
    const { panel, talk } = this.#open ?? this.adopt(createPanel(this.#services));
    if (place !== undefined) talk.show(place);
    panel.reveal();
  }

  /** Takes a panel that has nothing in it yet, such as the editor's after a reload of the window. */
  adopt(panel: vscode.WebviewPanel): Open {
    this.dispose();
    const talk = converse(panel, this.#services, this.#ports);
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
  const column = vscode.ViewColumn.Active;
  return vscode.window.createWebviewPanel(rulesViewType, t("Rule Review"), column, webviewOptions(services));
}

/** Nothing below the extension but its bundles and its pictures can be loaded by the page. */
function webviewOptions({ context }: Needs): vscode.WebviewOptions {
  return {
    enableScripts: true,
    localResourceRoots: ["dist", "media"].map((folder) => vscode.Uri.joinPath(context.extensionUri, folder)),
  };
}

function converse(panel: vscode.WebviewPanel, services: Needs, ports: RulesPanelPorts): RulesConversation {
  const { context, log } = services;
  const { webview } = panel;
  const talk = new RulesConversation({
    ...ports,
    t,
    post: (message) => void webview.postMessage(message),
    openFile: (file, line) => void openAt(file, line),
    openReceipt: (json) => void openReceipt(json),
    showLog: () => log.show(),
    onProblem: (message) => log.warn(message),
  });
  const picture = (name: string) => vscode.Uri.joinPath(context.extensionUri, "media", name);
  panel.iconPath = { light: picture("rules-light.svg"), dark: picture("rules-dark.svg") };
  webview.options = webviewOptions(services);
  webview.onDidReceiveMessage((said: unknown) => talk.hear(said));
  panel.onDidChangeViewState(() => talk.setVisible(panel.visible));
  webview.html = panelHtml({
    title: t("Rule Review"),
    language: vscode.env.language,
    script: webview
      .asWebviewUri(vscode.Uri.joinPath(context.extensionUri, "dist", "rules-panel.js"))
      .toString(),
    nonce: randomBytes(18).toString("base64url"),
  });
  return talk;
}

/** The editor opens it by itself: this extension is never handed a large file. @param line from 1 */
async function openAt(file: string, line: number): Promise<void> {
  const place = new vscode.Position(Math.max(0, line - 1), 0);
  const selection = new vscode.Range(place, place);
  try {
    await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(file), { preview: true, selection });
  } catch (error) {
    await vscode.window.showWarningMessage(t("It could not be opened: {0}", String(error)));
  }
}

/** As Markdown, in an editor of its own that is no file. A receipt that was changed is not shown as one. */
async function openReceipt(json: string): Promise<void> {
  const receipt = readReceipt(json);
  if (!receipt.ok) {
    await vscode.window.showWarningMessage(receipt.detail);
    return;
  }
  const content = receiptToMarkdown(receipt.value);
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content });
  await vscode.window.showTextDocument(document, { preview: true });
}
