import path from "node:path";
import { mkdir } from "node:fs/promises";
import { insideProject } from "../../base/paths.ts";
import { moveInto, writeBeside } from "../../base/files.ts";
import { errorCode, fail, succeed, type Result } from "../../base/result.ts";
import { compose, sentence } from "../../base/language.ts";
import { readSettings, type Settings, type SettingsDisk } from "../../hooks/install.ts";
import { memoryKind, type MemoryKind } from "../memory-text.ts";
import { readBlock, withBlock, type FileWithBlock } from "./block.ts";
import type { ChosenFile } from "../main-files.ts";

/** Of new files and folders, which others of the project read too. */
const [fileMode, folderMode] = [0o644, 0o755];

export interface BlockPorts {
  readonly disk: SettingsDisk;
  readonly unique: () => string;
}

export interface BlockFile {
  readonly file: string;
  readonly parts: FileWithBlock;
  /** Null without a block. */
  readonly is: MemoryKind | null;
  readonly settings: Settings;
}

export function blockPath({ project, name }: ChosenFile): string {
  return path.join(project, ...name.split("/"));
}

/** Reads a project's file. Refuses one that leads outside of the project, or that is no text. */
export async function readBlockFile(
  chosen: ChosenFile,
  { disk }: Pick<BlockPorts, "disk">,
): Promise<Result<BlockFile>> {
  const file = blockPath(chosen);
  const inside = insideProject(file, chosen.project);
  if (!inside.ok) return inside;
  const read = await readSettings(file, disk, fileMode);
  if (!read.ok) return read;
  const { bytes } = read.value;
  const text = (bytes ?? Buffer.alloc(0)).toString("utf8");
  if (bytes !== null && !Buffer.from(text).equals(bytes))
    return fail("not_text", sentence("{0} is not UTF-8 text, so it is left as it is", file));
  const parts = readBlock(text);
  if (!parts.ok) return fail(parts.reason, compose`${file}: ${parts.detail}`);
  const { memory } = parts.value;
  return succeed({
    file,
    parts: parts.value,
    is: memory === null ? null : memoryKind(memory),
    settings: read.value,
  });
}

/**
 * Writes a memory into the block of a file that was read before, or takes the block out for an empty memory. A file
 * that then holds nothing is removed. Refuses a read-only file, and one that changed since it was read.
 */
export async function writeBlockFile(
  { file, parts, settings }: BlockFile,
  memory: string,
  { disk, unique }: BlockPorts,
): Promise<Result<void>> {
  const text = withBlock(parts, memory);
  const { target, bytes, mode } = settings;
  if (bytes !== null && disk.hasModes && (mode & 0o200) === 0)
    return fail(
      "read_only",
      sentence("{0} is read-only, so it is left as it is; make it writable and try again", file),
    );
  try {
    const now = await readSettings(file, disk, fileMode);
    if (!now.ok) return now;
    const isSame = bytes === null ? now.value.bytes === null : now.value.bytes?.equals(bytes) === true;
    if (!isSame) return fail("changed", sentence("{0} has changed meanwhile; try again", file));
    if (text === "") {
      if (bytes !== null) await disk.remove(target);
      return succeed(undefined);
    }
    await mkdir(path.dirname(target), { recursive: true, mode: folderMode });
    const ports = { files: disk, unique };
    const temporary = await writeBeside(target, Buffer.from(text), ports);
    if (disk.hasModes) await disk.setMode(temporary, mode);
    await moveInto(temporary, target, disk);
    return succeed(undefined);
  } catch (error) {
    return fail("failed", sentence("{0} cannot be written: {1}", file, errorCode(error)));
  }
}
