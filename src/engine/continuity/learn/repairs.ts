import { describe } from "../story/attempts.ts";
import type { PastAction } from "../story/past-action.ts";
import { learnedFrom, worthy } from "./conclusion.ts";
import { Counting, summed, type Sum, keyOf, plain, type Fact } from "./fact.ts";
import type { LearnTask, Seen, SessionFold } from "./task.ts";
import { placeIn, subsystemOf } from "../../guard/work.ts";

/** An error that came once may have been a slip. */
const minTimes = 3;
const maxClusters = 40;

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
      maxClusters,
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

function subjectOf({ line, tool }: Pick<PastAction, "line" | "tool">): string {
  return plain(line?.name ?? tool, 100);
}

interface Open {
  readonly text: string;
  readonly subject: string;
  /** Calls that show whether it is gone. */
  readonly key: string;
  readonly checks: readonly string[];
  /** The newest edit since, else the newest command that may change something. */
  edit: string | null;
  command: string | null;
}

const maxOpen = 40;
const maxRepairs = 40;
/** Minimum share of repairs after which the error did not come back. */
const minShare = 0.5;

/** What was done before each error was gone, and whether the error came back in the same session. */
class Repairs implements SessionFold {
  readonly #counts = new Counting();
  readonly #open = new Map<string, Open>();
  /** By signature: the key of the last repair. */
  readonly #mended = new Map<string, string>();

  add({ action, turn, root }: Seen): void {
    if (action === null) return;
    if (action.outcome === "failed") {
      this.#fail(action);
      return;
    }
    for (const [signature, open] of this.#open) {
      if (action.outcome === "succeeded" && shows(action, open)) {
        this.#open.delete(signature);
        this.#mend(signature, open, turn);
      } else if (action.kind === "edit") open.edit = plain(describe(action, root));
      else if (action.line?.effect === "change") open.command = plain(describe(action, root));
    }
  }

  facts(): Fact[] {
    return this.#counts.all();
  }

  #fail(action: PastAction): void {
    const { failure, key, line } = action;
    if (failure === null || failure.text === "") return;
    const mended = this.#mended.get(failure.signature);
    this.#mended.delete(failure.signature);
    if (mended !== undefined) this.#counts.spoil(mended);
    this.#open.delete(failure.signature);
    this.#open.set(failure.signature, {
      text: plain(failure.text),
      subject: subjectOf(action),
      key,
      checks: line?.checks ?? [],
      // The edit before the error came back did not repair it.
      edit: null,
      command: null,
    });
    const [oldest] = this.#open.keys();
    if (this.#open.size > maxOpen && oldest !== undefined) this.#open.delete(oldest);
  }

  #mend(signature: string, { text, subject, edit, command }: Open, turn: number): void {
    const remedy = edit ?? command;
    if (remedy === null) return;
    const key = `${signature}|${keyOf(remedy)}|${subject}`.slice(0, 140);
    this.#mended.set(signature, key);
    this.#counts.add(key, { turn, good: true, text, detail: remedy });
  }
}

function shows({ key, line }: PastAction, open: Open): boolean {
  return key === open.key || (line?.checks.some((kind) => open.checks.includes(kind)) ?? false);
}

export const learnRepairPatterns: LearnTask = {
  name: "LearnRepairPatterns",
  observe: () => new Repairs(),
  conclude: (sessions, project) => {
    const best = new Map<string, Sum>();
    for (const sum of summed(sessions)) {
      const [signature = ""] = sum.key.split("|");
      const known = best.get(signature);
      if (sum.good === 0 || sum.good / sum.count < minShare) continue;
      if (known === undefined || isBetter(sum, known)) best.set(signature, sum);
    }
    return worthy([...best.values()], maxRepairs).map((sum) => {
      const [signature = "", , subject = ""] = sum.key.split("|");
      const remedy = sum.detail ?? "";
      return learnedFrom("LearnRepairPatterns", project, {
        sum,
        // The tool is part of a signature: both are needed to recognize the error.
        subject: `${signature}|${subject}`,
        text: `“${sum.text}” (${subject}) was gone after: ${remedy}`,
        remedy,
      });
    });
  },
};

/** Seen in more sessions, then more often, then more recently. */
function isBetter(one: Sum, other: Sum): boolean {
  const by = one.sessions - other.sessions || one.good - other.good || other.age - one.age;
  return by > 0 || (by === 0 && one.key < other.key);
}
