import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { CompareAsk } from "../engine/service/compare-view.ts";
import type { Place } from "../webview/compare/protocol.ts";
import type { BenchSource } from "./bench-source.ts";
import { CompareConversation } from "./compare-conversation.ts";
import type { ComparisonFile } from "./compare-export.ts";
import { compareViewType } from "./compare-view-type.ts";
import { panelHtml } from "./panel-html.ts";
import { saveExport } from "./save-export.ts";
import type { Services } from "./services.ts";

const { t } = vscode.l10n;

type Needs = Pick<Services, "context" | "log">;
interface Open {
  readonly panel: vscode.WebviewPanel;
  readonly talk: CompareConversation;
}

export interface ComparePanelPorts {
  readonly source: BenchSource;
  /** Asks what to compare. */
  readonly pick: () => void;
}

/** The one Compare panel of a window, when it is open. */
export class ComparePanel implements vscode.Disposable {
  readonly #services: Needs;
  readonly #ports: ComparePanelPorts;
  #open: Open | undefined;

  constructor(services: Needs, ports: ComparePanelPorts) {
    this.#services = services;
    this.#ports = ports;
  }

  /** @param place what to show; without it, what it showed last */
  show(place: Place | undefined): void {
    const { panel, talk } = this.#opened();
    if (place !== undefined) talk.tell({ type: "show", place });
    panel.reveal();
  }

  /** Shows what this would spend; nothing begins. */
  plan(ask: CompareAsk): void {
    const { panel, talk } = this.#opened();
    talk.tell({ type: "showPlan", ask });
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

  #opened(): Open {
    return this.#open ?? this.adopt(createPanel(this.#services));
  }
}

function createPanel(services: Needs): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(
    compareViewType,
    t("Compare"),
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

function converse(
  panel: vscode.WebviewPanel,
  services: Needs,
  ports: ComparePanelPorts,
): CompareConversation {
  const { context, log } = services;
  const { webview } = panel;
  const talk = new CompareConversation({
    ...ports,
    t,
    post: (message) => void webview.postMessage(message),
    save: (file) => void save(file),
    openRun: (run) => void vscode.commands.executeCommand("purser.openBenchmark", run),
    showLog: () => log.show(),
    onProblem: (message) => log.warn(message),
  });
  const picture = (name: string) => vscode.Uri.joinPath(context.extensionUri, "media", name);
  panel.iconPath = { light: picture("compare-light.svg"), dark: picture("compare-dark.svg") };
  webview.options = webviewOptions(services);
  webview.onDidReceiveMessage((said: unknown) => talk.hear(said));
  panel.onDidChangeViewState(() => talk.setVisible(panel.visible));
  webview.html = panelHtml({
    title: t("Compare"),
    language: vscode.env.language,
    script: webview
      .asWebviewUri(vscode.Uri.joinPath(context.extensionUri, "dist", "compare-panel.js"))
      .toString(),
    nonce: randomBytes(18).toString("base64url"),
  });
  return talk;
}

async function save({ name, format, text }: ComparisonFile): Promise<void> {
  const filters = format === "markdown" ? { [t("Markdown")]: ["md"] } : { [t("JSON")]: ["json"] };
  await saveExport({ name, text, title: t("Export Comparison"), filters });
}
