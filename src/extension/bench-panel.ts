import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { place as placeSchema, type Place } from "../webview/bench/protocol.ts";
import { BenchConversation } from "./bench-conversation.ts";
import type { BenchSource } from "./bench-source.ts";
import { benchViewType } from "./bench-view-type.ts";
import { panelHtml } from "./panel-html.ts";
import type { Services } from "./services.ts";

const { t } = vscode.l10n;

type Needs = Pick<Services, "context" | "log">;

/** The one Bench panel of a window, when it is open. */
export class BenchPanel implements vscode.Disposable {
  readonly #services: Needs;
  readonly #source: BenchSource;
  #open: { readonly panel: vscode.WebviewPanel; readonly talk: BenchConversation } | undefined;

  constructor(services: Needs, source: BenchSource) {
    this.#services = services;
    this.#source = source;
  }

  /** @param place what to show; without it, what it showed last */
  show(place: Place | undefined): void {
    const { panel, talk } = this.#open ?? this.adopt(createPanel(this.#services));
    if (place !== undefined) talk.show(place);
    panel.reveal();
  }

  /** @param target of the command: a bench's name, or a place, such as another panel hands over a run */
  open(target: unknown): void {
    const isName = typeof target === "string" && target !== "";
    this.show(placeSchema.safeParse(isName ? { kind: "bench", id: target } : target).data);
  }

  /** Takes a panel that has nothing in it yet, such as the editor's after a reload of the window. */
  adopt(panel: vscode.WebviewPanel): {
    readonly panel: vscode.WebviewPanel;
    readonly talk: BenchConversation;
  } {
    this.dispose();
    const talk = converse(panel, this.#services, this.#source);
    const trust = vscode.workspace.onDidGrantWorkspaceTrust(() => talk.chooseAgain());
    const open = { panel, talk };
    this.#open = open;
    panel.onDidDispose(() => {
      trust.dispose();
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
    benchViewType,
    t("Benchmark"),
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

function converse(panel: vscode.WebviewPanel, services: Needs, source: BenchSource): BenchConversation {
  const { context, log } = services;
  const { webview } = panel;
  const talk = new BenchConversation({
    source,
    t,
    post: (message) => void webview.postMessage(message),
    showLog: () => log.show(),
    manageTrust: () => void vscode.commands.executeCommand("workbench.trust.manage"),
    onProblem: (message) => log.warn(message),
  });
  const picture = (name: string) => vscode.Uri.joinPath(context.extensionUri, "media", name);
  panel.iconPath = { light: picture("bench-light.svg"), dark: picture("bench-dark.svg") };
  webview.options = webviewOptions(services);
  webview.onDidReceiveMessage((said: unknown) => talk.hear(said));
  panel.onDidChangeViewState(() => talk.setVisible(panel.visible));
  webview.html = panelHtml({
    title: t("Benchmark"),
    language: vscode.env.language,
    script: webview
      .asWebviewUri(vscode.Uri.joinPath(context.extensionUri, "dist", "bench-panel.js"))
      .toString(),
    nonce: randomBytes(18).toString("base64url"),
  });
  return talk;
}
