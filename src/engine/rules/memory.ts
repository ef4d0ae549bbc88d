import path from "node:path";
import { writeAtomically, type FilePort } from "../base/files.ts";
import { type Result, succeed, fail, errorCode } from "../base/result.ts";
import { isAgentName } from "./distil/propose.ts";
import { sentence, type Sentence } from "../base/language.ts";
import { type MemoryKind, memoryKind } from "./memory-text.ts";

type MemoryOnDisk = { readonly text: string; readonly is: MemoryKind } | null;

export interface MemoryPorts {
  readonly files: FilePort;
  /** Returns a word that no other process or call uses. */
  readonly unique: () => string;
}

type MemoryReason =
  | "bad_agent"
  /** It cannot be read or written: the system's error. */
  | "failed"
  /** Not written by purser, or changed since: the user decides. */
  | "not_ours"
  | "changed";

/** Larger files are rejected as memories. Bytes. */
const maxFileSize = 1024 * 1024;

/** @param root Claude Code's configuration folder: `~/.claude`, or the first one in CLAUDE_CONFIG_DIR */
export function memoryPath(root: string, agent: string): Result<string, "bad_agent"> {
  if (!isAgentName(agent))
    return fail("bad_agent", sentence("an agent's name is letters, digits, dots and hyphens"));
  return succeed(path.join(root, "agent-memory", agent, "MEMORY.md"));
}

export async function readMemory(
  file: string,
  { files }: Pick<MemoryPorts, "files">,
): Promise<Result<MemoryOnDisk, "failed">> {
  try {
    const bytes = await files.read(file);
    if (bytes.length > maxFileSize) return fail("failed", sentence("{0} is too large for a memory", file));
    const text = bytes.toString("utf8");
    return succeed({ text, is: memoryKind(text) });
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT"
      ? succeed(null)
      : fail("failed", sentence("{0} cannot be read: {1}", file, code));
  }
}

/**
 * Writes a whole memory, or removes it for an empty text. Overwrites another's or a changed file only if
 * `replaces` is its exact text, which the user saw and confirmed.
 * @returns the previous text
 */
export async function writeMemory(
  {
    file,
    text,
    replaces,
  }: { readonly file: string; readonly text: string; readonly replaces: string | null },
  ports: MemoryPorts,
): Promise<Result<MemoryOnDisk, MemoryReason>> {
  const there = await readMemory(file, ports);
  if (!there.ok) return there;
  const found = there.value;
  if (found !== null && found.is.kind !== "ours") {
    if (replaces === null) return fail("not_ours", notOurs(file, found.is));
    if (replaces !== found.text)
      return fail("changed", sentence("{0} has changed meanwhile; look at it again", file));
  }
  if (found?.text === text || (found === null && text === "")) return there;
  try {
    if (text === "") await ports.files.remove(file);
    else {
      await ports.files.makeFolder(path.dirname(file));
      await writeAtomically(file, Buffer.from(text), ports);
    }
    return there;
  } catch (error) {
    return fail("failed", sentence("{0} cannot be written: {1}", file, errorCode(error)));
  }
}

function notOurs(file: string, { kind }: MemoryKind): Sentence {
  return kind === "edited"
    ? sentence("{0} was edited since purser wrote it; it is left as it is", file)
    : sentence("{0} was not made by purser; it is left as it is", file);
}
