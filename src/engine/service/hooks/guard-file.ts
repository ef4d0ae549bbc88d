import { readFileSync, statSync } from "node:fs";
import { errorCode } from "../../base/error-code.ts";
import { fail, succeed } from "../../base/result.ts";
import type { GuardFile } from "../../guard/user-rules/loaded-rules.ts";

/** Returns the user's `guard.yaml` on the disk. One that cannot be looked at has a stamp too, so that it is reported once. */
export function guardFileAt(name: string): GuardFile {
  return {
    name,
    stamp: () => {
      try {
        const found = statSync(name, { throwIfNoEntry: false });
        return found === undefined ? "" : `${found.mtimeMs} ${found.size} ${found.ino}`;
      } catch (error) {
        return errorCode(error);
      }
    },
    text: () => {
      try {
        return succeed(readFileSync(name, "utf8"));
      } catch (error) {
        const code = errorCode(error);
        return code === "ENOENT" ? succeed("") : fail("unreadable", `it cannot be read (${code})`);
      }
    },
  };
}
