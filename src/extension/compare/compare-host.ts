import { inWords, plainSentence } from "../../engine/base/language.ts";
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { BenchChoices } from "../../engine/jobs/bench-answers.ts";
import { compareAsk, type CompareAsk } from "../../engine/jobs/compare-answers.ts";
import { benchWindow } from "../bench/bench-window.ts";
import { readChoices } from "../bench/measure-steps.ts";
import { missingLabel, whyNoEvolving } from "../bench/describe-bench.ts";
import { runInTerminal } from "../editor/purser-terminal.ts";
import { ComparePanel } from "./compare-panel.ts";
import { pickComparison } from "./pick-compare.ts";
import { showFailure, warn } from "../editor/notices.ts";
import { inMessage, saidInMessage, withoutIcons } from "../editor/outside-text.ts";
import type { PanelCommand, PanelHost } from "../panels/registry.ts";
import type { Services } from "../services.ts";
import { trustedFolder } from "../editor/window-files.ts";

const { t } = vscode.l10n;
const maxReasonLength = 200;
const maxNameLength = 80;

/** What a caller already knows about a comparison. The user is asked for the rest. */
const seedSchema = z.partial(compareAsk);

/** Everything about comparisons in a window. */
export class CompareHost implements PanelHost<PanelCommand<"compare">> {
  readonly #services: Services;
  readonly #panel: ComparePanel;

  constructor(services: Services) {
    this.#services = services;
    this.#panel = new ComparePanel(services, () => void this.#pick(undefined));
  }

  async run(command: PanelCommand<"compare">, target: unknown): Promise<void> {
    switch (command) {
      case "purser.compare":
        await this.#pick(target);
        return;
      case "purser.openComparisons":
        this.#open(target);
        return;
      case "purser.evolvePrompt":
        await this.#evolve();
        return;
    }
  }

  adopt(panel: vscode.WebviewPanel): void {
    this.#panel.adopt(panel);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  /** @param given the command's argument */
  async #pick(given: unknown): Promise<void> {
    const seed = seedSchema.safeParse(given ?? {});
    if (!seed.success) {
      await this.#showFailure(t("The command was called with arguments that purser does not understand."));
      return;
    }
    const choices = await this.#choices(t("Compare"));
    if (choices === undefined) return;
    // A recording cannot know the user's own text.
    const missing = seed.data.change === undefined ? null : missingLabel(choices.drivers, t);
    if (missing !== null) {
      await warn(inMessage(t("Measuring this needs Claude Code or Codex. {0}", missing), maxReasonLength));
      return;
    }
    const picked = await pickComparison(this.#services.service, choices, seed.data);
    if (picked === undefined) return;
    if (picked.action === "panel") this.#panel.plan(picked.ask);
    else await this.#start(picked.ask);
  }

  /** Asks for the agent with the prompt to evolve. The terminal shows the price and asks first. */
  async #evolve(): Promise<void> {
    const choices = await this.#choices(t("Evolve Prompt"));
    if (choices === undefined) return;
    const missing = whyNoEvolving(choices.drivers, t);
    if (missing !== null) {
      await warn(saidInMessage(plainSentence(missing), maxReasonLength));
      return;
    }
    const items = choices.suites.flatMap(({ agents }) =>
      agents.map(({ name, description }) => ({
        label: withoutIcons(name, maxNameLength),
        description: withoutIcons(description, maxReasonLength),
        name,
      })),
    );
    const picked = await vscode.window.showQuickPick(items, {
      title: t("Evolve Prompt"),
      placeHolder: t("Which agent's prompt? A cheaper version is proposed and measured; nothing is applied."),
    });
    if (picked === undefined) return;
    runInTerminal(
      {
        words: ["shorten-prompt", picked.name],
        name: t("Evolve {0}", picked.name),
        icon: "beaker",
        folder: trustedFolder() ?? undefined,
        isHeldOpen: true,
      },
      this.#services.context,
    );
  }

  /** @param id a comparison's; without it, the last one shown */
  #open(id: unknown): void {
    this.#panel.show(typeof id === "string" && id !== "" ? { kind: "comparison", id } : undefined);
  }

  /** Reads what can be measured with. If there is nothing, shows the reason. */
  async #choices(title: string): Promise<BenchChoices | undefined> {
    const choices = await readChoices(this.#services.service, title);
    if (choices.ok) return choices.value;
    if (choices.reason !== "cancelled") await this.#showFailure(inWords(choices.detail));
    return undefined;
  }

  async #start(ask: CompareAsk): Promise<void> {
    const started = await this.#services.service.ask("benchStart", {
      ask,
      env: benchWindow.env(),
      project: benchWindow.workspace(),
    });
    if (started.ok) {
      benchWindow.began(started.value.id);
      this.#panel.show({ kind: "comparison", id: started.value.id });
    } else await this.#showFailure(inWords(started.detail));
  }

  async #showFailure(detail: string): Promise<void> {
    const reason = saidInMessage(plainSentence(detail), maxReasonLength);
    await showFailure(this.#services.log, t("The comparison could not be started: {0}", reason));
  }
}
