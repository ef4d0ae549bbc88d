import { placeIn, subsystemOf } from "../../guard/work.ts";
import type { PastAction } from "../story/past-action.ts";
import { learnedFrom, worthy } from "./conclusion.ts";
import { Counting, summed } from "./counted-facts.ts";
import { plain, type Fact } from "./fact.ts";
import type { LearnTask, Seen, SessionFold } from "./task.ts";

/** An error that came once may have been a slip. */
const minTimes = 3;
const maxFound = 40;

/** Errors by signature and place. */
class ErrorCounts implements SessionFold {
  readonly #counts = new Counting();

  add({ action, turn, root }: Seen): void {
    if (action?.outcome !== "failed" || action.failure === null || action.failure.text === "") return;
    const { signature, text } = action.failure;
    this.#counts.add(`${signature}@${plain(placeOf(action, root), 60)}`, {
      turn,
      good: false,
      text: plain(text),
      detail: subjectOf(action),
    });
  }

  facts(): Fact[] {
    return this.#counts.all();
  }
}

export const clusterErrors: LearnTask = {
  name: "ClusterErrors",
  observe: () => new ErrorCounts(),
  conclude: (sessions, project) =>
    worthy(
      summed(sessions).filter(({ count, sessions: seen }) => count >= minTimes || seen >= 2),
      maxFound,
    ).map((sum) => {
      const [, place = ""] = /@(.*)/u.exec(sum.key) ?? [];
      return learnedFrom("ClusterErrors", project, {
        sum,
        text: `${sum.detail ?? "A tool"} fails${place === "" ? "" : ` in ${place}`}: ${sum.text}`,
      });
    }),
};

/** The part of the project that a failed call is about: of its files, else of the folder that it ran in. */
function placeOf({ reads, writes, folder }: PastAction, root: string | null): string {
  const [file] = [...writes, ...reads];
  const place = file === undefined ? folder && placeIn(folder, root) : subsystemOf(file, root);
  return place ?? "";
}

/** The program or tool in an error's signature. */
export function subjectOf({ line, tool }: Pick<PastAction, "line" | "tool">): string {
  return plain(line?.name ?? tool, 100);
}
