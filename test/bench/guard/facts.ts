import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type * as lookingUp from "../../../src/engine/guard/facts/look-up.ts";
import { mayClaim } from "../../../src/engine/guard/facts/facts-handler.ts";
import { testContext } from "../../engine/guard/support/shell-context.ts";
import { quantileOf } from "../quantile.ts";

/**
 * `node test/bench/guard/facts.ts FILE`: measures what the guard on facts costs a command before anything is looked up, by the commands of
 * a file, one a line. Reads the built bundle.
 */
const [file = ""] = process.argv.slice(2);
const bundle = fileURLToPath(new URL("../../../dist/guard-facts.cjs", import.meta.url));
const commands = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const begun = performance.now();
const { callClaims } = loadBundle();
const loading = performance.now() - begun;

const times: number[] = [];
let claiming = 0;
let looking = 0;
for (let round = 0; round < 6; round += 1)
  for (const command of commands) {
    const call = { tool: "Bash", kind: "command", command } as const;
    const at = performance.now();
    const isRead = mayClaim(call);
    const claims = isRead ? callClaims(call, { command }, testContext) : [];
    // The first round warms up.
    if (round > 0) times.push(performance.now() - at);
    if (round > 0) continue;
    if (isRead) looking += 1;
    if (claims.length > 0) claiming += 1;
  }
const sorted = times.toSorted((one, other) => one - other);
const shown = (share: number) => `${quantileOf(sorted, share).toFixed(4)} ms`;
console.log(`${commands.length} commands: ${looking} are read, ${claiming} name something that is looked up`);
console.log(
  `p50 ${shown(0.5)}, p90 ${shown(0.9)}, p99 ${shown(0.99)}, most ${shown(1)}; loading ${loading.toFixed(1)} ms`,
);

function loadBundle() {
  const loaded: unknown = createRequire(import.meta.url)(bundle);
  return z
    .object({ callClaims: z.custom<typeof lookingUp.callClaims>((value) => typeof value === "function") })
    .parse(loaded);
}
