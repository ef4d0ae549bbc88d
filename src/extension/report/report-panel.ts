import * as vscode from "vscode";
import { SinglePanel, type PanelPorts, type PanelServices } from "../panels/single.ts";
import { panels } from "../panels/registry.ts";
import { saveJson } from "../editor/save-export.ts";
import { StatusController } from "./report-controller.ts";

const { t } = vscode.l10n;

/** The one Status panel of a window, when it is open. */
export class StatusPanel extends SinglePanel<StatusController> {
  constructor(services: PanelServices) {
    super(services, panels.report, (ports) => createController(ports, services));
  }

  run(): void {
    this.reveal();
  }
}

function createController(ports: PanelPorts, { follow }: PanelServices): StatusController {
  return new StatusController({
    ...ports,
    review: (id) => follow("purser.reviewRules", ...(id === null ? [] : [id])),
    openBenchmark: () => follow("purser.openBenchmark"),
    // The members of `purser report --json`, with the requested folder.
    save: (report, project) =>
      void saveJson("report.json", { schema: 1, project, report }, t("Export Status Report")),
    getStarted: () => follow("purser.openWalkthrough"),
  });
}
