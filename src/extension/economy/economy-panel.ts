import path from "node:path";
import * as vscode from "vscode";
import { inMessage } from "../editor/outside-text.ts";
import { inform } from "../editor/notices.ts";
import { panels } from "../panels/registry.ts";
import { SinglePanel, type PanelPorts, type PanelServices } from "../panels/single.ts";
import { EconomyController } from "./economy-controller.ts";
import { t } from "../../engine/base/language.ts";

/** The one Economy panel of a window, when it is open. */
export class EconomyPanel extends SinglePanel<EconomyController> {
  constructor(services: PanelServices) {
    super(services, panels.economy, (ports) => createController(ports, services));
  }

  run(): void {
    this.reveal();
  }
}

function createController(ports: PanelPorts, { follow }: PanelServices): EconomyController {
  return new EconomyController({
    ...ports,
    openSession: (id) => follow("purser.openLedger", id),
    openAgent: (project, agent) => void openAgent(project, agent),
    getStarted: () => follow("purser.newAgent"),
    now: Date.now,
  });
}

/** Opens an agent's file; its name is a file's name alone. */
async function openAgent(project: string, agent: string): Promise<void> {
  const file = path.join(project, ".purser", "agents", `${path.basename(agent)}.md`);
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(file));
  } catch {
    await inform(t("{0} is not there any more.", inMessage(file, 200)));
  }
}
