import { statsOf } from "../../base/disk/stats-of.ts";
import path from "node:path";
import * as z from "zod";
import { errorCode } from "../../base/error-code.ts";
import { parseJson } from "../../base/parse-json.ts";
import { readOpening } from "../open-file.ts";
import { tokens } from "../row-values.ts";
import { editorFactsFile } from "./vscode-chat-roots.ts";

/** Upper bound; the file is a few kilobytes long. Bytes. */
const longest = 1024 * 1024;

/** What purser's extension tells of its window, in a file of its own storage, which is beside the window's chats. */
const editorFacts = z.object({
  /** The window's first folder; null without one. Servers store it nowhere else. */
  folder: z.string().nullable(),
  /** Room for a prompt of each model that the window offers, by `<vendor>/<id>`. Tokens. */
  models: z.record(z.string(), tokens.min(1)),
});
export type EditorFacts = z.infer<typeof editorFacts>;

/** Name of the storage of purser's extension, within a window's. */
const ownStorage = "context-purser.context-purser";
const nothing: EditorFacts = { folder: null, models: {} };

/** Reads what purser's extension told of a window; again when it changed. */
export class EditorFactsFile {
  readonly #path: string;
  #version = "";
  #facts = nothing;

  /** @param holder the folder of a window's storage, or that of all windows without a folder */
  constructor(holder: string) {
    this.#path = path.join(holder, ownStorage, editorFactsFile);
  }

  now(): EditorFacts {
    const stats = statsOf(this.#path);
    const version = stats === undefined ? "" : `${stats.size} ${stats.mtimeMs}`;
    // A file that is just being written is none: what was told before still holds.
    if (version !== this.#version) this.#facts = this.#read() ?? this.#facts;
    this.#version = version;
    return this.#facts;
  }

  #read(): EditorFacts | undefined {
    try {
      return editorFacts.safeParse(parseJson(String(readOpening(this.#path, longest)))).data;
    } catch (error) {
      errorCode(error);
      return undefined;
    }
  }
}
