import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { parseJson } from "../../../src/engine/base/parse.ts";

/** An output as a peer gets it. */
export interface PeerOutput {
  readonly text: string;
  readonly command: string;
  readonly exitCode: number;
}

/** Another program that makes outputs smaller. Its own code never runs in this process. */
export interface Peer {
  readonly name: string;
  /** @throws with a reason, if it cannot run */
  readonly shorten: (output: PeerOutput) => string;
}

const longest = 30_000; // ms
const reduced = z.object({ inlineText: z.string() });

/** Peers that npm has: the version that was compared, its program, and how it is called. */
const packages: readonly {
  readonly id: string;
  readonly program: string;
  readonly shorten: (program: string, output: PeerOutput) => string;
}[] = [
  {
    id: "tokenjuice@0.8.5",
    program: "tokenjuice/dist/cli/main.js",
    shorten: (program, { text: combinedText, command, exitCode }) => {
      const input = { toolName: "exec", command, argv: command.split(" "), combinedText, exitCode };
      const printed = run(process.execPath, [program, "reduce-json", "--no-stats"], JSON.stringify(input));
      const answer = reduced.safeParse(parseJson(printed));
      if (!answer.success) throw new Error(`it prints ${printed.slice(0, 60)}`);
      return answer.data.inlineText;
    },
  },
];

/**
 * Opens a peer: a package of the table, which is installed into a temporary folder, or a shell command that reads an output and prints a smaller one.
 * @throws if it cannot be installed
 */
export function openPeer(name: string): Peer {
  const known = packages.find(({ id }) => id.startsWith(`${name}@`));
  if (known === undefined) return { name, shorten: ({ text }) => run("/bin/sh", ["-c", name], text) };
  const folder = mkdtempSync(path.join(tmpdir(), "purser-peer-"));
  run("npm", ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", known.id], "");
  const program = path.join(folder, "node_modules", known.program);
  return { name: known.id, shorten: (output) => known.shorten(program, output) };
}

function run(program: string, argv: readonly string[], input: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, argv, {
    input,
    encoding: "utf8",
    timeout: longest,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return stdout;
  if (status === 127) throw new Error("there is no such command");
  throw new Error(error?.message ?? `it ends with ${status ?? "a signal"}: ${stderr.trim().slice(-200)}`);
}
