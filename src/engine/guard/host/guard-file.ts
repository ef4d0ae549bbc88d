import { sentence } from "../../base/text/sentence.ts";
import { readFileSync, statSync } from "node:fs";
import { errorCode } from "../../base/error-code.ts";
import { fail, succeed } from "../../base/result.ts";
import type { GuardFile } from "../user-rules/config-file.ts";

/** Maximum size of a file: no one writes larger ones by hand. Bytes. */
const largest = 2 * 1024 * 1024;

/** Returns a file of guard rules on the disk. One that cannot be looked at has a stamp too, so that it is reported once. */
export function guardFileAt(name: string): GuardFile {
  return {
    name,
    stamp: () => {
      try {
        const found = statSync(name, { throwIfNoEntry: false });
        return found === undefined ? "" : `${found.mtimeMs} ${found.size} ${found.ino}`;
      } catch (error) {
        const code = errorCode(error);
        return code === "ENOTDIR" ? "" : code;
      }
    },
    text: () => {
      try {
        // A pipe or a device would be waited for.
        const stats = statSync(name);
        if (!stats.isFile()) return fail("unreadable", sentence("it is no file"));
        if (stats.size > largest)
          return fail("unreadable", sentence("it has {0} bytes; at most {1} are read", stats.size, largest));
        return succeed(readFileSync(name, "utf8"));
      } catch (error) {
        const code = errorCode(error);
        return code === "ENOENT"
          ? succeed("")
          : fail("unreadable", sentence("it cannot be read ({0})", code));
      }
    },
  };
}
