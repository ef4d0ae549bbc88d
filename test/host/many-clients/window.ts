import { homedir } from "node:os";
import { z } from "zod";
import { explainFailure, ServiceLink } from "../../../src/extension/service/link.ts";
import { serviceAccess } from "../../../src/extension/service/service-access.ts";
import { percentsOf, usedBy, type Figures } from "./figures.ts";

/**
 * `node window.ts PROGRAM VERSION WORKSPACE`: a window of the extension without its editor. On request it
 * connects to the service with the extension's own code, and reports what it received.
 */
const [program = "", version = "", workspace = ""] = process.argv.slice(2);

const problems: string[] = [];
/** Every service it was ever connected to. */
const services: number[] = [];
const note = (message: string) => void problems.push(message);

const link = new ServiceLink({
  log: { info: () => undefined, warn: note, error: note },
  pauses: [200, 400, 800],
  longPause: 30_000,
  explain: (failure) => explainFailure(failure, (text) => text),
  load: () =>
    Promise.resolve(
      serviceAccess({
        userFolder: null,
        program,
        version,
        userHome: homedir(),
        pid: process.pid,
        execPath: process.execPath,
        isElectron: false,
        env: () => process.env,
        folders: () => [workspace],
        settings: () => ({
          editor: "a window",
          workspace: null,
          user: {},
          folders: [{ path: workspace, settings: {} }],
        }),
        onProblem: note,
      }),
    ),
});
link.onClient((client) => {
  if (client !== undefined) services.push(client.pid);
});

/** The pushed sessions, and the sums that the Ledger panel requests. */
async function look(): Promise<Figures> {
  const sessions = link.state.kind === "ready" ? link.state.snapshot.sessions : [];
  const limits = { since: null, until: null, project: null, program: null };
  const asked = await link.client?.ask("overview", { asked: limits });
  const programs = asked?.ok === true ? asked.value.answer.programs : [];
  return {
    percents: percentsOf(sessions),
    used: Object.fromEntries(
      programs.map(({ key, usage, responses }) => [key ?? "unknown", usedBy(usage, responses)]),
    ),
  };
}

const asked = z.enum(["begin", "look", "end"]);
process.on("message", (message) => {
  switch (asked.parse(message)) {
    case "begin":
      link.start();
      break;
    case "look":
      void look().then((figures) => process.send?.({ figures, services, problems }));
      break;
    case "end":
      void end();
      break;
  }
});
// The parent process is gone.
process.once("disconnect", () => void end());
process.send?.("ready");

async function end(): Promise<void> {
  await link.stop();
  process.exit();
}
