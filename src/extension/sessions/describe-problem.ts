import type { Sentence } from "../../engine/base/language.ts";
import type { LiveSnapshot } from "../../engine/sessions/session-requests.ts";
import { asSentence } from "../../engine/base/text.ts";
import { inMessage, saidInMessage } from "../editor/outside-text.ts";
import type { Translate } from "../editor/describe-editor.ts";

const maxLength = 200;
/** Longer than other texts, because it also names what to do. Characters. */
const maxLedgerLength = 500;

/** A problem, and the setting or file it concerns. */
export interface WrongThing {
  readonly path: string;
  readonly reason: Sentence;
  /** Whether the problem is with the ledger, in an editor setting, a settings file, or another file. */
  readonly kind: "ledger" | "setting" | "settings-file" | "file";
}

/** All problems; those the user can fix at once come first. */
export function wrongThings({ problems, settingProblems, ledgerProblem }: LiveSnapshot): WrongThing[] {
  // For a faulty setting the engine puts its name in place of a file.
  const isSetting = (path: string) => path.startsWith("purser.");
  return [
    ...(ledgerProblem === undefined
      ? []
      : [{ path: "ledger", reason: ledgerProblem, kind: "ledger" } satisfies WrongThing]),
    ...settingProblems.map((problem): WrongThing => ({
      ...problem,
      kind: isSetting(problem.path) ? "setting" : "settings-file",
    })),
    ...problems.map((problem): WrongThing => ({ ...problem, kind: "file" })),
  ];
}

export function problemSentence({ path, reason, kind }: WrongThing, t: Translate): string {
  if (kind === "ledger") return asSentence(saidInMessage(reason, maxLedgerLength));
  const [what, why] = [inMessage(path, maxLength), saidInMessage(reason, maxLength)];
  switch (kind) {
    case "setting":
      return t("The setting {0} is ignored: {1}.", what, why);
    case "settings-file":
      return t("In {0}, a setting is ignored: {1}.", what, why);
    case "file":
      return t("{0} cannot be read: {1}.", what, why);
  }
}
