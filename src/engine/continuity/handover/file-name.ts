import { readdirSync } from "node:fs";
import path from "node:path";
import { cleanText, cutEnd } from "../../base/text.ts";
import { readSmallText } from "../../base/files.ts";
import { sha256Hex } from "../../base/hash.ts";
import { rethrowUnlessSystemError } from "../../base/result.ts";
import { scrub } from "../../base/scrub.ts";
import { formatDay } from "../../usage/local-day.ts";
import { handoverIn } from "./identity.ts";

/** Characters of a work's name, in a document's first line and its file's name. */
const maxNameLength = 60;
/** Documents of one name on one day. */
const maxSameNames = 1000;
/** A larger file cannot be one of our documents. Bytes. */
export const maxDocumentSize = 4 * 1024 * 1024;

/** Names a piece of work by the words that asked for it: the first sentence, cut at a word. */
export function workName(asked: string): string {
  const line = scrub(cleanText(asked)).replaceAll(/\s+/gu, " ").trim();
  const sentence = /^.{12,}?[.!?:;](?=\s|$)/u.exec(line)?.[0].slice(0, -1) ?? line;
  if (sentence.length <= maxNameLength) return sentence;
  const cut = cutEnd(sentence, maxNameLength).replace(/…$/u, "");
  const at = cut.lastIndexOf(" ");
  return `${(at > maxNameLength / 2 ? cut.slice(0, at) : cut).trimEnd()}…`;
}

/** Returns a name such as `2026-11-30 Fix booking dates.md` that every system accepts and no other file has. */
export function documentFileName(
  { name, at }: { readonly name: string; readonly at: number },
  isTaken: (fileName: string) => boolean,
): string {
  const words = name
    .normalize("NFC")
    // Windows refuses these; a shell and Markdown would read the others.
    .replaceAll(/[<>:"/\\|?*`$%\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]+/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .replace(/^[ .]+/u, "")
    .replace(/(?<![ .…])[ .…]+$/u, "");
  const base = `${formatDay(new Date(at))} ${words === "" ? "Handover" : words}`;
  for (let count = 1; ; count++) {
    const fileName = count === 1 ? `${base}.md` : `${base} (${count}).md`;
    // A folder that cannot be read seems to have every name.
    if (count > maxSameNames || !isTaken(fileName)) return fileName;
  }
}

/** Stands for a document's path in its record: the ledger holds no words of a session. */
export function fileHashOf(file: string): string {
  return sha256Hex(file);
}

/**
 * Finds a document by its id: under the name that it was written with, the name by its id that documents had before,
 * or, if a person renamed it, by its first line. Null if it is gone.
 */
export function findDocument(
  folder: string,
  { id, fileHash }: { readonly id: string; readonly fileHash: string | null },
): string | null {
  const names = namesIn(folder).filter((name) => name.endsWith(".md"));
  const named =
    names.find((name) => fileHashOf(path.join(folder, name)) === fileHash) ??
    names.find((name) => name === `${id}.md`) ??
    names.find((name) => idIn(path.join(folder, name)) === id);
  return named === undefined ? null : path.join(folder, named);
}

function idIn(file: string): string | null {
  const text = readSmallText(file, maxDocumentSize);
  return text === null ? null : handoverIn(text);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    rethrowUnlessSystemError(error);
    return [];
  }
}
