/** The lock file must work with any registry: it says what a package is (its hash), never where it came from. */
import { readFileSync } from "node:fs";
import path from "node:path";

const file = path.resolve(import.meta.dirname, "../../package-lock.json");
const { packages } = JSON.parse(readFileSync(file, "utf8"));
const faults = Object.entries(packages).flatMap(([place, { resolved, integrity }]) => {
  if (place === "") return [];
  if (resolved !== undefined) return [`${place} is resolved to a host; see .npmrc.`];
  return integrity === undefined ? [`${place} has no hash.`] : [];
});
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`${Object.keys(packages).length - 1} packages`);
