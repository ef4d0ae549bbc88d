import type { Result } from "../../base/result.ts";
import type { ServiceClient } from "../../service/client.ts";
import { ensureService } from "../../service/ensure.ts";
import type { CliHost } from "../cli-ports.ts";
import { servicePorts } from "./service-access.ts";

/** Runs an action with the service, which is started when it does not run, and leaves it. */
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
