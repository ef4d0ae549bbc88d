import { sentence } from "../../base/language.ts";
import { namedByStart } from "../../rules/named-by-start.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { belongsTo } from "../../base/paths.ts";
import type { SessionSnapshot } from "../../sessions/snapshot.ts";
import { agentEnvironment } from "../../sessions/agent-environment.ts";
import { sessionRoots } from "../../transcripts/agents.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import type { CliHost } from "../cli-ports.ts";
import { chosenSession } from "../sessions/self-check.ts";

/** A person's or an agent's name for the session that this is run in. */
const current = "current";

/** An ID that the last week does not know is passed on: its transcript may still exist. `wanted` is null for the latest session in this folder. */
export async function chosenSessionId(
  wanted: string | null,
  service: Requester,
  host: CliHost,
): Promise<Result<string>> {
  const { env, home } = host;
  const view = { roots: sessionRoots({ env, home }), env: agentEnvironment(env), folders: [] };
  const configured = await service.ask("configure", view);
  if (!configured.ok) return configured;
  const status = await service.ask("status", {});
  if (!status.ok) return status;
  const { sessions } = status.value;
  if (wanted !== null) {
    const isKnown = wanted === current || namedByStart(sessions, wanted, ({ id }) => id).kind !== "none";
    if (!isKnown) return succeed(wanted);
    const chosen = chosenSession(status.value, wanted, host);
    return chosen.ok ? succeed(chosen.value.id) : chosen;
  }
  const [last] = sessions.filter((session) => isOf(session, host.cwd));
  return last === undefined
    ? fail(
        "no_such_session",
        sentence("no session of the last week worked in this folder; give the ID of one"),
      )
    : succeed(last.id);
}

function isOf({ cwd, workingIn }: SessionSnapshot, folder: string): boolean {
  const { platform } = process;
  return [cwd, workingIn].some((one) => one !== null && belongsTo(one, [folder], { platform }));
}
