import { type Sentence, t } from "../../engine/base/language.ts";
import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { systemClock } from "../../engine/base/timing.ts";
import { typedAmount } from "../../engine/budgets/amounts.ts";
import { limitWords, usedAmount } from "../../engine/budgets/local-amount.ts";
import { acceptBudget, createBudget, deleteBudget } from "../../engine/budgets/convoys.ts";
import { purserPaths, projectFolder } from "../../engine/base/paths.ts";
import { noHistory } from "../../engine/budgets/projection.ts";
import { thisMachine } from "../../engine/base/process.ts";
import { projectBudgets } from "../../engine/budgets/feature.ts";
import { askForBudget, askLimit, type ProposalSource } from "./create-budgets.ts";
import { createdSentence } from "./describe-proposal.ts";
import { levelFigures } from "./describe-budgets.ts";
import { isBudgetNode, type BudgetNode } from "./budgets-tree.ts";
import { levelLabel } from "./budgets-node-text.ts";
import { heldLevels, type HeldLevel } from "./budgets-state.ts";
import { projectsOf, textOptions, type BudgetsContext } from "./budgets-context.ts";
import { gitBranch } from "../../engine/budgets/git-branch.ts";
import { openSettingsFile } from "../hooks/refusal.ts";
import { saidInMessage, withoutIcons } from "../editor/outside-text.ts";
import { pickOne } from "../editor/pick.ts";
import { windowFolders } from "../editor/window-files.ts";
import { readEnvironment } from "../editor/settings.ts";
import { offer, inform, warn, openFolder } from "../editor/notices.ts";
const maxDetailLength = 400;
/** As budget offers pass it. */
const placeSchema = z.object({ folder: z.string(), branch: z.nullable(z.string()) });

/** The commands of the Budgets view, also in the palette: there they ask which budget is meant. */
export class BudgetCommands {
  readonly #context: BudgetsContext;

  constructor(context: BudgetsContext) {
    this.#context = context;
  }

  /** @param target a folder of the window, or a folder and a branch, if already known */
  async create(target?: unknown): Promise<void> {
    const node = placeSchema.safeParse(target).data;
    const folder = typeof target === "string" ? target : (node?.folder ?? (await this.#askFolder()));
    if (folder === undefined) return;
    const branch = node === undefined ? gitBranch(folder) : node.branch;
    const wanted = await askForBudget(folder, branch, (owner) => this.#propose(folder, owner));
    if (wanted === undefined) return;
    const made = await createBudget(wanted, portsOf(projectFolder(folder)));
    if (!made.ok) {
      await this.#showFailure(made, made.reason === "exists" ? fileIn(made.detail.text) : undefined);
      return;
    }
    await this.#refresh();
    const open = t("Open File");
    const message = createdSentence(wanted.convoyId, made.value.budget.levels, t);
    if ((await vscode.window.showInformationMessage(message, open)) === open)
      await openSettingsFile(made.value.file);
  }

  /** Proposals for a new budget. Empty without a service: the user then chooses the limit. */
  async #propose(
    folder: string,
    { convoyId, members }: Parameters<ProposalSource>[0],
  ): ReturnType<ProposalSource> {
    const { service } = this.#context.services;
    const branches = [...(members?.branches ?? [])];
    const asked = await service.ask("budgetProposals", { folder, convoyId, branches, lines: null });
    return asked.ok ? asked.value.proposals : [];
  }

  /** @param target a node of the view, or the limit a notification was about */
  async raise(target: unknown): Promise<void> {
    const held =
      isBudgetNode(target) && target.kind === "budget-level" ? target : await this.#pickLevel(target);
    if (held === undefined) return;
    const { project, convoy, level } = held;
    const spent = level.used + level.reserved;
    const limit = await askLimit({
      title: t("Raise the Limit of {0}", levelLabel(level, textOptions(this.#context, t))),
      prompt: t(
        "Used: {0}. The limit is {1} now.",
        usedAmount(level, spent),
        limitWords(level, level.amount),
      ),
      value: typedAmount(level.unit, suggested(level.amount, spent)),
      above: level,
    });
    if (limit === undefined) return;
    const set = await this.#context.services.service.ask("budgetLimit", {
      folder: project.folder,
      convoyId: convoy.convoyId,
      level: level.level,
      ...limit,
    });
    if (!set.ok && set.reason !== "failed") {
      await warn(t("Purser's service is not connected. Try again in a moment."));
      return;
    }
    if (!set.ok) await this.#showFailure(set, convoy.file);
    await this.#refresh();
  }

  /** @param target a node of the view, or a file's path */
  async remove(target: unknown): Promise<void> {
    const file = await this.#fileOf(target);
    if (file === undefined) return;
    const yes = t("Delete");
    const detail = t("Usage so far stays counted. If the file is in git, you can restore it.");
    const question = t("Delete the budget {0}?", idOf(file));
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) !== yes) return;
    const done = await deleteBudget(idOf(file), portsOf(projectOf(file)));
    if (!done.ok) await this.#showFailure(done, file);
    await this.#refresh();
  }

  async open(target: unknown): Promise<void> {
    const file = await this.#fileOf(target);
    if (file !== undefined) await openSettingsFile(file);
  }

  /** Accepts a budget file that a person edited by hand. */
  async accept(target: unknown): Promise<void> {
    const file = await this.#fileOf(target);
    if (file === undefined) return;
    await vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === file)?.save();
    const done = await acceptBudget(idOf(file), portsOf(projectOf(file)));
    if (done.ok) await inform(t("The budget {0} is accepted as written.", idOf(file)));
    else await this.#showFailure(done, file);
    await this.#refresh();
  }

  async mute(target: unknown, isMuted: boolean): Promise<void> {
    const node =
      isBudgetNode(target) && target.kind === "budget-convoy" ? target : await this.#pickConvoy(isMuted);
    if (node !== undefined) await this.#context.mutes.mute(node.project, node.convoy.convoyId, isMuted);
  }

  async #askFolder(): Promise<string | undefined> {
    const folders = windowFolders();
    const [only] = folders;
    if (only === undefined) {
      await offer(t("A budget is kept in a project. Open its folder first."), openFolder);
      return undefined;
    }
    if (folders.length === 1) return only;
    return (await vscode.window.showWorkspaceFolderPick({ placeHolder: t("Which project?") }))?.uri.fsPath;
  }

  async #pickLevel(target: unknown): Promise<HeldLevel | undefined> {
    const held = heldLevels(projectsOf(this.#context)).filter(
      ({ convoy }) =>
        !isBudgetNode(target) || target.kind !== "budget-convoy" || convoy.file === target.convoy.file,
    );
    if (held.length === 0) {
      await this.#showNone();
      return;
    }
    const options = textOptions(this.#context, t);
    const items = held.map((each) => ({
      label: withoutIcons(levelLabel(each.level, options), maxDetailLength),
      description: withoutIcons(`${each.convoy.convoyId} · ${levelFigures(each.level, t)}`, maxDetailLength),
      each,
    }));
    return (await pickOne({ title: t("Raise Limit"), placeholder: t("Which limit?"), items }))?.each;
  }

  async #pickConvoy(isMuted: boolean): Promise<(BudgetNode & { kind: "budget-convoy" }) | undefined> {
    const { mutes } = this.#context;
    const items = this.#convoys()
      .filter(({ project, convoy }) => mutes.isMuted(project.project, convoy.convoyId) !== isMuted)
      .map((node) => ({ label: node.convoy.convoyId, description: node.project.project, node }));
    if (items.length === 0) {
      await this.#showNone();
      return;
    }
    return (await pickOne({ title: t("Notifications of Budgets"), placeholder: t("Which budget?"), items }))
      ?.node;
  }

  async #fileOf(target: unknown): Promise<string | undefined> {
    if (typeof target === "string") return target;
    if (isBudgetNode(target)) {
      if (target.kind === "budget-fault") return target.fault.file ?? undefined;
      if (target.kind === "budget-stray") return target.stray.file;
      if (target.kind === "budget-convoy" || target.kind === "budget-level") return target.convoy.file;
    }
    const faults = projectsOf(this.#context).flatMap((project) =>
      project.faults.flatMap(({ file }) => file ?? []),
    );
    const files = [...faults, ...this.#convoys().map(({ convoy }) => convoy.file)];
    if (files.length === 0) {
      await this.#showNone();
      return;
    }
    const items = files.map((file) => ({
      label: idOf(file),
      description: withoutIcons(file, maxDetailLength),
      file,
    }));
    return (await pickOne({ title: t("Budgets"), placeholder: t("Which budget?"), items }))?.file;
  }

  #convoys(): (BudgetNode & { kind: "budget-convoy" })[] {
    return projectsOf(this.#context).flatMap((project) =>
      project.convoys.map((convoy) => ({ kind: "budget-convoy" as const, project, convoy })),
    );
  }

  async #showNone(): Promise<void> {
    await offer(t("No budget in this workspace."), {
      label: t("Create Budget…"),
      command: "purser.createBudget",
    });
  }

  async #showFailure({ detail }: { readonly detail: Sentence }, file: string | undefined): Promise<void> {
    const open = t("Open File");
    const message = saidInMessage(detail, maxDetailLength);
    const offers = file === undefined ? [] : [open];
    const choice = await vscode.window.showErrorMessage(message, ...offers);
    if (choice === open && file !== undefined) await openSettingsFile(file);
  }

  /** Shows a change at once, without waiting for the service's next check. */
  async #refresh(): Promise<void> {
    await this.#context.feed.follow();
  }
}

/** One and a half times the limit or the usage, whichever is larger, so that the new limit is not near at once. Rounded up. */
function suggested(limit: number, spent: number): number {
  const wanted = 1.5 * Math.max(limit, spent);
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(wanted)) - 1);
  return wanted < 10 ? Math.ceil(wanted * 10) / 10 : Math.ceil(wanted / unit) * unit;
}

function portsOf(project: string): Parameters<typeof createBudget>[1] {
  return projectBudgets(project, {
    pid: process.pid,
    machine: thisMachine(),
    clock: systemClock,
    history: noHistory,
    apart: { folder: purserPaths({ env: readEnvironment(), home: homedir() }).spending, isTrusted: null },
  });
}

/** A budget's id is its file's name, in `.purser/budgets` of its project. */
function idOf(file: string): string {
  return path.basename(file).replace(/\.json$/iu, "");
}

function projectOf(file: string): string {
  return path.resolve(file, "..", "..", "..");
}

function fileIn(detail: string): string | undefined {
  return /^(?<file>.+?\.json)\b/u.exec(detail)?.groups?.["file"];
}
