import { createHash } from "node:crypto";
import { readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import type { PinnedPackage } from "./pinned-packages.ts";
import { Unavailable } from "./unavailable.ts";

const downloadLimit = 5 * 60 * 1000; // ms

/** Runs npm in a folder: the npm that started this process, if any, else the one on PATH. */
export async function npm(folder: string, ...args: readonly string[]): Promise<void> {
  const started = process.env["npm_execpath"];
  const viaNode = started?.endsWith(".js") === true;
  const [file, before] = viaNode ? [process.execPath, [started]] : ["npm", []];
  const ran = await execa(file, [...before, ...args], {
    cwd: folder,
    stdin: "ignore",
    timeout: downloadLimit,
    reject: false,
    all: true,
  });
  if (ran.failed)
    throw new Unavailable(`npm ${args.join(" ")} failed: ${ran.all.trim() || ran.shortMessage}`);
}

/** Downloads one pinned package and unpacks it to `folder/package`; rejects a tarball with another hash. */
export async function fetchPackage(wanted: PinnedPackage, folder: string): Promise<string> {
  const id = `${wanted.name}@${wanted.version}`;
  await npm(folder, "pack", id, "--ignore-scripts", "--silent");
  const tarball = (await readdir(folder)).find((entry) => entry.endsWith(".tgz"));
  if (tarball === undefined) throw new Error(`npm pack ${id} left no tarball in ${folder}.`);
  const path = join(folder, tarball);
  const hash = `sha512-${createHash("sha512")
    .update(await readFile(path))
    .digest("base64")}`;
  if (hash !== wanted.integrity) throw new Error(`${id} has the hash ${hash}, wanted ${wanted.integrity}.`);
  await execa("tar", ["-xzf", tarball], { cwd: folder });
  await rm(path);
  return join(folder, "package");
}
