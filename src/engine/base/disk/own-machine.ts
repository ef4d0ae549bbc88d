import { randomUUID } from "node:crypto";
import os from "node:os";
import { isObject, parseJson } from "../parse.ts";
import { readSmallText } from "../files.ts";
import { writePrivateFile } from "../private-files.ts";
import { cleanText } from "../text.ts";

interface OwnMachine {
  /** Random: it says nothing about the machine. */
  readonly id: string;
  readonly label: string;
}

/** Bytes. */
const maxFileSize = 4096;
/** Characters. */
const maxLabel = 60;

/**
 * This machine's id and label, made at the first use. The label is the system's name for it until a person sets another.
 *
 * @param file see `purserPaths`
 * @throws the system's error if there is none yet and the file cannot be written
 */
export function ownMachine(file: string): OwnMachine {
  const known = readOwnMachine(file);
  if (known !== null) return known;
  const made = { id: randomUUID(), label: labelFrom(os.hostname()) ?? "machine" };
  writePrivateFile(file, textOf(made), () => readOwnMachine(file) === null);
  return readOwnMachine(file) ?? made;
}

/** This machine's label. Writes nothing. */
export function ownLabel(file: string): string {
  return readOwnMachine(file)?.label ?? labelFrom(os.hostname()) ?? "machine";
}

/** @throws the system's error */
export function nameOwnMachine(file: string, label: string): OwnMachine {
  const named = { id: ownMachine(file).id, label: labelFrom(label) ?? label };
  writePrivateFile(file, textOf(named));
  return named;
}

function readOwnMachine(file: string): OwnMachine | null {
  const value = parseJson(readSmallText(file, maxFileSize) ?? "");
  if (!isObject(value)) return null;
  const { id, label } = value;
  const isWhole = typeof id === "string" && /^[0-9a-f-]{36}$/u.test(id) && typeof label === "string";
  return isWhole ? { id, label: labelFrom(label) ?? "machine" } : null;
}

function textOf({ id, label }: OwnMachine): string {
  return `${JSON.stringify({ version: 1, id, label }, null, 2)}\n`;
}

/** Null for a text without a visible character. */
export function labelFrom(text: string): string | null {
  const label = cleanText(text).trim().slice(0, maxLabel).trim();
  return label === "" ? null : label;
}
