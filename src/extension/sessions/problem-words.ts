import type { LiveSnapshot } from "../../engine/context/live-snapshot.ts";
import { inMessage } from "../editor/outside-text.ts";
import type { Translate } from "../editor/words.ts";

const longest = 200;

/** Something that is wrong, and what it is with. */
export interface WrongThing {
  readonly path: string;
  readonly reason: string;
  /** What is wrong is a setting of the editor's, a file of settings, or another file. */
  readonly kind: "setting" | "settings-file" | "file";
}

/** All that is wrong; what the user can mend at once comes first. */
export function wrongThings({ problems, settingProblems }: LiveSnapshot): WrongThing[] {
  // The engine names a faulty setting where it would name a file.
  const isSetting = (path: string) => path.startsWith("purser.");
  return [
    ...settingProblems.map((problem): WrongThing => ({
      ...problem,
      kind: isSetting(problem.path) ? "setting" : "settings-file",
    })),
    ...problems.map((problem): WrongThing => ({ ...problem, kind: "file" })),
  ];
}

export function problemSentence({ path, reason, kind }: WrongThing, t: Translate): string {
  const [what, why] = [inMessage(path, longest), inMessage(reason, longest)];
  switch (kind) {
    case "setting":
      return t("The setting {0} is not used: {1}.", what, why);
    case "settings-file":
      return t("In {0} something is not used: {1}.", what, why);
    case "file":
      return t("{0} cannot be read: {1}.", what, why);
  }
}
