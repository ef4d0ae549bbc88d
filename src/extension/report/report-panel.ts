import * as vscode from "vscode";
import type { Services } from "../services.ts";
import { SinglePanel, type Post } from "../panels/single.ts";
import { panels } from "../panels/registry.ts";
import { saveJson } from "../editor/save-export.ts";
import { StatusController } from "./report-controller.ts";

const { t } = vscode.l10n;

type Needs = Pick<Services, "context" | "log" | "service" | "follow" | "sample">;

/** The one Status panel of a window, when it is open. */
export class StatusPanel extends SinglePanel<StatusController> {
  constructor(services: Needs) {
    super(services, panels.report, (post) => createController(post, services));
  }

  run(): void {
    this.reveal();
  }
}

function createController(post: Post, { log, service, follow }: Needs): StatusController {
  return new StatusController({
    service,
    t,
    post,
    review: (id) => follow("purser.reviewRules", ...(id === null ? [] : [id])),
    openBenchmark: () => follow("purser.openBenchmark"),
    // The members of `purser report --json`, with the requested folder.
    save: (report, project) =>
      void saveJson("report.json", { schema: 1, project, report }, t("Export Status Report")),
    getStarted: () => follow("purser.openWalkthrough"),
    showLog: () => log.show(),
    onProblem: (message) => log.warn(message),
  });
}
