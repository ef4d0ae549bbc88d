import path from "node:path";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { ensurePrivateFolder } from "../../../engine/base/private-files.ts";
import { inMessage, saidInMessage } from "../../editor/outside-text.ts";
import type { ServiceConnection } from "../../service/connection.ts";
import type { Services } from "../../services.ts";
import { fileExists } from "../../editor/window-files.ts";
import { testCalls } from "./call-tester.ts";
import { RulesChecker } from "./checker.ts";
import type { GuardFileCommand } from "../../editor/lazy-commands.ts";
import { recentCalls, rulesTemplate } from "./rule-examples.ts";
import { WeekCounts } from "../../editor/week-counts.ts";
import { RuleLenses, type FiredCounts } from "./rule-lenses.ts";
import { ownRulesFile, rulesGlobs } from "./kind.ts";
import { RuleKnowledge } from "./knowledge.ts";
import { RulesSuggestions } from "./suggestions.ts";
import { t } from "../../../engine/base/language.ts";
const maxReasonLength = 300;
/** Hits of rules from which recent calls are taken: their time in milliseconds, and their number. */
const recentTime = 30 * 86_400_000;
const recentHits = 300;
const targetSchema = z.object({ uri: z.string(), id: z.string() });

/** Help with files of guard rules: faults, suggestions, explanations and lenses. */
export class GuardFileHost implements vscode.Disposable {
  readonly #service: ServiceConnection;
  readonly #counts: FiredCounts;
  readonly #lenses: RuleLenses;
  readonly #knowledge = RuleKnowledge.load();
  #owned: vscode.Disposable | undefined;
  #isDisposed = false;

  constructor({ service, log }: Services) {
    this.#service = service;
    this.#counts = new WeekCounts(service, Date.now, async (since, signal) => {
      const read = await service.ask("guardCounts", { asked: since }, signal);
      return read.ok ? new Map(read.value.answer.map(({ rule, count }) => [rule, count])) : undefined;
    });
    this.#lenses = new RuleLenses(this.#counts);
    this.#knowledge
      .then((knowledge) => this.#register(knowledge))
      .catch((error: unknown) => log.error(`Guard rules could not be loaded: ${String(error)}`));
  }

  async run(command: GuardFileCommand, target: unknown): Promise<void> {
    if (command === "purser.openGuardRules") await openOwnRules();
    else await this.#test(target);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#owned?.dispose();
    this.#lenses.dispose();
    this.#counts.dispose();
  }

  #register(knowledge: RuleKnowledge): void {
    if (this.#isDisposed) return;
    const own = ownRulesFile();
    const patterns = [rulesGlobs.guard, new vscode.RelativePattern(path.dirname(own), path.basename(own))];
    const guard = patterns.flatMap((pattern) => ["file", "untitled"].map((scheme) => ({ scheme, pattern })));
    const { languages } = vscode;
    const checker = new RulesChecker(knowledge);
    const suggestions = new RulesSuggestions(knowledge);
    this.#owned = vscode.Disposable.from(
      checker,
      languages.registerCodeActionsProvider(guard, checker, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
      languages.registerCompletionItemProvider(guard, suggestions, ":", " ", "-", "|", "{", ","),
      languages.registerHoverProvider(guard, suggestions),
      languages.registerCodeLensProvider(guard, this.#lenses),
    );
  }

  /** Shows which rules fire on a typed command, and on recent ones, with the editor's text of the file. */
  async #test(target: unknown): Promise<void> {
    const asked = targetSchema.safeParse(target);
    const document = asked.success
      ? await vscode.workspace.openTextDocument(vscode.Uri.parse(asked.data.uri, true))
      : vscode.window.activeTextEditor?.document;
    const knowledge = await this.#knowledge;
    const uri = document?.uri ?? vscode.Uri.file(ownRulesFile());
    const config = document === undefined ? null : knowledge.read(document, document.getText()).config;
    const rule = knowledge.factsWith(config).find(({ id }) => asked.success && id === asked.data.id);
    await testCalls({
      title: asked.success ? t("Test {0}", inMessage(asked.data.id, 100)) : t("Test Guard Rules"),
      value: rule === undefined || rule.isCode ? "" : rule.example,
      fired: (call) => knowledge.fired(call, config, uri),
      recent: this.#recentCalls(),
    });
  }

  /** Recent calls on which rules fired. Empty if the service does not answer. */
  async #recentCalls(): Promise<readonly string[]> {
    const asked = { since: Date.now() - recentTime, most: recentHits };
    const read = await this.#service.ask("guardRead", asked);
    return read.ok ? recentCalls(read.value.view.hits) : [];
  }
}

/** Opens the user's file. If there is none, writes one first, in which every line is a comment. */
async function openOwnRules(): Promise<void> {
  const file = ownRulesFile();
  const uri = vscode.Uri.file(file);
  if (!(await fileExists(uri))) {
    const place = ensurePrivateFolder(path.dirname(file));
    if (!place.ok) {
      await vscode.window.showErrorMessage(saidInMessage(place.detail, maxReasonLength));
      return;
    }
    await vscode.workspace.fs.writeFile(uri, Buffer.from(rulesTemplate()));
  }
  await vscode.window.showTextDocument(uri, { preview: false });
}
