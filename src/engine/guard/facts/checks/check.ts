import type { Finding } from "../../delivery.ts";
import type { Claim } from "../claims/claim.ts";
import { isWithin } from "../claims/absolute-path.ts";
import type { FactPorts } from "../facts-ports.ts";
import { checkExport } from "./missing-exports.ts";
import { checkPackage } from "./missing-packages.ts";
import { checkPath } from "./missing-paths.ts";
import { checkRef } from "./missing-refs.ts";
import { checkScript } from "./missing-scripts.ts";
import { checkTarget } from "./missing-targets.ts";
import { checkTest } from "./missing-tests.ts";
import { checkFlag } from "./unknown-flags.ts";

/** Maximum findings reported per call. */
const maxFindings = 3;

/** Looks up what a call names, and returns what is missing. */
export async function findMissing(claims: readonly Claim[], ports: FactPorts): Promise<Finding[]> {
  const found = await Promise.all(claims.map((claim) => check(claim, ports)));
  const places: string[] = [];
  const all = found.flatMap((finding) => {
    const about = finding?.about ?? "";
    // Skip repeats, and anything inside a folder already reported missing.
    if (finding === null || places.some((place) => isWithin(about, place))) return [];
    places.push(about);
    return [finding];
  });
  return all.slice(0, maxFindings);
}

async function check(claim: Claim, ports: FactPorts): Promise<Finding | null> {
  switch (claim.kind) {
    case "path":
      return await checkPath(claim, ports);
    case "script":
      return await checkScript(claim, ports);
    case "target":
      return await checkTarget(claim, ports);
    case "ref":
      return await checkRef(claim, ports);
    case "package":
      return await checkPackage(claim, ports);
    case "flag":
      return await checkFlag(claim, ports);
    case "export":
      return await checkExport(claim, ports);
    case "test":
      return await checkTest(claim, ports);
  }
}
