import { randomInt } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, rm, writeFile, type FileHandle } from "node:fs/promises";
import path from "node:path";
import * as z from "zod/mini";
import { sentence, compose } from "../../base/language.ts";
import { readJson } from "../../base/parse.ts";
import { ensurePrivateFolder } from "../../base/private-files.ts";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { scrubStart } from "../../base/scrub.ts";
import { isOutputId, newOutputId } from "../output/compress-from.ts";
import { type AboutOriginal, linesOf } from "../output/output-handler.ts";

/** The first line of a kept file, before the text. */
const storedHead = z.object({
  schema: z.literal(1),
  /** Milliseconds since the epoch. */
  at: z.number(),
  session: z.string(),
  program: z.string(),
  /** The command line without secrets. */
  line: z.string(),
  compressor: z.string(),
  /** Id of the hit in the ledger. */
  hit: z.optional(z.string()),
  bytes: z.int().check(z.nonnegative()),
  lines: z.int().check(z.nonnegative()),
});
/** Facts about a kept output. */
export type StoredHead = Readonly<z.infer<typeof storedHead>> & { readonly id: string };

/** Limits of the kept originals: age in milliseconds, and bytes in total, the newest first. */
export interface StorageLimits {
  readonly age: number;
  readonly bytes: number;
}

const usualLimits: StorageLimits = { age: 7 * 24 * 60 * 60_000, bytes: 200_000_000 };
const maxLineLength = 1000;
/** Maximum size of an escaped first line. Bytes. */
const maxHeadLength = 16 * 1024;
/** Windows has neither flag and no pipes among files. */
const safely = process.platform === "win32" ? 0 : constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Maximum ids that are tried. A taken id is very rare. */
const maxTries = 4;

/** The originals of shortened outputs, one per file, which only their user can open. */
export class StoredOutputs {
  readonly #folder: string;
  readonly #now: () => number;
  #isReady = false;

  constructor({ folder, now }: { readonly folder: string; readonly now: () => number }) {
    this.#folder = folder;
    this.#now = now;
  }

  async keep(text: string, about: AboutOriginal): Promise<Result<string, "unwritable" | "unsafe_place">> {
    if (!this.#isReady) {
      const ready = ensurePrivateFolder(this.#folder);
      if (!ready.ok) return ready;
      this.#isReady = true;
    }
    const head = {
      schema: 1,
      at: this.#now(),
      session: about.session,
      program: about.program,
      line: scrubStart(about.line, maxLineLength),
      compressor: about.compressor,
      hit: about.hit,
      bytes: Buffer.byteLength(text),
      lines: linesOf(text).length,
    };
    for (let tries = 1; ; tries += 1) {
      const id = newOutputId((limit) => randomInt(limit));
      try {
        await writeFile(this.fileOf(id), `${JSON.stringify(head)}\n${text}`, { flag: "wx", mode: 0o600 });
        return succeed(id);
      } catch (error) {
        const code = errorCode(error);
        if (code === "EEXIST" && tries < maxTries) continue;
        // Another program may have removed the folder.
        this.#isReady = false;
        if (code !== "EEXIST") await this.forget(id);
        return fail("unwritable", compose`${this.#folder}: ${code}`);
      }
    }
  }

  async forget(id: string): Promise<void> {
    await rm(this.fileOf(id), { force: true });
  }

  async read(
    id: string,
  ): Promise<Result<{ readonly head: StoredHead; readonly text: string }, "not_kept" | "unreadable">> {
    const read = await this.#reading(id, async (handle) => await handle.readFile("utf8"));
    if (!read.ok) return read;
    const head = headOf(id, read.value);
    if (head === null) return this.#foreign(id);
    return succeed({ head, text: read.value.slice(read.value.indexOf("\n") + 1) });
  }

  #foreign(id: string): Result<never, "unreadable"> {
    return fail("unreadable", sentence("{0} is not what purser writes", this.fileOf(id)));
  }

  /** Opens a regular file: a link may lead anywhere, and reading a pipe would block. */
  async #reading<Value>(
    id: string,
    act: (handle: FileHandle) => Promise<Value>,
  ): Promise<Result<Value, "not_kept" | "unreadable">> {
    if (!isOutputId(id))
      return fail("not_kept", sentence("no output has the id {0}", JSON.stringify(id.slice(0, 40))));
    try {
      const handle = await open(this.fileOf(id), constants.O_RDONLY | safely);
      try {
        if (!(await handle.stat()).isFile()) return this.#foreign(id);
        return succeed(await act(handle));
      } finally {
        await handle.close();
      }
    } catch (error) {
      const code = errorCode(error);
      if (code !== "ENOENT")
        return fail("unreadable", sentence("{0} cannot be read ({1})", this.fileOf(id), code));
      return fail(
        "not_kept",
        sentence("the output {0} is not kept: outputs are for a week, and the oldest go first", id),
      );
    }
  }

  /** Returns the heads of all kept outputs, the newest first. */
  async list(): Promise<readonly StoredHead[]> {
    const heads = await Promise.all((await this.#ids()).map(async (id) => await this.head(id)));
    return heads.flatMap((head) => head ?? []).sort((a, b) => b.at - a.at);
  }

  /** Returns the facts about a kept output; null if it is not kept. */
  async head(id: string): Promise<StoredHead | null> {
    const start = await this.#reading(id, async (handle) => {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(maxHeadLength), position: 0 });
      return buffer.toString("utf8", 0, bytesRead);
    });
    return start.ok ? headOf(id, start.value) : null;
  }

  /** Removes outputs that are too old, and the oldest of those above the limit. */
  async prune({ age, bytes }: StorageLimits = usualLimits): Promise<void> {
    const files = await Promise.all((await this.#ids()).map(async (id) => await this.#stats(id)));
    const now = this.#now();
    let sum = 0;
    for (const { id, size, changedAt } of files.flat().sort((a, b) => b.changedAt - a.changedAt)) {
      sum += size;
      // A clock that was set back must not keep files forever.
      const isOld = Math.abs(now - changedAt) > age;
      if (isOld || sum > bytes) await this.forget(id);
    }
  }

  async #stats(id: string) {
    try {
      const { size, mtimeMs } = await lstat(this.fileOf(id));
      return [{ id, size, changedAt: mtimeMs }];
    } catch (error) {
      errorCode(error);
      return [];
    }
  }

  async #ids(): Promise<string[]> {
    try {
      const entries = await readdir(this.#folder, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.parse(entry.name))
        .flatMap(({ name, ext }) => (ext === ".txt" && isOutputId(name) ? [name] : []));
    } catch (error) {
      errorCode(error);
      return [];
    }
  }

  fileOf(id: string): string {
    return path.join(this.#folder, `${id}.txt`);
  }
}

function headOf(id: string, whole: string): StoredHead | null {
  const end = whole.indexOf("\n");
  const read = readJson(storedHead, whole.slice(0, Math.max(0, end)));
  return read === null ? null : { ...read, id };
}
