import type { Result } from "../../base/result.ts";
import type { ServiceClient } from "../../service/client.ts";
import { ensureService } from "../../service/ensure.ts";
import type { CliHost } from "../cli-ports.ts";
import { servicePorts } from "./service-access.ts";

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
