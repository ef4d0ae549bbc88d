import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { editorTranslation } from "./translation.ts";
import type { SampleMark, Services } from "../services.ts";
import type { ControllerPorts, PanelController } from "./panels-controller.ts";
import { panelHtml } from "./html.ts";
import { linkMessage, sampleMessage } from "../../webview/components/panel-message.ts";
import { panels, type PanelKind } from "./registry.ts";
import { t } from "../../engine/base/language.ts";

/** The services that every panel needs. */
export type PanelServices = Pick<Services, "context" | "log" | "service" | "follow" | "sample">;

/** The ports that all controllers have. */
export interface PanelPorts extends ControllerPorts<object> {
  /** Titles the panel's tab; null for its usual title. */
  readonly setTitle: (title: string | null) => void;
}

interface Open<Controller> {
  readonly panel: vscode.WebviewPanel;
  readonly controller: Controller;
}

/** The one panel of its kind in a window, when it is open. */
export class SinglePanel<Controller extends PanelController> implements vscode.Disposable {
  readonly #services: Pick<PanelServices, "context" | "log" | "service">;
  readonly #kind: PanelKind;
  readonly #createController: (ports: PanelPorts) => Controller;
  readonly #sample: SampleMark | undefined;
  #open: Open<Controller> | undefined;

  /** @param createController creates the controller for a newly created page */
  constructor(
    services: Pick<PanelServices, "context" | "log" | "service" | "sample">,
    kind: PanelKind,
    createController: (ports: PanelPorts) => Controller,
  ) {
    this.#services = services;
    this.#sample = services.sample;
    this.#kind = kind;
    this.#createController = createController;
  }

  /** Brings the panel to the front, creating it if needed. @param use sends messages to its page first */
  reveal(use?: (own: Controller) => void): void {
    if (this.#open === undefined && this.#sample === undefined) void closeSleeping(this.#kind.viewType);
    const { panel, controller } = this.#open ?? this.#begin(this.#create());
    use?.(controller);
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
    // The editor does not restore the sample's panels with a window: the sample is gone by then.
    const viewType = this.#sample === undefined ? this.#kind.viewType : `${this.#kind.viewType}.sample`;
    return vscode.window.createWebviewPanel(
      viewType,
      this.#title(),
      vscode.ViewColumn.Active,
      this.#options(),
    );
  }

  #title(own: string | null = null): string {
    const title = own ?? this.#kind.title(t);
    return this.#sample === undefined ? title : t("Sample: {0}", title);
  }

  #begin(panel: vscode.WebviewPanel): Open<Controller> {
    this.#open?.panel.dispose();
    const { webview } = panel;
    const { service, log } = this.#services;
    const controller = this.#createController({
      service,
      t,
      post: (message) => void webview.postMessage(message),
      showLog: () => log.show(),
      onProblem: (message) => log.warn(message),
      setTitle: (title) => {
        panel.title = this.#title(title);
      },
    });
    const open = { panel, controller };
    this.#open = open;
    panel.onDidDispose(() => {
      controller.dispose();
      if (this.#open === open) this.#open = undefined;
    });
    // Subscribe before there is a page that could send anything.
    webview.onDidReceiveMessage((message: unknown) => {
      if (!this.#follow(message)) controller.handleMessage(message);
    });
    panel.onDidChangeViewState(() => controller.setVisible(panel.visible));
    this.#dress(panel);
    return open;
  }

  /**
   * Shows another panel when a link above the page requests it. Returns whether the message was such a
   * request.
   */
  #follow(message: unknown): boolean {
    if (this.#sample === undefined) {
      const asked = linkMessage.safeParse(message).data;
      if (asked !== undefined) void vscode.commands.executeCommand(panels[asked.panel].shownBy);
      return asked !== undefined;
    }
    const asked = sampleMessage.safeParse(message).data;
    if (asked !== undefined) this.#sample.act(asked.action);
    return asked !== undefined;
  }

  #dress(panel: vscode.WebviewPanel): void {
    const { bundle, icon } = this.#kind;
    const { webview } = panel;
    panel.iconPath = {
      light: this.#at("media", `${icon}-light.svg`),
      dark: this.#at("media", `${icon}-dark.svg`),
    };
    webview.options = this.#options();
    webview.html = panelHtml({
      title: this.#title(),
      panel: this.#kind.link,
      isSample: this.#sample !== undefined,
      translation: editorTranslation(),
      script: webview.asWebviewUri(this.#at("dist", `${bundle}.js`)).toString(),
      nonce: randomBytes(18).toString("base64url"),
    });
  }

  /** The page can load nothing of the extension except its bundles and icons. */
  #options(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [this.#at("dist"), this.#at("media")] };
  }

  #at(...parts: readonly string[]): vscode.Uri {
    return vscode.Uri.joinPath(this.#services.context.extensionUri, ...parts);
  }
}

/**
 * Closes restored tabs of this panel kind that were never shown. The editor creates a panel for such a tab
 * once it is shown, so there would be two.
 */
async function closeSleeping(viewType: string): Promise<void> {
  const { tabGroups } = vscode.window;
  const sleeping = tabGroups.all.flatMap(({ tabs }) =>
    // The editor adds a prefix to the view type.
    tabs.filter(
      ({ input, isActive }) =>
        !isActive && input instanceof vscode.TabInputWebview && input.viewType.endsWith(`-${viewType}`),
    ),
  );
  if (sleeping.length > 0) await tabGroups.close(sleeping, true);
}
