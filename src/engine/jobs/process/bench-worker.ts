import { Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { systemClock } from "../../base/timing.ts";
import { bundledSuite, sourceSuite } from "../../bench/suite.ts";
import { interruption } from "../../recurring/agents.ts";
import { serveJobs } from "./worker.ts";
import { thisMachine } from "../../base/process.ts";
import { Peer } from "../../protocol/peer.ts";
import { readEnvelope, serviceLimit } from "../../protocol/envelope.ts";
import { purserPaths } from "../../base/paths.ts";

/** Ends when the pipe to the service closes. */
const folder = path.dirname(import.meta.filename);
const isBundled = !import.meta.filename.endsWith(".ts");
/** File descriptor of the pipe that `ChildProcessRunner` passes. */
const descriptor = 3;

const { env } = process;
const userHome = os.homedir();
const over = new AbortController();
const warn = (message: string) => process.stderr.write(`${message}\n`);
const peer = new Peer(new Socket({ fd: descriptor, readable: true, writable: true }), {
  limit: () => serviceLimit,
  admit: readEnvelope,
  onRefused: (why) => {
    warn(`The service was not understood: ${why.text}`);
    peer.dispose();
  },
  onProblem: warn,
});
const work = serveJobs(peer, {
  env,
  userHome,
  pid: process.pid,
  clock: systemClock,
  machine: thisMachine(),
  home: purserPaths({ env, home: userHome }),
  scratch: os.tmpdir(),
  purser: [process.execPath, path.join(folder, isBundled ? "cli.cjs" : "../../cli/main.ts")],
  suite: isBundled ? bundledSuite(folder) : sourceSuite(path.join(folder, "../..")),
  signal: over.signal,
  onProblem: (message) => warn(message.text),
});
peer.onClose(() => {
  over.abort(interruption);
  // Jobs in progress stop their agents first.
  void work.idle().then(() => process.exit());
});
// The service decides when to end, even where a terminal signals both processes.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
peer.listen();
