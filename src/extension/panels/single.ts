import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { panelHtml } from "./html.ts";
import type { PanelKind } from "./registry.ts";

/** Sends a message to the page. */
export type Post = (message: object) => void;

/** Handles the messages of a panel's page. */
export interface PanelController extends vscode.Disposable {
  handleMessage(message: unknown): void;
  setVisible(isVisible: boolean): void;
}

interface Open<Talk> {
  readonly panel: vscode.WebviewPanel;
  readonly talk: Talk;
}

/** The one panel of its kind in a window, when it is open. */
export class SinglePanel<Talk extends PanelController> implements vscode.Disposable {
  readonly #extension: vscode.Uri;
  readonly #kind: PanelKind;
  readonly #converse: (post: Post) => Talk;
  #open: Open<Talk> | undefined;

  /** @param converse creates the controller for a newly created page */
  constructor(
    { extensionUri }: Pick<vscode.ExtensionContext, "extensionUri">,
    kind: PanelKind,
    converse: (post: Post) => Talk,
  ) {
    this.#extension = extensionUri;
    this.#kind = kind;
    this.#converse = converse;
  }

  /** Brings the panel to the front, creating it if needed. @param say sends messages to its page first */
  reveal(say?: (talk: Talk) => void): void {
    if (this.#open === undefined) void closeSleeping(this.#kind.viewType);
    const { panel, talk } = this.#open ?? this.#begin(this.#create());
    say?.(talk);
    panel.reveal();
  }

  /** Takes over an empty panel, such as the editor's after a reload of the window. */
  adopt(panel: vscode.WebviewPanel): void {
    this.#begin(panel);
  }

  dispose(): void {
    this.#open?.panel.dispose();
  }

  #create(): vscode.WebviewPanel {
    const { viewType, title } = this.#kind;
    const shown = title(vscode.l10n.t);
    return vscode.window.createWebviewPanel(viewType, shown, vscode.ViewColumn.Active, this.#options());
  }

  #begin(panel: vscode.WebviewPanel): Open<Talk> {
    this.#open?.panel.dispose();
    const { webview } = panel;
    const talk = this.#converse((message) => void webview.postMessage(message));
    const open = { panel, talk };
    this.#open = open;
    panel.onDidDispose(() => {
      talk.dispose();
      if (this.#open === open) this.#open = undefined;
    });
    // Subscribe before there is a page that could send anything.
    webview.onDidReceiveMessage((said: unknown) => talk.handleMessage(said));
    panel.onDidChangeViewState(() => talk.setVisible(panel.visible));
    this.#dress(panel);
    return open;
  }

  #dress(panel: vscode.WebviewPanel): void {
    const { bundle, icon, title } = this.#kind;
    const { webview } = panel;
    panel.iconPath = {
      light: this.#at("media", `${icon}-light.svg`),
      dark: this.#at("media", `${icon}-dark.svg`),
    };
    webview.options = this.#options();
    webview.html = panelHtml({
      title: title(vscode.l10n.t),
      language: vscode.env.language,
      script: webview.asWebviewUri(this.#at("dist", `${bundle}.js`)).toString(),
      nonce: randomBytes(18).toString("base64url"),
    });
  }

  /** The page can load nothing of the extension except its bundles and icons. */
  #options(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [this.#at("dist"), this.#at("media")] };
  }

  #at(...parts: readonly string[]): vscode.Uri {
    return vscode.Uri.joinPath(this.#extension, ...parts);
  }
}

/**
 * Closes tabs of this panel kind that were restored with the window but never shown: the editor creates a panel for such
 * a tab once it is shown, and there would be two.
 */
async function closeSleeping(viewType: string): Promise<void> {
  const { tabGroups } = vscode.window;
  const sleeping = tabGroups.all.flatMap(({ tabs }) =>
    // The editor adds a prefix of its own to the view type.
    tabs.filter(
      ({ input, isActive }) =>
        !isActive && input instanceof vscode.TabInputWebview && input.viewType.endsWith(`-${viewType}`),
    ),
  );
  if (sleeping.length > 0) await tabGroups.close(sleeping, true);
}
