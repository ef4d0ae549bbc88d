import { plainSentence, t } from "../../engine/base/language.ts";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { fail } from "../../engine/base/result.ts";
import { compareAsk } from "../../engine/jobs/compare-answers.ts";
import { goldenAgentFile } from "./file-kind.ts";
import { saidInMessage } from "../editor/outside-text.ts";
import type { RentCommand } from "../editor/lazy-commands.ts";
import { rentPatterns } from "./instructions-files.ts";
import { RentLenses } from "./lenses.ts";
import { LintProblems } from "./lint-problems.ts";
import { seedOfHere, seedOfServer, seedOfSkill, type Seeded } from "./measure-instructions.ts";
import { RentWeek } from "./week.ts";
import type { Services } from "../services.ts";
import { windowFolders } from "../editor/window-files.ts";
import { inform, manageTrust, offer } from "../editor/notices.ts";
const maxReasonLength = 200;
const seedSchema = z.partial(compareAsk);

/** The rent of files that agents read on their own, and measuring whether it is worth it. */
export class RentHost implements vscode.Disposable {
  readonly #owned: vscode.Disposable;
  readonly #context: vscode.ExtensionContext;

  constructor({ service, context, log }: Services) {
    this.#context = context;
    const week = new RentWeek(service, Date.now);
    const lenses = new RentLenses(week);
    const files = rentPatterns.map((pattern) => ({ scheme: "file", pattern }));
    this.#owned = vscode.Disposable.from(
      week,
      lenses,
      new LintProblems(week, (message) => log.error(message)),
      vscode.languages.registerCodeLensProvider(files, lenses),
    );
  }

  async run(command: RentCommand, target: unknown): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      // The folder's own text instructs an agent, and its MCP servers are programs.
      await offer(t("Measuring runs an agent here, so trust this folder first."), manageTrust);
      return;
    }
    const seed = await this.#checked(await this.#seed(command, target));
    if (seed.ok) await vscode.commands.executeCommand("purser.newExperiment", seed.value);
    else if (seed.reason === "missing") await inform(saidInMessage(seed.detail, maxReasonLength));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Refuses what cannot be compared, with the reason. An agent without golden tasks has nothing to measure. */
  async #checked(seed: Seeded): Promise<Seeded> {
    if (seed.ok && !seedSchema.safeParse(seed.value).success)
      return fail(
        "missing",
        plainSentence(t("It is too large to be measured: 200 files of 200,000 characters at most.")),
      );
    const agent = seed.ok ? seed.value.agent : undefined;
    if (agent === undefined || (await goldenAgentFile(agent, windowFolders(), this.#context)) !== null)
      return seed;
    return fail(
      "missing",
      plainSentence(t("No golden suite has tasks for the agent {0}, so it can't be measured yet.", agent)),
    );
  }

  #seed(command: RentCommand, target: unknown): Promise<Seeded> {
    switch (command) {
      case "purser.measureHere":
        return seedOfHere(target);
      case "purser.measureSkill":
        return seedOfSkill(target);
      case "purser.measureServer":
        return seedOfServer();
    }
  }
}
