import * as vscode from "vscode";
import * as z from "zod/mini";
import { compareAsk } from "../../engine/jobs/compare-answers.ts";
import { place as placeSchema, type Place } from "../../webview/experiments/experiments-protocol.ts";
import { experimentKinds, type ExperimentSeed } from "../../webview/experiments/form/form.ts";
import { ExperimentsController, type FileDiff, type FormPorts } from "./experiments-controller.ts";
import type { ExperimentFile } from "./export-experiment.ts";
import { saveExport } from "../editor/save-export.ts";
import { formPorts } from "./form-ports.ts";
import type { Services } from "../services.ts";
import { windowOf } from "./bench-window.ts";
import { SinglePanel, type PanelPorts, type PanelServices } from "../panels/single.ts";
import { panels } from "../panels/registry.ts";
import { inMessage } from "../editor/outside-text.ts";
import { t } from "../../engine/base/language.ts";

const scheme = "purser-bench";
const maxNameLength = 60;
const maxPathLength = 80;
/** Maximum texts held for diffs. A person compares a few files at a time. */
const maxEntries = 40;

/** Shows what runs changed in a file, in the editor's own diff view. */
class RunDiffs implements vscode.Disposable {
  /** By URI, oldest first. */
  readonly #texts = new Map<string, string>();
  readonly #registered: vscode.Disposable;
  #count = 0;

  constructor() {
    this.#registered = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? "",
    });
  }

  async show({ path, left, right }: FileDiff): Promise<void> {
    const shown = inMessage(path, maxPathLength);
    const [from, to] = [inMessage(left.name, maxNameLength), inMessage(right.name, maxNameLength)];
    await vscode.commands.executeCommand(
      "vscode.diff",
      ...[this.#keep(path, left.text), this.#keep(path, right.text)],
      `${shown} (${from} ↔ ${to})`,
      { preview: true },
    );
  }

  dispose(): void {
    this.#registered.dispose();
  }

  #keep(path: string, text: string | null): vscode.Uri {
    // The editor takes the language from the file name's extension.
    const uri = vscode.Uri.from({ scheme, path: `/${++this.#count}/${path}` });
    this.#texts.set(uri.toString(), text ?? "");
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > maxEntries && oldest !== undefined) this.#texts.delete(oldest);
    return uri;
  }
}

/** The argument of "New Experiment…": a kind, or parts of a comparison. */
const targetSchema = z.union([z.enum(experimentKinds), z.partial(compareAsk)]);

/** The panel of the user's own experiments. */
export function windowExperiments(services: Services): ExperimentsPanel {
  return new ExperimentsPanel(services, formPorts(services));
}

/** The one Experiments panel of a window, when it is open. */
export class ExperimentsPanel extends SinglePanel<ExperimentsController> {
  readonly #diffs: RunDiffs;

  constructor(services: PanelServices, form: FormPorts) {
    const diffs = new RunDiffs();
    super(services, panels.experiments, (ports) => createController(ports, services, form, diffs));
    this.#diffs = diffs;
  }

  override dispose(): void {
    super.dispose();
    this.#diffs.dispose();
  }

  /** @param place what to show; without it, the last one shown */
  show(place: Place | undefined): void {
    this.reveal((talk) => {
      if (place !== undefined) talk.show(place);
    });
  }

  /** Shows the form of a new experiment. @param target the command's argument; without one, the form is as it was left */
  begin(target: unknown): void {
    const given = targetSchema.safeParse(target).data;
    const seed: ExperimentSeed | null =
      typeof given === "string"
        ? { kind: given }
        : given !== undefined
          ? { kind: "comparison", compare: given }
          : null;
    if (seed === null) this.show({ kind: "form" });
    else this.reveal((talk) => talk.plan(seed));
  }

  /** @param target a command's argument: an experiment's id, or a place, such as a run passed on by another panel */
  open(target: unknown): void {
    const isName = typeof target === "string" && target !== "";
    this.show(placeSchema.safeParse(isName ? { kind: "job", id: target } : target).data);
  }
}

function createController(
  ports: PanelPorts,
  services: PanelServices,
  form: FormPorts,
  diffs: RunDiffs,
): ExperimentsController {
  return new ExperimentsController({
    ...ports,
    ...form,
    window: windowOf(services),
    manageTrust: () => void vscode.commands.executeCommand("workbench.trust.manage"),
    onTrust: (listener) => vscode.workspace.onDidGrantWorkspaceTrust(listener),
    save: (file) => void save(file),
    openDiff: (diff) => void diffs.show(diff),
  });
}

async function save({ name, format, text }: ExperimentFile): Promise<void> {
  const filters = format === "markdown" ? { [t("Markdown")]: ["md"] } : { [t("JSON")]: ["json"] };
  await saveExport({ name, text, title: t("Export Experiment"), filters });
}
