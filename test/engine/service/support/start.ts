import { systemClock } from "../../../../src/engine/base/timing.ts";
import { ensureService } from "../../../../src/engine/service/ensure.ts";
import { spawnLauncher } from "../../../../src/engine/service/launch/launch.ts";
import { thisMachine } from "../../../../src/engine/base/process/machine.ts";
import { purserPaths } from "../../../../src/engine/base/disk/home.ts";

/** A client that requires the service, starts it if necessary, and prints its pid. */
const { env } = process;
const userHome = env["HOME"] ?? "";
const home = purserPaths({ env, home: userHome });
const { execPath } = process;
const client = await ensureService({
  home,
  machine: thisMachine(),
  clock: systemClock,
  version: "1.0.0",
  pid: process.pid,
  onProblem: (message) => void process.stderr.write(message),
  launchers: [
    spawnLauncher({ home, program: process.argv[2] ?? "", execPath, isElectron: false, env, userHome }),
  ],
});
process.stdout.write(client.ok ? String(client.value.pid) : client.detail.text);
if (client.ok) client.value.dispose();
