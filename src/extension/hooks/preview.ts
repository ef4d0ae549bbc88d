import * as vscode from "vscode";
import { maskToken } from "../service/mask-token.ts";
import { OneQuestion, type Question } from "../editor/one-question.ts";

const { t } = vscode.l10n;
const previewScheme = "purser-hooks";
/** The buttons above the comparison are there while this is set. */
const shownKey = "purser.isChangeShown";

/** A file as it is, and as it would be. */
interface FileChange {
  readonly file: string;
  /** Null where there is none. */
  readonly before: string | null;
  /** Null where it is to go. */
  readonly after: string | null;
}

interface AskedChange {
  /** Of the tab. */
  readonly title: string;
  readonly changes: readonly FileChange[];
  readonly question: string;
  /** The button's label. */
  readonly yes: string;
}

let shared: ChangePreview | undefined;

/** The window's: its buttons answer one question, whoever asks. */
export function changePreview({
  subscriptions,
}: Pick<vscode.ExtensionContext, "subscriptions">): ChangePreview {
  if (shared === undefined) {
    shared = new ChangePreview();
    subscriptions.push(shared);
  }
  return shared;
}

/** A file as it is and as it would be: three addresses, the first that of the file itself. */
type Compared = readonly [file: vscode.Uri, now: vscode.Uri, then: vscode.Uri];

/** Shows what would become of files beside what they are now, and asks. */
class ChangePreview implements vscode.Disposable {
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

  /** Shows the changes and waits for an answer: the notification's, or that of the buttons above the comparison. Closing it is a no. */
  async ask(asked: AskedChange): Promise<boolean> {
    return await this.#questions.ask({
      show: async (question) => {
        await this.#show(asked);
        void this.#notify(question, asked);
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

  async #notify(question: Question, { question: text, yes }: AskedChange): Promise<void> {
    const said = await vscode.window.showInformationMessage(text, yes, t("Cancel"));
    // A notification that went away by itself is no answer: the buttons above the comparison stay.
    if (said === undefined || question.answer(said === yes) || said !== yes) return;
    await vscode.window.showInformationMessage(
      t("That change is not shown any more: nothing was done. Ask for it again to see it as it is now."),
    );
  }

  async #show({ title, changes }: AskedChange): Promise<void> {
    this.#texts.clear();
    this.#title = title;
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

  #compare({ file: name, before, after }: FileChange): Compared {
    this.#count += 1;
    const file = vscode.Uri.file(name);
    const side = (which: "now" | "then", text: string | null) => {
      // The same path on both sides: else the editor takes it for a file that gets another name.
      const uri = file.with({ scheme: previewScheme, authority: "", query: `${which}-${this.#count}` });
      this.#texts.set(uri.toString(), maskToken(text ?? ""));
      return uri;
    };
    return [file, side("now", before), side("then", after)];
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
