/**
 * Checks that the lock files work with any registry: they state what a package is (its hash), never where it
 * came from.
 */
import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
let count = 0;
const faults = ["package-lock.json", "fixture/package-lock.json"].flatMap((name) => {
  const { packages } = JSON.parse(readFileSync(path.join(root, name), "utf8"));
  return Object.entries(packages).flatMap(([place, { resolved, integrity }]) => {
    if (place === "") return [];
    count += 1;
    if (resolved !== undefined) return [`${name}: ${place} is resolved to a host; see .npmrc.`];
    return integrity === undefined ? [`${name}: ${place} has no hash.`] : [];
  });
});
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`${count} packages`);
