import type { Translate } from "../editor/words.ts";

/** What tells one panel from another, before any code of it is loaded. */
export interface PanelKind<Command extends string = string> {
  /** What the editor knows it by, over a reload of the window too. */
  readonly viewType: string;
  readonly title: (t: Translate) => string;
  /** Its page's script is `dist/BUNDLE.js`, of `src/webview/NAME/main.ts`. */
  readonly bundle: string;
  /** Its pictures are `media/ICON-light.svg` and `media/ICON-dark.svg`. */
  readonly icon: string;
  /** The commands that its host runs. */
  readonly commands: readonly Command[];
  /** Its host's code is loaded when it is first asked for; some is needed as soon as the window is connected. */
  readonly loadedAt: "first use" | "connection";
}

/** Every panel there is: a feature registers its own, and `package.json` names what is here. */
export const panels = {
  ledger: {
    viewType: "purser.ledger",
    title: (t) => t("Ledger"),
    bundle: "ledger-panel",
    icon: "ledger",
    commands: ["purser.openLedger"],
    loadedAt: "first use",
  },
  rules: {
    viewType: "purser.rules",
    title: (t) => t("Rule Review"),
    bundle: "rules-panel",
    icon: "rules",
    commands: ["purser.reviewRules", "purser.selectRules", "purser.addRule", "purser.installAgents"],
    loadedAt: "connection",
  },
  report: {
    viewType: "purser.report",
    title: (t) => t("Status Report"),
    bundle: "report-panel",
    icon: "report",
    commands: ["purser.showReport"],
    loadedAt: "first use",
  },
  bench: {
    viewType: "purser.bench",
    title: (t) => t("Benchmark"),
    bundle: "bench-panel",
    icon: "bench",
    commands: [
      "purser.openBenchmark",
      "purser.runBenchmark",
      "purser.resumeBenchmark",
      "purser.newGoldenTask",
    ],
    loadedAt: "connection",
  },
  compare: {
    viewType: "purser.compare",
    title: (t) => t("Compare"),
    bundle: "compare-panel",
    icon: "compare",
    commands: ["purser.compare", "purser.openComparisons", "purser.evolvePrompt"],
    loadedAt: "first use",
  },
} as const satisfies Readonly<Record<string, PanelKind>>;

/** A command of one of the panels. */
export type PanelCommand<Name extends keyof typeof panels> = (typeof panels)[Name]["commands"][number];
