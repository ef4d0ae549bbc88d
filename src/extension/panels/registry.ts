import type * as vscode from "vscode";
import type { LinkedPanel } from "../../webview/components/panel-message.ts";
import type { Translate } from "../editor/describe-editor.ts";
import type { CommandHost } from "../editor/lazy-host.ts";

/** What distinguishes one panel from another, before its code is loaded. */
export interface PanelKind<Command extends string = string> {
  /** The editor's id for it, also across a reload of the window. */
  readonly viewType: string;
  /** Ids of panels that it replaces: their tabs are restored as this one, for one more version. */
  readonly formerViewTypes?: readonly string[];
  readonly title: (t: Translate) => string;
  /** Its name in links from other panels, and the command that they run. */
  readonly link: LinkedPanel;
  readonly shownBy: Command;
  /** The page's script is `dist/BUNDLE.js`, built from `src/webview/NAME/main.ts`. */
  readonly bundle: string;
  /** Its icons are `media/ICON-light.svg` and `media/ICON-dark.svg`. */
  readonly icon: string;
  /** The commands that its host runs. */
  readonly commands: readonly Command[];
  /** When the host's code is loaded: on first use, or as soon as the window is connected. */
  readonly loadedAt: "first use" | "connection";
}

/** A feature with a panel, once its code is loaded. */
export interface PanelHost<Command extends string> extends CommandHost<Command> {
  /** Takes over a panel that the editor restores after the window was reloaded. */
  adopt(panel: vscode.WebviewPanel): unknown;
}

/** All panels: each feature registers its own, and `package.json` must match this table. */
export const panels = {
  ledger: {
    viewType: "purser.ledger",
    title: (t) => t("Usage"),
    link: "ledger",
    shownBy: "purser.openLedger",
    bundle: "ledger-panel",
    icon: "ledger",
    commands: ["purser.openLedger", "purser.showLost"],
    loadedAt: "first use",
  },
  rules: {
    viewType: "purser.rules",
    title: (t) => t("Rules"),
    link: "rules",
    shownBy: "purser.reviewRules",
    bundle: "rules-panel",
    icon: "rules",
    commands: ["purser.reviewRules", "purser.selectRules", "purser.tryRules"],
    loadedAt: "connection",
  },
  experiments: {
    viewType: "purser.experiments",
    formerViewTypes: ["purser.bench", "purser.compare"],
    title: (t) => t("Experiments"),
    link: "experiments",
    shownBy: "purser.openExperiments",
    bundle: "experiments-panel",
    icon: "experiments",
    commands: [
      "purser.newExperiment",
      "purser.openExperiments",
      "purser.newGoldenTask",
      "purser.draftGoldenTasks",
    ],
    loadedAt: "connection",
  },
  guard: {
    viewType: "purser.guard",
    title: (t) => t("Guard"),
    link: "guard",
    shownBy: "purser.showGuard",
    bundle: "guard-panel",
    icon: "guard",
    commands: ["purser.showGuard"],
    loadedAt: "first use",
  },
  economy: {
    viewType: "purser.economy",
    title: (t) => t("Recurring Agents"),
    link: "economy",
    shownBy: "purser.showEconomy",
    bundle: "economy-panel",
    icon: "economy",
    commands: ["purser.showEconomy"],
    loadedAt: "first use",
  },
} as const satisfies Readonly<Record<string, PanelKind>>;

/** A command of one of the panels. */
export type PanelCommand<Name extends keyof typeof panels> = (typeof panels)[Name]["commands"][number];
