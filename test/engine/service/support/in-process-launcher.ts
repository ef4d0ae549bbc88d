import { fail, succeed } from "../../../../src/engine/base/result.ts";
import type { Launcher } from "../../../../src/engine/service/launch/launch.ts";
import type { ServicePorts } from "../../../../src/engine/service/service-ports.ts";
import { Service } from "../../../../src/engine/service/service.ts";

/**
 * Hosts the service on the calling thread, for as long as its process lives, so that tests can inspect it.
 */
export function inProcessLauncher(
  ports: ServicePorts,
  onStart: (service: Service) => void = () => undefined,
): Launcher {
  return async () => {
    const service = await Service.start(ports);
    // Another one was faster, which is just as good.
    if (!service.ok && service.reason === "running")
      return succeed({ ended: Promise.resolve(succeed(undefined)) });
    if (!service.ok) return fail("failed", service.detail);
    onStart(service.value);
    return succeed({ ended: service.value.stopped.then(() => succeed(undefined)) });
  };
}
