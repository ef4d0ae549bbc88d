import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { panelHtml } from "./panel-html.ts";
import { RulesSource } from "./rules-source.ts";
import { serviceLedgerSource } from "./service-ledger-source.ts";
import type { Services } from "./services.ts";
import { StatusConversation } from "./status-panel-conversation.ts";
import { statusPanelViewType } from "./status-panel-view-type.ts";

const { t } = vscode.l10n;

type Needs = Pick<Services, "context" | "log" | "link">;

/** The one Status panel of a window, when it is open. */
export class StatusPanel implements vscode.Disposable {
  readonly #services: Needs;
  #open: vscode.WebviewPanel | undefined;

  constructor(services: Needs) {
    this.#services = services;
  }

  show(): void {
    (this.#open ?? this.adopt(createPanel(this.#services))).reveal();
  }

  /** Takes a panel that has nothing in it yet, such as the editor's after a reload of the window. */
  adopt(panel: vscode.WebviewPanel): vscode.WebviewPanel {
    this.dispose();
    const talk = converse(panel, this.#services);
    this.#open = panel;
    panel.onDidDispose(() => {
      talk.dispose();
      if (this.#open === panel) this.#open = undefined;
    });
    return panel;
  }

  dispose(): void {
    this.#open?.dispose();
  }
}

function createPanel(services: Needs): vscode.WebviewPanel {
  const column = vscode.ViewColumn.Active;
  const options = webviewOptions(services);
  return vscode.window.createWebviewPanel(statusPanelViewType, t("Status Report"), column, options);
}

/** Nothing below the extension but its bundles and its pictures can be loaded by the page. */
function webviewOptions({ context }: Needs): vscode.WebviewOptions {
  return {
    enableScripts: true,
    localResourceRoots: ["dist", "media"].map((folder) => vscode.Uri.joinPath(context.extensionUri, folder)),
  };
}

function converse(panel: vscode.WebviewPanel, services: Needs): StatusConversation {
  const { context, log, link } = services;
  const { webview } = panel;
  const [rules, ledger] = [new RulesSource(link), serviceLedgerSource(link)];
  const run = (command: string, ...target: string[]) =>
    void vscode.commands.executeCommand(command, ...target);
  const talk = new StatusConversation({
    report: (signal) => rules.ask((asked) => asked.report(signal)),
    retry: () => rules.retry(),
    onRulesChange: (listener) => rules.onChange(listener),
    onLedgerChange: (listener) => ledger.onChange(listener),
    t,
    post: (message) => void webview.postMessage(message),
    review: (id) => run("purser.reviewRules", ...(id === null ? [] : [id])),
    openBenchmark: () => run("purser.openBenchmark"),
    getStarted: () => run("purser.openWalkthrough"),
    showLog: () => log.show(),
    onProblem: (message) => log.warn(message),
  });
  const picture = (name: string) => vscode.Uri.joinPath(context.extensionUri, "media", name);
  panel.iconPath = { light: picture("report-light.svg"), dark: picture("report-dark.svg") };
  webview.options = webviewOptions(services);
  webview.onDidReceiveMessage((said: unknown) => talk.hear(said));
  panel.onDidChangeViewState(() => talk.setVisible(panel.visible));
  webview.html = panelHtml({
    title: t("Status Report"),
    language: vscode.env.language,
    script: webview
      .asWebviewUri(vscode.Uri.joinPath(context.extensionUri, "dist", "status-panel.js"))
      .toString(),
    nonce: randomBytes(18).toString("base64url"),
  });
  return talk;
}
