import { isVersionBefore } from "../../base/text/version-order.ts";

/** The Node that an agent would find to run the shim with. */
export type FoundNode =
  { readonly kind: "found" } | { readonly kind: "none" } | { readonly kind: "old"; readonly version: string };

/** Same as `engines` in package.json. */
export const oldestNode = "20.19.0";

/** Runs the runtime as an agent started from this environment would find it. */
export async function findNode(
  runtime: string,
  run: (program: string, args: readonly string[]) => Promise<string | null>,
): Promise<FoundNode> {
  const output = await run(runtime, ["--version"]);
  const version = /^v(\d+\.\d+\.\d+)/u.exec(output ?? "")?.[1];
  if (version === undefined) return { kind: "none" };
  return isVersionBefore(version, oldestNode) ? { kind: "old", version } : { kind: "found" };
}
