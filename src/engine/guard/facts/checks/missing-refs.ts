import path from "node:path";
import { nearestOf } from "../../../base/text.ts";
import type { Finding } from "../../delivery.ts";
import type { RefClaim } from "../claims/claim.ts";
import { type FactPorts, listed, missing, quoted } from "./check.ts";

/** Branches and tags that are compared, the newest first. */
const maxRefs = 2000;

/** Checks whether a repository has a branch, tag or commit of a name. */
export async function checkRef(claim: RefClaim, ports: FactPorts): Promise<Finding | null> {
  const { name, folder, mayBePath, mayBeRemote } = claim;
  const list = ["for-each-ref", `--count=${maxRefs}`, "--sort=-creatordate", "--format=%(refname)"];
  const [own, head, refs] = await Promise.all([
    ports.git(folder, ["rev-parse", "--verify", "--quiet", name]),
    // A repository without its current commit is empty, or not readable.
    ports.git(folder, ["rev-parse", "--verify", "--quiet", "HEAD"]),
    ports.git(folder, list),
  ]);
  if (own?.code !== 1 || head?.code !== 0 || refs?.code !== 0) return null;
  if (mayBePath && (await isPath(claim, ports))) return null;
  const names = refs.output.split("\n").flatMap((ref) => shortName(ref) ?? []);
  const branch = (ref: string) => ref.slice(ref.indexOf("/") + 1);
  const remotes = refs.output
    .split("\n")
    .filter((ref) => ref.startsWith("refs/remotes/"))
    .map((ref) => branch(ref.slice("refs/remotes/".length)));
  if (mayBeRemote && (remotes.includes(name) || names.length >= maxRefs)) return null;
  const nearest = nearestOf(name, names);
  return missing("missing-ref", {
    about: `${name} (${folder})`,
    says: `This repository has no branch, tag or commit ${quoted(name)}${mayBePath ? ", and no such path" : ""}${
      remotes.length > 0 ? ", as far as it was fetched" : ""
    }.`,
    nearest:
      nearest.length > 0
        ? `The nearest that it has: ${listed(nearest)}.`
        : `The last ones used: ${listed(names.slice(0, 3))}.`,
  });
}

async function isPath({ name, folder }: RefClaim, ports: FactPorts): Promise<boolean> {
  if ((await ports.look(path.resolve(folder, name))) !== "none") return true;
  // A path that was deleted is one still.
  const tracked = await ports.git(folder, ["ls-files", "--", name]);
  return tracked?.code !== 0 || tracked.output !== "";
}

function shortName(ref: string): string | null {
  const name = /^refs\/(?:heads|remotes|tags)\/(?<name>.+)$/u.exec(ref)?.groups?.["name"];
  return name === undefined || name.endsWith("/HEAD") ? null : name;
}
