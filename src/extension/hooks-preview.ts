import * as vscode from "vscode";
import { cutMiddle } from "../engine/base/text.ts";
import type { HookChange } from "../engine/guard/install/plan-change.ts";
import { maskToken } from "./mask-token.ts";
import { OneQuestion, type Question } from "./one-question.ts";
import { shortPath } from "./short-path.ts";

const { t } = vscode.l10n;
const previewScheme = "purser-hooks";
/** The buttons above the comparison are there while this is set. */
const shownKey = "purser.isChangeShown";
/** A tab has little room. */
const longestName = 40;

/** A file as it is and as it would be: three addresses, the first that of the file itself. */
type Compared = readonly [file: vscode.Uri, now: vscode.Uri, then: vscode.Uri];

/** Shows what would become of settings files beside what they are now, and asks. */
export class HookPreview implements vscode.Disposable {
  /** By its address. */
  readonly #texts = new Map<string, string>();
  readonly #registered: vscode.Disposable;
  readonly #questions = new OneQuestion();
  #count = 0;
  /** Of the tab. */
  #title = "";

  constructor() {
    this.#registered = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(previewScheme, {
        provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? "",
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some((tab) => this.#isShown(tab))) this.answer(false);
      }),
    );
  }

  /**
   * Shows the changes and waits for an answer: the notification's, or that of the buttons above the comparison. Closing it is a no.
   *
   * @param yes the button's label
   */
  async ask(changes: readonly HookChange[], question: string, yes: string): Promise<boolean> {
    return await this.#questions.ask({
      show: async (asked) => {
        await this.#show(changes);
        void this.#notify(asked, question, yes);
      },
      close: () => this.#close(),
    });
  }

  /** What a button says. */
  answer(isYes: boolean): void {
    this.#questions.answer(isYes);
  }

  dispose(): void {
    this.answer(false);
    this.#registered.dispose();
  }

  async #notify(asked: Question, question: string, yes: string): Promise<void> {
    const said = await vscode.window.showInformationMessage(question, yes, t("Cancel"));
    // A notification that went away by itself is no answer: the buttons above the comparison stay.
    if (said === undefined || asked.answer(said === yes) || said !== yes) return;
    await vscode.window.showInformationMessage(
      t("That change is not shown any more: nothing was done. Ask for it again to see it as it is now."),
    );
  }

  async #show(changes: readonly HookChange[]): Promise<void> {
    this.#texts.clear();
    this.#title = titleOf(changes);
    const compared = changes.map((change) => this.#compare(change));
    const [only] = compared;
    await vscode.commands.executeCommand("setContext", shownKey, true);
    if (compared.length === 1 && only !== undefined) {
      const [, now, then] = only;
      await vscode.commands.executeCommand("vscode.diff", now, then, this.#title, { preview: false });
    } else {
      await vscode.commands.executeCommand("vscode.changes", this.#title, compared);
      // It takes no options, and a tab that the next file replaces would be an answer nobody gave.
      await vscode.commands.executeCommand("workbench.action.keepEditor");
    }
  }

  #compare({ settings, after }: HookChange): Compared {
    this.#count += 1;
    const file = vscode.Uri.file(settings.target);
    const side = (which: "now" | "then", bytes: Buffer | null) => {
      // The same path on both sides: else the editor takes it for a file that gets another name.
      const uri = file.with({ scheme: previewScheme, authority: "", query: `${which}-${this.#count}` });
      this.#texts.set(uri.toString(), maskToken(bytes?.toString("utf8") ?? ""));
      return uri;
    };
    return [file, side("now", settings.bytes), side("then", after)];
  }

  async #close(): Promise<void> {
    await vscode.commands.executeCommand("setContext", shownKey, false);
    const tabs = vscode.window.tabGroups.all.flatMap((group) =>
      group.tabs.filter((tab) => this.#isShown(tab)),
    );
    // That it is closed is no answer to the next question, whose tab may have the same title.
    this.#title = "";
    await vscode.window.tabGroups.close(tabs);
  }

  /** The editor adds how many files there are. */
  #isShown({ label }: vscode.Tab): boolean {
    return this.#title !== "" && label.startsWith(this.#title);
  }
}

/** The settings' file names it: the others come with it. */
function titleOf(changes: readonly HookChange[]): string {
  const settings = changes.find(({ settings: { file } }) => file.endsWith(".json")) ?? changes[0];
  const name = cutMiddle(shortPath(settings?.settings.target ?? ""), longestName);
  return settings?.act === "uninstall" ? t("Uninstall Hooks: {0}", name) : t("Install Hooks: {0}", name);
}
