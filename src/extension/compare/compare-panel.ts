import * as vscode from "vscode";
import type { CompareAsk } from "../../engine/jobs/compare-answers.ts";
import type { Place } from "../../webview/compare/compare-protocol.ts";
import { windowOf } from "../bench/bench-window.ts";
import { CompareController, type ComparisonFile } from "./compare-controller.ts";
import { saveExport } from "../editor/save-export.ts";
import { SinglePanel, type PanelPorts, type PanelServices } from "../panels/single.ts";
import { panels } from "../panels/registry.ts";

const { t } = vscode.l10n;

/** The one Compare panel of a window, when it is open. */
export class ComparePanel extends SinglePanel<CompareController> {
  /** @param pick asks the user what to compare */
  constructor(services: PanelServices, pick: () => void) {
    super(services, panels.compare, (ports) => createController(ports, services, pick));
  }

  /** @param place what to show; without it, the last one shown */
  show(place: Place | undefined): void {
    this.reveal((talk) => {
      if (place !== undefined) talk.show({ type: "show", place });
    });
  }

  /** Shows what a comparison would spend, without starting it. */
  plan(ask: CompareAsk): void {
    this.reveal((talk) => talk.show({ type: "showPlan", ask }));
  }
}

function createController(ports: PanelPorts, services: PanelServices, pick: () => void): CompareController {
  return new CompareController({
    ...ports,
    window: windowOf(services),
    pick,
    save: (file) => void save(file),
    openRun: (run) => services.follow("purser.openBenchmark", run),
  });
}

async function save({ name, format, text }: ComparisonFile): Promise<void> {
  const filters = format === "markdown" ? { [t("Markdown")]: ["md"] } : { [t("JSON")]: ["json"] };
  await saveExport({ name, text, title: t("Export Comparison"), filters });
}
