import path from "node:path";
import { systemClock } from "../../../src/engine/base/timing.ts";
import { purserPaths } from "../../../src/engine/base/disk/home.ts";
import { thisMachine } from "../../../src/engine/base/process/machine.ts";
import { ensureService } from "../../../src/engine/service/ensure.ts";
import { spawnLauncher } from "../../../src/engine/service/launch/launch.ts";
import { makeFolder } from "../../../src/extension/sample/folder.ts";
import { sampleHomes, writeSample } from "../../../src/extension/sample/unpack.ts";

/** A process that opens the sample in a temporary folder as a window does, prints its folder and its service's pid, and stays. */
const repository = path.resolve(import.meta.dirname, "../../..");
const [, , temporary = ""] = process.argv;
const { pid, execPath } = process;
const machine = thisMachine();
const clock = systemClock;
const { path: folder } = await makeFolder({ temporary, pid, machine, clock });
const written = await writeSample({
  packed: path.join(repository, "media/sample.json.br"),
  fixture: path.join(repository, "fixture"),
  folder,
  now: clock.now(),
});
const env = { PATH: process.env["PATH"], ...sampleHomes(folder).env };
const home = purserPaths({ env, home: folder });
const program = path.join(repository, "src/engine/service/main.ts");
const client = await ensureService({
  home,
  machine,
  clock,
  version: "1.0.0",
  pid,
  launchers: [spawnLauncher({ home, program, execPath, isElectron: false, env, userHome: folder })],
  onProblem: (message) => void process.stderr.write(message),
});
if (!written.ok || !client.ok) throw new Error("the sample could not be opened");
process.stdout.write(`${JSON.stringify({ folder, service: client.value.pid })}\n`);
