import { isVersionBefore } from "../../base/text/version-order.ts";

/** The Node that an agent would find, which is to run the shim. */
export type FoundNode =
  { readonly kind: "found" } | { readonly kind: "none" } | { readonly kind: "old"; readonly version: string };

/** As `engines` in the package says. */
export const oldestNode = "20.19.0";

/** Looks where an agent that is started from here would. */
export async function findNode(
  runtime: string,
  run: (program: string, args: readonly string[]) => Promise<string | null>,
): Promise<FoundNode> {
  const said = await run(runtime, ["--version"]);
  const version = /^v(\d+\.\d+\.\d+)/u.exec(said ?? "")?.[1];
  if (version === undefined) return { kind: "none" };
  return isVersionBefore(version, oldestNode) ? { kind: "old", version } : { kind: "found" };
}
