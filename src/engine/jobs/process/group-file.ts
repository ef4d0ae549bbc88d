import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import type * as z from "zod";
import { nodeFiles } from "../../base/disk/file-port.ts";
import { writeAtomically } from "../../base/disk/atomic-file.ts";
import { errorCode } from "../../base/error-code.ts";
import { parseJson } from "../../base/parse-json.ts";
import type { BenchPorts } from "../../bench/bench-request.ts";
import { storedGroup, type GroupStore } from "../../rules/together/group.ts";
import { foundRules, type FoundStore } from "../../rules/together/set.ts";

type Disk = Pick<BenchPorts, "folder" | "unique">;

/** Keeps a selection's group of rules beside its benches. One that cannot be read is begun anew. */
export function groupFile(name: string, disk: Disk): GroupStore {
  return jsonFile(`${name}.group.json`, storedGroup, disk);
}

/** Keeps the rules that a selection found beside its benches, until they are confirmed as a whole. */
export function foundFile(name: string, disk: Disk): FoundStore {
  return jsonFile(`${name}.found.json`, foundRules, disk);
}

function jsonFile<Value>(name: string, schema: z.ZodType<Value>, { folder, unique }: Disk) {
  const file = path.join(folder, name);
  return {
    load: async (): Promise<Value | null> => {
      try {
        return schema.safeParse(parseJson(await readFile(file, "utf8"))).data ?? null;
      } catch (error) {
        if (errorCode(error) === "ENOENT") return null;
        throw error;
      }
    },
    save: async (value: Value | null): Promise<void> => {
      if (value === null) {
        await rm(file, { force: true });
        return;
      }
      await nodeFiles.makeFolder(folder);
      await writeAtomically(file, Buffer.from(`${JSON.stringify(value)}\n`), { files: nodeFiles, unique });
    },
  };
}
