import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { nodeFiles } from "../base/disk/file-port.ts";
import { writeAtomically } from "../base/disk/atomic-file.ts";
import { errorCode } from "../base/error-code.ts";
import { parseJson } from "../base/parse-json.ts";
import type { BenchPorts } from "../bench/request.ts";
import { storedGroup, type GroupStore } from "../rules/together/group.ts";

/** Keeps a selection's group of rules beside its benches. One that cannot be read is begun anew. */
export function groupFile(
  name: string,
  { folder, unique }: Pick<BenchPorts, "folder" | "unique">,
): GroupStore {
  const file = path.join(folder, `${name}.group.json`);
  return {
    load: async () => {
      try {
        return storedGroup.safeParse(parseJson(await readFile(file, "utf8"))).data ?? null;
      } catch (error) {
        if (errorCode(error) === "ENOENT") return null;
        throw error;
      }
    },
    save: async (group) => {
      if (group === null) {
        await rm(file, { force: true });
        return;
      }
      await nodeFiles.makeFolder(folder);
      await writeAtomically(file, Buffer.from(`${JSON.stringify(group)}\n`), { files: nodeFiles, unique });
    },
  };
}
