import * as vscode from "vscode";
import { systemClock } from "../../engine/base/timing.ts";
import { GuardController, type GuardControllerPorts } from "./guard-controller.ts";
import { onSettingsChange, setGuardMode } from "../editor/settings.ts";
import { hasHooks } from "../hooks/any-installed.ts";
import { SinglePanel, type PanelPorts, type PanelServices } from "../panels/single.ts";
import { panels } from "../panels/registry.ts";
import { fileExists, openNewFile, windowFolders } from "../editor/window-files.ts";
import path from "node:path";
import { t } from "../../engine/base/language.ts";

/** Replacements in the sample: its modes and folders belong to no user. */
type Own = Pick<GuardControllerPorts, "setMode" | "hasProject" | "hasHooks" | "onSince" | "onSettingsChange">;

const onSinceKey = "guardOnSince";

function usual(memory: vscode.Memento): Own {
  return {
    setMode: setGuardMode,
    onSettingsChange,
    hasProject: () => windowFolders().length > 0,
    hasHooks,
    onSince: {
      get: () => memory.get<number>(onSinceKey) ?? null,
      set: (at) => void memory.update(onSinceKey, at ?? undefined),
    },
  };
}

/** The one Guard panel of a window, when it is open. */
export class GuardPanel extends SinglePanel<GuardController> {
  constructor(services: PanelServices, own: Own = usual(services.context.globalState)) {
    super(services, panels.guard, (ports) => createController(ports, services, own));
  }

  run(): void {
    this.reveal();
  }
}

function createController(ports: PanelPorts, { follow }: PanelServices, own: Own): GuardController {
  return new GuardController({
    ...ports,
    ...own,
    clock: systemClock,
    openSession: (id) => follow("purser.openLedger", id),
    openUserFile: (file, line) =>
      void showRules(file, line).then((isShown) => {
        if (!isShown) follow("purser.openGuardRules");
      }),
    openProjectFile: () => void openProjectRules(),
    isUnsaved: (file) =>
      vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.fsPath === file),
    showHooks: () => follow("purser.showHooks"),
    installHooks: async () => {
      await vscode.commands.executeCommand("purser.installHooks");
    },
  });
}

/** Shows a file of guard rules at a line, starting at 1. Returns false if there is none. */
async function showRules(file: string, line: number | null): Promise<boolean> {
  const uri = vscode.Uri.file(file);
  if (!(await fileExists(uri))) return false;
  const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at), preview: false });
  return true;
}

/** Shows the guard rules of a folder of this window, which the user picks where there are several; a new file is written once it is saved. */
async function openProjectRules(): Promise<void> {
  const [only, ...others] = vscode.workspace.workspaceFolders ?? [];
  const folder =
    others.length === 0
      ? only
      : await vscode.window.showWorkspaceFolderPick({
          placeHolder: t("The folder whose guard rules to open"),
        });
  if (folder?.uri.scheme !== "file") return;
  const file = path.join(folder.uri.fsPath, ".purser", "guard.yaml");
  if (await showRules(file, null)) return;
  await openNewFile(vscode.Uri.file(file), template);
}

/** Every line is a comment, so the template changes nothing. */
const template = `# Guard rules of this project: they may be stricter than their users' own, never laxer.

# What rules that come with purser do instead: advise, ask or deny.
# set:
#   git-push-force: deny

# rules:
#   - id: no-deploy-by-hand
#     match: [{ program: make, words: deploy }]
#     message: This deploys to the shop that customers use.
#     remedy: Open a pull request; it is deployed when merged.
#     fires: [make deploy]
#     passes: [make test]
`;
