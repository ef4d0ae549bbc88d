import { statsOf } from "../../base/files.ts";
import path from "node:path";
import * as z from "zod/mini";
import { rethrowUnlessSystemError } from "../../base/result.ts";
import { readJson } from "../../base/parse.ts";
import { readOpening } from "../open-file.ts";
import { tokens } from "../row-values.ts";
import { editorFactsFile } from "./vscode-chat-roots.ts";

/** Upper bound; the file is a few kilobytes long. Bytes. */
const maxSize = 1024 * 1024;

/** Facts that purser's extension writes about its window, into a file of its own storage, beside the window's chats. */
const editorFacts = z.object({
  /** The window's first folder; null without one. Servers store it nowhere else. */
  folder: z.nullable(z.string()),
  /** Room for a prompt of each model that the window offers, by `<vendor>/<id>`. Tokens. */
  models: z.record(z.string(), tokens.check(z.minimum(1))),
});
export type EditorFacts = z.infer<typeof editorFacts>;

/** Name of the storage of purser's extension, within a window's. */
const ownStorage = "context-purser.context-purser";
const nothing: EditorFacts = { folder: null, models: {} };

/** Reads the facts that purser's extension wrote about a window; again after each change. */
export class EditorFactsFile {
  readonly #path: string;
  #version = "";
  #facts = nothing;

  /** @param holder the folder of a window's storage, or the shared one of all windows without a folder */
  constructor(holder: string) {
    this.#path = path.join(holder, ownStorage, editorFactsFile);
  }

  now(): EditorFacts {
    const stats = statsOf(this.#path);
    const version = stats === undefined ? "" : `${stats.size} ${stats.mtimeMs}`;
    // A half-written file does not parse: the earlier facts still apply.
    if (version !== this.#version) this.#facts = this.#read() ?? this.#facts;
    this.#version = version;
    return this.#facts;
  }

  #read(): EditorFacts | null {
    try {
      return readJson(editorFacts, String(readOpening(this.#path, maxSize)));
    } catch (error) {
      rethrowUnlessSystemError(error);
      return null;
    }
  }
}
