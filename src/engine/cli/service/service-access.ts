import path from "node:path";
import { sessionRoots } from "../../transcripts/agents.ts";
import { readBuildStamp } from "../../service/build-stamp.ts";
import { agentEnvironment } from "../../sessions/agent-environment.ts";
import { type StarterPorts, ensureService } from "../../service/ensure.ts";
import { spawnLauncher } from "../../service/launch.ts";
import { thisMachine } from "../../base/process.ts";
import type { ClientConfiguration } from "../../sessions/session-requests.ts";
import { purserPaths } from "../../base/paths.ts";
import { connectService, type ServiceClient } from "../../service/client.ts";
import type { CliHost } from "../cli-ports.ts";
import type { Result } from "../../base/result.ts";

/** Starts the service if needed, and disconnects afterwards. */
export async function throughService<Value>(
  host: CliHost,
  act: (service: ServiceClient) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const client = await ensureService({ ...servicePorts(host), signal: host.signal });
  if (!client.ok) return client;
  try {
    return await act(client.value);
  } finally {
    client.value.dispose();
  }
}

export function servicePorts({ env, home: userHome, now, version, service, pid }: CliHost): StarterPorts {
  const home = purserPaths({ env, home: userHome });
  return {
    home,
    pid,
    machine: thisMachine(),
    clock: { now },
    version: version(),
    build: () => readBuildStamp(path.dirname(service.program)),
    // Failures are part of the answer.
    onProblem: () => undefined,
    launchers: [spawnLauncher({ ...service, home, env, userHome })],
  };
}

/** Null when no service can be reached. */
export async function readingClient(host: CliHost): Promise<ServiceClient | null> {
  const found = await connectService(servicePorts(host));
  if (!found.ok) return null;
  const configured = await found.value.ask("configure", viewOf(host));
  if (configured.ok) return found.value;
  found.value.dispose();
  return null;
}

function viewOf({ env, home }: CliHost): ClientConfiguration {
  return {
    roots: sessionRoots({ env, home }),
    env: agentEnvironment(env),
    folders: [],
  };
}
