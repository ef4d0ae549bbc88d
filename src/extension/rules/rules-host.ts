import { inWords, plainSentence, t } from "../../engine/base/language.ts";
import os from "node:os";
import * as vscode from "vscode";
import { readdir } from "node:fs/promises";
import type { Observable } from "../../engine/base/events.ts";
import { succeed } from "../../engine/base/result.ts";
import { type AgentDefinition, agentDefinitions, agentFolders } from "../../engine/rules/agent-definition.ts";
import type { LearnedItem } from "../../engine/continuity/learning-answers.ts";
import { waitsForUser, type RuleSource } from "../../engine/rules/rule.ts";
import { claudeRoot } from "../../engine/transcripts/claude.ts";
import { showFailure } from "../editor/notices.ts";
import { saidInMessage } from "../editor/outside-text.ts";
import { pickStep } from "../editor/pick.ts";
import { pickAgent } from "./pick-agent.ts";
import type { RulesPanel } from "./rules-panel.ts";
import { LazyPart } from "../editor/lazy-part.ts";
import type { PanelCommand, PanelHost } from "../panels/registry.ts";
import type { Services } from "../services.ts";
import { writeRule, ruleSentence } from "./rule-sentence.ts";
import { readEnvironment } from "../editor/settings.ts";
import { windowFolders } from "../editor/window-files.ts";
const maxReasonLength = 200;

/** Everything about rules in a window, loaded after the window has started. */
export class RulesHost implements PanelHost<PanelCommand<"rules">> {
  readonly #services: Services;
  readonly #badge: Observable<number>;
  readonly #owned: vscode.Disposable;
  readonly #panel: LazyPart<RulesPanel>;
  #hasRead = false;

  constructor(services: Services, badge: Observable<number>) {
    this.#services = services;
    this.#badge = badge;
    this.#panel = new LazyPart(async () => {
      const { RulesPanel } = await import("./rules-panel.ts");
      return new RulesPanel(services, {
        root: ownRoot,
        add: () => void this.#add(null),
        promote: (item) => void this.#add(item),
        definitions: ownAgents,
      });
    });
    this.#owned = vscode.Disposable.from(
      services.service.onChanged("rulesChanged", (changed) => {
        if (changed === undefined) void this.#count();
        else this.#badge.set(changed.waiting);
      }),
    );
    void this.#count();
  }

  async run(command: PanelCommand<"rules">, target: unknown): Promise<void> {
    switch (command) {
      case "purser.reviewRules":
        (await this.#panel.get()).show(typeof target === "string" ? { kind: "rule", id: target } : undefined);
        return;
      case "purser.selectRules":
        await this.#select(typeof target === "string" ? target : undefined);
        return;
      case "purser.tryRules":
        await this.#try(typeof target === "string" ? target : undefined);
        return;
    }
  }

  async adopt(panel: vscode.WebviewPanel): Promise<void> {
    (await this.#panel.get()).adopt(panel);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#panel.dispose();
  }

  async #count(): Promise<void> {
    const read = await this.#services.service.ask("rulesRead", { root: ownRoot() });
    if (!read.ok) return;
    this.#badge.set(read.value.view.rules.filter(waitsForUser).length);
    if (this.#hasRead) return;
    this.#hasRead = true;
    await this.#nudge();
  }

  /**
   * Shows one notification when a window opens and rules wait, unless another window or a terminal session already did so
   * today.
   */
  async #nudge(): Promise<void> {
    const asked = await this.#services.service.ask("rulesNudge", {});
    const waiting = asked.ok ? asked.value.waiting : 0;
    if (waiting === 0) return;
    const review = t("Review Rules");
    const message =
      waiting === 1
        ? t("One rule for your agents waits for you.")
        : t("{0} rules for your agents wait for you.", waiting);
    const chosen = await vscode.window.showInformationMessage(message, review);
    if (chosen === review) await this.run("purser.reviewRules", undefined);
  }

  /** @param learned what the rule is made of; null for a rule of the user's own */
  async #add(learned: LearnedItem | null): Promise<void> {
    const title = t("Add Rule");
    const agent = await this.#pickAgent(title);
    if (agent === undefined) return;
    const source = learned === null ? null : sourceOf(learned);
    const added = await writeRule(learned === null ? "" : ruleSentence(learned), {
      write: (value, validate) =>
        vscode.window.showInputBox({
          title,
          value,
          ignoreFocusOut: true,
          prompt: t(
            "One sentence of 10 to 200 characters. It can start with when it applies: (when editing tests) …",
          ),
          validateInput: validate,
        }),
      propose: async (text) => {
        const rules = [{ text, source }];
        const made = await this.#services.service.ask("rulesPropose", { agent, origin: "hand", rules });
        return made.ok ? succeed(made.value.proposed[0]) : made;
      },
    });
    if (added?.ok === true) (await this.#panel.get()).show({ kind: "rule", id: added.value });
    else if (added !== undefined) await this.#showFailure(inWords(added.detail));
  }

  async #select(asked: string | undefined): Promise<void> {
    if (asked === undefined) await vscode.commands.executeCommand("purser.newExperiment", "rules");
    else (await this.#panel.get()).show({ kind: "selection", agent: asked });
  }

  /** Shows an agent's trial on real work, or what one would do. Without an agent, the form of experiments asks. */
  async #try(asked: string | undefined): Promise<void> {
    if (asked === undefined) await vscode.commands.executeCommand("purser.newExperiment", "trial");
    else (await this.#panel.get()).show({ kind: "trial", agent: asked });
  }

  async #pickAgent(title: string): Promise<string | undefined> {
    const placeholder = t("Which agent is the rule for? Choose one or type a name.");
    const read = await this.#services.service.ask("rulesRead", { root: ownRoot() });
    const own = await ownAgents();
    const known = {
      rules: read.ok ? read.value.view.rules.map(({ agent }) => agent) : [],
      golden: await this.#goldenAgents(),
      own: own.map(({ name }) => name),
    };
    return await pickAgent({ title, placeholder, known }, { t, pick: pickStep });
  }

  async #goldenAgents(): Promise<string[]> {
    const folder = vscode.Uri.joinPath(this.#services.context.extensionUri, "golden", "agents").fsPath;
    try {
      const files = (await readdir(folder)).filter((name) => name.endsWith(".md"));
      return files.sort().map((name) => name.slice(0, -".md".length));
    } catch (error) {
      this.#services.log.warn(`Golden agents cannot be read: ${String(error)}`);
      return [];
    }
  }

  async #showFailure(detail: string): Promise<void> {
    await showFailure(this.#services.log, saidInMessage(plainSentence(detail), maxReasonLength));
  }
}

/** The agents defined for this window. */
function ownAgents(): Promise<AgentDefinition[]> {
  return agentDefinitions(agentFolders(windowFolders(), ownRoot()));
}

/** Claude Code's configuration folder, according to the current setting and environment. */
function ownRoot(): string {
  return claudeRoot({ env: readEnvironment(), home: os.homedir() });
}

/** The last session in which something was learned, as a rule's source. Its text has no secrets. */
function sourceOf({ text, evidence }: LearnedItem): RuleSource | null {
  const [newest] = evidence;
  if (newest === undefined) return null;
  return {
    kind: "run",
    sessionId: newest.session,
    transcript: null,
    finding: plainSentence(text.slice(0, 400)),
    turns: [],
  };
}
