import { statSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import { errorCode } from "../../../base/error-code.ts";
import type { RowReading, TranscriptEvent } from "../../event.ts";
import type { WholeReader } from "../../live-reader.ts";
import { readOpening } from "../../open-file.ts";
import { optionalText } from "../../row-values.ts";
import type { SessionState } from "./session-state.ts";

/** Upper bound; the file is much smaller. Bytes. */
const longest = 64 * 1024;
/** Characters. */
const longestTitle = 1000;

/** The facts beside a session's events: `name` is its title, given by the agent or the user. */
const workspace = z.looseObject({ name: optionalText, cwd: optionalText, branch: optionalText });

/** Reads a session's `workspace.yaml`, which its events do not repeat. */
export class WorkspaceFile implements WholeReader {
  readonly #path: string;
  readonly #state: SessionState;

  constructor(path: string, state: SessionState) {
    this.#path = path;
    this.#state = state;
  }

  stats(): ReturnType<WholeReader["stats"]> {
    return statSync(this.#path, { throwIfNoEntry: false });
  }

  /** A file that is half-written, or gone by now, tells nothing yet. */
  read(): readonly RowReading[] {
    const facts = workspace.safeParse(this.#parsed()).data;
    if (facts === undefined) return [];
    const events: TranscriptEvent[] = [];
    const title = facts.name ?? "";
    if (title !== "") events.push({ kind: "title", title: title.slice(0, longestTitle) });
    // The events follow the agent into other folders.
    const cwd = this.#state.cwd ?? facts.cwd ?? null;
    if (cwd !== null && cwd === facts.cwd) events.push({ kind: "place", cwd, branch: facts.branch ?? null });
    return [{ outcome: "known", isSidechain: false, at: null, events }];
  }

  #parsed(): unknown {
    let text: string;
    try {
      text = String(readOpening(this.#path, longest) ?? "");
    } catch (error) {
      errorCode(error);
      return undefined;
    }
    try {
      return parse(text, { maxAliasCount: 0, logLevel: "silent" });
    } catch {
      return undefined;
    }
  }
}
