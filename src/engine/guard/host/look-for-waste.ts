import type { Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../../base/error-code.ts";
import type { ShellContext } from "../commands/invocation.ts";
import type { LimitPorts } from "../limits/limits-handler.ts";
import type { WasteGuardPorts } from "../waste/waste-handler.ts";
import { agents } from "../../transcripts/agents.ts";

type Ports = Pick<
  WasteGuardPorts,
  "invocationsOf" | "textOf" | "sizeOf" | "standingCalls" | "dependenciesIn"
> &
  Pick<LimitPorts, "addLimit">;

/** A larger file is not read to see whether lines of it are unchanged. Bytes. */
const largestRead = 2_000_000;
/** Folders of others' code that projects leave out of git. */
const dependencyFolders = ["node_modules", ".venv", "venv"];

/** Looks at commands and files for the guards on waste. */
export function lookForWaste(contextOf: (folder: string | null) => ShellContext): Ports {
  return {
    invocationsOf: async (command, folder) => {
      const { readCommandLine } = await import("../catalogue/judge-all.ts");
      return readCommandLine(command, contextOf(folder));
    },
    addLimit: async (command, folder) => {
      const { addLimit } = await import("../catalogue/judge-all.ts");
      return addLimit(command, contextOf(folder));
    },
    textOf: async (file) => {
      const found = await lookAt(file);
      if (found?.isFile() !== true || found.size > largestRead) return null;
      try {
        return await readFile(file, "utf8");
      } catch (error) {
        errorCode(error);
        return null;
      }
    },
    sizeOf: async (file) => {
      const found = await lookAt(file);
      return found?.isFile() === true ? found.size : null;
    },
    standingCalls: async (program, transcript, calls) => {
      const load = agents.find(({ name }) => name === program)?.standingCalls ?? null;
      return load === null ? new Set() : await (await load())(transcript, calls);
    },
    dependenciesIn: async (folder) => {
      // Elsewhere git cannot search or list in their place.
      if (contextOf(folder).project === null) return null;
      for (const name of dependencyFolders) {
        const found = await lookAt(path.join(folder, name));
        if (found?.isDirectory() === true) return name;
      }
      return null;
    },
  };
}

async function lookAt(name: string): Promise<Stats | null> {
  try {
    return await stat(name);
  } catch (error) {
    errorCode(error);
    return null;
  }
}
